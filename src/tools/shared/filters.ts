import * as z from 'zod';
import { type Filters, partyGroupings, textPlaces } from '../../archive/ask/question.ts';
import { type Direction, type DocumentArea, everyStatus } from '../../archive/references.ts';
import { unitsOf } from '../../archive/schema/measures.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { firstDay, isDay, lastDay } from '../../documents/days.ts';
import { BETWEEN_EVENTS, eventWords, isOfManifestation } from '../../documents/events/event-names.ts';
import { stateByCode } from '../../documents/identity/keys.ts';
import { checkTaxId, unmaskTaxId } from '../../documents/identity/tax-ids.ts';
import { accepted, type Checked, type Problem } from '../../documents/problems.ts';
import { natures } from '../../documents/tables/cfop.ts';
import { asWord } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import {
  alsoAsNumber,
  checkedText,
  decimal,
  ofDigits,
  partyNumber,
  ruleIssue,
  type Spelling,
  textAs,
  textThat,
  unfit,
  wholeNumber,
} from './arguments.ts';
import { sentences } from './definition.ts';
import { isoDay, MONTH } from './period.ts';

const amount = () =>
  alsoAsNumber(
    textThat((text) => unitsOf(text) !== undefined, ruleIssue('argument.amount')),
    decimal,
  );

/** A CNPJ root has a digit: eight letters are a name. */
const ROOT = /^(?=.*\d)[0-9A-Z]{8}$/;
/** Digits, or the form of a CNPJ, count as an id. */
const SHAPED_LIKE_ID = /^(?:\d+|[0-9A-Z]{12}\d{2})$/;
const LONGEST_NAME = 100;

/** A party as given: an id, a name or part of one, or either. */
export interface PartyGiven {
  readonly given: string;
  /** A tax id without mask, or a root of 8 positions. */
  readonly id?: string;
  /** A name, or a foreign id. */
  readonly name?: string;
  /** The tax id's problem, reported if no party has this name: otherwise it would read as "nothing found". */
  readonly problem?: Problem;
}

/** Foreign ids have any form, also that of a CPF with other check digits, and names may be digits (`99`). */
const party = () =>
  alsoAsNumber(
    checkedText((text): Checked<PartyGiven> => {
      const given = text.trim().replace(/\s+/g, ' ');
      const plain = unmaskTaxId(given);
      const checked = checkTaxId(given);
      if (checked.ok) return accepted({ given, id: checked.value.id });
      if (ROOT.test(plain))
        return accepted({ given, id: plain, ...(/[A-Z]/.test(plain) && { name: given }) });
      const { problem } = checked;
      if (SHAPED_LIKE_ID.test(plain)) return accepted({ given, name: given, problem });
      const isNamed = /[\p{L}\p{N}]/u.test(given) && given.length <= LONGEST_NAME;
      return isNamed ? accepted({ given, name: given }) : checked;
    }),
    partyNumber,
  );

/** A code or its beginning, with or without dots, also as a number if `spelling` can restore it. */
function code(form: RegExp, example: string, spelling?: Spelling) {
  const schema = textAs((text) => {
    const plain = text.replace(/[\s.]/g, '').toUpperCase();
    return form.test(plain) ? plain : ruleIssue('argument.code', { example });
  });
  return spelling === undefined ? schema : alsoAsNumber(schema, spelling);
}

/** State codes, and EX for parties abroad. */
const stateForm = new RegExp(`^(?:${Object.values(stateByCode).join('|')}|EX)$`);

/** Chapters, headings and subheadings of the NCM: an odd length has lost a zero. */
const wholeNcm = ofDigits(2, 4, 6, 8);

const filled = () => z.string().trim().min(1);

const month = () =>
  textAs((text) =>
    MONTH.test(isoDay(text)) ? isoDay(text) : ruleIssue('argument.code', { example: '2026-10, 10/2026' }),
  );

/** Two-digit types of credit and debit notes. */
const noteType = () => code(/^\d{2}$/, '01', (number) => wholeNumber(number)?.padStart(2, '0'));

const eventNames = ['none', ...eventWords];

/** An event by word or code, or several joined as in groups. */
const event = () =>
  alsoAsNumber(
    textAs((text) => {
      const asked = text
        .toLowerCase()
        .split(BETWEEN_EVENTS)
        .map((one) => one.trim());
      const areEvents = asked.every((one) => eventNames.includes(one) || /^\d{6}$/.test(one));
      return areEvents
        ? asked.join(BETWEEN_EVENTS)
        : ruleIssue('argument.event', { words: eventNames.join(', ') });
    }),
    ofDigits(6),
  );

/** Each word is searched in every document. */
const MOST_WORDS = 12;
const LONGEST_WORDS = 200;

const words = () =>
  textThat(
    (text) => text.length <= LONGEST_WORDS && text.trim().split(/\s+/).length <= MOST_WORDS,
    ruleIssue('argument.many_words', { most: MOST_WORDS }),
  );

/** A schema for one value or a list; normalisation wraps a single value. */
const some = <S extends z.ZodType>(one: S) => z.array(one).min(1).optional();

/** Parties of an analysis, by id or name. */
export const partyShape = () => ({
  issuer: some(party()).describe('CNPJ, CPF, root or name'),
  recipient: some(party()).describe('Same'),
  payer: some(party()).describe("CT-e's; same"),
});

/** Without a status, cancelled and denied documents are left out and counted. */
export const statusShape = () => some(z.enum(everyStatus)).describe('Status');

