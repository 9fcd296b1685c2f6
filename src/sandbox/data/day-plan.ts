import { completeAccessKey } from '../../documents/identity/keys.ts';
import {
  type Day,
  dayOfDate,
  isWeekend,
  keyMonth,
  type Moment,
  SECONDS_IN_DAY,
  SECONDS_IN_HOUR,
  startOf,
  yearDigits,
} from './calendar.ts';
import { largeCompany, type Party, type SandboxCompany, stateCode } from './parties.ts';
import { createRandom, type Random } from './random.ts';

export type DocumentKind = 'nfe' | 'nfse' | 'cte';
export type Direction = 'inbound' | 'outbound';

/** The documents of one kind and direction of one company, in order of issue. */
interface Flow {
  readonly company: SandboxCompany;
  readonly kind: DocumentKind;
  readonly direction: Direction;
}

/** One document's place in a flow. */
export interface Slot extends Flow {
  readonly seed: string;
  readonly day: Day;
  /** Place within the day, from 0. */
  readonly index: number;
  /** Place in the flow, from 0 on 2026-01-01 and negative before it: what sequential numbers count. */
  readonly position: number;
  /** How many documents the day has. */
  readonly ofDay: number;
}

const nameOf = ({ company, kind, direction }: Flow) => `${company.id} ${kind} ${direction}`;

/** The source of all further choices about one document. */
export function randomOf(slot: Slot, purpose: string): Random {
  return createRandom(slot.seed, purpose, nameOf(slot), slot.day, slot.index);
}

/** A month has 21.7 working days; weekends have a tenth of a working day's documents. */
const WORKING_DAYS_TENTHS = 217;
const WEEKEND_SHARE = 10;

/** `parties.xml` has the documents of an average month, inbound and outbound. */
function countOn(seed: string, flow: Flow, day: Day): number {
  const [inbound, outbound] = (flow.company.row[flow.kind] ?? '').split(' ').map(Number);
  const perMonth = (flow.direction === 'inbound' ? inbound : outbound) ?? 0;
  const share = isWeekend(day) ? WEEKEND_SHARE : 1;
  const perMille = Math.floor((perMonth * 10_000) / WORKING_DAYS_TENTHS / share);
  const extra = createRandom(seed, 'count', nameOf(flow), day).integer(0, 999) < perMille % 1000 ? 1 : 0;
  return Math.floor(perMille / 1000) + extra;
}

/** There are no documents of days before this one. */
const FIRST_DAY = dayOfDate(2024, 1, 1);

/** Counts and numbers of a company's documents by day: a pure function of seed, flow and day. */
export interface DayPlan {
  slotsOn(flow: Flow, day: Day): Slot[];
  /** The slot that an access key names; `outsiders` are issuers that are not of the account. */
  slotOfKey(kind: DocumentKind, key: string, outsiders: readonly Party[]): Slot | undefined;
}

export function createDayPlan(seed: string, held: readonly SandboxCompany[]): DayPlan {
  /** By flow and by day since the first: how many documents there are until that day begins. */
  const countedByFlow = new Map<string, number[]>();

  function countedUntil(flow: Flow, day: Day): readonly number[] {
    const name = nameOf(flow);
    const counted = countedByFlow.get(name) ?? [0];
    countedByFlow.set(name, counted);
    for (let next = FIRST_DAY + counted.length - 1; next < Math.max(day, 0); next++)
      counted.push((counted.at(-1) ?? 0) + countOn(seed, flow, next));
    return counted;
  }

  function slotsOn(flow: Flow, day: Day): Slot[] {
    const counted = countedUntil(flow, day + 1);
    const start = counted[day - FIRST_DAY] ?? 0;
    const ofDay = (counted[day + 1 - FIRST_DAY] ?? 0) - start;
    const first = start - (counted[-FIRST_DAY] ?? 0);
    return Array.from({ length: ofDay }, (_, index) => ({
      ...{ ...flow, seed, day, index, position: first + index, ofDay },
    }));
  }

  return {
    slotsOn,
    slotOfKey(kind, key, outsiders) {
      const [issuerId, series] = [key.slice(6, 20), Number(key.slice(22, 25))];
      const own = held.find(({ id }) => id === issuerId);
      const issuer = own ?? outsiders.find(({ id }) => id === issuerId);
      const company = own ?? held.find((one) => one.series === series);
      const [year, month] = [Number(key.slice(2, 4)), Number(key.slice(4, 6))];
      if (!issuer || !company || !(month >= 1 && month <= 12)) return undefined;
      const flow = { company, kind, direction: own ? 'outbound' : 'inbound' } as const;
      const counted = countedUntil(flow, dayOfDate(2000 + year, month + 1, 1));
      const position = Number(key.slice(25, 34)) - firstNumber(seed, issuer, series);
      const before = position + (counted[-FIRST_DAY] ?? 0);
      const day = FIRST_DAY + counted.findLastIndex((start) => start <= before);
      return slotsOn(flow, day).find((slot) => slot.position === position);
    },
  };
}

/** When and under which number a document was issued, and for whom. */
export interface Issuance {
  readonly slot: Slot;
  readonly issuer: Party;
  readonly series: number;
  readonly number: number;
  readonly issuedAt: Moment;
  readonly authorizedAt: Moment;
  /** When the XML entered the service: up to three days after issue. */
  readonly enteredAt: Moment;
  /** Protocol of the authorisation, 15 digits. */
  readonly protocol: string;
}

/** The large company's numbers stay above all others: NFS-e have no series to tell them apart. */
const LARGE_COMPANY_NUMBERS_FROM = 100_000;

function firstNumber(seed: string, issuer: Party, series: number): number {
  const isOfLarge = series === largeCompany.series || issuer.id === largeCompany.id;
  const above = isOfLarge ? LARGE_COMPANY_NUMBERS_FROM : 0;
  return above + createRandom(seed, 'first number', issuer.id, series).integer(1_000, 60_000);
}

/**
 * Issues a document between 8 and 18 o'clock, later ones of a day after earlier ones. A company's own documents are of
 * series 1; an outside issuer has one series for each company of the account.
 */
export function issue(slot: Slot, issuer: Party, random: Random): Issuance {
  const isOwn = slot.direction === 'outbound';
  const series = isOwn ? 1 : slot.company.series;
  const span = Math.floor((10 * SECONDS_IN_HOUR) / slot.ofDay);
  const late = random.integer(0, Math.max(span - 60, 0));
  const issuedAt = startOf(slot.day) + 8 * SECONDS_IN_HOUR + span * slot.index + late;
  const authorizedAt = issuedAt + random.integer(2, 45);
  const lagInDays = isOwn ? 0 : random.integer(0, 3);
  return {
    slot,
    issuer,
    series,
    number: firstNumber(slot.seed, issuer, series) + slot.position,
    issuedAt,
    authorizedAt,
    enteredAt: authorizedAt + lagInDays * SECONDS_IN_DAY + random.integer(60, 1_800),
    protocol: `1${stateCode(issuer)}${yearDigits(issuedAt)}${random.digits(10)}`,
  };
}

/** The 44-position access key of a document. Source: docs/fiscal/keys.md. */
export function accessKeyOf(issuance: Issuance, model: '55' | '57', code: string): string {
  const { issuer, issuedAt } = issuance;
  const [series, number] = [
    String(issuance.series).padStart(3, '0'),
    String(issuance.number).padStart(9, '0'),
  ];
  return completeAccessKey(
    `${stateCode(issuer)}${keyMonth(issuedAt)}${issuer.id}${model}${series}${number}1${code}`,
  );
}
