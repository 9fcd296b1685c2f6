import * as z from 'zod';
import { checkAccessKey, checkDocumentKey } from '../../documents/identity/keys.ts';
import { checkCnpj, checkTaxId } from '../../documents/identity/tax-ids.ts';
import type { Checked } from '../../documents/problems.ts';
import { problemIssue, ruleIssue } from './arguments.ts';
import { alsoAsNumber, cnpjNumber, taxIdNumber } from './json-numbers.ts';
import { type GivenMoment, isoDay, periodNameIn, periodWords } from './period.ts';

/** Text that a checker of the documents room understands; refused with the checker's own problem. */
function checkedText<T>(check: (text: string) => Checked<T>) {
  return z.string().transform((text, context) => {
    const checked = check(text);
    if (checked.ok) return checked.value;
    context.issues.push({ ...problemIssue(checked.problem), input: text });
    return z.NEVER;
  });
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2}))?)?$/;

function isRealDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}

const notADay = (rule: 'argument.moment' | 'argument.day') =>
  ruleIssue(rule, { words: periodWords.join(', ') });

/** `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm[:ss]`, where a bare date becomes `bareTime`; or a month or word for days. */
function moment(bareTime: string) {
  return z.string().transform((text, context): GivenMoment => {
    const name = periodNameIn(text);
    if (name !== undefined) return name;
    const [, date = '', time, seconds] = MOMENT.exec(isoDay(text)) ?? [];
    const isTime = time === undefined || /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
    if (!isRealDate(date) || !isTime || (seconds !== undefined && Number(seconds) > 59)) {
      context.issues.push({ ...notADay('argument.moment'), input: text });
      return z.NEVER;
    }
    return { date, time: time === undefined ? bareTime : `${time}:${seconds ?? '00'}` };
  });
}

function asDate() {
  return z.string().transform((text, context) => {
    const day = isoDay(text);
    if (/^\d{4}-\d{2}-\d{2}$/.test(day) && isRealDate(day)) return day;
    context.issues.push({ ...ruleIssue('argument.date'), input: text });
    return z.NEVER;
  });
}

/** A whole day; a moment that is its beginning or its end, as some hosts complete dates, means the day; or a name. */
function wholeDay(times: RegExp) {
  return z.string().transform((text, context): string => {
    const name = periodNameIn(text);
    if (name !== undefined) return name;
    const [date = '', time] = isoDay(text).split('T');
    const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date) && isRealDate(date);
    if (isDate && (time === undefined || times.test(time))) return date;
    context.issues.push({ ...notADay('argument.day'), input: text });
    return z.NEVER;
  });
}

function asWebAddress() {
  return z.string().transform((text, context) => {
    if (/^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim())) return text.trim();
    context.issues.push({ ...ruleIssue('argument.url'), input: text });
    return z.NEVER;
  });
}

/** The arguments that several tools share, described once and in few words: they cost tokens in every session. */
export const shared = {
  document: () => z.enum(['nfe', 'nfse', 'cte']).describe('Document kind'),
  documents: () =>
    z
      .array(z.enum(['nfe', 'nfse', 'cte']))
      .min(1)
      .describe('Document kinds'),
  cnpj: () =>
    alsoAsNumber(checkedText(checkCnpj), cnpjNumber).optional().describe('Company CNPJ, if not the default'),
  cnpjs: () =>
    z
      .array(alsoAsNumber(checkedText(checkCnpj), cnpjNumber))
      .min(1)
      .optional()
      .describe('Company CNPJ, if not the default'),
  from: () => moment('00:00:00').describe('YYYY-MM-DD[THH:mm[:ss]], YYYY-MM or a word: last_month'),
  to: () => moment('23:59:59').optional().describe('Inclusive; a month or word in from needs none'),
  by: () => z.enum(['issue', 'entry', 'period']).default('issue').describe('Default issue; period: nfe only'),
  direction: () => z.enum(['inbound', 'outbound']).describe('Received or issued'),
  key: () => checkedText(checkAccessKey).describe('Access key'),
  documentKey: () => checkedText(checkDocumentKey).describe('Access key'),
  issuer: () => alsoAsNumber(checkedText(checkTaxId), taxIdNumber).describe("Issuer's CNPJ or CPF"),
  date: () => asDate().describe('YYYY-MM-DD'),
  firstDay: () => wholeDay(/^00:00(?::00)?$/).describe('YYYY-MM-DD, YYYY-MM or a word: last_month'),
  lastDay: () =>
    wholeDay(/^23:59(?::59)?$/)
      .optional()
      .describe('Inclusive; a month or word in from needs none'),
  url: () => asWebAddress().describe('The old URL'),
  cursor: () => z.string().optional().describe('From next_cursor'),
  refresh: () => z.boolean().optional().describe('Ask the service now'),
} as const;

/** How many entries a page holds. */
export function limit(usual: number, most: number) {
  return z.int().min(1).max(most).default(usual).describe(`Default ${usual}`);
}

/** A positive whole number that identifies something of the account service. */
export function id(what: string) {
  return z.int().min(1).describe(what);
}
