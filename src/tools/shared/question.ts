import type { DocumentArea } from '../../archive/references.ts';
import { documentRoute, keyOperation, type ListingQuestion } from '../../clients/documents/listings.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments, explainFailure, Unfulfilled } from '../../company/failures.ts';
import { checkCnpj } from '../../documents/identity/tax-ids.ts';
import { unfit } from './arguments.ts';
import { firstOf } from './definition.ts';
import type { Asked } from './fetching.ts';
import { readPlace, refreshSince } from './paging.ts';
import { EVERY_COMPANY } from './parameters.ts';
import { daysFrom } from './period.ts';

/** Milliseconds to infer the company from the files read so far. */
const LONGEST_FIRST_LOOK = 6_000;

/** The user's files after a first look; undefined without files. */
async function filesSeen({ company, signal }: CallContext, refresh: boolean | undefined) {
  const files = await company.files();
  await files?.ready({ deadline: Date.now() + LONGEST_FIRST_LOOK, signal, refresh });
  return files;
}

/** The company that most documents in the files share. @throws Unfulfilled if there is none, or a tie */
async function companyOfFiles(context: CallContext, refresh: boolean | undefined): Promise<string> {
  const files = await filesSeen(context, refresh);
  if (files === undefined) throw new Unfulfilled('failure.company_missing');
  const { company, candidates } = await files.whose();
  if (company !== undefined && context.company.allows(company)) return company;
  const [first, ...others] = candidates.filter((one) => context.company.allows(one.company));
  if (first === undefined) throw new Unfulfilled('files.no_company');
  if (others.length === 0) return first.company;
  const companies = [first, ...others].map((one) => `${one.company} (${one.documents})`).join(', ');
  throw new Unfulfilled('files.company_unclear', { companies });
}

/**
 * The company of a call: named, configured, or inferred from the files; with wrong check digits if the files have it.
 * @throws Unfulfilled, BadArguments
 */
export async function companyAsked(
  { cnpj, refresh }: { readonly cnpj?: string | undefined; readonly refresh?: boolean | undefined },
  context: CallContext,
): Promise<string> {
  const company = cnpj ?? context.company.settings.cnpj ?? (await companyOfFiles(context, refresh));
  if (!context.company.allows(company)) throw new Unfulfilled('failure.company_not_allowed', { company });
  const checked = checkCnpj(company);
  if (checked.ok) return company;
  const files = await filesSeen(context, refresh);
  const held = files === undefined ? [] : await (await context.company.archive()).files.holdings(company);
  if (held.length === 0) throw unfit('cnpj', context.translator.problem(checked.problem), context);
  return company;
}

/**
 * Every permitted company, as far as known: configured ones and those asked about before; with files alone every
 * party. The configured one comes first.
 */
async function everyCompany(context: CallContext, refresh: boolean | undefined) {
  const { settings, companies = [], allows, hasService } = context.company;
  const files = await filesSeen(context, refresh);
  const archive = await context.company.archive();
  const { held } = await archive.info();
  const filed = files === undefined || hasService ? [] : await archive.files.holdings();
  const known = [...held, ...filed].toSorted((one, other) => other.documents - one.documents);
  const all = [settings.cnpj ?? '', ...companies, ...known.map((one) => one.company)];
  return all.filter((one) => one.length === CNPJ_LENGTH && allows(one));
}

const CNPJ_LENGTH = 14;

/** Distinct companies of a call. @throws as `companyAsked` does */
async function companiesAsked(
  { cnpj: cnpjs = [], refresh }: Pick<QuestionArguments, 'cnpj' | 'refresh'>,
  context: CallContext,
): Promise<Asked['companies']> {
  const named = cnpjs.includes(EVERY_COMPANY) ? await everyCompany(context, refresh) : [];
  for (const cnpj of cnpjs)
    if (cnpj !== EVERY_COMPANY) named.push(await companyAsked({ cnpj, refresh }, context));
  const [first = await companyAsked({ refresh }, context), ...others] = new Set(named);
  return [first, ...others];
}

