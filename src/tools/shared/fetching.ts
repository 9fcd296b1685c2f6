import type { Archive, DocumentChange, Selection, Unreadable } from '../../archive/archive.ts';
import type { MissingDays } from '../../archive/fetch/collect.ts';
import { type CoverRequest, cover } from '../../archive/fetch/cover.ts';
import type { FilesState } from '../../archive/files/user-files.ts';
import type { DateField, Direction, DocumentArea } from '../../archive/references.ts';
import { Cancelled, UpstreamError } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { explainFailure, Unfulfilled, unseenWords } from '../../company/failures.ts';
import { daysOf, type Period, periodsOf } from '../../documents/days.ts';
import { checkCnpj } from '../../documents/identity/tax-ids.ts';

/** The part of a basis from the user's files. */
export interface FilesBasis {
  readonly state: FilesState;
  /** Without a service, completeness of a period is unknown. */
  readonly isAlone: boolean;
  /** The company was inferred from the files, not configured. */
  readonly isChosen: boolean;
}

interface Days extends Period {
  readonly document: DocumentArea;
}

/** Days without data, and the reason. */
export type Missing = Days & { readonly reason: string };

/** Facts fetched for an answer, and missing days. */
export interface Fetched {
  /** Age of the data. */
  readonly as_of?: string | undefined;
  readonly isRefreshed: boolean;
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
  readonly unreadable: readonly Unreadable[];
  readonly missing: readonly Missing[];
  /** Days still to be fetched. */
  readonly pending: readonly Days[];
  /** Documents fetched by this call. */
  readonly fetched: number;
  /** Documents listed under other days than their own. */
  readonly datedElsewhere: number;
  readonly files?: FilesBasis | undefined;
}

/** Basis of an answer: its archive, company, period and fetched data. */
export interface Basis extends Fetched, Period {
  readonly archive: Archive;
  readonly company: string;
  /** The first day of the company's documents of the kind. */
  readonly firstDay: string | undefined;
}

/** How missing data is fetched. */
export interface Fetching {
  /** Data fetched before this moment is stale. */
  readonly since?: Date | undefined;
  /** Milliseconds since 1970; default: the call's deadline. */
  readonly deadline?: number;
  /** A part for each company, rather than one for all. */
  readonly isEach?: boolean;
  /** Fetching nothing is no error. */
  readonly mayBeEmpty?: boolean;
}

/** For an answer that fetched nothing. */
export const nothingFetched: Fetched = {
  isRefreshed: false,
  changes: [],
  changes_total: 0,
  unreadable: [],
  missing: [],
  pending: [],
  fetched: 0,
  datedElsewhere: 0,
};

/** Whether the service is asked: it is configured, and the CNPJ is valid (invalid ones exist in files only). */
export function asksService(company: string | undefined, context: CallContext): boolean {
  return context.company.hasService && (company === undefined || checkCnpj(company).ok);
}

/**
 * Whether the user's files answer alone: the service is not asked, and the question is by day of issue.
 * @throws Unfulfilled when neither can answer
 */
export async function areFilesAlone(
  { company, by }: Pick<CoverRequest, 'company' | 'by'>,
  context: CallContext,
): Promise<boolean> {
  if (asksService(company, context)) return false;
  const isAlone = by === 'issue' && (await context.company.files()) !== undefined;
  if (!isAlone && !checkCnpj(company).ok) throw new Unfulfilled('failure.company_of_files', { company });
  return isAlone;
}

/** Reads the user's files and assigns the company's documents; undefined without files. */
export async function readUserFiles(
  company: string | undefined,
  context: CallContext,
  { refresh = false, until = context.deadline.fetchBy } = {},
): Promise<FilesBasis | undefined> {
  const { signal, translator } = context;
  const files = await context.company.files();
  if (files === undefined) return undefined;
  const state = await files.ready({
    deadline: until,
    signal,
    refresh,
    onProgress({ files: found, read, documents }) {
      void context.progress(read, found, translator.say('files.reading_progress', { read, documents }));
    },
  });
  if (company !== undefined) await files.adopt(company);
  const isChosen =
    company !== undefined &&
    context.company.settings.cnpj === undefined &&
    (await files.whose()).company === company;
  return { state, isAlone: !asksService(company, context), isChosen };
}

/** The period as missing, once for each unreadable or empty folder. */
export function unseenDays(files: FilesBasis | undefined, days: Days, { translator }: CallContext) {
  return (files?.state.result?.unseen ?? []).map((one) => ({
    ...days,
    reason: unseenWords(one, translator),
  }));
}

/** Converts missing days, with the reason in words. */
export function missingOutput(
  document: DocumentArea,
  missing: readonly MissingDays[],
  { translator }: CallContext,
): Missing[] {
  return missing.map(({ from, to, error }) => {
    return { document, from, to, reason: explainFailure(error, translator) ?? error.name };
  });
}

async function fetchFromService(
  request: CoverRequest,
  context: CallContext,
  since: Date | undefined,
  deadline: number,
) {
  const { translator, signal } = context;
  const { settings, now } = context.company;
  const [archive, client] = await Promise.all([context.company.archive(), context.company.documents()]);
  const { missing, pending, documents, ...covered } = await cover(request, {
    archive,
    client,
    concurrency: settings.concurrency,
    hasTimes: settings.timeFormat !== 'none',
    freshness: {
      now: since ?? new Date(now()),
      rules: settings.archiveRefresh,
      refresh: since !== undefined,
    },
    now,
    deadline,
    signal,
    onProgress(progress) {
      const { daysDone: done, days } = progress;
      const words = translator.say('analysis.progress', { done, days, documents: progress.documents });
      void context.progress(done, days, words);
    },
  });
  return {
    ...covered,
    fetched: documents,
    missing: missingOutput(request.area, missing, context),
    pending: pending.map(({ from, to }) => ({ document: request.area, from, to })),
  };
}

