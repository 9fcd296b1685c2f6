import type { CallContext } from '../../company/call-context.ts';
import {
  type Book,
  BookError,
  type BookKind,
  type BookNote,
  type BookProblem,
  type Entry,
} from '../../documents/books/book.ts';
import type { ComparedBook } from '../../documents/books/findings.ts';
import type { ReadingOptions } from '../../documents/books/recognise.ts';
import { addDecimals } from '../../documents/decimals.ts';

/** Why a readable file is not compared. */
type Passed = 'replaced' | 'other_company' | 'not_allowed' | 'other_kind' | 'other_period';

export interface FileNote {
  readonly code: BookNote['code'] | Passed | 'before_2027' | 'silence';
  readonly values?: Readonly<Record<string, string | number>> | undefined;
}

/** A file named by the call: its content, or why it is unreadable. */
export interface ReadFile {
  readonly path: string;
  readonly book?: Book;
  readonly problem?: BookProblem;
}

/** Files being read; the next call continues. */
export interface Reading {
  readonly files: readonly ReadFile[];
  /** Bytes. */
  readonly read: number;
  readonly size: number;
  readonly isDone: boolean;
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
export function tallied(entries: readonly Entry[], before: Tally = { entries: 0 }): Tally {
  const all = before.entries + entries.length;
  if (all === 0) return before;
  const counted = entries.filter(({ situation = '' }) => !['09', '10'].includes(situation));
  const sums = summed.flatMap((name) => {
    const sum = addDecimals([before.sums?.[name], ...counted.map((entry) => entry[name])]);
    return sum === undefined ? [] : [[name, sum] as const];
  });
  return { entries: all, sums: Object.fromEntries(sums) };
}

const isBook = (step: object): step is Book => 'entries' in step;

/** Starts to read files by their paths in the configured folders; nothing is read before `proceed`. */
export function beginReading(
  paths: readonly string[],
  locate: (path: string) => string | undefined,
  options: ReadingOptions,
): Reading {
  const files: ReadFile[] = [];
  const progress = { read: 0, size: 0 };
  let isDone = false;
  async function* all(): AsyncGenerator<void> {
    const { readUserBook } = await import('../../archive/files/user-books.ts');
    for (const path of paths) {
      const add = (part: Pick<ReadFile, 'book' | 'problem'>) => files.push({ path, ...part });
      const found = locate(path);
      if (found === undefined) {
        add({ problem: 'not_found' });
        continue;
      }
      try {
        for await (const step of readUserBook(found, options)) {
          if (isBook(step)) add({ book: step });
          else Object.assign(progress, step);
          yield;
        }
      } catch (error) {
        if (!(error instanceof BookError)) throw error;
        add({ problem: error.problem });
      }
    }
  }
  const steps = all();
  return {
    files,
    get read() {
      return progress.read;
    },
    get size() {
      return progress.size;
    },
    get isDone() {
      return isDone;
    },
    async proceed(until, signal) {
      while (!isDone && Date.now() < until) {
        signal.throwIfAborted();
        isDone = (await steps.next()).done === true;
      }
    },
  };
}

/** Stamps that change with the content of the files. */
export async function stampsOf(
  paths: readonly string[],
  locate: (path: string) => string | undefined,
): Promise<string[]> {
  const { stampOfBook } = await import('../../archive/files/user-books.ts');
  return paths.map((path) => {
    const found = locate(path);
    return found === undefined ? '' : stampOfBook(found);
  });
}

/** Criteria of the files to compare. */
export interface Wanted {
  readonly kind?: BookKind | undefined;
  readonly company?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
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
export interface Chosen {
  readonly books: readonly ComparedBook[];
  /** By position of the file. */
  readonly passed: ReadonlyMap<number, FileNote>;
}

/** Selects the files to compare: of two for one month the replacement wins, otherwise the later one. */
export function chooseFiles(files: readonly ReadFile[], wanted: Wanted, context: CallContext): Chosen {
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
