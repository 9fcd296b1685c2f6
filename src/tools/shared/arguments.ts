import * as z from 'zod';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { recognisedName } from '../../config/configure.ts';
import { checkCnpj, checkTaxId } from '../../documents/identity/tax-ids.ts';
import type { Checked } from '../../documents/problems.ts';
import { membersOf, parseJson } from '../../documents/untrusted.ts';
import type { MessageKey, Translator } from '../../messages/index.ts';

/** Keys that some hosts add to arguments. Source: docs/hosts.md, A1. */
const artefacts = new Set([
  'toolCallId',
  'tool_call_id',
  'sessionId',
  'requestId',
  'chatInput',
  'action',
  'tool',
]);

/** Common wrong names of arguments, to suggest the right one; they are not accepted. */
const synonyms: Readonly<Record<string, string>> = {
  chave: 'key',
  chaves: 'keys',
  access_key: 'key',
  chave_acesso: 'key',
  evento: 'event',
  justificativa: 'justification',
  motivo: 'justification',
  start_date: 'from',
  end_date: 'to',
  start: 'from',
  end: 'to',
  data_inicial: 'from',
  data_final: 'to',
  tipo: 'direction',
  page_size: 'limit',
  supplier: 'issuer',
  fornecedor: 'issuer',
  customer: 'recipient',
  cliente: 'recipient',
  empresa: 'cnpj',
  company_cnpj: 'cnpj',
};

/** Words for the counterparty, as argument or grouping, and the direction of the notes they are named in. */
const partyWords: Readonly<Record<string, 'inbound' | 'outbound'>> = {
  fornecedor: 'inbound',
  supplier: 'inbound',
  cliente: 'outbound',
  customer: 'outbound',
};

/** Portuguese words for values, accepted wherever the value is a choice. */
const choiceSynonyms: Readonly<Record<string, string>> = {
  entrada: 'inbound',
  entradas: 'inbound',
  recebida: 'inbound',
  recebidas: 'inbound',
  saida: 'outbound',
  saidas: 'outbound',
  emitida: 'outbound',
  emitidas: 'outbound',
};

/** The choice a text names, also by a Portuguese word, ignoring case, accents and dashes. */
function choiceNamed(text: string, choices: readonly unknown[]): string {
  const plain = text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}-]/gu, '');
  const named = [text, plain, choiceSynonyms[plain]].find((one) => choices.includes(one));
  return named ?? text;
}

/** Restores the text of a JSON number; undefined if digits may be lost. */
export type Spelling = (number: number) => string | undefined;

/** Text schemas that also accept JSON numbers. */
const spellings = new WeakMap<z.ZodType, Spelling>();

/** Accepts a JSON number for a text if `spell` can restore it. */
export function alsoAsNumber<S extends z.ZodType>(schema: S, spell: Spelling): S {
  spellings.set(schema, spell);
  return schema;
}

/** For values where leading zeros are meaningless or impossible. */
export const wholeNumber: Spelling = (number) =>
  Number.isSafeInteger(number) && number >= 0 ? String(number) : undefined;

/** Decimal digits a double preserves. Source: ECMA-262, Number::toString. */
const EXACT_DIGITS = 15;

/** An amount; trailing zeros are meaningless. */
export const decimal: Spelling = (number) => {
  const text = String(number);
  return /^-?[\d.]+$/.test(text) && text.replace(/\D/g, '').length <= EXACT_DIGITS ? text : undefined;
};

/** A code of one of these lengths, or any code that can't have lost a zero. */
export function ofDigits(...lengths: readonly number[]): Spelling {
  return (number) => {
    const text = wholeNumber(number);
    return text !== undefined && lengths.includes(text.length) ? text : undefined;
  };
}

/** A CNPJ of 14 digits. */
export const cnpjNumber: Spelling = ofDigits(14);

/** A CNPJ, its root, or a CPF, unless 11 digits may be a CNPJ without three zeros. */
export const taxIdNumber: Spelling = (number) => {
  const text = ofDigits(8, 11, 14)(number);
  if (text?.length !== 11) return text;
  return checkTaxId(text).ok && !checkCnpj(text.padStart(14, '0')).ok ? text : undefined;
};

