import * as z from 'zod';
import { BadArguments } from '../../company/failures.ts';
import { recognisedName } from '../../config/nearest-name.ts';
import type { Problem } from '../../documents/problems.ts';
import { parseJson } from '../../documents/untrusted.ts';
import type { MessageKey, Translator } from '../../messages/index.ts';
import { spelled } from './json-numbers.ts';

/** Keys that hosts are known to add to a call's arguments. Source: docs/hosts.md, A1. */
const artefacts = new Set([
  'toolCallId',
  'tool_call_id',
  'sessionId',
  'requestId',
  'chatInput',
  'action',
  'tool',
]);

/** Words people and models use for our arguments, to point at the right one; they are not accepted. */
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
  customer: 'recipient',
  empresa: 'cnpj',
  company_cnpj: 'cnpj',
};

/** Names of the argument for the other party: the two of an analyst are accepted where they stand alone. */
const otherParty = ['counterparty', 'fornecedor', 'cliente'];

/** Values in the words of an analyst. Each stands for one value wherever it is a choice. */
const choiceSynonyms: Readonly<Record<string, string>> = {
  entrada: 'inbound',
  entradas: 'inbound',
  recebida: 'inbound',
  recebidas: 'inbound',
  saida: 'outbound',
  saidas: 'outbound',
  emitida: 'outbound',
  emitidas: 'outbound',
  fornecedor: 'counterparty',
  cliente: 'counterparty',
  nfe: 'nfe',
  nfse: 'nfse',
  cte: 'cte',
};

/** The choice that a text names: itself, or by an analyst's word for it, with or without accents and dashes. */
function choiceNamed(text: string, choices: readonly unknown[]): string {
  if (choices.includes(text)) return text;
  const plain = text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}-]/gu, '');
  const named = Object.hasOwn(choiceSynonyms, plain) ? choiceSynonyms[plain] : undefined;
  return named !== undefined && choices.includes(named) ? named : text;
}

/** What an optional or defaulted schema is about. */
function inside(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return inside(schema.unwrap() as z.ZodType);
  return schema;
}

/** Characters of a list written as JSON text: two thousand keys, more values than a call may have. */
const LONGEST_LIST = 100_000;

/** A list given as JSON text or as one value alone. */
function asList(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return typeof value === 'number' ? [value] : value;
  if (!value.trim().startsWith('[')) return [value];
  return value.length > LONGEST_LIST ? value : (parseJson(value) ?? value);
}

/** Undoes what hosts and models do to values: lists as text or alone, numbers and toggles as text, texts as numbers. */
function restore(value: unknown, schema: z.ZodType): unknown {
  const meant = inside(schema);
  if (meant instanceof z.ZodArray) {
    const list = asList(value);
    return Array.isArray(list) ? list.map((one) => restore(one, meant.element as z.ZodType)) : list;
  }
  if (typeof value === 'number') return spelled(value, meant) ?? value;
  if (typeof value !== 'string') return value;
  if (meant instanceof z.ZodEnum) return choiceNamed(value, meant.options);
  const text = value.trim();
  if (meant instanceof z.ZodNumber && /^\d{1,15}$/.test(text)) return Number(text);
  if (meant instanceof z.ZodBoolean && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return value;
}

/** The one company of a list, where an argument is about one. */
function aloneFor(schema: z.ZodType, value: unknown): unknown {
  const isList = inside(schema) instanceof z.ZodArray;
  return !isList && Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function isAbsent(value: unknown, schema: z.ZodType): boolean {
  if (value === undefined || value === null) return true;
  return value === '' && schema.safeParse(undefined).success && !schema.safeParse('').success;
}

/** Arguments ready for the schema: without artefacts of hosts, null and blanks. Unknown keys stay to be refused. */
export function normalizeArguments(raw: unknown, schema: z.ZodObject): Record<string, unknown> {
  const given: Record<string, unknown> =
    raw !== null && typeof raw === 'object' && !Array.isArray(raw) ? { ...raw } : {};
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  const isOther = 'counterparty' in shape && otherParty.filter((name) => name in given).length === 1;
  return Object.fromEntries(
    Object.entries(given).flatMap(([written, value]) => {
      const name = isOther && otherParty.includes(written) ? 'counterparty' : written;
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) {
        const isArtefact = name.startsWith('_') && name !== '__proto__';
        return isArtefact || artefacts.has(name) ? [] : [[name, value]];
      }
      const lone = name === 'cnpj' ? aloneFor(field, value) : value;
      return isAbsent(lone, field) ? [] : [[name, restore(lone, field)]];
    }),
  );
}

/** A problem of a value, as an issue that `checkArguments` can put into the person's language. */
export function problemIssue(problem: Problem): { code: 'custom'; params: { problem: Problem } } {
  return { code: 'custom', params: { problem } };
}

/** A rule of an argument that failed, by catalogue key. */
export function ruleIssue(
  rule: Extract<MessageKey, `argument.${string}`>,
  values: Readonly<Record<string, string | number>> = {},
): { code: 'custom'; params: { rule: string; values: Readonly<Record<string, string | number>> } } {
  return { code: 'custom', params: { rule, values } };
}

type Issue = ReturnType<typeof problemIssue | typeof ruleIssue>;

/** Text that `read` understands; refused with the issue where it returns undefined. */
export function textAs<T>(read: (text: string) => T | undefined, issue: Issue) {
  return z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.issues.push({ ...issue, input: text });
    return z.NEVER;
  });
}

