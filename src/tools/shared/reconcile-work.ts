import { LRUCache } from 'lru-cache';
import type { Archive } from '../../archive/archive.ts';
import type { CallContext } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { type AssessmentDeadlines, assessmentDeadlines } from '../../documents/books/assessment.ts';
import {
  type Book,
  BookError,
  type BookKind,
  type Entry,
  isInPart,
  type Part,
  wholeFile,
} from '../../documents/books/book.ts';
import { compareSides } from '../../documents/books/compare.ts';
import { MOST_ENTRIES } from '../../documents/books/efd.ts';
import type { BookFinding, ComparedBook, Comparison, Found, Sides } from '../../documents/books/findings.ts';
import type { ReadingOptions } from '../../documents/books/recognise.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { companyAsked } from './question.ts';
import { type DocumentsSide, readDocumentsSide } from './reconcile-documents.ts';
import { createReconcileWords, type FileNote, type ReadFile } from './reconcile-words.ts';

/** Files being read; the next call continues. */
export interface Reading {
  readonly files: ReadFile[];
  /** Bytes. */
  read: number;
  size: number;
  isDone: boolean;
  /** Reads until done or a deadline (milliseconds since 1970). */
  proceed(until: number, signal: AbortSignal): Promise<void>;
}

/** Number and sums of a file's entries. */
export interface Tally {
  readonly entries: number;
  readonly sums?: Readonly<Record<string, string>> | undefined;
}

const summed = ['total', 'icms', 'ipi', 'cbs'] as const;

/** Adds entries to a tally; skips amounts of reduced values, whose meaning is unknown. */
function tallied(entries: readonly Entry[], before: Tally = { entries: 0 }): Tally {
  const all = before.entries + entries.length;
  if (all === 0) return before;
  const counted = entries.filter(({ situation = '' }) => !['09', '10'].includes(situation));
  const sums = summed.flatMap((name) => {
    const sum = addDecimals([before.sums?.[name], ...counted.map((entry) => entry[name])]);
    return sum === undefined ? [] : [[name, sum] as const];
  });
  return { entries: all, sums: Object.fromEntries(sums) };
}

/** Starts to read files by their paths in the configured folders; nothing is read before `proceed`. */
function beginReading(
  paths: readonly string[],
  locate: (path: string) => string | undefined,
  options: ReadingOptions,
): Reading {
  async function* readAll(): AsyncGenerator<void> {
    const { readUserBook } = await import('../../archive/files/user-books.ts');
    for (const path of paths) {
      const found = locate(path);
      if (found === undefined) reading.files.push({ path, problem: 'not_found' });
      else
        try {
          for await (const step of readUserBook(found, options)) {
            if ('entries' in step) reading.files.push({ path, book: step });
            else Object.assign(reading, step);
            yield;
          }
        } catch (error) {
          if (!(error instanceof BookError)) throw error;
          reading.files.push({ path, problem: error.problem });
        }
    }
  }
  const steps = readAll();
  const reading: Reading = {
    ...{ files: [], read: 0, size: 0, isDone: false },
    async proceed(until, signal) {
      while (!reading.isDone && Date.now() < until) {
        signal.throwIfAborted();
        reading.isDone = (await steps.next()).done === true;
      }
    },
  };
  return reading;
}

/** Criteria of the files to compare. */
interface Wanted extends Pick<Sides, 'from' | 'to'> {
  readonly kind?: BookKind | undefined;
  readonly company?: string | undefined;
}

const rootOf = (company: string) => company.slice(0, 8);

