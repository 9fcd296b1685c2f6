import type { Archive, DocumentChange, Selection, Unreadable } from '../../archive/archive.ts';
import type { MissingDays } from '../../archive/fetch/collect.ts';
import { type CoverRequest, cover } from '../../archive/fetch/cover.ts';
import type { FilesState } from '../../archive/files/user-files.ts';
import type { DateField, Direction, DocumentArea } from '../../archive/references.ts';
import { Cancelled, UpstreamError } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { explainFailure, Unfulfilled, unseenWords } from '../../company/failures.ts';
import { checkCnpj } from '../../documents/identity/tax-ids.ts';

/** Age of the data, and the changes found by a refresh. */
export interface MemoryState {
  readonly as_of: string | undefined;
  readonly isRefreshed: boolean;
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
  readonly unreadable: readonly Unreadable[];
}

/** The part of a basis from the user's files. */
export interface FilesBasis {
  readonly state: FilesState;
  /** Without a service, completeness of a period is unknown. */
  readonly isAlone: boolean;
  /** The company was inferred from the files, not configured. */
  readonly isChosen: boolean;
}

interface Days {
  readonly document: DocumentArea;
  readonly from: string;
  readonly to: string;
}

/** Days without data, and the reason. */
export type Missing = Days & { readonly reason: string };

/** What an answer rests on. */
export interface State extends MemoryState {
  readonly company?: string | undefined;
  /** Days asked about, and the first day of the company's documents of the kind. */
  readonly from?: string;
  readonly to?: string;
  readonly firstDay?: string | undefined;
  readonly missing: readonly Missing[];
  readonly pending: readonly Days[];
  /** Documents listed under other days than they bear. */
  readonly datedElsewhere: number;
  readonly files?: FilesBasis | undefined;
}

export interface Basis extends State {
  readonly archive: Archive;
  /** Documents fetched by this call. */
  readonly fetched: number;
}

/** How missing data is fetched. */
export interface Fetching {
  /** Data fetched before this moment is stale. */
  readonly since?: Date | undefined;
  /** Milliseconds since 1970; default: the call's deadline. */
  readonly deadline?: number;
}

