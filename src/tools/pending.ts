import * as z from 'zod';
import type { LeftOut } from '../archive/archive.ts';
import type { CallContext } from '../company/call-context.ts';
import { csvLine } from '../messages/message.ts';
import {
  askService,
  isWaiting,
  type PendingNote,
  pendingShape,
  waitingNotes,
} from './manifestation/waiting.ts';
import { basisOutput, basisSentences, basisShape, subjectLine, unlessEmpty } from './shared/basis.ts';
import { pageForView, readTool, sentences } from './shared/definition.ts';
import { asksService, fetchParts, jointBasis } from './shared/fetching.ts';
import { partyShape } from './shared/filters.ts';
import { checkUnchanged, cursorAfter, readPlace, refreshSince } from './shared/paging.ts';
import { limit, shared } from './shared/parameters.ts';
import { recentDays } from './shared/period.ts';
import { companyAsked } from './shared/question.ts';
import { resolvedSentences, resolvedShape, resolveNames } from './shared/resolve.ts';

/** The 90 days of a conclusive event, and those just past them. */
const LAST_DAYS = 100;

const columns = {
  number: ({ number }) => number,
  issuer: ({ issuer }) => issuer,
  issuer_name: (note) => note.issuer_name,
  total: ({ total }) => total,
  authorized_at: (note) => note.authorized_at?.slice(0, 10),
  status: ({ status }) => status,
  days_left_10: (note) => note.days_left_ciencia?.toString(),
  days_left_90: (note) => note.days_left_conclusive?.toString(),
  conclusive_until: (note) => note.conclusive_until,
  rests_on: (note) => note.rests_on,
  key: ({ key }) => key,
} satisfies Record<string, (note: PendingNote) => string | undefined>;

export const listPendingManifestations = readTool({
  name: 'list_pending_manifestations',
  group: 'analysis',
  view: 'period',
  description:
    'List inbound NF-e without a conclusive manifestation, most urgent first, with days left of the 10 and 90; tacitly confirmed ones last.',
  input: () =>
    z.strictObject({
      cnpj: shared.holder(),
      from: shared.firstDay().optional().describe('Default: the last 100 days'),
      to: shared.lastDay(),
      issuer: partyShape().issuer,
      limit: limit(20, 200),
      cursor: shared.cursor(),
      refresh: shared.refresh(),
    }),
  output: () =>
    z.object({
      ...basisShape(),
      ...resolvedShape(),
      total: z.int().describe('Open ones'),
      tacitly_confirmed: z.int(),
      settled_upstream: z.int(),
      pending: z.array(pendingShape()),
    }),
  async run(args, context) {
    const { translator } = context;
    const { cursor, limit: size, issuer, ...given } = args;
    const company = await companyAsked(args, context);
    const days = recentDays(given, LAST_DAYS, context);
    const query = { ...given, ...days, issuer, company };
    const place = await readPlace(cursor, query, context);
    const { offset } = place;
    const since = refreshSince(args.refresh, place, context);
    const question = { ...days, companies: [company], areas: ['nfe'], by: 'issue' } as const;
    const basis = jointBasis(await fetchParts(question, context, { since }));
    const { filters, resolved } = await resolveNames({ issuer }, basis, context);
    const selection = { ...days, company, area: 'nfe', by: 'issue', direction: 'inbound', filters } as const;
    const { notes, documents, notOurs, isAnyUnclear } = await waitingNotes(basis.archive, selection, context);
    const isPartial = basis.pending.length > 0;
    // Before the service is asked about the notes.
    if (!isPartial) checkUnchanged(place, notes.length);
    const { left_out } = await basis.archive.list({ ...selection, limit: 1 });
    const leftOut: LeftOut[] = [...left_out, { reason: 'not_to_manifest', count: notOurs }];
    const tacit = notes.length - notes.filter(isWaiting).length;
    const page = notes.slice(offset, offset + size);
    const { open, settled } = asksService(company, context)
      ? await askService(page, context, (asked, most) => {
          const words = translator.say('analysis.asking_status', { asked });
          void context.progress(documents + asked, documents + most, words);
        })
      : { open: page, settled: 0 };
    for (const { key } of open) context.company.memory.seen.noteKey(key);
    const cut = { place, shown: open.length, total: notes.length, dropped: settled, isPartial, since };
    const nextCursor = await cursorAfter(cut, query);
    const shown = open.filter(isWaiting).length;
    const openingIn = (said: CallContext) => {
      const { say } = said.translator;
      return sentences(
        subjectLine(['nfe'], company, days, said.translator),
        resolvedSentences(resolved, said),
        basisSentences(basis, documents, leftOut, said),
        say('analysis.pending', { total: notes.length - tacit, shown, settled }),
        tacit > 0 && say('analysis.tacitly_confirmed', { count: tacit }),
        isAnyUnclear && `⚠ ${say('analysis.perhaps_confirmed')}`,
      );
    };
    const structured = {
      company,
      ...days,
      documents,
      ...basisOutput(basis, leftOut, context),
      resolved: unlessEmpty(resolved),
      total: notes.length - tacit,
      tacitly_confirmed: tacit,
      settled_upstream: settled,
      pending: open,
      next_cursor: nextCursor,
    };
    const makePage = async () => {
      const { pendingPage } = await import('./pages/pending.ts');
      const all = [...notes.slice(0, offset), ...open, ...notes.slice(offset + size)];
      const about = {
        tool: 'list_pending_manifestations',
        args,
        areas: ['nfe'],
        direction: 'inbound',
        archive: basis.archive,
        resolved,
        linesIn: openingIn,
      } as const;
      return pendingPage({ ...structured, notes: all }, about, context);
    };
    return {
      forView: await pageForView(context, makePage),
      structured,
      text: sentences(
        openingIn(context),
        open.length > 0 && translator.say('analysis.pending_basis'),
        nextCursor !== undefined && translator.say('cover.next', { cursor: nextCursor }),
        open.length > 0 && Object.keys(columns).join(','),
        open.map((one) => csvLine(Object.values(columns).map((cell) => cell(one)))),
      ),
    };
  },
});