/** Text that fits, beside what `schema` demands of it. */
export function textThat(fits: (text: string) => boolean, issue: Issue, schema: z.ZodString = z.string()) {
  return schema.superRefine((text, context) => {
    if (!fits(text)) context.addIssue(issue);
  });
}

/** Tools that take an argument, for a call that gave it to one that doesn't. */
export type WhoTakes = (argument: string) => readonly string[];

const nobody: WhoTakes = () => [];

/** Words about an unknown argument: the nearest name, or the tools that have it. */
function unknownArgument(
  name: string,
  names: readonly string[],
  whoTakes: WhoTakes,
  translator: Translator,
): string {
  const known = names.join(', ') || '–';
  const synonym = synonyms[name];
  if (synonym !== undefined && names.includes(synonym)) {
    return translator.say('argument.unknown_nearest', { name, nearest: synonym, known });
  }
  const tools = whoTakes(name);
  if (tools.length > 0) {
    return translator.say('argument.unknown_elsewhere', { name, tools: tools.join(', '), known });
  }
  const nearest = recognisedName(name, names);
  return nearest === undefined
    ? translator.say('argument.unknown', { name, known })
    : translator.say('argument.unknown_nearest', { name, nearest, known });
}

/** An argument by its name, and its place in a list of several. */
function nameOf(path: readonly PropertyKey[], given: Readonly<Record<string, unknown>>): string {
  const [name = '', ...places] = path.map(String);
  const value = given[name];
  const isLone = Array.isArray(value) && value.length === 1;
  return [name, ...(isLone ? places.slice(1) : places)].join('.');
}

function wordsFor(
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
  translator: Translator,
  whoTakes: WhoTakes,
): string[] {
  const names = Object.keys(schema.shape);
  const argument = nameOf(issue.path, given);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => unknownArgument(name, names, whoTakes, translator));
  }
  if (issue.code === 'custom' && issue.params?.problem) {
    const words = translator.problem(issue.params.problem as Problem);
    return [translator.say('argument.problem', { argument, words })];
  }
  if (issue.code === 'custom' && issue.params?.rule) {
    const { rule, values } = issue.params as { rule: MessageKey; values: Record<string, string | number> };
    return [translator.say('argument.problem', { argument, words: translator.tell(rule, values) })];
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return [translator.say('argument.missing', { argument })];
  }
  if (issue.code === 'invalid_type' && issue.expected === 'string' && typeof issue.input === 'number') {
    return [translator.say('argument.number_for_text', { argument })];
  }
  if (issue.code === 'invalid_type') {
    return [translator.say('argument.wrong_type', { argument, expected: String(issue.expected) })];
  }
  if (issue.code === 'invalid_value') {
    const missing = issue.input === undefined ? [translator.say('argument.missing', { argument })] : [];
    const choices = issue.values.map(String).join(', ');
    return [...missing, translator.say('argument.not_among', { argument, choices })];
  }
  if (issue.code === 'too_small') {
    return [translator.say('argument.too_small', { argument, least: String(issue.minimum) })];
  }
  if (issue.code === 'too_big') {
    return [translator.say('argument.too_big', { argument, most: String(issue.maximum) })];
  }
  return [translator.say('argument.unusable', { argument })];
}

/** The arguments as the tool's code takes them. @throws BadArguments with every reason */
export function checkArguments<S extends z.ZodObject>(
  raw: unknown,
  schema: S,
  translator: Translator,
  whoTakes: WhoTakes = nobody,
): z.output<S> {
  const given = normalizeArguments(raw, schema);
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new BadArguments(
    parsed.error.issues.flatMap((issue) => wordsFor(issue, schema, given, translator, whoTakes)),
  );
}