/** Basis of an answer that fetched nothing. */
export const nothingAsked = {
  as_of: undefined,
  isRefreshed: false,
  changes: [],
  changes_total: 0,
  unreadable: [],
  missing: [],
  pending: [],
  fetched: 0,
  datedElsewhere: 0,
} satisfies Partial<Basis>;

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
export function unseenDays(
  files: FilesBasis | undefined,
  days: Days,
  { translator }: CallContext,
): Missing[] {
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

/** Converts a service's failure to missing days. @throws any other error */
export function gapFor(
  error: unknown,
  { area, from, to }: Pick<CoverRequest, 'area' | 'from' | 'to'>,
  context: CallContext,
): Missing[] {
  if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
  return missingOutput(area, [{ from, to, error }], context);
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
  const unreadable = await archive.unreadable(request);
  return {
    ...covered,
    fetched: documents,
    unreadable: unreadable.map(({ from, to, ...one }) => {
      return { ...one, place: `${from === to ? from : `${from}…${to}`}, ${one.place}` };
    }),
    missing: missingOutput(request.area, missing, context),
    pending: pending.map(({ from, to }) => ({ document: request.area, from, to })),
  };
}

/** Reads the user's files and fetches missing days, until the deadline. */
export async function ensureFetched(
  { company, area, by, from, to }: CoverRequest,
  context: CallContext,
  { since, deadline = context.deadline.fetchBy }: Fetching = {},
): Promise<Basis> {
  const request = { company, area, by, from, to };
  // Documents in files have only a day of issue.
  const hasFiles = by === 'issue' && context.company.settings.files !== undefined;
  const areFilesEnough = await areFilesAlone(request, context);
  const [fetched, files] = await Promise.all([
    areFilesEnough
      ? undefined
      : fetchFromService(request, context, since, deadline).catch((error: unknown) => {
          if (!hasFiles) throw error;
          return { ...nothingAsked, missing: gapFor(error, request, context) };
        }),
    readUserFiles(company, context, { refresh: since !== undefined, until: deadline }),
  ]);
  const gaps = fetched ?? { ...nothingAsked, as_of: files?.state.looked_at };
  const days = { document: area, from, to };
  const archive = await context.company.archive();
  return {
    ...gaps,
    archive,
    company,
    from,
    to,
    firstDay: await archive.firstDay(request),
    isRefreshed: since !== undefined,
    missing: [...gaps.missing, ...unseenDays(files, days, context)],
    pending: files?.state.isReading ? [days] : gaps.pending,
    files,
  };
}

/** Merges the memory states of an answer's parts. */
export function jointMemory(parts: readonly Omit<MemoryState, 'isRefreshed'>[]) {
  return {
    as_of: parts.flatMap((part) => part.as_of ?? []).sort()[0],
    changes: parts.flatMap(({ changes }) => changes),
    changes_total: parts.reduce((sum, part) => sum + part.changes_total, 0),
    unreadable: parts.flatMap(({ unreadable }) => unreadable),
  };
}

/** Merges the bases of an answer's parts, of which there is one at least. */
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

interface Fetched {
  readonly parts: readonly Part[];
  /** Errors of failed listings. */
  readonly failures: readonly unknown[];
  /** Whether any listing succeeded. */
  readonly hasAny: boolean;
}

/**
 * Fetches missing days by kind and company; failures become missing days.
 * @param isNamed whether gaps name their company
 */
export async function fetchWhatComes(
  { companies, areas, from, to, by, direction }: Asked,
  context: CallContext,
  fetching: Fetching = {},
  isNamed = companies.length > 1,
): Promise<Fetched> {
  const [company, ...others] = companies;
  const failures: unknown[] = [];
  let hasAny = false;
  const files = await context.company.files();
  async function basisOf(owner: string, area: DocumentArea): Promise<Basis> {
    // The files were read for the first company; the others reuse that.
    if (owner !== company && files !== undefined && by === 'issue' && !asksService(owner, context)) {
      const archive = await context.company.archive();
      await files.adopt(owner);
      return {
        ...nothingAsked,
        archive,
        from,
        to,
        firstDay: await archive.firstDay({ company: owner, area, by }),
      };
    }
    const named = (missing: readonly Missing[]) =>
      isNamed ? missing.map((one) => ({ ...one, reason: `${owner}: ${one.reason}` })) : missing;
    try {
      const basis = await ensureFetched({ company: owner, area, by, from, to }, context, fetching);
      hasAny = true;
      return { ...basis, missing: named(basis.missing) };
    } catch (error) {
      const missing = named(gapFor(error, { area, from, to }, context));
      failures.push(error);
      return { ...nothingAsked, from, to, archive: await context.company.archive(), missing };
    }
  }
  const parts: Part[] = [];
  for (const area of areas) {
    const bases: { basis: Basis }[] = [];
    for (const owner of companies) bases.push({ basis: await basisOf(owner, area) });
    const selection = { company, area, by, from, to, direction, ...(others.length > 0 && { others }) };
    parts.push({ selection, basis: jointBasis(bases) });
  }
  return { parts, failures, hasAny };
}

/** Fetches missing days. @throws if nothing could be fetched */
export async function fetchParts(
  asked: Asked,
  context: CallContext,
  fetching: Fetching = {},
): Promise<readonly Part[]> {
  const { parts, failures, hasAny } = await fetchWhatComes(asked, context, fetching);
  if (!hasAny) throw failures[0];
  return parts;
}

/** Fetches missing days of each company. @throws if nothing could be fetched for any */
export async function fetchEach(asked: Asked, context: CallContext, fetching: Fetching): Promise<Part[]> {
  const isNamed = asked.companies.length > 1;
  const all: Fetched[] = [];
  for (const company of asked.companies)
    all.push(await fetchWhatComes({ ...asked, companies: [company] }, context, fetching, isNamed));
  if (!all.some(({ hasAny }) => hasAny)) throw all[0]?.failures[0];
  return all.flatMap(({ parts }) => parts);
}