/** A due day; a month means its first or last day. */
const dueDay = (ofMonth: (month: string) => string) =>
  textAs((text) => {
    const given = isoDay(text);
    const day = MONTH.test(given) ? ofMonth(given) : given;
    return isDay(day) ? day : ruleIssue('argument.due_day');
  })
    .optional()
    .describe("Instalment's day");

/** Filters of every analysis, described briefly: they cost tokens in every session. */
export const filterShape = () => ({
  ...partyShape(),
  counterparty: some(party()).describe('Supplier (imports too) or customer; same'),
  state: some(code(stateForm, 'SP, EX')).describe("Other party's"),
  city: some(alsoAsNumber(filled(), ofDigits(7))).describe("Other party's; name or IBGE code"),
  cfop: some(code(/^\d{1,4}$/, '5102, 51', wholeNumber)).describe('Prefix'),
  nature: some(z.enum(natures)).describe('By CFOP, as the company sees it'),
  ncm: some(code(/^\d{1,8}$/, '73181500, 7318', wholeNcm)).describe('Prefix'),
  cst: some(code(/^\d{2,4}$/, '00, 101', ofDigits(2, 3, 4))).describe('ICMS CST or CSOSN'),
  class_trib: some(code(/^\d{6}$/, '000001', ofDigits(6))).describe('cClassTrib'),
  regime: some(code(/^[1-4]$/, '1, 2, 3, 4', wholeNumber)).describe("Issuer's CRT"),
  purpose: some(code(/^[0-9]$/, '1, 4', wholeNumber)).describe('finNFe'),
  credit_type: some(noteType()).describe('tpNFCredito'),
  debit_type: some(noteType()).describe('tpNFDebito'),
  iss_city: some(alsoAsNumber(filled(), ofDigits(7))).describe('ISS due to, nfse'),
  origin_state: some(code(stateForm, 'SP, EX')).describe('cte'),
  destination_state: some(code(stateForm, 'SP, EX')).describe('cte'),
  pis_cofins_cst: some(code(/^\d{2}(?:\/\d{2})?$/, '01, 01/50', ofDigits(2))).describe('nfe'),
  di: some(filled()).describe('Import declaration'),
  due_from: dueDay(firstDay),
  due_to: dueDay(lastDay),
  event: some(event()).describe(`${eventNames.join(', ')} or code`),
  number: some(code(/^\d{1,15}$/, '1234', wholeNumber)).describe('Number'),
  competence: some(month()).describe('YYYY-MM, nfse'),
  unit: some(filled()).describe('Unit'),
  status: statusShape(),
  min_total: amount().optional().describe('Decimal text'),
  max_total: amount().optional().describe('Decimal text'),
  text: words().optional().describe('All these words, in text_in'),
  text_in: z.array(z.enum(textPlaces)).min(1).optional().describe('Default all; remarks: payment too'),
  text_counts: z.enum(['documents', 'items']).optional().describe('Added up'),
});

/** Filters that are resolved after fetching. */
const namedFilters = [...partyGroupings, 'city', 'iss_city'] as const;

type FilterArguments = Partial<z.output<z.ZodObject<ReturnType<typeof filterShape>>>> & {
  readonly document?: readonly DocumentArea[];
};

type NamedFilter = (typeof namedFilters)[number];
type PlainFilters = Omit<Filters, NamedFilter>;

/** Converts the filters except parties and cities. @throws BadArguments */
export function filtersFrom(
  args: FilterArguments,
  { translator }: Pick<CallContext, 'translator'>,
): PlainFilters {
  const { min_total, max_total, due_from, due_to, event, text } = args;
  if (due_from !== undefined && due_to !== undefined && due_from > due_to) {
    const values = { first: 'due_from', least: due_from, last: 'due_to', most: due_to };
    throw new BadArguments([translator.say('argument.reversed', values)]);
  }
  if (min_total !== undefined && max_total !== undefined && Number(min_total) > Number(max_total)) {
    const values = { first: 'min_total', least: min_total, last: 'max_total', most: max_total };
    throw new BadArguments([translator.say('argument.reversed', values)]);
  }
  const ofNotes = event?.filter((one) => one.split(BETWEEN_EVENTS).some(isOfManifestation)) ?? [];
  if (ofNotes.length > 0 && args.document?.some((area) => area !== 'nfe')) {
    const words = translator.say('argument.event_of_nfe', { events: ofNotes.join(', ') });
    throw unfit('event', words, { translator });
  }
  const names = Object.keys(filterShape()).filter((name) => !namedFilters.some((one) => one === name));
  const plain = Object.fromEntries(names.map((name) => [name, args[name as keyof FilterArguments]]));
  return {
    ...(plain as Omit<FilterArguments, NamedFilter | 'document'>),
    number: args.number?.map((number) => number.replace(/^0+(?=\d)/, '')),
    unit: args.unit?.map((one) => one.toUpperCase()),
    text: text?.trim() === '' ? undefined : text,
  };
}

/** Describes a file's filters, so that it never passes for the whole period; undefined without filters. */
export function filterWords(
  {
    direction,
    status,
    ...filters
  }: Pick<FilterArguments, 'issuer' | 'recipient' | 'payer' | 'status'> & {
    readonly direction?: Direction | undefined;
  },
  { say, tell }: Translator,
): string | undefined {
  const words = sentences(
    direction !== undefined && say(`cover.${direction}`),
    (['issuer', 'recipient', 'payer'] as const).map((role) => {
      const names = filters[role]?.map(({ given }) => asWord(given)).join(', ');
      return names !== undefined && say(`export.${role}`, { names });
    }),
    status && say('export.status', { names: status.map((one) => tell(`status.${one}`, {})).join(', ') }),
  );
  return words.length === 0 ? undefined : words.join('; ');
}