/** The basis of an answer, once everything has been fetched. */
export async function basisOf(request: CoverRequest, fetched: Fetched, context: CallContext): Promise<Basis> {
  const { company, from, to } = request;
  const archive = await context.company.archive();
  return { ...fetched, archive, company, from, to, firstDay: await archive.firstDay(request) };
}

/** Reads the user's files and fetches missing days, until the deadline; `failure` of the service: all days are missing. */
async function fetchDays(
  { company, area, by, from, to }: CoverRequest,
  context: CallContext,
  { since, deadline = context.deadline.fetchBy }: Fetching,
): Promise<{ basis: Basis; failure?: UpstreamError }> {
  const request = { company, area, by, from, to };
  const days = { document: area, from, to };
  const areFilesEnough = await areFilesAlone(request, context);
  let failure: UpstreamError | undefined;
  const [fetched, files] = await Promise.all([
    areFilesEnough
      ? undefined
      : fetchFromService(request, context, since, deadline).catch((error: unknown) => {
          if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
          failure = error;
          return { ...nothingFetched, missing: missingOutput(area, [{ from, to, error }], context) };
        }),
    readUserFiles(company, context, { refresh: since !== undefined, until: deadline }),
  ]);
  const gaps = fetched ?? { ...nothingFetched, as_of: files?.state.looked_at };
  const all = {
    ...gaps,
    isRefreshed: since !== undefined && failure === undefined,
    missing: [...gaps.missing, ...unseenDays(files, days, context)],
    pending: files?.state.isReading ? [days] : gaps.pending,
    files,
  };
  const basis = await basisOf(request, all, context);
  // Documents in files have only a day of issue.
  return files !== undefined && by === 'issue' ? { basis } : { basis, failure };
}

/** Merges the age, changes and unreadable documents of an answer's parts. */
export function jointMemory(
  parts: readonly Pick<Basis, 'as_of' | 'changes' | 'changes_total' | 'unreadable'>[],
) {
  return {
    as_of: parts.flatMap((part) => part.as_of ?? []).sort()[0],
    changes: parts.flatMap(({ changes }) => changes),
    changes_total: parts.reduce((sum, part) => sum + part.changes_total, 0),
    unreadable: parts.flatMap(({ unreadable }) => unreadable),
  };
}

/** Merges the bases of an answer's parts, at least one. */
export function jointBasis(parts: readonly { readonly basis: Basis }[]): Basis {
  const all = parts.map(({ basis }) => basis);
  const [first] = all;
  if (first === undefined) throw new TypeError('a question is about one kind of document at least');
  return {
    ...first,
    ...jointMemory(all),
    firstDay: all.flatMap(({ firstDay }) => firstDay ?? []).sort()[0],
    missing: all.flatMap(({ missing }) => missing),
    pending: all.flatMap(({ pending }) => pending),
    datedElsewhere: all.reduce((sum, basis) => sum + basis.datedElsewhere, 0),
  };
}

/** Kinds, companies and period of a question. */
export interface Asked {
  readonly companies: readonly [string, ...string[]];
  readonly areas: readonly DocumentArea[];
  readonly from: string;
  readonly to: string;
  readonly by: DateField;
  readonly direction?: Direction | undefined;
}

/** Documents of one kind, and their basis. */
export interface Part {
  readonly selection: Selection;
  readonly basis: Basis;
}

/** Fetches missing days by kind and company; failures become missing days. @throws if nothing could be fetched */
export async function fetchParts(
  { companies, areas, from, to, by, direction }: Asked,
  context: CallContext,
  { isEach = false, mayBeEmpty = false, ...fetching }: Fetching = {},
): Promise<Part[]> {
  const files = await context.company.files();
  const results: { basis: Basis; failure?: unknown }[] = [];
  async function fetchPart(owner: string, area: DocumentArea, isFirst: boolean) {
    const request = { company: owner, area, by, from, to };
    // The files were read for the first company; the others reuse that.
    if (!isFirst && files !== undefined && by === 'issue' && !asksService(owner, context)) {
      await files.adopt(owner);
      return { basis: await basisOf(request, nothingFetched, context) };
    }
    const { basis, failure } = await fetchDays(request, context, fetching);
    const named = basis.missing.map((one) => ({ ...one, reason: `${owner}: ${one.reason}` }));
    const result = { basis: companies.length > 1 ? { ...basis, missing: named } : basis, failure };
    results.push(result);
    return result;
  }
  const parts: Part[] = [];
  for (const [company, ...others] of isEach ? companies.map((one) => [one] as const) : [companies]) {
    for (const area of areas) {
      const bases = [await fetchPart(company, area, true)];
      for (const other of others) bases.push(await fetchPart(other, area, false));
      const selection = { company, area, by, from, to, direction, ...(others.length > 0 && { others }) };
      parts.push({ selection, basis: jointBasis(bases) });
    }
  }
  const [first] = results;
  if (!mayBeEmpty && results.every(({ failure }) => failure !== undefined)) throw first?.failure;
  return parts;
}

/** The first day that is not over everywhere in Brazil, whose west is at UTC-5. */
export function openDay(now: Date): string {
  return new Date(now.getTime() - 5 * 3_600_000).toISOString().slice(0, 10);
}

/** Past days of a period that were fetched. */
export function coveredDays(
  period: Period,
  { missing, pending }: Pick<Basis, 'missing' | 'pending'>,
  openFrom: string,
): Period[] {
  const lacking = new Set([...missing, ...pending].flatMap(daysOf));
  return periodsOf(daysOf(period).filter((day) => day < openFrom && !lacking.has(day)));
}
