import { completeAccessKey } from '../../documents/identity/keys.ts';
import {
  type Day,
  dayOfDate,
  isoDate,
  isoMoment,
  isWeekend,
  keyMonth,
  type Moment,
  SECONDS_IN_DAY,
  SECONDS_IN_HOUR,
  startOf,
  yearDigits,
} from './calendar.ts';
import { largeCompany, type Party, partyValues, stateCode } from './parties.ts';
import type { Values } from './templates.ts';

/** A pseudorandom generator. */
export type Random = ReturnType<typeof createRandom>;

function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return state;
}

/**
 * A generator seeded by the words alone, in 32-bit integers, so that all machines agree. It draws integers (both ends
 * included), a chance in per cent, one of several values, or decimal digits as text.
 */
export function createRandom(...words: readonly (string | number)[]) {
  let state = hash(words.join('\u0000'));

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  const integer = (min: number, max: number): number => min + (next() % (max - min + 1));
  return {
    integer,
    chance: (percent: number): boolean => integer(1, 100) <= percent,
    pick<T>(choices: readonly T[]): T {
      const choice = choices[integer(0, choices.length - 1)];
      if (choice === undefined) throw new RangeError('nothing to pick from');
      return choice;
    },
    digits: (length: number): string => Array.from({ length }, () => integer(0, 9)).join(''),
  };
}

export type DocumentKind = 'nfe' | 'nfse' | 'cte';
export type Direction = 'inbound' | 'outbound';
export const DIRECTIONS = ['inbound', 'outbound'] as const;

/** A company's documents of one kind and direction, in order of issue. */
interface Flow {
  readonly company: Party;
  readonly kind: DocumentKind;
  readonly direction: Direction;
}

/** The position of a document in a flow. */
export interface Slot extends Flow {
  readonly seed: string;
  readonly day: Day;
  /** Position within the day, from 0. */
  readonly index: number;
  /** Position in the flow, 0 at the first of 2026-01-01, negative before; basis of sequential numbers. */
  readonly position: number;
  readonly ofDay: number;
}

const nameOf = ({ company, kind, direction }: Flow) => `${company.id} ${kind} ${direction}`;

/** The generator for a document's details. */
export function randomOf(slot: Slot, purpose: string): Random {
  return createRandom(slot.seed, purpose, nameOf(slot), slot.day, slot.index);
}

/** A month has 21.7 working days; weekends have a tenth of a working day's documents. */
const WORKING_DAYS_TENTHS = 217;
const WEEKEND_SHARE = 10;

/** Documents on a day, derived from the monthly averages in `parties.xml`. */
function countOn(seed: string, flow: Flow, day: Day): number {
  const perMonth = (flow.company.row[flow.kind] ?? '').split(' ')[DIRECTIONS.indexOf(flow.direction)];
  const share = isWeekend(day) ? WEEKEND_SHARE : 1;
  const perMille = Math.floor((Number(perMonth) * 10_000) / WORKING_DAYS_TENTHS / share);
  const extra = createRandom(seed, 'count', nameOf(flow), day).integer(0, 999) < perMille % 1000 ? 1 : 0;
  return Math.floor(perMille / 1000) + extra;
}

const FIRST_DAY = dayOfDate(2024, 1, 1);

/** Slots of a company's documents by day: a pure function of seed, flow and day. */
export type DayPlan = ReturnType<typeof createDayPlan>;

export function createDayPlan(seed: string) {
  /** Cumulative documents before each day since the first, by flow. */
  const countedByFlow = new Map<string, number[]>();

  return (flow: Flow, day: Day): Slot[] => {
    const counted = countedByFlow.get(nameOf(flow)) ?? [0];
    countedByFlow.set(nameOf(flow), counted);
    for (let next = FIRST_DAY + counted.length - 1; next <= Math.max(day, -1); next++)
      counted.push((counted.at(-1) ?? 0) + countOn(seed, flow, next));
    const until = (day: Day) => counted[day - FIRST_DAY] ?? 0;
    const ofDay = until(day + 1) - until(day);
    const first = until(day) - until(0);
    return Array.from({ length: ofDay }, (_, index) => ({
      ...{ ...flow, seed, day, index, position: first + index, ofDay },
    }));
  };
}

/** Start of the large company's numbers, above all others: NFS-e have no series to distinguish them. */
const LARGE_COMPANY_NUMBERS_FROM = 100_000;

function firstNumber(seed: string, issuer: Party, series: number): number {
  const isOfLarge = series === largeCompany.series || issuer.id === largeCompany.id;
  const above = isOfLarge ? LARGE_COMPANY_NUMBERS_FROM : 0;
  return above + createRandom(seed, 'first number', issuer.id, series).integer(1_000, 60_000);
}

/** A protocol's 15 digits. */
export function protocolOf(authority: string, at: Moment, random: Random): string {
  return `1${authority}${yearDigits(at)}${random.digits(10)}`;
}

/**
 * Issues a document between 8:00 and 18:00, in slot order. A company's own documents have series 1; an outside issuer
 * has one series per company of the account.
 */
export function issue(slot: Slot, issuer: Party, random: Random) {
  const isOwn = slot.direction === 'outbound';
  const series = isOwn ? 1 : slot.company.series;
  const span = Math.floor((10 * SECONDS_IN_HOUR) / slot.ofDay);
  const late = random.integer(0, Math.max(span - 60, 0));
  const issuedAt = startOf(slot.day) + 8 * SECONDS_IN_HOUR + span * slot.index + late;
  const authorizedAt = issuedAt + random.integer(2, 45);
  // The XML enters the service up to three days after issue.
  const lagInDays = isOwn ? 0 : random.integer(0, 3);
  const enteredAt = authorizedAt + lagInDays * SECONDS_IN_DAY + random.integer(60, 1_800);
  const number = firstNumber(slot.seed, issuer, series) + slot.position;
  const protocol = protocolOf(stateCode(issuer), issuedAt, random);
  return { slot, issuer, series, number, issuedAt, authorizedAt, enteredAt, protocol };
}

/** An issued document with its parties. */
export interface Issued extends Readonly<ReturnType<typeof issue>> {
  /** Parties for which it is inbound: the recipient, and the payer of a freight. */
  readonly receivers: readonly Party[];
  /** True for an inbound note issued by its recipient. */
  readonly isEntry: boolean;
  /** 44 characters, 50 for an NFS-e in the national layout; other documents have none. */
  readonly key?: string | undefined;
}

/** The 44-character access key of a document. Source: docs/fiscal/keys.md. */
export function accessKeyOf(issued: ReturnType<typeof issue>, model: '55' | '57', random: Random): string {
  const { issuer, issuedAt } = issued;
  const [series, number] = [String(issued.series).padStart(3, '0'), String(issued.number).padStart(9, '0')];
  return completeAccessKey(
    `${stateCode(issuer)}${keyMonth(issuedAt)}${issuer.id}${model}${series}${number}1${random.digits(8)}`,
  );
}

/** A document's template values; its issuer's without prefix. */
export function issuedValues({ issuer, ...document }: Issued): Values {
  const { key = '', number, series, issuedAt, authorizedAt, protocol } = document;
  return {
    ...{ ...partyValues(issuer), key, code: key.slice(35, 43), digit: key.slice(43), protocol },
    ...{ number: String(number), series: String(series), day: isoDate(issuedAt) },
    ...{ issued_at: isoMoment(issuedAt), authorized_at: isoMoment(authorizedAt) },
    digest: Buffer.from(createRandom('digest', key).digits(20)).toString('base64'),
  };
}
