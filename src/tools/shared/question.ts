import type { Selection } from '../../archive/archive.ts';
import type { DateField, Direction, DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments, explainFailure, Unfulfilled } from '../../company/failures.ts';
import { checkCnpj } from '../../documents/identity/tax-ids.ts';
import {
  asksService,
  type Basis,
  ensureFetched,
  type Fetching,
  gapFor,
  jointBasis,
  type Missing,
  nothingAsked,
} from './basis.ts';
import { readPlace, refreshSince } from './paging.ts';
import { EVERY_COMPANY } from './parameters.ts';
import { daysFrom } from './period.ts';

/** Milliseconds to infer the company from the files read so far. */
const LONGEST_FIRST_LOOK = 6_000;

/** The user's files after a first look; undefined without files. */
async function filesSeen({ company, signal }: CallContext) {
  const files = await company.files();
  await files?.ready({ deadline: Date.now() + LONGEST_FIRST_LOOK, signal });
  return files;
}

/** The company that most documents in the files share. @throws Unfulfilled if there is none, or a tie */
async function companyOfFiles(context: CallContext): Promise<string> {
  const files = await filesSeen(context);
  if (files === undefined) throw new Unfulfilled('failure.company_missing');
  const { company, candidates } = await files.whose();
  if (company !== undefined && context.company.allows(company)) return company;
  const [first, ...others] = candidates.filter((one) => context.company.allows(one.company));
  if (first === undefined) throw new Unfulfilled('files.no_company');
  if (others.length === 0) return first.company;
  const companies = [first, ...others].map((one) => `${one.company} (${one.documents})`).join(', ');
  throw new Unfulfilled('files.company_unclear', { companies });
}

/** Wrong check digits are accepted if the user's files have the company. @throws BadArguments */
async function checkDigits(company: string, context: CallContext): Promise<void> {
  const checked = checkCnpj(company);
  if (checked.ok) return;
  const files = await filesSeen(context);
  const held = files === undefined ? [] : await (await context.company.archive()).files.holdings(company);
  if (held.length > 0) return;
  const { translator } = context;
  const words = translator.problem(checked.problem);
  throw new BadArguments([translator.say('argument.problem', { argument: 'cnpj', words })]);
}

/** The company of a call: named, configured, or inferred from the files. @throws Unfulfilled, BadArguments */
export async function companyAsked(
  { cnpj }: { readonly cnpj?: string | undefined },
  context: CallContext,
): Promise<string> {
  const company = cnpj ?? context.company.settings.cnpj ?? (await companyOfFiles(context));
  if (!context.company.allows(company)) throw new Unfulfilled('failure.company_not_allowed', { company });
  await checkDigits(company, context);
  return company;
}

/**
 * Every permitted company, as far as known: configured ones and those asked about before; with files alone every
 * party. The configured one comes first.
 * @throws Unfulfilled if none is known
 */
async function everyCompany(context: CallContext): Promise<Companies> {
  const { settings, companies = [], allows, hasService } = context.company;
  const files = await filesSeen(context);
  const archive = await context.company.archive();
  const { held } = await archive.info();
  const filed = files === undefined || hasService ? [] : await archive.files.holdings();
  const known = [...held, ...filed].toSorted((one, other) => other.documents - one.documents);
  const all = [settings.cnpj ?? '', ...companies, ...known.map((one) => one.company)];
  const [first, ...others] = new Set(all.filter((one) => one.length === CNPJ_LENGTH && allows(one)));
  if (first === undefined) throw new Unfulfilled('failure.company_missing');
  return [first, ...others];
}

type Companies = readonly [string, ...string[]];

const CNPJ_LENGTH = 14;

/** Distinct companies of a call. @throws as `companyAsked` does */
async function companiesAsked(cnpjs: readonly string[] = [], context: CallContext): Promise<Companies> {
  const isEvery = cnpjs.includes(EVERY_COMPANY);
  const named: string[] = [];
  for (const cnpj of new Set(cnpjs.filter((one) => one !== EVERY_COMPANY)))
    named.push(await companyAsked({ cnpj }, context));
  const [first = await companyAsked({}, context), ...others] = isEvery
    ? new Set([...(await everyCompany(context)), ...named])
    : named;
  return [first, ...others];
}

