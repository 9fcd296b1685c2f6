import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { everyArea } from '../archive/references.ts';
import type { CompanyResolver } from '../company/company-resolver.ts';
import { failureWords, Unfulfilled } from '../company/failures.ts';
import { addDays, firstDay, isDay, lastDay, monthOf, type Period, periodBefore } from '../documents/days.ts';
import { checkAccessKey, checkNationalNfseKey, normalizeKey } from '../documents/identity/keys.ts';
import { checkCnpj } from '../documents/identity/tax-ids.ts';
import { longest, oneLine } from '../documents/untrusted.ts';
import { dayFormat, type Language, wordsOf } from '../messages/message.ts';
import { daysOfName, isoDay, periodNameIn } from '../tools/shared/period.ts';
import { argumentSchema, type PromptArgument, todayOf } from './prompt-arguments.ts';

const BETWEEN = / ?(?:até|a|to|\.\.) ?|(?<=-\d\d) ?\/ ?(?=\d{4}-)/;

/** Parses a month, a day, a word, or the two ends of a period into days; undefined for any other text. */
function daysOf(text: string, today: string): Period | undefined {
  const given = text.trim().replace(/\s+/g, ' ');
  const ends = periodNameIn(given) === undefined ? given.split(BETWEEN) : [given];
  const [first, last = first, ...others] = ends.map((end): Partial<Period> => {
    const name = periodNameIn(end);
    if (name !== undefined) return daysOfName(name, today);
    const day = isoDay(end);
    return isDay(day) ? { from: day, to: day } : {};
  });
  const [from, to] = [first?.from, last?.to];
  return from && to && others.length === 0 && from <= to ? { from, to } : undefined;
}

/** The previous period; before the first days of a month the same days of the month before. */
function daysBefore(period: Period): Period {
  const { from, to } = period;
  const month = monthOf(from);
  if (from === firstDay(month) && monthOf(to) === month && to !== lastDay(month)) {
    const last = addDays(from, -1);
    const sameDay = `${monthOf(last)}${to.slice(7)}`;
    return { from: firstDay(monthOf(last)), to: sameDay < last ? sameDay : last };
  }
  const { shift: _, ...before } = periodBefore(period);
  return before;
}

/**
 * Validates a prompt's arguments and fills in defaults: last month.
 * @param todayFor today by the clock of the company named
 * @returns the name of an invalid argument
 * @throws the error of `todayFor` for an ambiguous company
 */
function promptValues(
  given: Readonly<Partial<Record<PromptArgument, string>>>,
  todayFor: (company: string | undefined) => string,
) {
  const text = (argument: PromptArgument) => given[argument]?.trim() || undefined;
  const company = text('cnpj') === undefined ? undefined : checkCnpj(text('cnpj') ?? '');
  if (company?.ok === false) return 'cnpj' as const;
  const cnpj = company?.ok ? company.value : undefined;
  const typed = text('key');
  const nfse = checkNationalNfseKey(normalizeKey(typed ?? ''));
  const key = typed === undefined || nfse.ok ? undefined : checkAccessKey(normalizeKey(typed));
  if (key?.ok === false) return 'key' as const;
  const days = daysOf(text('period') ?? 'last_month', todayFor(cnpj));
  if (days === undefined) return 'period' as const;
  const supplier = text('supplier');
  return {
    ...days,
    /** The previous period. */
    before: daysBefore(days),
    cnpj,
    document: nfse.ok ? 'nfse' : key?.ok && key.value.kind.startsWith('cte') ? 'cte' : 'nfe',
    key: key?.ok ? key.value.key : normalizeKey(typed ?? ''),
    supplier: supplier === undefined ? undefined : oneLine(supplier, longest.name),
  };
}

type PromptValues = Exclude<ReturnType<typeof promptValues>, PromptArgument>;
type Args = Readonly<Record<string, unknown>>;

/** A call for the model to make. */
type Call = readonly [tool: string, args: Args];

const query = (args: Args): Call => ['query_documents', args];
const check = (args: Args): Call => ['check_documents', args];
const pending = (args: Args): Call => ['list_pending_manifestations', args];

