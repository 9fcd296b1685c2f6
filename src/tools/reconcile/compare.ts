import { findWithin } from '../../archive/files/folders.ts';
import { findUserBooks, readUserBook, stampOfBook } from '../../archive/files/user-books.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { assessmentDeadlines } from '../../documents/books/assessment.ts';
import {
  type Book,
  BookError,
  isInPart,
  type KnownDocument,
  type Part,
  wholeFile,
} from '../../documents/books/book.ts';
import { compareSides } from '../../documents/books/compare.ts';
import { MOST_ENTRIES } from '../../documents/books/efd.ts';
import type { BookFinding, ComparedBook, Comparison, Found, Sides } from '../../documents/books/findings.ts';
import { addDays, daysOf, earlier, later } from '../../documents/days.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { type Basis, coveredDays, fetchParts, jointBasis, openDay } from '../shared/fetching.ts';
import { keptByQuestion, Resumable } from '../shared/paging.ts';
import { todayOf } from '../shared/period.ts';
import { companyAsked } from '../shared/question.ts';
import type { Arguments } from './answer.ts';
import { createReconcileWords, type FileNote, type ReadFile } from './words.ts';

/** Files to compare, and how; a refresh began at `since`. */
type ReconcileQuestion = Omit<Arguments, 'file' | 'limit' | 'cursor'> & {
  readonly file: readonly string[];
  readonly since: Date | undefined;
};

/** An assessment's month with the days until which it is presented and adjusted. */
type Deadlines = ReturnType<typeof assessmentDeadlines> & { readonly month: string };

interface Compared {
  readonly files: readonly ReadFile[];
  readonly side: Awaited<ReturnType<typeof readDocumentsSide>>;
  readonly result: Comparison;
  readonly deadlines: Deadlines | undefined;
  /** The findings kept, certain ones first. */
  readonly findings: readonly BookFinding[];
  /** Whether days are still to be fetched. */
  readonly isPartial: boolean;
}

/** A comparison that is under way, or done. */
interface Comparing {
  /** Bytes of the file being read. */
  read: number;
  size: number;
  /** Number of parts that files are read and compared in; several if one exceeds memory. */
  parts: number;
  compared?: Compared | undefined;
}

/** Days between a document's issue and its booking. */
const LONGEST_WAY = 92;
/** No electronic document is older; a damaged book may state earlier days. Source: Ajuste SINIEF 07/2005. */
const FIRST_DOCUMENTS = '2000-01-01';
/** Establishments fetched in one call. */
const MOST_COMPANIES = 20;

const areaOf: Record<string, DocumentArea> = { 55: 'nfe', 65: 'nfe', 57: 'cte', 67: 'cte', nfse: 'nfse' };

/** Kinds of documents a book may list; for an ERP list, the kinds it has. */
function areasOf({ kind, entries }: ComparedBook['book']): DocumentArea[] {
  const listed = new Set(entries.map(({ model = '55' }) => areaOf[model]));
  return (['nfe', 'cte', 'nfse'] as const).filter((area) =>
    kind === 'list' ? listed.has(area) : kind !== 'efd_icms_ipi' || area !== 'nfse',
  );
}

/** Establishments named by the files; of an assessment the issuers of its debits, and the company asked about. */
function companiesOf(
  books: readonly ComparedBook[],
  asked: string | undefined,
  context: CallContext,
): string[] {
  const companies = new Set<string>();
  for (const { book } of books) {
    const { company = '', kind } = book;
    if (company.length === 14) companies.add(company);
    if (kind === 'efd_icms_ipi' || kind === 'list') continue;
    if (asked?.startsWith(company.slice(0, 8))) companies.add(asked);
    for (const { holder, key, isOwn } of book.entries) {
      const own = kind === 'cbs_assessment' && isOwn && key?.length === 44 ? key.slice(6, 20) : holder;
      if (own.length === 14 && own.startsWith(company.slice(0, 8))) companies.add(own);
    }
  }
  return [...companies].filter((one) => context.company.allows(one)).slice(0, MOST_COMPANIES);
}

