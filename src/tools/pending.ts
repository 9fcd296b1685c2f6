import * as z from 'zod';
import type { LeftOut, StoredDocument } from '../archive/store/archive.ts';
import { compareDecimals } from '../documents/decimals.ts';
import { deadlineOf } from '../documents/events/deadlines.ts';
import { type EventName, eventByCode } from '../documents/events/manifestation.ts';
import { type Candidate, candidatesOf, conclusive } from '../manifestation/candidates.ts';
import { askService, restsOn } from '../manifestation/status-questions.ts';
import { companyOf } from '../mcp/coverage.ts';
import { readTool } from '../mcp/definition.ts';
import { cursorAfter, readOffset } from '../mcp/offset-cursor.ts';
import { limit, shared } from '../mcp/parameters.ts';
import { daysFrom } from '../mcp/period.ts';
import { csvLine } from '../messages/csv-line.ts';
import { basisOutput, basisSentences, basisShape, ensureFetched } from '../questions/basis.ts';
import type { CallContext } from '../services/call-context.ts';
import type { Journal, JournalEntry } from '../writes/journal.ts';

const pendingShape = () =>
  z.object({
    key: z.string(),
    number: z.string().optional(),
    issuer: z.string().optional(),
    issuer_name: z.string().optional(),
    total: z.string().optional(),
    authorized_at: z.string().optional(),
    acknowledged: z.boolean().describe('Ciência is known to be registered'),
    days_left_ciencia: z.int().optional().describe('Of 10; negative: over'),
    days_left_conclusive: z.int().optional().describe('Of 90; negative: over'),
    rests_on: z.enum(restsOn),
  });

type Pending = z.input<ReturnType<typeof pendingShape>>;

interface Clock {
  readonly now: Date;
  /** `DFE_TIME_ZONE`, for dates without a zone. */
  readonly timeZone: string;
}

/** The whole call ends within this, because hosts give it a minute. Source: docs/hosts.md, F2. */
const LONGEST_CALL_MS = 42_000;

/** The candidates that the journal does not settle either, with what each rests on. */
async function openAfterJournal(
  candidates: readonly Candidate[],
  journal: Journal,
  clock: Clock,
): Promise<Pending[]> {
  const history = await journal.history({ keys: candidates.map(({ key }) => key) });
  const byKey = new Map<string | undefined, JournalEntry[]>();
  for (const entry of history) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
  return candidates.flatMap(({ document, key, delivered }) => {
    const entries = byKey.get(key) ?? [];
    const named = (state: JournalEntry['state']) =>
      entries
        .filter((entry) => entry.state === state)
        .flatMap(({ event }) => eventByCode(event ?? '')?.name ?? []);
    const done = named('done');
    if (conclusive.some((name) => done.includes(name))) return [];
    const rests =
      named('unknown').length > 0
        ? 'unclear'
        : done.some((name) => !delivered.has(name))
          ? 'journal'
          : 'documents';
    return [describe(document, delivered.has('ciencia') || done.includes('ciencia'), rests, clock)];
  });
}

function describe(
  { summary }: StoredDocument,
  acknowledged: boolean,
  rests: Pending['rests_on'],
  { now, timeZone }: Clock,
): Pending {
  const authorizedAt = summary.protocol?.at;
  const left = (event: EventName) =>
    authorizedAt ? deadlineOf(event, { authorizedAt }, now, timeZone)?.daysLeft : undefined;
  const [ciencia, conclusion] = [left('ciencia'), left('confirmacao')];
  return {
    key: summary.key ?? '',
    number: summary.number || undefined,
    issuer: summary.issuer?.id || undefined,
    issuer_name: summary.issuer?.name || undefined,
    total: summary.totals.total || undefined,
    authorized_at: authorizedAt || undefined,
    acknowledged,
    days_left_ciencia: ciencia,
    days_left_conclusive: conclusion,
    rests_on: rests,
  };
}

