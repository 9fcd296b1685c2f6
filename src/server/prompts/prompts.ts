import { dayFormat, type Language, wordsOf } from '../../messages/message.ts';
import type { PromptArgument, PromptValues } from './values.ts';

type Args = Readonly<Record<string, unknown>>;

/** A call for the model to make. */
type Call = readonly [tool: string, args: Args];

const query = (args: Args): Call => ['query_documents', args];
const check = (args: Args): Call => ['check_documents', args];
const pending = (args: Args): Call => ['list_pending_manifestations', args];

const taxes = ['count', 'total', 'icms', 'icms_st', 'ipi', 'pis', 'cofins', 'ibs', 'cbs'];
const sums = ['count', 'total'];
const withheld = ['iss_withheld', 'irrf', 'csll', 'inss', 'pis_withheld', 'cofins_withheld'];
const everyKind = ['nfe', 'nfse', 'cte'];
const goodsAndServices = ['nfe', 'nfse'];
const byStatus = { group_by: ['status'], measures: sums };
/** The largest groups, as many as a person can read. */
const foremost = (by: string) => ({ order_by: `-${by}`, limit: 20 });

/**
 * Declares a prompt by its calls, step by step; the catalogue has the words of each step under its number.
 * @param required the argument that it needs
 */
function prompt(
  takes: readonly PromptArgument[],
  calls: (values: PromptValues) => readonly Call[],
  required?: PromptArgument,
) {
  return { takes, calls, required };
}

const inPeriod = ['period', 'cnpj'] as const;

