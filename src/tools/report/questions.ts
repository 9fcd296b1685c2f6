import type { Period } from '../../archive/days.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { checkDocuments } from '../check/check.ts';
import type { PendingNote } from '../manifestation/waiting.ts';
import type { Question } from '../pages/asked.ts';
import type { AnsweredGroups } from '../pages/groups.ts';
import { listPendingManifestations } from '../pending.ts';
import { queryDocuments } from '../query/query.ts';
import type { ReconcileOutput } from '../reconcile/answer.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { ReadTool } from '../shared/definition.ts';
import type { Missing } from '../shared/fetching.ts';
import { askAllPages } from '../shared/paging.ts';

/** What every answer says of its basis. */
interface Based {
  readonly complete: boolean;
  readonly documents: number;
  readonly missing?: readonly Missing[] | undefined;
  readonly not_fetched_yet?: readonly Period[] | undefined;
}

export type Measures = Readonly<Record<string, string>>;

/** What `query_documents` answers of one kind, with its question. */
export interface Sums extends AnsweredGroups {
  /** Withholdings that come as one sum of several taxes. */
  readonly beside?: Measures;
  readonly question: Omit<Question, 'voice'>;
}

/** The sum over all groups; nothing where no document counts. */
export function sumOf({ sums: [sum] }: Sums): Measures {
  return sum?.measures ?? {};
}

/** What `list_pending_manifestations` answers, all pages together. */
export interface WaitingNotes extends Based, Period {
  readonly total: number;
  readonly tacitly_confirmed: number;
  readonly pending: readonly PendingNote[];
}

export interface CheckFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly key?: string;
  readonly number?: string;
  readonly issuer?: string;
  readonly issuer_name?: string;
  readonly amount?: string;
  readonly expected: string;
  readonly message: string;
  readonly todo: string;
}

/** What `check_documents` answers, all pages together. */
export interface Checks extends Based {
  readonly total: number;
  readonly by_rule: readonly {
    readonly rule: string;
    readonly title?: string;
    readonly count: number;
    readonly severity?: string;
  }[];
  readonly findings: readonly CheckFinding[];
}

/** A tool's answer, all its pages together, and the sentences of it that warn. */
export interface Answered<A> {
  readonly data: A;
  readonly warnings: readonly string[];
  /** False where the time of a call was too short for all of it. */
  readonly isWhole: boolean;
}

/** The sentence of a warning, without its mark. */
export const withoutMark = (line: string): string => line.replace(/^⚠\s*/, '');

/** All pages of a list, as far as the call's time allows. */
async function askPages<A extends Based>(
  tool: ReadTool,
  args: Readonly<Record<string, unknown>>,
  list: keyof A & string,
  context: CallContext,
): Promise<Answered<A>> {
  const { first, rows, warnings, isWaiting } = await askAllPages(tool, args, list, context);
  const data = { ...first, [list]: rows } as unknown as A;
  return { data, warnings: warnings.map(withoutMark), isWhole: !isWaiting };
}

/** Rows of a table; the others follow as one row. */
const MOST_ROWS = 25;

const ofServices = [
  'count',
  'services',
  'iss_withheld',
  'irrf',
  'csll',
  'inss',
  'pis_withheld',
  'cofins_withheld',
  'total',
] as const;

/** In the order of the report. */
export const taxes = [
  'icms',
  'icms_credit',
  'icms_st',
  'icms_mono',
  'fcp',
  'fcp_st',
  'difal',
  'ipi',
  'import_duty',
  'pis',
  'cofins',
  'iss',
  'cbs',
  'ibs',
  'is',
] as const;

/** Whose report it is, and of when. */
export interface Asked extends Period {
  readonly company: string;
  readonly areas: readonly DocumentArea[];
  /** `YYYY-MM-DD`, where the company is. */
  readonly today: string;
}

/** Today counts as under way: its documents are still coming. */
export const isUnderWay = ({ to, today }: Asked): boolean => to >= today;

type Direction = 'inbound' | 'outbound';

/** Sums of documents of one kind and direction. */
async function sumsOf(
  { company, from, to, today }: Asked,
  area: DocumentArea,
  direction: Direction,
  args: Readonly<Record<string, unknown>>,
  context: CallContext,
): Promise<Sums> {
  const asked = { document: [area], cnpj: [company], from, to, direction, ...args };
  const input = queryDocuments.input().parse(asked);
  const { structured } = await queryDocuments.run(input, { ...context, hasViews: false });
  const subject = { areas: [area], direction, from, to, today };
  const question = { call: { tool: 'query_documents', args: asked }, subject } as const;
  return { ...(structured as unknown as AnsweredGroups), question };
}

