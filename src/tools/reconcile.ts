import * as z from 'zod';
import type { Archive } from '../archive/archive.ts';
import type { CallContext } from '../company/call-context.ts';
import { BadArguments, Unfulfilled } from '../company/failures.ts';
import { bookKinds } from '../documents/books/book.ts';
import { compareSides } from '../documents/books/compare.ts';
import { bookFindings, type Comparison, certainties } from '../documents/books/findings.ts';
import { columnFields } from '../documents/books/table.ts';
import { csvLine } from '../messages/message.ts';
import { basisOutput, basisSentences } from './shared/basis.ts';
import { readTool } from './shared/definition.ts';
import { cursorAfter, linesThatFit, readPlace, refreshSince } from './shared/paging.ts';
import { limit, shared } from './shared/parameters.ts';
import { recentDays } from './shared/period.ts';
import { companyAsked } from './shared/question.ts';
import { type DocumentsSide, readDocumentsSide } from './shared/reconcile-documents.ts';
import { beginReading, type Chosen, chooseFiles, type Reading, stampsOf } from './shared/reconcile-files.ts';
import {
  byFinding,
  deadlineLines,
  deadlinesOf,
  type FileOutput,
  fileLines,
  fileOutput,
  findingLines,
  findingOutput,
  type ReconcileOutput,
  reconcileOutput,
} from './shared/reconcile-output.ts';
import { createReconcileWords, type ReconcileWords } from './shared/reconcile-words.ts';

const amount = () => z.string().regex(/^\d{1,12}(?:\.\d{1,2})?$/);

const input = () =>
  z.strictObject({
    file: z.array(z.string().min(1)).min(1).max(60).optional().describe('Paths in the DFE_FILES folders'),
    kind: z.enum(bookKinds).optional().describe('Default: recognised'),
    cnpj: shared.cnpj(),
    from: shared.firstDay().optional(),
    to: shared.lastDay(),
    tolerance_total: amount().optional().describe('Default 0.00'),
    tolerance_tax: amount().optional().describe('Default 0.02; assessment 0.00'),
    columns: z.record(z.string(), z.string()).optional().describe('List heading to field'),
    finding: z.array(z.string()).min(1).optional().describe('Only these'),
    certainty: z.array(z.enum(certainties)).min(1).optional().describe('Only these'),
    limit: limit(50, 200),
    cursor: shared.cursor(),
    refresh: shared.refresh(),
  });

type Arguments = z.output<ReturnType<typeof input>>;
/** A comparison, kept for its next pages. */
interface Work {
  readonly reading: Reading;
  compared?: Compared;
}

interface Compared extends Chosen {
  readonly side: DocumentsSide;
  readonly result: Comparison;
}

const MOST_KEPT = 4;

/** What was read and compared, by question, so that a next page is no second reading; of the archive it was read from. */
const keptOf = new WeakMap<Archive, Map<string, Work>>();

/** @throws Unfulfilled where there is none */
async function foldersOf({ company }: CallContext): Promise<readonly string[]> {
  const folders = await company.listFolders();
  if (folders.length === 0) throw new Unfulfilled('reconcile.no_folder');
  return folders;
}

async function workFor(args: Arguments, question: string, company: string | undefined, context: CallContext) {
  const archive = await context.company.archive();
  const folders = await foldersOf(context);
  const { findWithin } = await import('../archive/files/folders.ts');
  const paths = [...new Set(args.file ?? [])];
  const locate = (path: string) => findWithin(folders, path);
  const name = JSON.stringify([question, await stampsOf(paths, locate)]);
  const kept = keptOf.get(archive) ?? new Map<string, Work>();
  keptOf.set(archive, kept);
  const known = args.cursor === undefined ? undefined : kept.get(name);
  const work: Work = known ?? {
    reading: beginReading(paths, locate, { company: company ?? '', columns: args.columns ?? {} }),
  };
  kept.delete(name);
  kept.set(name, work);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return work;
}

