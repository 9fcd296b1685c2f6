import * as z from 'zod';
import type { Archive, StoredDocument } from '../../archive/store/index.ts';
import { UpstreamError } from '../../clients/errors.ts';
import { compareDecimals } from '../../documents/decimals.ts';
import {
  deadlineOf,
  type EventName,
  eventByCode,
  eventNames,
  manifestationEvents,
} from '../../documents/manifestation.ts';
import { csvLine } from '../../messages/csv-line.ts';
import type { Journal, JournalEntry } from '../../writes/journal.ts';
import { companyOf } from '../coverage.ts';
import { readTool, type ToolContext } from '../definition.ts';
import { askEventStatus } from '../event-status.ts';
import { limit, shared } from '../parameters.ts';
import { basisOutput, basisSentences, basisShape, layBasis } from './basis.ts';
import { cursorAfter, readOffset } from './offset-cursor.ts';
import { daysFrom } from './period.ts';

/** What is known of a note's manifestation, and from where. `unclear` is an answer, too. */
const restsOn = ['documents', 'journal', 'service', 'unclear'] as const;

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
    days_left_conclusive: z.int().optional().describe('Of 180; negative: over'),
    rests_on: z.enum(restsOn),
  });

type Pending = z.input<ReturnType<typeof pendingShape>>;

interface Clock {
  readonly now: Date;
  /** `DFE_TIME_ZONE`, for dates without a zone. */
  readonly timeZone: string;
}

const conclusive = eventNames.filter((name) => manifestationEvents[name].conclusive);

/** Status questions one call may ask; each note can take three. */
const MOST_STATUS_CALLS = 30;
const LONGEST_ASKING_MS = 10_000;

/** The manifestations that the service delivered in a note's own file or beside it. */
async function deliveredEvents(
  { summary }: StoredDocument,
  key: string,
  archive: Archive,
): Promise<ReadonlySet<EventName>> {
  const beside = (await archive.events(key)).flatMap(({ event }) => event ?? []);
  return new Set(
    [...(summary.events ?? []), ...beside].flatMap(({ code = '' }) => eventByCode(code)?.name ?? []),
  );
}

/** A note without a conclusive event among its documents. */
interface Candidate {
  readonly document: StoredDocument;
  readonly key: string;
  readonly delivered: ReadonlySet<EventName>;
}

/** The candidates that the journal does not settle either, with what each rests on. */
async function openAfterJournal(
  candidates: readonly Candidate[],
  journal: Journal,
  clock: Clock,
): Promise<Pending[]> {
  const history = await journal.history(candidates.map(({ key }) => key));
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
    authorizedAt ? deadlineOf(event, authorizedAt, now, timeZone)?.daysLeft : undefined;
  const [ciencia, conclusion] = [left('ciencia'), left('confirmacao')];
  return {
    key: summary.key ?? '',
    ...(summary.number && { number: summary.number }),
    ...(summary.issuer?.id && { issuer: summary.issuer.id }),
    ...(summary.issuer?.name && { issuer_name: summary.issuer.name }),
    ...(summary.totals.total && { total: summary.totals.total }),
    ...(authorizedAt && { authorized_at: authorizedAt }),
    acknowledged,
    ...(ciencia !== undefined && { days_left_ciencia: ciencia }),
    ...(conclusion !== undefined && { days_left_conclusive: conclusion }),
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

/** Asks the service about the notes shown, as far as calls and time allow; a note it knows as settled drops out. */
async function askService(
  notes: readonly Pending[],
  context: ToolContext,
): Promise<{ open: Pending[]; settled: number }> {
  const until = Date.now() + LONGEST_ASKING_MS;
  let calls = 0;
  let isFailing = false;
  let settled = 0;
  const open: Pending[] = [];
  for (const note of notes) {
    let answer: Pending | undefined = note;
    for (const event of conclusive) {
      if (isFailing || calls >= MOST_STATUS_CALLS || Date.now() > until || context.signal.aborted) break;
      calls += 1;
      const known = await askEventStatus(note.key, event, context).catch((error: unknown) => {
        if (!(error instanceof UpstreamError)) throw error;
        isFailing = true;
        return undefined;
      });
      if (known?.status === 'done') {
        answer = undefined;
        settled += 1;
        break;
      }
      if (known !== undefined) {
        answer = { ...note, rests_on: known.status === 'refused' ? 'service' : 'unclear' };
      }
    }
    if (answer !== undefined) open.push(answer);
  }
  return { open, settled };
}

export const listPendingManifestations = readTool({
  name: 'list_pending_manifestations',
  group: 'analysis',
  description:
    'List inbound NF-e without a conclusive manifestation, most urgent first, with days left of the 10 and 180.',
  input: () =>
    z.strictObject({
      cnpj: shared.cnpj(),
      from: shared.date(),
      to: shared.date(),
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
    const offset = await readOffset(cursor, { ...query, company }, context);
    const basis = await layBasis({ ...days, company, area: 'nfe', by: 'issue' }, context);
    const { journal } = await services.writeGuards();
    const clock = { now: new Date(), timeZone: services.settings.timeZone };
    const candidates: Candidate[] = [];
    let documents = 0;
    const selection = { ...days, company, area: 'nfe', by: 'issue', direction: 'inbound' } as const;
    for await (const document of basis.archive.read(selection)) {
      context.signal.throwIfAborted();
      documents += 1;
      const { kind, key } = document.summary;
      if (kind !== 'nfe' || key === undefined) continue;
      const delivered = await deliveredEvents(document, key, basis.archive);
      if (!conclusive.some((name) => delivered.has(name))) candidates.push({ document, key, delivered });
    }
    const pending = await openAfterJournal(candidates, journal, clock);
    pending.sort(byUrgency);
    const page = pending.slice(offset, offset + size);
    const { open, settled } = await askService(page, context);
    const isPartial = basis.pending.length > 0;
    const place = { offset, shown: page.length, total: pending.length, isPartial };
    const nextCursor = await cursorAfter(place, { ...query, company });
    return {
      structured: {
        company,
        ...days,
        documents,
        ...basisOutput(basis, []),
        total: pending.length,
        settled_upstream: settled,
        pending: open,
        ...(nextCursor !== undefined && { next_cursor: nextCursor }),
      },
      text: [
        `NF-e, ${translator.say('cover.company', { company })}, ${translator.say('cover.period', days)}.`,
        ...basisSentences(basis, documents, [], context),
        translator.say('analysis.pending', { total: pending.length, shown: open.length, settled }),
        translator.say('analysis.pending_basis'),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
        'number,issuer,issuer_name,total,authorized_at,acknowledged,days_left_10,days_left_180,rests_on,key',
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
