import type { Archive } from '../../archive/archive.ts';
import type { CallContext } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import type { BookKind } from '../../documents/books/book.ts';
import { isInPart, type Part, wholeFile } from '../../documents/books/book.ts';
import { compareSides } from '../../documents/books/compare.ts';
import { MOST_ENTRIES } from '../../documents/books/efd.ts';
import type { BookFinding, Comparison, Found } from '../../documents/books/findings.ts';
import { companyAsked } from './question.ts';
import { type DocumentsSide, readDocumentsSide } from './reconcile-documents.ts';
import {
  beginReading,
  type Chosen,
  chooseFiles,
  type Reading,
  stampsOf,
  type Tally,
  tallied,
} from './reconcile-files.ts';
import { deadlinesOf } from './reconcile-output.ts';
import { createReconcileWords } from './reconcile-words.ts';

/** Which files are compared with which documents, and how. */
export interface ReconcileQuestion {
  readonly files: readonly string[];
  readonly kind?: BookKind | undefined;
  readonly cnpj?: string | undefined;
  readonly days: { readonly from?: string; readonly to?: string };
  readonly toleranceTotal?: string | undefined;
  readonly toleranceTax?: string | undefined;
  readonly columns?: Readonly<Record<string, string>> | undefined;
  readonly finding?: readonly string[] | undefined;
  readonly certainty?: readonly string[] | undefined;
  readonly since?: Date | undefined;
}

/** Files and documents, compared. */
export interface Compared extends Chosen {
  readonly reading: Reading;
  readonly side: DocumentsSide;
  readonly result: Comparison;
  /** What each file holds, by its place. */
  readonly tallies: readonly (Tally | undefined)[];
  readonly deadlines: ReturnType<typeof deadlinesOf>;
  /** The findings that are kept, what is certain first. */
  readonly findings: readonly BookFinding[];
}

/** A comparison that is under way, or done: kept for its next pages. */
interface Work {
  readonly beginPart: (part: Part) => Reading;
  part: Part;
  reading: Reading;
  /** What the parts so far have come to. */
  parts?: Omit<Compared, 'reading' | 'findings'> | undefined;
  compared?: Compared;
  /** Ends with the call that is at work: others wait for it. */
  turn?: Promise<unknown>;
}

const MOST_KEPT = 4;

/** What was read and compared, by question, so that a next page is no second reading; of the archive it was read from. */
const keptOf = new WeakMap<Archive, Map<string, Work>>();

/** The folders whose files can be compared. @throws Unfulfilled where there is none */
export async function listFolders({ company }: CallContext): Promise<readonly string[]> {
  const folders = await company.listFolders();
  if (folders.length === 0) throw new Unfulfilled('reconcile.no_folder');
  return folders;
}

async function workFor(
  question: ReconcileQuestion,
  company: string | undefined,
  isContinued: boolean,
  context: CallContext,
): Promise<Work> {
  const archive = await context.company.archive();
  const folders = await listFolders(context);
  const { findWithin } = await import('../../archive/files/folders.ts');
  const paths = [...new Set(question.files)];
  const locate = (path: string) => findWithin(folders, path);
  const name = JSON.stringify([question, company, await stampsOf(paths, locate)]);
  const kept = keptOf.get(archive) ?? new Map<string, Work>();
  keptOf.set(archive, kept);
  const known = isContinued ? kept.get(name) : undefined;
  const options = { company: company ?? '', columns: question.columns ?? {} };
  const beginPart = (part: Part) => beginReading(paths, locate, { ...options, part });
  const work: Work = known ?? { beginPart, part: wholeFile, reading: beginPart(wholeFile) };
  kept.delete(name);
  kept.set(name, work);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return work;
}

/** Whose files they are, where the call or the settings say it; a list needs it, books say it themselves. */
async function holderOf(cnpj: string | undefined, context: CallContext): Promise<string | undefined> {
  try {
    return await companyAsked({ cnpj }, context);
  } catch (error) {
    if (cnpj !== undefined || !(error instanceof Unfulfilled)) throw error;
    return undefined;
  }
}

function beginPart(work: Work, part: Part): void {
  work.part = part;
  work.reading = work.beginPart(part);
}

/** Share of what a reader holds that a part is planned to have, since parts are not equally large. */
const FILL = 0.9;