/** Whose files they are, where the call or the settings say it; a list needs it, books say it themselves. */
async function holderOf(args: Arguments, context: CallContext): Promise<string | undefined> {
  try {
    return await companyAsked(args, context);
  } catch (error) {
    if (args.cnpj !== undefined || !(error instanceof Unfulfilled)) throw error;
    return undefined;
  }
}

/** Compares what was read, or gives the comparison that a page before this one was of. */
async function comparedBy(
  work: Work,
  args: Arguments,
  asked: { readonly from?: string; readonly to?: string },
  since: Date | undefined,
  context: CallContext,
): Promise<Compared> {
  const isStale = (work.compared?.side.basis?.pending.length ?? 0) > 0;
  if (work.compared !== undefined && !isStale) return work.compared;
  const chosen = chooseFiles(work.reading.files, { ...asked, kind: args.kind, company: args.cnpj }, context);
  const side = await readDocumentsSide(chosen.books, { ...asked, company: args.cnpj }, since, context);
  const result = compareSides({
    ...{ ...asked, books: chosen.books, documents: side.documents },
    isComplete: side.isComplete,
    refused: side.refused,
    toleranceTotal: args.tolerance_total ?? '0.00',
    toleranceTax: args.tolerance_tax ?? '0.02',
    toleranceCbs: args.tolerance_tax ?? '0.00',
  });
  work.compared = { ...chosen, side, result };
  return work.compared;
}

/** @throws BadArguments for a finding or a column's field that there is not */
function checkNames({ columns = {}, finding = [] }: Arguments, { translator }: CallContext): void {
  if (finding.some((one) => !bookFindings.some((name) => name === one))) {
    const choices = bookFindings.join(', ');
    throw new BadArguments([translator.say('argument.not_among', { argument: 'finding', choices })]);
  }
  const odd = Object.values(columns).find((field) => !columnFields.some((one) => one === field));
  if (odd === undefined) return;
  const fields = columnFields.join(', ');
  throw new BadArguments([translator.say('reconcile.unknown_column', { field: odd, fields })]);
}

const emptyOutput: Pick<ReconcileOutput, 'files' | 'by_finding' | 'findings' | 'not_compared' | 'total'> = {
  files: [],
  by_finding: [],
  findings: [],
  not_compared: [],
  total: 0,
};

/** The files there are, where the call names none. */
async function listFiles(context: CallContext, words: ReconcileWords) {
  const folders = await foldersOf(context);
  const { findUserBooks } = await import('../archive/files/user-books.ts');
  const found = await findUserBooks(folders);
  const listed: FileOutput[] = found
    .filter(({ book: { company = '' } }) => company.length !== 14 || context.company.allows(company))
    .map(({ path, book: { kind, layout, company, from, to } }) => {
      return { file: path, kind, layout: layout || undefined, company, from, to, notes: [] };
    });
  const lines = listed.map(({ file, kind = 'list', layout, company, from, to }) =>
    csvLine([file, words.kind(kind), layout, company, from, to]),
  );
  return {
    structured: {
      company: '',
      from: '',
      to: '',
      documents: 0,
      complete: true,
      ...emptyOutput,
      files: listed,
    },
    text:
      listed.length === 0
        ? [words.say('text.no_files')]
        : [
            words.say('text.files', { count: listed.length }),
            ...linesThatFit([], lines),
            words.say('text.call'),
          ],
  };
}

