import type { Selection } from '../../archive/archive.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { DateField, Direction } from '../../archive/scope.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments, explainFailure, Unfulfilled } from '../../company/failures.ts';
import { type Basis, ensureFetched, type Fetching, gapFor, jointBasis, nothingAsked } from './basis.ts';
import { readPlace, refreshSince } from './paging.ts';
import { daysFrom } from './period.ts';

/** Milliseconds to find out by its files which company is meant; what has been read by then decides. */
const LONGEST_FIRST_LOOK = 6_000;

/** The company that most documents of the files share. @throws Unfulfilled where none or several do */
async function companyOfFiles(context: CallContext): Promise<string> {
  const files = await context.company.files();
  if (files === undefined) throw new Unfulfilled('failure.company_missing');
  await files.ready({ deadline: Date.now() + LONGEST_FIRST_LOOK, signal: context.signal });
  const { company, candidates } = await files.whose();
  if (company !== undefined && context.company.allows(company)) return company;
  const [first, ...others] = candidates.filter((one) => context.company.allows(one.company));
  if (first === undefined) throw new Unfulfilled('files.no_company');
  if (others.length === 0) return first.company;
  const companies = [first, ...others].map((one) => `${one.company} (${one.documents})`).join(', ');
  throw new Unfulfilled('files.company_unclear', { companies });
}

/** The company a call names, else the configured one, else that of most files. @throws Unfulfilled */
export async function companyAsked(
  { cnpj }: { readonly cnpj?: string | undefined },
  context: CallContext,
): Promise<string> {
  const company = cnpj ?? context.company.settings.cnpj ?? (await companyOfFiles(context));
  if (!context.company.allows(company)) throw new Unfulfilled('failure.company_not_allowed', { company });
  return company;
}

type Companies = readonly [string, ...string[]];

/** The companies a call is about, each once. @throws as `companyAsked` does */
async function companiesAsked(cnpjs: readonly string[] = [], context: CallContext): Promise<Companies> {
  const [first, ...others] = new Set(cnpjs);
  const companies: [string, ...string[]] = [await companyAsked({ cnpj: first }, context)];
  for (const cnpj of others) companies.push(await companyAsked({ cnpj }, context));
  return companies;
}

type Checks = Readonly<Record<string, () => unknown>>;
type Checked<C> = { readonly [Name in keyof C]: C[Name] extends () => infer T ? Awaited<T> : never };

/** Checks a call's meaning as a whole. @throws BadArguments with all reasons; a single failure as it is */
async function allTogether<C extends Checks>(checks: C, { translator }: CallContext): Promise<Checked<C>> {
  const results: Record<string, unknown> = {};
  const errors: unknown[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      results[name] = await check();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 0) return results as Checked<C>;
  if (errors.length === 1) throw errors[0];
  const reasons = errors.flatMap((error) => {
    const words = error instanceof BadArguments ? error.reasons : explainFailure(error, translator);
    if (words === undefined) throw error;
    return words;
  });
  throw new BadArguments(reasons);
}

/** The arguments that every question about a period has, among others of its own. */
interface QuestionArguments {
  readonly document: readonly DocumentArea[];
  readonly cnpj?: readonly string[] | undefined;
  readonly from: string;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number;
  readonly refresh?: boolean | undefined;
}

/** A question about a period: its form has been checked, its meaning is here. @throws BadArguments, Unfulfilled */
export async function openQuestion<C extends Checks>(
  { cursor, limit: _, from, to, ...asked }: QuestionArguments,
  checks: C,
  context: CallContext,
) {
  const own = {
    days: () => daysFrom({ from, to }, context),
    companies: () => companiesAsked(asked.cnpj, context),
  };
  const checked: Checked<typeof own & C> = await allTogether({ ...own, ...checks }, context);
  const { days, companies }: Checked<typeof own> = checked;
  const areas = [...new Set(asked.document)];
  const query = { ...asked, document: areas, ...days, companies };
  const place = await readPlace(cursor, query, context);
  const since = refreshSince(asked.refresh, place, context);
  return { days, companies, company: companies.join(', '), areas, query, place, since, checked };
}

/** Documents of one kind or several, of one company or several, in a period. */
export interface Asked {
  readonly companies: Companies;
  readonly areas: readonly DocumentArea[];
  readonly from: string;
  readonly to: string;
  readonly by: DateField;
  readonly direction?: Direction | undefined;
}

/** The documents of one kind, and the basis of the answer about them. */
export interface Part {
  readonly selection: Selection;
  readonly basis: Basis;
}

interface Fetched {
  readonly parts: readonly [Part, ...Part[]];
  /** Of the listings that gave nothing. */
  readonly failures: readonly unknown[];
  /** Whether any listing came. */
  readonly hasAny: boolean;
}

/** Fetches what a question lacks, kind by kind and company by company; what does not come is missing. */
export async function fetchWhatComes(
  { companies: [company, ...others], areas, from, to, by, direction }: Asked,
  context: CallContext,
  { since, deadline = context.deadline.fetchBy }: Fetching = {},
): Promise<Fetched> {
  const failures: unknown[] = [];
  let fetched = 0;
  const basisOf = async (owner: string, area: DocumentArea): Promise<Basis> => {
    try {
      const basis = await ensureFetched({ company: owner, area, by, from, to }, context, { since, deadline });
      fetched += 1;
      return basis;
    } catch (error) {
      const missing = [gapFor(error, { area, from, to }, context)];
      failures.push(error);
      return { ...nothingAsked, archive: await context.company.archive(), missing };
    }
  };
  const parts: Part[] = [];
  for (const area of areas) {
    const bases: [Basis, ...Basis[]] = [await basisOf(company, area)];
    for (const other of others) bases.push(await basisOf(other, area));
    const selection = { company, area, by, from, to, direction, ...(others.length > 0 && { others }) };
    parts.push({ selection, basis: jointBasis(bases) });
  }
  const [first, ...more] = parts;
  if (first === undefined) throw new TypeError('a question is about one kind of document at least');
  return { parts: [first, ...more], failures, hasAny: fetched > 0 };
}

/** Fetches what a question lacks. @throws where nothing at all came */
export async function fetchParts(
  asked: Asked,
  context: CallContext,
  fetching: Fetching = {},
): Promise<readonly [Part, ...Part[]]> {
  const { parts, failures, hasAny } = await fetchWhatComes(asked, context, fetching);
  if (!hasAny) throw failures[0];
  return parts;
}