/** Days of issue that entries may have; a book's entry may be some months older than the book. */
function daysOfBooks(books: readonly ComparedBook[], today: string, asked: Pick<Sides, 'from' | 'to'>) {
  let [from, to] = [today, ''];
  for (const { book } of books) {
    const isAssessment = book.kind === 'cbs_assessment';
    const months = isAssessment ? book.entries.flatMap(({ month }) => month ?? []).sort() : [];
    const first = isAssessment
      ? `${months.at(-1) ?? today.slice(0, 7)}-01`
      : (book.from ?? asked.from ?? addDays(today, -LONGEST_WAY));
    const last = book.to ?? today;
    const bound = addDays(later(first, asked.from ?? first), -LONGEST_WAY);
    let start = first;
    for (const { day, month } of book.entries) {
      const own = day ?? (month === undefined ? undefined : `${month}-01`);
      if (own !== undefined && own < start && own >= bound) start = own;
    }
    from = earlier(from, start);
    to = later(to, last);
  }
  const end = earlier(earlier(to === '' ? today : to, asked.to ?? today), today);
  return { from: earlier(later(from, FIRST_DOCUMENTS), end), to: end };
}

/** Fetches and reads the documents to compare: by company and days, and by key. */
async function readDocumentsSide(
  books: readonly ComparedBook[],
  { cnpj, since, ...asked }: ReconcileQuestion,
  context: CallContext,
) {
  const { settings, now } = context.company;
  const today = todayOf(context);
  const companies = companiesOf(books, cnpj ?? settings.cnpj, context);
  const days = daysOfBooks(books, today, asked);
  const areas = [...new Set(books.flatMap(({ book }) => areasOf(book)))];
  const archive = await context.company.archive();
  const withItems = books.some(({ book }) => book.kind === 'efd_icms_ipi');
  const byKey = new Map<string, KnownDocument>();
  const bases: { basis: Basis }[] = [];
  const complete = new Set<string>();
  const openFrom = openDay(new Date(now()));
  for (const company of companies) {
    if (areas.length === 0) break;
    const parts = await fetchParts({ companies: [company], areas, ...days, by: 'issue' }, context, { since });
    for (const { selection, basis } of parts) {
      bases.push({ basis });
      const isSure = basis.unreadable.length === 0 && basis.files?.isAlone !== true;
      const sureDays = isSure ? coveredDays(days, basis, openFrom).flatMap(daysOf) : [];
      for (const day of sureDays) complete.add(`${company}|${selection.area}|${day}`);
      for (const document of await archive.known.of(selection, withItems && selection.area === 'nfe')) {
        const name = document.key || `${document.issuer}|${document.number}|${document.issued_at}`;
        // A document between two of the companies counts from its issuer's side.
        if (!byKey.has(name) || document.issuer === company) byKey.set(name, document);
      }
    }
  }
  const keys = new Set(books.flatMap(({ book }) => book.entries.map(({ key }) => key ?? '')));
  const unknown = [...keys].filter((key) => key !== '' && !byKey.has(key));
  const elsewhere = unknown.length === 0 ? [] : await archive.known.byKeys(unknown);
  const isAllowed = ({ issuer, recipient, payer }: KnownDocument) =>
    [issuer, recipient, payer].some((id) => id.length === 14 && context.company.allows(id));
  return {
    companies,
    ...days,
    basis: bases.length > 0 ? jointBasis(bases) : undefined,
    documents: [...byKey.values(), ...elsewhere.filter(isAllowed)],
    isComplete: (company: string, kind: string, day: string) => complete.has(`${company}|${kind}|${day}`),
    refused: await archive.known.refused(),
  };
}

const rootOf = (company: string) => company.slice(0, 8);

function reasonToPass(
  book: Book,
  { kind, cnpj, from, to }: ReconcileQuestion,
  context: CallContext,
): FileNote | undefined {
  const { company = '' } = book;
  const isWholeCompany = book.kind === 'efd_contribuicoes' || book.kind === 'cbs_assessment';
  const isSame =
    cnpj === undefined || company === cnpj || (isWholeCompany && rootOf(company) === rootOf(cnpj));
  if (kind !== undefined && kind !== book.kind) return { code: 'other_kind', values: { kind: book.kind } };
  if (!isSame) return { code: 'other_company', values: { company } };
  if (company.length === 14 && !context.company.allows(company))
    return { code: 'not_allowed', values: { company } };
  // An assessment has records of earlier months, too.
  if (book.kind === 'cbs_assessment') return undefined;
  const isBefore = to !== undefined && book.from !== undefined && book.from > to;
  const isAfter = from !== undefined && book.to !== undefined && book.to < from;
  return isBefore || isAfter ? { code: 'other_period' } : undefined;
}