/** What runs out first comes first; among equals the larger amount. What is over comes after what can be done. */
function byUrgency(one: Pending, other: Pending): number {
  const urgency = ({
    acknowledged,
    days_left_ciencia: ten = -1,
    days_left_conclusive: all = 9_999,
  }: Pending) => {
    if (!acknowledged && ten >= 0) return ten;
    return all >= 0 ? all : 100_000;
  };
  return urgency(one) - urgency(other) || compareDecimals(other.total ?? '0', one.total ?? '0');
}

/** How far asking has come, as progress of the call; the notes were counted before. */
function tellAsked(context: CallContext, documents: number) {
  return (asked: number, most: number) => {
    const words = context.translator.say('analysis.asking_status', { asked });
    // Progress is a courtesy: the answer does not wait for it.
    void context.progress(documents + asked, documents + most, words);
  };
}

export const listPendingManifestations = readTool({
  name: 'list_pending_manifestations',
  group: 'analysis',
  description:
    'List inbound NF-e without a conclusive manifestation, most urgent first, with days left of the 10 and 90.',
  input: () =>
    z.strictObject({
      cnpj: shared.cnpj(),
      from: shared.firstDay(),
      to: shared.lastDay(),
      limit: limit(20, 200),
      cursor: shared.cursor(),
    }),
  output: () =>
    z.object({
      ...basisShape(),
      total: z.int(),
      settled_upstream: z.int(),
      pending: z.array(pendingShape()),
    }),
  async run(args, context) {
    const { services, translator } = context;
    const { cursor, limit: size, ...query } = args;
    const company = companyOf(args, context);
    const days = daysFrom(args, context);
    const began = Date.now();
    const offset = await readOffset(cursor, { ...query, company }, context);
    const basis = await ensureFetched({ ...days, company, area: 'nfe', by: 'issue' }, context);
    const { journal } = await services.writeGuards();
    const clock = { now: new Date(), timeZone: services.settings.timeZone };
    const selection = { ...days, company, area: 'nfe', by: 'issue', direction: 'inbound' } as const;
    const { candidates, documents, notOurs } = await candidatesOf(basis.archive, selection, context.signal);
    const { left_out } = await basis.archive.list({ ...selection, limit: 1 });
    const leftOut: LeftOut[] = [...left_out, { reason: 'not_to_manifest', count: notOurs }];
    const pending = await openAfterJournal(candidates, journal, clock);
    pending.sort(byUrgency);
    const page = pending.slice(offset, offset + size);
    const deadline = began + LONGEST_CALL_MS;
    const { open, settled } = await askService(page, context, deadline, tellAsked(context, documents));
    const isPartial = basis.pending.length > 0;
    const place = { offset, shown: page.length, total: pending.length, isPartial };
    const nextCursor = await cursorAfter(place, { ...query, company });
    return {
      structured: {
        company,
        ...days,
        documents,
        ...basisOutput(
          basis,
          leftOut.filter(({ count }) => count > 0),
        ),
        total: pending.length,
        settled_upstream: settled,
        pending: open,
        next_cursor: nextCursor,
      },
      text: [
        `NF-e, ${translator.say('cover.company', { company })}, ${translator.say('cover.period', days)}.`,
        ...basisSentences(basis, documents, leftOut, context),
        translator.say('analysis.pending', { total: pending.length, shown: open.length, settled }),
        translator.say('analysis.pending_basis'),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
        'number,issuer,issuer_name,total,authorized_at,acknowledged,days_left_10,days_left_90,rests_on,key',
        ...open.map((one) =>
          csvLine([
            one.number,
            one.issuer,
            one.issuer_name,
            one.total,
            one.authorized_at?.slice(0, 10),
            String(one.acknowledged),
            one.days_left_ciencia?.toString(),
            one.days_left_conclusive?.toString(),
            one.rests_on,
            one.key,
          ]),
        ),
      ].join('\n'),
    };
  },
});