type Checks = Readonly<Record<string, () => unknown>>;
type Checked<C> = { readonly [Name in keyof C]: C[Name] extends () => infer T ? Awaited<T> : never };

/** Validates the meaning of a call. @throws BadArguments with all reasons; a single failure as it is */
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

/** Arguments common to questions about a period. */
interface QuestionArguments {
  readonly document: readonly DocumentArea[];
  readonly cnpj?: readonly string[] | undefined;
  readonly from: string;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number;
  readonly refresh?: boolean | undefined;
}

/** Companies named in an answer. */
const MOST_NAMED = 12;

function nameCompanies(companies: Companies): string {
  const count = companies.length - MOST_NAMED;
  return `${companies.slice(0, MOST_NAMED).join(', ')}${count > 0 ? `, … +${count}` : ''}`;
}

/** Companies in the name of a file, which may have 255 bytes in all. */
const MOST_IN_NAME = 5;

/** Names companies in the name of a file. */
export function companiesInName(companies: readonly string[]): string {
  const count = companies.length - MOST_IN_NAME;
  return `${companies.slice(0, MOST_IN_NAME).join('+')}${count > 0 ? `-e-mais-${count}` : ''}`;
}

/** Validates a question about a period. @throws BadArguments, Unfulfilled */
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
  return { days, companies, company: nameCompanies(companies), areas, query, place, since, checked };
}

/** Kinds, companies and period of a question. */
export interface Asked {
  readonly companies: Companies;
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
  readonly parts: readonly [Part, ...Part[]];
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
  { companies: [company, ...others], areas, from, to, by, direction }: Asked,
  context: CallContext,
  { since, deadline = context.deadline.fetchBy }: Fetching = {},
  isNamed = others.length > 0,
): Promise<Fetched> {
  const failures: unknown[] = [];
  let isAny = false;
  const named = (owner: string, missing: readonly Missing[]) =>
    isNamed ? missing.map((one) => ({ ...one, reason: `${owner}: ${one.reason}` })) : missing;
  const basisOf = async (owner: string, area: DocumentArea): Promise<Basis> => {
    try {
      const basis = await ensureFetched({ company: owner, area, by, from, to }, context, { since, deadline });
      isAny = true;
      return { ...basis, missing: named(owner, basis.missing) };
    } catch (error) {
      const missing = named(owner, [gapFor(error, { area, from, to }, context)]);
      failures.push(error);
      return { ...nothingAsked, from, to, archive: await context.company.archive(), missing };
    }
  };
  const files = await context.company.files();
  const filedBasisOf = async (owner: string, area: DocumentArea): Promise<Basis> => {
    const archive = await context.company.archive();
    await files?.adopt(owner);
    const firstDay = await archive.firstDay({ company: owner, area, by });
    return { ...nothingAsked, archive, from, to, firstDay };
  };
  const parts: Part[] = [];
  for (const area of areas) {
    const bases: [Basis, ...Basis[]] = [await basisOf(company, area)];
    for (const other of others) {
      // The files were read for the first company; the others reuse that.
      const isRead = files !== undefined && by === 'issue' && !asksService(other, context);
      if (isRead) bases.push(await filedBasisOf(other, area));
      else bases.push(await basisOf(other, area));
    }
    const selection = { company, area, by, from, to, direction, ...(others.length > 0 && { others }) };
    parts.push({ selection, basis: jointBasis(bases) });
  }
  const [first, ...more] = parts;
  if (first === undefined) throw new TypeError('a question is about one kind of document at least');
  return { parts: [first, ...more], failures, hasAny: isAny };
}

/** Fetches missing days. @throws if nothing could be fetched */
export async function fetchParts(
  asked: Asked,
  context: CallContext,
  fetching: Fetching = {},
): Promise<readonly [Part, ...Part[]]> {
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