function reasonToPass(
  book: Book,
  { kind, company, from, to }: Wanted,
  context: CallContext,
): FileNote | undefined {
  const { company: own = '' } = book;
  const isWholeCompany = book.kind === 'efd_contribuicoes' || book.kind === 'cbs_assessment';
  const isSame =
    company === undefined || own === company || (isWholeCompany && rootOf(own) === rootOf(company));
  if (kind !== undefined && kind !== book.kind) return { code: 'other_kind', values: { kind: book.kind } };
  if (!isSame) return { code: 'other_company', values: { company: own } };
  if (own.length === 14 && !context.company.allows(own))
    return { code: 'not_allowed', values: { company: own } };
  const isBefore = to !== undefined && book.from !== undefined && book.from > to;
  const isAfter = from !== undefined && book.to !== undefined && book.to < from;
  // An assessment's window is that of its records, which are of earlier months.
  if (book.kind !== 'cbs_assessment' && (isBefore || isAfter)) return { code: 'other_period' };
  return undefined;
}

/** Files to compare, and why the others are not. */
interface Chosen {
  readonly books: readonly ComparedBook[];
  /** By position of the file. */
  readonly passed: ReadonlyMap<number, FileNote>;
}

/** Selects the files to compare: of two for one month the replacement wins, otherwise the later one. */
function chooseFiles(files: readonly ReadFile[], wanted: Wanted, context: CallContext): Chosen {
  const months = new Map<string, number>();
  const passed = new Map<number, FileNote>();
  for (const [at, { book }] of files.entries()) {
    if (book === undefined) continue;
    const reason = reasonToPass(book, wanted, context);
    if (reason !== undefined) {
      passed.set(at, reason);
      continue;
    }
    if (book.kind !== 'efd_icms_ipi' && book.kind !== 'efd_contribuicoes') continue;
    const month = `${book.kind}|${book.company}|${book.from}`;
    const before = months.get(month);
    const isNewer = before === undefined || book.isReplacement || files[before]?.book?.isReplacement !== true;
    const [winner, loser] = isNewer ? [at, before] : [before, at];
    months.set(month, winner);
    if (loser !== undefined)
      passed.set(loser, { code: 'replaced', values: { file: files[winner]?.path ?? '' } });
  }
  const books = files.flatMap(({ book }, file) =>
    book !== undefined && !passed.has(file) ? [{ file, book }] : [],
  );
  return { books, passed };
}

/** An assessment's month with the days until which it is presented and adjusted. */
export type Deadlines = AssessmentDeadlines & { readonly month: string };

/** Deadlines of the assessment month that most records are of, the later one on a tie. */
function deadlinesOf(books: readonly ComparedBook[]): Deadlines | undefined {
  const entries = books.flatMap(({ book }) => (book.kind === 'cbs_assessment' ? book.entries : []));
  const counts = new Map<string, number>();
  for (const { month } of entries) if (month !== undefined) counts.set(month, (counts.get(month) ?? 0) + 1);
  const [[month] = ['']] = [...counts].sort(
    ([one, few], [other, many]) => many - few || other.localeCompare(one),
  );
  // A DeRE record shows that the company files one.
  const filesDere = entries.some(({ documento }) => documento === '94');
  return month === '' ? undefined : { month, ...assessmentDeadlines(month, filesDere) };
}

/** Which files are compared with which documents, and how. */
export interface ReconcileQuestion {
  readonly files: readonly string[];
  readonly kind?: BookKind | undefined;
  readonly cnpj?: string | undefined;
  readonly days: Pick<Sides, 'from' | 'to'>;
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
  readonly deadlines: Deadlines | undefined;
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
const keptOf = new WeakMap<Archive, LRUCache<string, Work>>();

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
  const { stampOfBook } = await import('../../archive/files/user-books.ts');
  const stamps = paths.map(locate).map((found) => (found === undefined ? '' : stampOfBook(found)));
  const name = JSON.stringify([question, company, stamps]);
  const kept = keptOf.get(archive) ?? new LRUCache<string, Work>({ max: MOST_KEPT });
  keptOf.set(archive, kept);
  const known = isContinued ? kept.get(name) : undefined;
  const options = { company: company ?? '', columns: question.columns ?? {} };
  const beginPart = (part: Part) => beginReading(paths, locate, { ...options, part });
  const work: Work = known ?? { beginPart, part: wholeFile, reading: beginPart(wholeFile) };
  kept.set(name, work);
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