/** How many parts the largest file needs. */
function partsNeeded({ files }: Reading): number {
  const documents = Math.max(...files.map(({ book }) => book?.documents ?? 0));
  return documents > MOST_ENTRIES ? Math.ceil(documents / (MOST_ENTRIES * FILL)) : 1;
}

/** Compares the part that was read and adds it to the parts before. */
async function comparePart(work: Work, question: ReconcileQuestion, context: CallContext): Promise<void> {
  const { reading, part, parts: before } = work;
  const { days, kind, cnpj, since, toleranceTotal, toleranceTax } = question;
  const chosen = chooseFiles(reading.files, { ...days, kind, company: cnpj }, context);
  const side =
    before?.side ?? (await readDocumentsSide(chosen.books, { ...days, company: cnpj }, since, context));
  const isOwn = ({ key, number }: { key?: string | undefined; number?: string | undefined }) =>
    isInPart(part, key, number);
  const books = chosen.books.map(({ file, book }) => ({
    file,
    book: {
      ...book,
      entries: book.entries.filter(isOwn),
      notCompared: part.at === 0 ? book.notCompared : new Map(),
    },
  }));
  const isWanted = ({ finding, certainty }: Found) =>
    (question.finding?.includes(finding) ?? true) && (question.certainty?.includes(certainty) ?? true);
  const sides = {
    ...{ ...days, books, documents: side.documents.filter(isOwn) },
    isComplete: side.isComplete,
    refused: side.refused,
    toleranceTotal: toleranceTotal ?? '0.00',
    toleranceTax: toleranceTax ?? '0.02',
    toleranceCbs: toleranceTax ?? '0.00',
  };
  const tallies = reading.files.map(
    ({ book }, at) => book && tallied(book.entries.filter(isOwn), before?.tallies[at]),
  );
  const result = compareSides(sides, isWanted, before?.result);
  work.parts = { ...chosen, side, result, tallies, deadlines: before?.deadlines ?? deadlinesOf(books) };
}

/** A call begins no further part of a large file after so long: comparing one takes a while, too. */
const PART_MS = 12_000;

type Outcome = Compared | { readonly reading: Reading; readonly result?: undefined };

/** Reads and compares part by part until all is done or the time is over. */
async function proceed(
  work: Work,
  question: ReconcileQuestion,
  company: string | undefined,
  context: CallContext,
): Promise<Outcome> {
  const { translator, deadline, signal } = context;
  const isStale = (work.compared?.side.basis?.pending.length ?? 0) > 0;
  if (work.compared !== undefined && !isStale) return work.compared;
  if (isStale) {
    work.parts = undefined;
    if (work.part.of > 1) beginPart(work, { at: 0, of: work.part.of });
  }
  const until = Math.min(deadline.fetchBy, Date.now() + PART_MS);
  for (;;) {
    await work.reading.proceed(work.part.of > 1 ? until : deadline.fetchBy, signal);
    const { reading, part } = work;
    if (!reading.isDone || (part.of > 1 && Date.now() >= until)) return { reading };
    const { files } = reading;
    if (files.every(({ book }) => book === undefined)) {
      const { problem } = createReconcileWords(translator);
      throw new Unfulfilled('reconcile.none_readable', { reasons: files.map(problem).join('; ') });
    }
    if (company === undefined && files.some(({ book }) => book?.kind === 'list'))
      await companyAsked({ cnpj: question.cnpj }, context);
    const needed = partsNeeded(reading);
    if (part.of < needed) {
      beginPart(work, { at: 0, of: needed });
      continue;
    }
    await comparePart(work, question, context);
    if (part.at + 1 < part.of) {
      beginPart(work, { at: part.at + 1, of: part.of });
      continue;
    }
    if (work.parts === undefined) throw new Error('nothing was compared');
    work.compared = { ...work.parts, reading, findings: work.parts.result.findings.sorted() };
    return work.compared;
  }
}

/**
 * Reads the files and compares them with the documents, or gives the comparison that a page before this one was of; the
 * reading alone where the time was over before all was read. A file too large to be held is compared part by part.
 * @throws Unfulfilled where none of the files can be read, or none says whose it is
 */
export async function reconcileFiles(
  question: ReconcileQuestion,
  isContinued: boolean,
  context: CallContext,
): Promise<Outcome> {
  const company = await holderOf(question.cnpj, context);
  const work = await workFor(question, company, isContinued, context);
  const turn = (work.turn ?? Promise.resolve()).then(() => proceed(work, question, company, context));
  work.turn = turn.catch(() => undefined);
  return turn;
}