const paidBy = (company: string) => ({ payer: [company] });

/** The sums of the four kinds of business, beside those of the period before unless the period is under way. */
export async function askTotals(asked: Asked, context: CallContext) {
  const { areas } = asked;
  const compare = isUnderWay(asked) ? undefined : 'previous_period';
  const measures = ['count', 'total'];
  const sums = (area: DocumentArea, direction: Direction, args: object) =>
    areas.includes(area)
      ? sumsOf(asked, area, direction, { measures, compare, ...args }, context)
      : undefined;
  return {
    purchases: await sums('nfe', 'inbound', {}),
    sales: await sums('nfe', 'outbound', {}),
    services: await sums('nfse', 'inbound', { measures: ['count', 'services'] }),
    freight: await sums('cte', 'inbound', paidBy(asked.company)),
  };
}

export type Totals = Awaited<ReturnType<typeof askTotals>>;

/** What was bought and sold, by the other party and by CFOP. */
export async function askTrade(asked: Asked, context: CallContext) {
  const { areas } = asked;
  if (!areas.includes('nfe')) return undefined;
  const table = { share: true, limit: MOST_ROWS, order_by: '-total' };
  const byParty = { ...table, group_by: ['counterparty'], measures: ['count', 'total', 'icms'] };
  const byCfop = { ...table, group_by: ['cfop'], measures: ['total'] };
  return {
    suppliers: await sumsOf(asked, 'nfe', 'inbound', byParty, context),
    supplierCodes: await sumsOf(asked, 'nfe', 'inbound', byCfop, context),
    customers: await sumsOf(asked, 'nfe', 'outbound', byParty, context),
    customerCodes: await sumsOf(asked, 'nfe', 'outbound', byCfop, context),
  };
}

export type Trade = NonNullable<Awaited<ReturnType<typeof askTrade>>>;

/** Services bought and rendered, and freight paid and carried. */
export async function askServices(asked: Asked, context: CallContext) {
  const { areas } = asked;
  const table = { share: true, limit: MOST_ROWS };
  const measures = ['count', 'total', 'icms'];
  const paid = paidBy(asked.company);
  const providers = { ...table, group_by: ['counterparty'], measures: ofServices, order_by: '-services' };
  const rendered = { measures: ['count', 'services', 'iss', 'iss_withheld'] };
  const carriers = { ...table, group_by: ['issuer'], measures, order_by: '-total', ...paid };
  const counted = { measures: ['count', 'total'] };
  return {
    nfse: areas.includes('nfse')
      ? {
          providers: await sumsOf(asked, 'nfse', 'inbound', providers, context),
          given: await sumsOf(asked, 'nfse', 'outbound', rendered, context),
        }
      : undefined,
    cte: areas.includes('cte')
      ? {
          carriers: await sumsOf(asked, 'cte', 'inbound', carriers, context),
          all: await sumsOf(asked, 'cte', 'inbound', counted, context),
          given: await sumsOf(asked, 'cte', 'outbound', counted, context),
        }
      : undefined,
  };
}

export type Services = Awaited<ReturnType<typeof askServices>>;

/** The taxes that documents show, by kind and direction. */
export async function askTaxes(asked: Asked, context: CallContext) {
  const { areas } = asked;
  const answers: { area: DocumentArea; inbound: Sums; outbound: Sums }[] = [];
  for (const area of areas) {
    const measures = { measures: taxes };
    const paid = area === 'cte' ? paidBy(asked.company) : {};
    answers.push({
      area,
      inbound: await sumsOf(asked, area, 'inbound', { ...measures, ...paid }, context),
      outbound: await sumsOf(asked, area, 'outbound', measures, context),
    });
  }
  return answers;
}

export type Taxes = Awaited<ReturnType<typeof askTaxes>>;

/** What waits for a manifestation today, of whatever period. */
export async function askPending({ areas, company }: Asked, context: CallContext) {
  if (!areas.includes('nfe')) return undefined;
  return askPages<WaitingNotes>(listPendingManifestations, { cnpj: company }, 'pending', context);
}

/** What the rules find in the period. */
export function askChecks({ areas, company, from, to }: Asked, context: CallContext) {
  const asked = { document: areas, cnpj: [company], from, to };
  return askPages<Checks>(checkDocuments, asked, 'findings', context);
}

export type Books = Omit<ReconcileOutput, 'next_cursor'> & Based;

/** What differs between the period's documents and files of books and assessment. */
export async function askBooks(
  files: readonly string[] | undefined,
  { company, from, to }: Asked,
  context: CallContext,
) {
  if (files === undefined) return undefined;
  return askPages<Books>(reconcile, { file: files, cnpj: company, from, to }, 'findings', context);
}