/** As `taxIdNumber`, or a foreign id, unless it may be a CPF or CNPJ without zeros. */
export const partyNumber: Spelling = (number) => {
  const text = wholeNumber(number);
  if (text === undefined || [8, 11, 14].includes(text.length)) return taxIdNumber(number);
  const hasLostZeros = checkTaxId(text.padStart(11, '0')).ok || checkCnpj(text.padStart(14, '0')).ok;
  return hasLostZeros || text.length === 7 || text.length > 11 ? undefined : text;
};

/** Unwraps optional and default schemas. */
function inside(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return inside(schema.unwrap() as z.ZodType);
  return schema;
}

/** Characters of a list given as JSON text; above the largest valid call. */
const LONGEST_LIST = 100_000;

/** Parses a list given as JSON text, or wraps a single value. */
function asList(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return typeof value === 'number' ? [value] : value;
  if (!value.trim().startsWith('[')) return [value];
  return value.length > LONGEST_LIST ? value : (parseJson(value) ?? value);
}

/**
 * Restores values that hosts and models change: lists as text or single values, numbers and toggles as text, texts as
 * numbers, choices named twice.
 */
function restore(value: unknown, schema: z.ZodType): unknown {
  const meant = inside(schema);
  if (meant instanceof z.ZodArray) {
    const list = asList(value);
    if (!Array.isArray(list)) return list;
    const all = list.map((one) => restore(one, meant.element as z.ZodType));
    return meant.element instanceof z.ZodEnum ? [...new Set(all)] : all;
  }
  if (typeof value === 'number') return spellings.get(meant)?.(value) ?? value;
  if (typeof value !== 'string') return value;
  if (meant instanceof z.ZodEnum) return choiceNamed(value, meant.options);
  const text = value.trim();
  if (meant instanceof z.ZodNumber && /^\d{1,15}$/.test(text)) return Number(text);
  if (meant instanceof z.ZodBoolean && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return value;
}

function isAbsent(value: unknown, schema: z.ZodType): boolean {
  if (value === undefined || value === null) return true;
  return value === '' && schema.safeParse(undefined).success && !schema.safeParse('').success;
}

/** The direction a word for the counterparty is about. */
function directionOf(word: unknown): 'inbound' | 'outbound' | undefined {
  const plain = typeof word === 'string' ? word.trim().toLowerCase() : '';
  return Object.hasOwn(partyWords, plain) ? partyWords[plain] : undefined;
}

/**
 * Reads words such as `fornecedor` as the counterparty of one direction, unless another direction is given. Words that
 * disagree, or stand beside `counterparty` itself, stay as they are, to be refused.
 */
function withCounterparty(given: Readonly<Record<string, unknown>>, shape: object): Record<string, unknown> {
  const groups = asList(given.group_by);
  const named = Object.keys(given).filter((name) => directionOf(name) !== undefined);
  const words = [...named, ...(Array.isArray(groups) ? groups : [])];
  const [implied, ...others] = new Set(words.map(directionOf).filter((one) => one !== undefined));
  const isClear = named.length === 0 || (named.length === 1 && !('counterparty' in given));
  if (!('counterparty' in shape) || implied === undefined || others.length > 0 || !isClear)
    return { ...given };
  const renamed = Object.entries(given).map(([name, value]) => [
    directionOf(name) === undefined ? name : 'counterparty',
    value,
  ]);
  return {
    ...Object.fromEntries(renamed),
    direction: given.direction || implied,
    ...(Array.isArray(groups) && {
      group_by: groups.map((group) => (directionOf(group) === undefined ? group : 'counterparty')),
    }),
  };
}

/** Normalises arguments for the schema: removes host keys, nulls and blanks. Unknown keys stay, to be refused. */
export function normalizeArguments(raw: unknown, schema: z.ZodObject): Record<string, unknown> {
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  const given = withCounterparty(membersOf(raw), shape);
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) {
        const isArtefact = name.startsWith('_') && name !== '__proto__';
        return isArtefact || artefacts.has(name) ? [] : [[name, value]];
      }
      const isOne = name === 'cnpj' && Array.isArray(value) && value.length === 1;
      const lone = isOne && !(inside(field) instanceof z.ZodArray) ? value[0] : value;
      return isAbsent(lone, field) ? [] : [[name, restore(lone, field)]];
    }),
  );
}

/** An issue of a value that `checkArguments` words in the person's language. */
class Issue {
  readonly code = 'custom';
  readonly params: { readonly words: (translator: Translator) => string };

  constructor(words: (translator: Translator) => string) {
    this.params = { words };
  }
}

