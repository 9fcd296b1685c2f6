import * as z from 'zod';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { everyArea, isDay } from '../../documents/days.ts';
import { eventNames } from '../../documents/events/manifestation.ts';
import { checkAccessKey, readDocumentKey } from '../../documents/identity/keys.ts';
import { checkCnpj, checkTaxId, readCnpj } from '../../documents/identity/tax-ids.ts';
import { accepted, type Checked } from '../../documents/problems.ts';
import {
  alsoAsNumber,
  checkedText,
  cnpjNumber,
  ruleIssue,
  taxIdNumber,
  textAs,
  textThat,
  wholeNumber,
} from './arguments.ts';
import { isoDay, periodNameIn, periodWords } from './period.ts';

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2}))?)?$/;

const notADay = (rule: 'argument.moment' | 'argument.day') =>
  ruleIssue(rule, { words: periodWords.join(', ') });

/** `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm[:ss]`, a bare date completed by `bareTime`; or a month or period word. */
function moment(bareTime: string) {
  return textAs((text) => {
    const name = periodNameIn(text);
    if (name !== undefined) return name;
    const [, date = '', time, seconds = '00'] = MOMENT.exec(isoDay(text)) ?? [];
    const isTime = time === undefined || /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
    if (!isDay(date) || !isTime || Number(seconds) > 59) return notADay('argument.moment');
    return `${date}T${time === undefined ? bareTime : `${time}:${seconds}`}`;
  });
}

const isWebAddress = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text);

/** A whole day; its first or last moment, as some hosts complete dates, means the day; or a period word. */
function wholeDay(times: RegExp) {
  return textAs((text) => {
    const [date = '', time] = isoDay(text).split('T');
    const isWhole = isDay(date) && (time === undefined || times.test(time));
    return periodNameIn(text) ?? (isWhole ? date : notADay('argument.day'));
  });
}

export const EVERY_COMPANY = 'all';

const companyOrAll = (text: string): Checked<string> =>
  /^(?:all|todas|todos)$/i.test(text.trim()) ? accepted(EVERY_COMPANY) : readCnpj(text);

const company = (check: (text: string) => Checked<string>) => alsoAsNumber(checkedText(check), cnpjNumber);

const kind = () => z.enum(everyArea);

/** Arguments shared by several tools, described briefly: they cost tokens in every session. */
export const shared = {
  document: () => kind().describe('Document kind'),
  documents: () => z.array(kind()).min(1).describe('Document kinds'),
  cnpj: () => company(checkCnpj).optional().describe('Company CNPJ, if not the default'),
  /** A company to read; `companyAsked` refuses wrong check digits unless a file has the company. */
  holder: () => company(readCnpj).optional().describe('Company CNPJ, if not the default'),
  holders: () =>
    z.array(company(companyOrAll)).min(1).optional().describe('Company CNPJ, if not the default, or all'),
  from: () => moment('00:00:00').describe('YYYY-MM-DD[THH:mm[:ss]], YYYY-MM or a word: last_month'),
  to: () => moment('23:59:59').optional().describe('Inclusive; a month or word in from needs none'),
  by: () => z.enum(['issue', 'entry', 'period']).default('issue').describe('Default issue; period: nfe only'),
  direction: () => z.enum(['inbound', 'outbound']).describe('Received or issued'),
  key: () => checkedText(checkAccessKey).describe('Access key'),
  date: () =>
    textAs((text) => (isDay(isoDay(text)) ? isoDay(text) : ruleIssue('argument.date'))).describe(
      'YYYY-MM-DD',
    ),
  firstDay: () => wholeDay(/^00:00(?::00)?$/).describe('YYYY-MM-DD, YYYY-MM or a word: last_month'),
  lastDay: () =>
    wholeDay(/^23:59(?::59)?$/)
      .optional()
      .describe('Inclusive; a month or word in from needs none'),
  url: () =>
    textAs((text) => (isWebAddress(text.trim()) ? text.trim() : ruleIssue('argument.url'))).describe(
      'The old URL',
    ),
  cursor: () => z.string().optional().describe('From next_cursor'),
  refresh: () => z.boolean().optional().describe('Ask the service now'),
} as const;

/** Names one document: its key, or an NFS-e's number, day of issue and issuer. */
export const documentNames = () => ({
  key: checkedText(readDocumentKey).optional().describe('Access key'),
  number: alsoAsNumber(z.string().min(1), wholeNumber).optional().describe('nfse'),
  issue_date: shared.date().optional(),
  issuer_cnpj: alsoAsNumber(checkedText(checkTaxId), taxIdNumber).optional().describe("Issuer's CNPJ or CPF"),
});

/** Entries per page. */
export function limit(usual: number, most: number) {
  return z.int().min(1).max(most).default(usual).describe(`Default ${usual}`);
}

/** A positive integer id of the account service. */
export function id(what: string) {
  return z.int().min(1).describe(what);
}

export const eventArgument = () => z.enum(eventNames).describe('Manifestation event');
export const justification = () =>
  z.string().optional().describe('15-255 characters; required for nao_realizada');

/** Without lone surrogates, which can't be sent verbatim. */
export const rawEvent = () =>
  textThat((text) => !/\p{Surrogate}/u.test(text), ruleIssue('argument.broken_character'), z.string().min(1))
    .optional()
    .describe('Instead of the others: sent as is');

/** @throws BadArguments for arguments beside the raw event */
export function onlyRaw(raw: string, others: Readonly<Record<string, unknown>>, { translator }: CallContext) {
  const also = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (also.length === 0) return raw;
  throw new BadArguments([translator.say('argument.raw_alone', { others: also.join(', ') })]);
}