const taxes = ['count', 'total', 'icms', 'icms_st', 'ipi', 'pis', 'cofins', 'ibs', 'cbs'];
const sums = ['count', 'total'];
const withheld = ['iss_withheld', 'irrf', 'csll', 'inss', 'pis_withheld', 'cofins_withheld'];
const goodsAndServices = ['nfe', 'nfse'];
/** Measures by groups; with `foremost`, the largest groups by that measure, as many as a person can read. */
const per = (group_by: string | readonly string[], measures: readonly string[], foremost?: string) => ({
  group_by: [group_by].flat(),
  measures,
  ...(foremost && { order_by: `-${foremost}`, limit: 20 }),
});
const byStatus = per('status', sums);

/**
 * Declares a prompt by its calls, step by step. A step's message has its number as key, or `step.…` if prompts share
 * it. A prompt is hidden if a tool that it calls is missing.
 * @param required the argument that it needs
 */
function prompt(
  takes: readonly PromptArgument[],
  calls: (values: PromptValues) => readonly Call[],
  required?: PromptArgument,
) {
  const days = { from: '', to: '' };
  const nothing = { cnpj: undefined, document: 'nfe', key: '', supplier: undefined } as const;
  const tools = calls({ ...days, before: days, ...nothing }).map(([tool]) => tool);
  return { takes, calls, required, tools };
}

const inPeriod = ['period', 'cnpj'] as const;

/** The prompts in listing order. */
export const prompts = {
  month_closing: prompt(inPeriod, ({ from, to, before, cnpj }) => {
    const all = { cnpj, from, to, document: everyArea };
    const both = { cnpj, from, to, document: goodsAndServices };
    return [
      query({ ...all, ...byStatus }),
      check(all),
      query({ ...both, direction: 'inbound', ...per('nature', taxes) }),
      query({ ...both, direction: 'outbound', ...per('nature', [...taxes, 'iss']) }),
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
        query({ ...about, ...per('month', taxes) }),
        query({ ...about, ...before, measures: sums }),
        query({ ...about, ...per('item', prices, 'products_net') }),
        query({ ...about, ...byStatus }),
        pending({ cnpj, issuer: [supplier] }),
      ];
    },
    'supplier',
  ),
  tax_credits: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to, document: ['nfe'], direction: 'inbound' };
    const bySituation = ['count', 'products', 'icms_base', 'icms', 'icms_credit'];
    return [
      query({ ...about, ...per(['cfop', 'cst'], bySituation) }),
      query({ ...about, ...per(['issuer', 'regime'], [...sums, 'icms', 'icms_credit'], 'icms') }),
      query({ ...about, ...per('nature', ['count', 'ipi', 'pis', 'cofins', 'icms_st']) }),
      query({ cnpj, from, to, document: ['cte'], measures: [...sums, 'icms'] }),
      check({ cnpj, from, to, document: ['nfe', 'cte'], direction: 'inbound' }),
    ];
  }),
  reform_readiness: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to };
    const sold = { ...about, document: everyArea, direction: 'outbound' };
    const bought = { ...about, document: ['nfe'], direction: 'inbound' };
    return [
      query({ ...sold, ...per('class_trib', [...sums, 'ibs', 'cbs', 'is']) }),
      query({ ...bought, ...per('issuer', [...sums, 'ibs', 'cbs'], 'total') }),
      check({ ...about, document: everyArea }),
    ];
  }),
  freight_review: prompt(inPeriod, ({ from, to, before, cnpj }) => {
    const about = { cnpj, from, to, document: ['cte'] };
    const measures = [...sums, 'icms'];
    return [
      query({ ...about, ...per(['issuer', 'payer'], measures, 'total') }),
      query({ ...about, ...before, measures }),
      query({ cnpj, from, to, document: ['nfe'], measures: [...sums, 'freight'] }),
      check(about),
    ];
  }),
  reconcile_month: prompt(inPeriod, ({ from, to, cnpj }) => [
    ['reconcile', {}],
    query({ cnpj, from, to, document: everyArea, ...byStatus }),
  ]),
  withholdings: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to, document: ['nfse'] };
    const measures = ['count', 'services', 'total', ...withheld];
    return [
      query({ ...about, direction: 'inbound', ...per('issuer', measures, 'services') }),
      query({ ...about, direction: 'outbound', ...per('recipient', measures, 'services') }),
      query({ ...about, direction: 'inbound', ...per('iss_city', ['count', 'iss_withheld']) }),
      query({ ...about, document: ['nfe'], measures: ['count', ...withheld] }),
      check(about),
    ];
  }),
  sales_by_customer: prompt(inPeriod, ({ from, to, before, cnpj }) => {
    const about = { cnpj, from, to, direction: 'outbound' };
    const sold = { ...about, document: ['nfe'], nature: ['sale'] };
    return [
      query({ ...sold, ...per('counterparty', sums, 'total') }),
      query({ ...sold, ...before, ...per('counterparty', sums, 'total') }),
      query({ ...about, document: ['nfe'], nature: ['return'], ...per('counterparty', sums) }),
      query({ ...about, document: ['nfse'], ...per('counterparty', [...sums, 'services']) }),
    ];
  }),
  files_overview: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to, document: everyArea };
    return [
      ['list_documents', {}],
      query({ ...about, ...per(['month', 'status'], sums), limit: 100 }),
      check(about),
    ];
  }),
  files_against_service: prompt(inPeriod, ({ from, to, cnpj }) => {
    const about = { cnpj, from, to };
    const notes = { ...about, document: 'nfe', limit: 100 };
    return [
      query({ ...about, document: everyArea, ...byStatus, refresh: true }),
      ['list_documents', { ...notes, direction: 'inbound' }],
      ['list_documents', { ...notes, direction: 'outbound' }],
    ];
  }),
};