/** Marks files that are not compared, with the reason; of two for one month the replacement wins, else the later. */
function passOver(files: readonly ReadFile[], question: ReconcileQuestion, context: CallContext): ReadFile[] {
  const noted = files.map((file) => ({
    ...file,
    passed: file.book && reasonToPass(file.book, question, context),
  }));
  const ofMonths = new Map<string, (typeof noted)[number]>();
  for (const file of noted) {
    const { book, passed } = file;
    if (passed !== undefined || (book?.kind !== 'efd_icms_ipi' && book?.kind !== 'efd_contribuicoes'))
      continue;
    const month = `${book.kind}|${book.company}|${book.from}`;
    const before = ofMonths.get(month);
    const isNewer = before === undefined || book.isReplacement || before.book?.isReplacement !== true;
    const [winner, loser] = isNewer ? [file, before] : [before, file];
    ofMonths.set(month, winner);
    if (loser !== undefined) loser.passed = { code: 'replaced', values: { file: winner.path } };
  }
  return noted;
}

const summed = ['total', 'icms', 'ipi', 'cbs'] as const;

/** Adds a part's entries to a file's count and sums. Sums exclude reduced values, whose meaning is unknown. */
function tallied({ entries }: Book, { tally: before }: ReadFile): ReadFile['tally'] {
  const all = (before?.entries ?? 0) + entries.length;
  if (all === 0) return { entries: 0 };
  const counted = entries.filter(({ situation = '' }) => !['09', '10'].includes(situation));
  const sums = summed.flatMap((name) => {
    const sum = addDecimals([before?.sums?.[name], ...counted.map((entry) => entry[name])]);
    return sum === undefined ? [] : [[name, sum] as const];
  });
  return { entries: all, sums: Object.fromEntries(sums) };
}

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

/** Compares the part that was read and adds it to the parts before. */
async function comparePart(
  read: readonly ReadFile[],
  part: Part,
  question: ReconcileQuestion,
  before: Compared | undefined,
  context: CallContext,
): Promise<Compared> {
  const isOwn = ({ key, number }: { key?: string | undefined; number?: string | undefined }) =>
    isInPart(part, key, number);
  const noted = passOver(read, question, context);
  const files = noted.map((file, at) => {
    if (file.book === undefined) return file;
    const book = {
      ...file.book,
      entries: file.book.entries.filter(isOwn),
      notCompared: part.at === 0 ? file.book.notCompared : new Map(),
    };
    return { ...file, book, tally: tallied(book, before?.files[at] ?? file) };
  });
  const booksOf = (all: readonly ReadFile[]) =>
    all.flatMap(({ book, passed }, file) => (book && passed === undefined ? [{ file, book }] : []));
  const { from, to, tolerance_total, tolerance_tax, finding: wanted, certainty } = question;
  const side = before?.side ?? (await readDocumentsSide(booksOf(noted), question, context));
  const books = booksOf(files);
  const isWanted = (found: Found) =>
    (wanted?.includes(found.finding) ?? true) && (certainty?.includes(found.certainty) ?? true);
  const sides: Sides = {
    ...side,
    ...{ from, to, tolerance_total, tolerance_tax },
    ...{ books, documents: side.documents.filter(isOwn) },
  };
  const result = compareSides(sides, isWanted, before?.result);
  const deadlines = before?.deadlines ?? deadlinesOf(books);
  const isPartial = (side.basis?.pending.length ?? 0) > 0;
  return { files, side, result, deadlines, findings: [], isPartial };
}

/** Planned share of a reader's limit, since parts differ in size. */
const FILL = 0.9;

/**
 * Reads and compares part by part; repeats while days are still to be fetched.
 * @param holder the files' company, or why none is known
 */