/** The prompts in listing order. */
export const prompts = {
  month_closing: prompt(inPeriod, ({ from, to, before, cnpj }) => {
    const about = { cnpj, from, to };
    const both = { ...about, document: goodsAndServices };
    const byNature = { group_by: ['nature'], measures: taxes };
    return [
      query({ ...about, document: everyKind, ...byStatus }),
      check({ ...about, document: everyKind }),
      query({ ...both, direction: 'inbound', ...byNature }),
      query({ ...both, direction: 'outbound', ...byNature, measures: [...taxes, 'iss'] }),
      query({ ...both, ...before, ...byStatus }),
      pending({ cnpj }),
    ];
  }),
  pending_manifestations: prompt(['supplier', 'cnpj'], ({ cnpj, supplier }) => [
    pending({ cnpj, ...(supplier && { issuer: [supplier] }), limit: 100 }),
  ]),
  explain_document: prompt(
    ['key'],
    ({ document, key }) => [
      ['get_document', { document, key }],
      ['verify_document', { document, key }],
    ],
    'key',
  ),
  supplier_review: prompt(
    ['supplier', ...inPeriod],
    ({ from, to, before, cnpj, supplier }) => {
      const about = { cnpj, from, to, document: ['nfe'], direction: 'inbound', counterparty: [supplier] };
      const prices = ['count', 'products_net', 'quantity', 'average_price'];
      return [
        query({ ...about, group_by: ['month'], measures: taxes }),
        query({ ...about, ...before, measures: sums }),
        query({ ...about, group_by: ['item'], measures: prices, ...foremost('products_net') }),
        query({ ...about, ...byStatus }),
        pending({ cnpj, issuer: [supplier] }),
      ];
    },
    'supplier',
  ),
  tax_credits: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to, document: ['nfe'], direction: 'inbound' };
    const bySituation = ['count', 'products', 'icms_base', 'icms', 'icms_credit'];
    const bySupplier = { group_by: ['issuer', 'regime'], measures: [...sums, 'icms', 'icms_credit'] };
    return [
      query({ ...about, group_by: ['cfop', 'cst'], measures: bySituation }),
      query({ ...about, ...bySupplier, ...foremost('icms') }),
      query({ ...about, group_by: ['nature'], measures: ['count', 'ipi', 'pis', 'cofins', 'icms_st'] }),
      query({ cnpj, from, to, document: ['cte'], measures: [...sums, 'icms'] }),
      check({ cnpj, from, to, document: ['nfe', 'cte'], direction: 'inbound' }),
    ];
  }),
  reform_readiness: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to };
    const sold = { ...about, document: everyKind, direction: 'outbound' };
    const bought = { ...about, document: ['nfe'], direction: 'inbound', group_by: ['issuer'] };
    return [
      query({ ...sold, group_by: ['class_trib'], measures: [...sums, 'ibs', 'cbs', 'is'] }),
      query({ ...bought, measures: [...sums, 'ibs', 'cbs'], ...foremost('total') }),
      check({ ...about, document: everyKind }),
    ];
  }),
  freight_review: prompt(inPeriod, ({ from, to, before, cnpj }) => {
    const about = { cnpj, from, to, document: ['cte'] };
    const measures = [...sums, 'icms'];
    return [
      query({ ...about, group_by: ['issuer', 'payer'], measures, ...foremost('total') }),
      query({ ...about, ...before, measures }),
      query({ cnpj, from, to, document: ['nfe'], measures: [...sums, 'freight'] }),
      check(about),
    ];
  }),
  reconcile_month: prompt(inPeriod, ({ from, to, cnpj }) => [
    ['reconcile', {}],
    query({ cnpj, from, to, document: everyKind, ...byStatus }),
  ]),
  withholdings: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to, document: ['nfse'] };
    const measures = ['count', 'services', 'total', ...withheld];
    return [
      query({ ...about, direction: 'inbound', group_by: ['issuer'], measures, ...foremost('services') }),
      query({
        ...about,
        direction: 'outbound',
        group_by: ['recipient'],
        measures,
        ...foremost('services'),
      }),
      query({
        ...about,
        direction: 'inbound',
        group_by: ['iss_city'],
        measures: ['count', 'iss_withheld'],
      }),
      query({ ...about, document: ['nfe'], measures: ['count', ...withheld] }),
      check(about),
    ];
  }),
  sales_by_customer: prompt(inPeriod, ({ from, to, before, cnpj }) => {
    const about = { cnpj, from, to, direction: 'outbound' };
    const sold = { ...about, document: ['nfe'], nature: ['sale'] };
    return [
      query({ ...sold, group_by: ['counterparty'], measures: sums, ...foremost('total') }),
      query({ ...sold, ...before, group_by: ['counterparty'], measures: sums, ...foremost('total') }),
      query({
        ...about,
        document: ['nfe'],
        nature: ['return'],
        group_by: ['counterparty'],
        measures: sums,
      }),
      query({ ...about, document: ['nfse'], group_by: ['counterparty'], measures: [...sums, 'services'] }),
    ];
  }),
  files_overview: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to, document: everyKind };
    return [
      ['list_documents', {}],
      query({ ...about, group_by: ['month', 'status'], measures: sums, limit: 100 }),
      check(about),
    ];
  }),
  files_against_service: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to };
    const notes = { ...about, document: 'nfe', limit: 100 };
    return [
      query({ ...about, document: everyKind, ...byStatus, refresh: true }),
      ['list_documents', { ...notes, direction: 'inbound' }],
      ['list_documents', { ...notes, direction: 'outbound' }],
    ];
  }),
};

export type PromptName = keyof typeof prompts;

const anyDay = { from: '', to: '' };
const anyValues: PromptValues = {
  ...anyDay,
  before: anyDay,
  cnpj: undefined,
  document: 'nfe',
  key: '',
  supplier: undefined,
};

/** Tools a prompt needs; it is hidden if one is missing. */
export function toolsOf(name: PromptName): readonly string[] {
  return prompts[name].calls(anyValues).map(([tool]) => tool);
}

/** Text of a prompt: the goal, the calls with their purpose, what to present and what not to conclude. */
export async function recipe(name: PromptName, values: PromptValues, language: Language): Promise<string> {
  const { recipeMessages } = await import('../../messages/apart/recipes.ts');
  const say = wordsOf(recipeMessages, language);
  const { from, to, key, supplier = '' } = values;
  // Calls carry ISO days, sentences local ones.
  const day = dayFormat(language);
  const steps = prompts[name]
    .calls(values)
    .flatMap(([tool, args], at) => [
      `${at + 1}. ${say(`${name}.${at + 1}` as 'month_closing.1')}`,
      `   → ${tool} ${JSON.stringify(args)}`,
    ]);
  return [
    say(`${name}.goal`, { from: day(from), to: day(to), key, supplier }),
    '',
    ...steps,
    '',
    say('always.partial'),
    say('always.cursor'),
    '',
    say(`${name}.present`),
    say('always.present'),
    '',
    say(`${name}.never`),
    say('always.never'),
  ].join('\n');
}