export type PromptName = keyof typeof prompts;

/** Text of a prompt: the goal, the calls with their purpose, what to present and what not to conclude. */
async function recipe(name: PromptName, values: PromptValues, language: Language): Promise<string> {
  const { recipeMessages } = await import('../messages/apart/recipes.ts');
  const say = wordsOf(recipeMessages, language);
  const { from, to, before, key, supplier = '' } = values;
  // Calls carry ISO days, sentences local ones.
  const day = dayFormat(language);
  const purposeOf = ([tool, args]: Call, number: number) => {
    if (tool === 'check_documents') return say('step.findings');
    if (tool === 'list_pending_manifestations') return say('step.pending');
    return say(args.from === before.from ? 'step.previous' : (`${name}.${number}` as 'month_closing.1'));
  };
  const steps = prompts[name]
    .calls(values)
    .flatMap((call, at) => [
      `${at + 1}. ${purposeOf(call, at + 1)}`,
      `   → ${call[0]} ${JSON.stringify(call[1])}`,
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

/** With several companies the prompt must name one, unless it is about none. */
function todayFor(company: string | undefined, name: PromptName, resolver: CompanyResolver) {
  try {
    return todayOf(resolver.forCall({ ...(company && { cnpj: company }) }, false));
  } catch (error) {
    if (error instanceof Unfulfilled && !prompts[name].takes.includes('cnpj')) return todayOf(undefined);
    throw error;
  }
}

/** Registers the prompts whose tools are available; their texts load on request. */
export function registerPrompts(
  server: McpServer,
  resolver: CompanyResolver,
  tools: ReadonlySet<string>,
): void {
  const { say, language } = resolver.translator;
  for (const name of Object.keys(prompts) as PromptName[]) {
    const { takes, required, tools: called } = prompts[name];
    if (!called.every((tool) => tools.has(tool))) continue;
    const taken = takes.map((one) => {
      const schema = argumentSchema(one, resolver);
      return [one, one === required ? schema : schema.optional()];
    });
    const info = {
      title: say(`prompt.${name}.title`),
      description: say(`prompt.${name}.about`),
      argsSchema: z.object(Object.fromEntries(taken)),
    };
    const refuse = (words: string): never => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, words);
    };
    server.registerPrompt(name, info, async (given: Partial<Record<PromptArgument, string>>) => {
      if (required && !given[required]?.trim()) refuse(say('argument.missing', { argument: required }));
      let values: ReturnType<typeof promptValues>;
      try {
        values = promptValues(given, (company) => todayFor(company, name, resolver));
      } catch (error) {
        return refuse(failureWords(error, resolver.translator));
      }
      if (typeof values === 'string') return refuse(`${values}: ${say(`prompt_argument.${values}`)}`);
      const text = await recipe(name, values, language);
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    });
  }
}