async function* compareFiles(
  state: Comparing,
  question: ReconcileQuestion,
  holder: string | Unfulfilled,
  read: (part: Part) => AsyncGenerator<void, ReadFile[]>,
  current: () => CallContext,
): AsyncGenerator<void> {
  let files = yield* read(wholeFile);
  if (files.every(({ book }) => book === undefined)) {
    const { problem } = createReconcileWords(current().translator);
    throw new Unfulfilled('reconcile.none_readable', { reasons: files.map(problem).join('; ') });
  }
  // A list names no company.
  if (holder instanceof Unfulfilled && files.some(({ book }) => book?.kind === 'list')) throw holder;
  const largest = Math.max(...files.map(({ book }) => book?.documents ?? 0));
  if (largest > MOST_ENTRIES) state.parts = Math.ceil(largest / (MOST_ENTRIES * FILL));
  for (;;) {
    let compared: Compared | undefined;
    for (let at = 0; at < state.parts; at += 1) {
      const part = { at, of: state.parts };
      if (part.of > 1) {
        files = yield* read(part);
        yield;
      }
      compared = await comparePart(files, part, question, compared, current());
    }
    if (compared === undefined) return;
    state.compared = { ...compared, findings: compared.result.findings.sorted() };
    if (!compared.isPartial) return;
    yield;
  }
}

/** Comparisons cached for each archive; a file's entries take hundreds of megabytes at most. */
const keptWork = keptByQuestion<{ readonly state: Comparing; readonly steps: Resumable<CallContext> }>({
  max: 4,
});

/** The folders whose files can be compared. @throws Unfulfilled where there is none */
async function listFolders({ company }: CallContext): Promise<readonly string[]> {
  const folders = await company.listFolders();
  if (folders.length === 0) throw new Unfulfilled('reconcile.no_folder');
  return folders;
}

/** The files that can be compared. @throws Unfulfilled where there is no folder */
export async function findFiles(context: CallContext) {
  return findUserBooks(await listFolders(context));
}

/** Begins a comparison, or returns the cached one of the previous page. */
async function beginComparing(question: ReconcileQuestion, isContinued: boolean, context: CallContext) {
  // Without a known company a list can't be compared, other files can.
  const holder = await companyAsked(question, context).catch((error: unknown) => {
    if (question.cnpj !== undefined || !(error instanceof Unfulfilled)) throw error;
    return error;
  });
  const company = typeof holder === 'string' ? holder : undefined;
  const folders = await listFolders(context);
  const found = [...new Set(question.file)].map((path) => ({ path, place: findWithin(folders, path) }));
  const stamps = found.map(({ place }) => (place === undefined ? '' : stampOfBook(place)));
  const name = JSON.stringify([question, company, stamps]);
  const kept = keptWork(await context.company.archive());
  const known = isContinued ? kept.get(name) : undefined;
  if (known !== undefined) return known;
  const state: Comparing = { read: 0, size: 0, parts: 1 };
  async function* read(part: Part): AsyncGenerator<void, ReadFile[]> {
    const options = { company: company ?? '', columns: question.columns ?? {}, part };
    const files: ReadFile[] = [];
    for (const { path, place } of found) {
      try {
        if (place === undefined) throw new BookError('not_found');
        for await (const step of readUserBook(place, options)) {
          if ('entries' in step) files.push({ path, book: step });
          else Object.assign(state, step);
          yield;
        }
      } catch (error) {
        if (!(error instanceof BookError)) throw error;
        files.push({ path, problem: error.problem });
      }
    }
    return files;
  }
  const steps = new Resumable<CallContext>((current) => compareFiles(state, question, holder, read, current));
  kept.set(name, { state, steps });
  return { state, steps };
}

/** Milliseconds after which a call begins no further part of a large file; comparing one takes time, too. */
const PART_MS = 12_000;

/**
 * Compares the files with the documents, or continues the comparison of the previous page. `compared` is undefined if
 * the time was over before; the next call continues.
 * @throws Unfulfilled if no file is readable, or a list's company is unknown
 */
export async function reconcileFiles(
  question: ReconcileQuestion,
  isContinued: boolean,
  context: CallContext,
): Promise<Comparing> {
  const { state, steps } = await beginComparing(question, isContinued, context);
  const { compared: before } = state;
  const began = Date.now();
  const { fetchBy } = context.deadline;
  const isNew = () => state.compared !== before;
  await steps.proceed(
    context,
    () => isNew() || Date.now() >= (state.parts > 1 ? Math.min(fetchBy, began + PART_MS) : fetchBy),
  );
  // By another call: its failure is not this one's.
  if (steps.isBroken) return reconcileFiles(question, false, context);
  return { ...state, compared: steps.isDone || isNew() ? state.compared : undefined };
}
