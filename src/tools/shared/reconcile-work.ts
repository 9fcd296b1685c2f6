import type { Archive } from '../../archive/archive.ts';
import type { CallContext } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import type { BookKind } from '../../documents/books/book.ts';
import { compareSides } from '../../documents/books/compare.ts';
import type { Comparison } from '../../documents/books/comparison.ts';
import type { BookFinding, Found } from '../../documents/books/findings.ts';
import { companyAsked } from './question.ts';
import { type DocumentsSide, readDocumentsSide } from './reconcile-documents.ts';
import { beginReading, type Chosen, chooseFiles, type Reading, stampsOf } from './reconcile-files.ts';
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
  /** The findings that are kept, what is certain first. */
  readonly findings: readonly BookFinding[];
}

/** A comparison that is under way, or done: kept for its next pages. */
interface Work {
  readonly reading: Reading;
  compared?: Compared;
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
  const work: Work = known ?? {
    reading: beginReading(paths, locate, { company: company ?? '', columns: question.columns ?? {} }),
  };
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

async function compare(
  reading: Reading,
  question: ReconcileQuestion,
  context: CallContext,
): Promise<Compared> {
  const { days, kind, cnpj, since, toleranceTotal, toleranceTax } = question;
  const chosen = chooseFiles(reading.files, { ...days, kind, company: cnpj }, context);
  const side = await readDocumentsSide(chosen.books, { ...days, company: cnpj }, since, context);
  const isWanted = ({ finding, certainty }: Found) =>
    (question.finding?.includes(finding) ?? true) && (question.certainty?.includes(certainty) ?? true);
  const sides = {
    ...{ ...days, books: chosen.books, documents: side.documents },
    isComplete: side.isComplete,
    refused: side.refused,
    toleranceTotal: toleranceTotal ?? '0.00',
    toleranceTax: toleranceTax ?? '0.02',
    toleranceCbs: toleranceTax ?? '0.00',
  };
  const result = compareSides(sides, isWanted);
  return { ...chosen, reading, side, result, findings: result.findings.sorted() };
}

/**
 * Reads the files and compares them with the documents, or gives the comparison that a page before this one was of; the
 * reading alone where the time was over before all was read.
 * @throws Unfulfilled where none of the files can be read, or none says whose it is
 */
export async function reconcileFiles(
  question: ReconcileQuestion,
  isContinued: boolean,
  context: CallContext,
): Promise<Compared | { readonly reading: Reading; readonly result?: undefined }> {
  const { translator, deadline, signal } = context;
  const company = await holderOf(question.cnpj, context);
  const work = await workFor(question, company, isContinued, context);
  const { reading } = work;
  await reading.proceed(deadline.fetchBy, signal);
  if (!reading.isDone) return { reading };
  const { files } = reading;
  if (files.every(({ book }) => book === undefined)) {
    const { problem } = createReconcileWords(translator);
    throw new Unfulfilled('reconcile.none_readable', { reasons: files.map(problem).join('; ') });
  }
  if (company === undefined && files.some(({ book }) => book?.kind === 'list'))
    await companyAsked({ cnpj: question.cnpj }, context);
  const isStale = (work.compared?.side.basis?.pending.length ?? 0) > 0;
  if (work.compared === undefined || isStale) work.compared = await compare(reading, question, context);
  return work.compared;
}