export const reconcile = readTool({
  name: 'reconcile',
  group: 'analysis',
  description:
    "Compare a SPED file (EFD), the tax authority's CBS assessment or an ERP list with the documents: missing, different, cancelled, duplicated; without file: which files there are.",
  input,
  output: reconcileOutput,
  async run(args, context) {
    const { translator, deadline, signal } = context;
    const words = createReconcileWords(translator);
    if (args.file === undefined) return listFiles(context, words);
    checkNames(args, context);
    const asked = args.from === undefined && args.to === undefined ? {} : recentDays(args, 31, context);
    const company = await holderOf(args, context);
    const { cursor, limit: size, finding: _, certainty: __, ...query } = args;
    const filters = { finding: args.finding, certainty: args.certainty };
    const { offset, ...place } = await readPlace(cursor, { ...query, ...filters, asked }, context);
    const since = refreshSince(args.refresh, { offset, ...place }, context);
    const question = JSON.stringify([query, asked, company, since]);
    const work = await workFor(args, question, company, context);
    const { reading } = work;
    await reading.proceed(deadline.fetchBy, signal);
    const next = (shown: number, total: number, isPartial: boolean) =>
      cursorAfter({ offset, shown, total, isPartial, since }, { ...query, ...filters, asked });
    if (!reading.isDone) {
      const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
      const nextCursor = await next(0, 0, true);
      const values = { read: megabytes(reading.read), size: megabytes(reading.size) };
      const days = { company: company ?? '', from: '', to: '', documents: 0, complete: false };
      return {
        structured: { ...days, ...emptyOutput, next_cursor: nextCursor },
        text: [words.say('text.reading', values), translator.say('cover.next', { cursor: nextCursor ?? '' })],
      };
    }
    const { files } = reading;
    if (files.every(({ book }) => book === undefined)) {
      throw new Unfulfilled('reconcile.none_readable', { reasons: files.map(words.problem).join('; ') });
    }
    if (company === undefined && files.some(({ book }) => book?.kind === 'list'))
      await companyAsked(args, context);
    const compared = await comparedBy(work, args, asked, since, context);
    const { side, result } = compared;
    const found = result.findings.filter(
      ({ finding, certainty }) =>
        (args.finding?.includes(finding) ?? true) && (args.certainty?.includes(certainty) ?? true),
    );
    const part = found.slice(offset, offset + size);
    const shown = part.map((one) => findingOutput(one, files, words));
    for (const { key } of shown) if (key !== undefined) context.company.memory.seen.noteKey(key);
    const basis = side.basis && basisOutput(side.basis, [], context);
    const nextCursor = await next(part.length, found.length, (side.basis?.pending.length ?? 0) > 0);
    const about = files.map((file, at) => fileOutput(file, compared.passed.get(at), words));
    const { entries, byKey, byNumber, agree } = result;
    const documents = side.documents.length;
    const deadlines = deadlinesOf(compared.books);
    const counts = {
      entries,
      documents,
      matched: byKey + byNumber,
      by_key: byKey,
      by_number: byNumber,
      agree,
    };
    const structured: ReconcileOutput = {
      company: side.companies.join(', '),
      from: side.from,
      to: side.to,
      documents,
      ...(basis ?? { complete: false }),
      files: about,
      compared: counts,
      by_finding: byFinding(found),
      findings: shown,
      not_compared: [...result.notCompared].map(([reason, count]) => ({ reason, count })),
      deadlines: deadlines && { presented_by: deadlines.presented_by, adjust_until: deadlines.adjust_until },
      total: found.length,
      next_cursor: nextCursor,
    };
    const left = structured.not_compared.map(({ reason, count }) => `${count} ${words.left(reason)}`);
    const opening = [
      ...fileLines(about, words),
      ...(side.basis === undefined ? [] : basisSentences(side.basis, documents, [], context)),
      words.say('text.compared', counts),
      ...structured.by_finding.map(
        ({ finding, certainty, count, amount }) =>
          `- ${count}× ${finding} (${words.certainty(certainty)}): ${translator.money(amount)}`,
      ),
      ...(left.length > 0 ? [`${words.say('text.not_compared')}: ${left.join('; ')}.`] : []),
      ...(deadlines === undefined ? [] : deadlineLines(deadlines, words)),
      words.say('text.findings', { total: found.length, shown: shown.length }),
    ];
    return {
      structured,
      text: [
        ...opening,
        ...findingLines(shown, part, words),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ],
    };
  },
});