type Checks = Readonly<Record<string, () => unknown>>;
type Checked<C> = { readonly [Name in keyof C]: C[Name] extends () => infer T ? Awaited<T> : never };

/** Validates the meaning of a call. @throws BadArguments with all reasons; a single failure as it is */
async function allTogether<C extends Checks>(checks: C, { translator }: CallContext): Promise<Checked<C>> {
  const names = Object.keys(checks);
  const settled = await Promise.allSettled(Object.values(checks).map(async (check) => check()));
  const errors: unknown[] = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length === 1) throw errors[0];
  const reasons = errors.flatMap((error) => {
    const words = error instanceof BadArguments ? error.reasons : explainFailure(error, translator);
    if (words === undefined) throw error;
    return words;
  });
  if (reasons.length > 0) throw new BadArguments(reasons);
  const results = settled.map((one, at) => [names[at], one.status === 'fulfilled' ? one.value : undefined]);
  return Object.fromEntries(results);
}

interface QuestionArguments {
  readonly document: readonly DocumentArea[];
  readonly cnpj?: readonly string[] | undefined;
  readonly from: string;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number;
  readonly refresh?: boolean | undefined;
}

const MOST_NAMED = 12;
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
    companies: () => companiesAsked(asked, context),
  };
  const checked: Checked<typeof own & C> = await allTogether({ ...own, ...checks }, context);
  const { days, companies }: Checked<typeof own> = checked;
  const { document: areas } = asked;
  const query = { ...asked, ...days, companies };
  const place = await readPlace(cursor, query, context);
  const since = refreshSince(asked.refresh, place, context);
  const company = firstOf(companies, MOST_NAMED, ', ');
  return { days, companies, company, areas, query, place, since, checked };
}

/** The service's listing for what a tool is asked; undefined if it has none. */
const listingOf = {
  list_document_keys: keyOperation,
  list_documents: documentRoute,
  query_documents: documentRoute,
} as const;

type ListTool = keyof typeof listingOf;

/** A question as arguments, for error messages. */
function asArguments(tool: ListTool, { document, by, direction, approvedOnly }: ListingQuestion): string {
  const further = `${direction ? ` direction=${direction}` : ''}${approvedOnly ? ' approved_only=true' : ''}`;
  return `${tool} document=${document} by=${by}${further}`;
}

/**
 * The service's listing for a question.
 * @throws Unfulfilled naming the nearest reachable question: with a direction, without approval, whole documents, by
 * issue
 */
export function listingFor<Tool extends ListTool>(tool: Tool, question: ListingQuestion) {
  const listing = listingOf[tool](question);
  if (listing !== undefined) return listing as NonNullable<ReturnType<(typeof listingOf)[Tool]>>;
  const direction = question.direction ?? 'inbound';
  const anyApproval = { approvedOnly: undefined };
  const alternatives = ([question.by, 'issue'] as const).flatMap((by): [ListTool, ListingQuestion][] => [
    [tool, { ...question, by }],
    [tool, { ...question, by, direction }],
    [tool, { ...question, by, ...anyApproval }],
    [tool, { ...question, by, direction, ...anyApproval }],
    ['list_documents', { ...question, by, ...anyApproval }],
  ]);
  const nearest = alternatives.find(([other, alternative]) => listingOf[other](alternative) !== undefined);
  if (nearest === undefined) throw new Error(`no listing is near ${asArguments(tool, question)}`);
  const [what, to] = [asArguments(tool, question), asArguments(...nearest)];
  throw new Unfulfilled('failure.no_operation', { what, nearest: to });
}

/** @throws Unfulfilled if the service has no listing for one of the kinds */
export function checkRoutes(asked: {
  readonly document: readonly DocumentArea[];
  readonly by: ListingQuestion['by'];
}) {
  for (const document of asked.document) listingFor('query_documents', { document, by: asked.by });
}