/** A violated rule, by catalogue key. */
export function ruleIssue(
  rule: Extract<MessageKey, `argument.${string}`>,
  values: Readonly<Record<string, string | number>> = {},
): Issue {
  return new Issue(({ tell }) => tell(rule, values));
}

/** A text schema that parses by `read`, which returns the value or an issue. */
export function textAs<T>(read: (text: string) => T | Issue) {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (!(value instanceof Issue)) return value;
    context.issues.push({ ...value, input: text });
    return z.NEVER;
  });
}

/** A text schema over a checker of `documents`, with the checker's own problem. */
export function checkedText<T>(check: (text: string) => Checked<T>) {
  return textAs((text) => {
    const checked = check(text);
    return checked.ok ? checked.value : new Issue((translator) => translator.problem(checked.problem));
  });
}

/** A text schema with a predicate; rules of several arguments are checked beside it. */
export function textThat(fits: (text: string) => boolean, issue: Issue, schema: z.ZodString = z.string()) {
  return schema.superRefine((text, context) => {
    if (!fits(text)) context.addIssue({ ...issue });
  });
}

/** Error for a missing argument. */
export function missing(argument: string, { translator }: Pick<CallContext, 'translator'>): BadArguments {
  return new BadArguments([translator.say('argument.missing', { argument })]);
}

/** Error for an argument, in words. */
export function unfit(argument: string, words: string, { translator }: Pick<CallContext, 'translator'>) {
  return new BadArguments([translator.say('argument.problem', { argument, words })]);
}

/** Tools that take an argument, to suggest in errors. */
type WhoTakes = (argument: string) => readonly string[];

/** Explains an unknown argument: the nearest name, or the tools that take it. */
function unknownArgument(name: string, names: readonly string[], whoTakes: WhoTakes, { say }: Translator) {
  const known = names.join(', ') || '–';
  const isParty = names.includes('counterparty') && directionOf(name) !== undefined;
  const synonym = isParty ? 'counterparty' : (synonyms[name] ?? '');
  const tools = names.includes(synonym) ? [] : whoTakes(name);
  const nearest = names.includes(synonym) ? synonym : recognisedName(name, names);
  const hint =
    tools.length > 0
      ? say('argument.elsewhere', { tools: tools.join(', ') })
      : nearest && say('config.nearest', { name: `"${nearest}"` });
  return say('argument.unknown', { name, known, hint: hint ? `; ${hint}` : '' });
}

/** Name of an argument, with its position in a list of several. */
function nameOf(path: readonly PropertyKey[], given: Readonly<Record<string, unknown>>): string {
  const [name = '', ...places] = path.map(String);
  const value = given[name];
  const isLone = Array.isArray(value) && value.length === 1;
  return [name, ...(isLone ? places.slice(1) : places)].join('.');
}

function wordsFor(issue: z.core.$ZodIssue, argument: string, translator: Translator): string[] {
  const { say } = translator;
  const isMissing = 'input' in issue && issue.input === undefined;
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing) return [say('argument.missing', { argument })];
      if (issue.expected === 'string' && typeof issue.input === 'number')
        return [say('argument.number_for_text', { argument })];
      return [say('argument.wrong_type', { argument, expected: issue.expected })];
    case 'invalid_value':
      return [
        ...(isMissing ? [say('argument.missing', { argument })] : []),
        say('argument.not_among', { argument, choices: issue.values.map(String).join(', ') }),
      ];
    case 'too_small':
      return [say('argument.too_small', { argument, least: String(issue.minimum) })];
    case 'too_big':
      return [say('argument.too_big', { argument, most: String(issue.maximum) })];
    case 'custom': {
      const words = (issue.params as Issue['params'] | undefined)?.words(translator);
      if (words !== undefined) return [say('argument.problem', { argument, words })];
    }
  }
  return [say('argument.unusable', { argument })];
}

/** Validates arguments. @throws BadArguments with every reason */
export function checkArguments<S extends z.ZodObject>(
  raw: unknown,
  schema: S,
  translator: Translator,
  whoTakes: WhoTakes = () => [],
): z.output<S> {
  const given = normalizeArguments(raw, schema);
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const names = Object.keys(schema.shape);
  throw new BadArguments(
    parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => unknownArgument(name, names, whoTakes, translator))
        : wordsFor(issue, nameOf(issue.path, given), translator),
    ),
  );
}
