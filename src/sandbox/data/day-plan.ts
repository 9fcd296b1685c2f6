import { completeAccessKey } from '../../documents/identity/keys.ts';
import {
  type Day,
  daysOfKeyMonth,
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
export interface Slot {
  readonly flow: Flow;
  readonly day: Day;
  /** Place within the day, from 0. */
  readonly index: number;
  /** Place in the flow, from 0 on 2026-01-01 and negative before it: what sequential numbers count. */
  readonly position: number;
  /** How many documents the day has. */
  readonly ofDay: number;
}

/** Counts and numbers of a company's documents by day: a pure function of seed, flow and day. */
export interface DayPlan {
  readonly seed: string;
  slotsOn(flow: Flow, day: Day): Slot[];
  /** The slot of these days with that place in the flow, or undefined where there is none. */
  slotAt(flow: Flow, position: number, days: readonly Day[]): Slot | undefined;
  /** The source of all further choices about one document. */
  randomOf(slot: Slot, purpose: string): Random;
}

/** A month has 21.7 working days; weekends have a tenth of a working day's documents. */
const WORKING_DAYS_TENTHS = 217;
const WEEKEND_SHARE = 10;

function nameOf(flow: Flow): string {
  return `${flow.company.id} ${flow.kind} ${flow.direction}`;
}

function countOn(seed: string, flow: Flow, day: Day): number {
  const perMonth = flow.company.volume[flow.kind][flow.direction];
  const perMille = Math.floor(
    (perMonth * 10_000) / WORKING_DAYS_TENTHS / (isWeekend(day) ? WEEKEND_SHARE : 1),
  );
  const random = createRandom(seed, 'count', nameOf(flow), day);
  const extra = random.integer(0, 999) < perMille % 1000 ? 1 : 0;
  return Math.floor(perMille / 1000) + extra;
}

/** Nobody asks for days further from 2026 than this; it bounds what is counted. */
const FARTHEST_DAYS = 40_000;

/** A flow's counts from 2026-01-01 on, and backwards from it, as far as they have been asked for. */
interface Counted {
  /** By day: how many documents there are from 2026-01-01 until that day begins. */
  readonly ahead: number[];
  /** By days before 2026-01-01: how many documents there are from then until it. */
  readonly behind: number[];
}

export function createDayPlan(seed: string): DayPlan {
  const countedByFlow = new Map<string, Counted>();

  function countedOf(flow: Flow): Counted {
    const name = nameOf(flow);
    const known = countedByFlow.get(name);
    if (known) return known;
    const counted = { ahead: [0], behind: [0] };
    countedByFlow.set(name, counted);
    return counted;
  }

  /** The place of a day's first document. */
  function startOn(flow: Flow, day: Day): number {
    const { ahead, behind } = countedOf(flow);
    for (let next = ahead.length; next <= day; next++)
      ahead.push((ahead.at(-1) ?? 0) + countOn(seed, flow, next - 1));
    for (let back = behind.length; back <= -day; back++)
      behind.push((behind.at(-1) ?? 0) + countOn(seed, flow, -back));
    return day >= 0 ? (ahead[day] ?? 0) : -(behind[-day] ?? 0);
  }

  function placeOf(flow: Flow, day: Day): { start: number; ofDay: number } {
    if (Math.abs(day) >= FARTHEST_DAYS) return { start: 0, ofDay: 0 };
    const start = startOn(flow, day);
    return { start, ofDay: startOn(flow, day + 1) - start };
  }

  return {
    seed,
    slotsOn(flow, day) {
      const { start, ofDay } = placeOf(flow, day);
      return Array.from({ length: ofDay }, (_, index) => ({
        flow,
        day,
        index,
        position: start + index,
        ofDay,
      }));
    },
    slotAt(flow, position, days) {
      for (const day of days) {
        const { start, ofDay } = placeOf(flow, day);
        const index = position - start;
        if (index >= 0 && index < ofDay) return { flow, day, index, position, ofDay };
      }
      return undefined;
    },
    randomOf: (slot, purpose) => createRandom(seed, purpose, nameOf(slot.flow), slot.day, slot.index),
  };
}

/** When a document is issued: between 8 and 18 o'clock, later ones of a day after earlier ones. */
function issueMoment(slot: Slot, random: Random): Moment {
  const span = Math.floor((10 * SECONDS_IN_HOUR) / slot.ofDay);
  return (
    startOf(slot.day) + 8 * SECONDS_IN_HOUR + span * slot.index + random.integer(0, Math.max(span - 60, 0))
  );
}

/** When and under which number a document was issued. */
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

/**
 * Series 1 for a company's own documents; an outside issuer has one series for each company of the account.
 */
function seriesOf(slot: Slot): number {
  return slot.flow.direction === 'outbound' ? 1 : slot.flow.company.series;
}

/** The large company's numbers stay above all others: NFS-e have no series to tell them apart. */
const LARGE_COMPANY_NUMBERS_FROM = 100_000;

function firstNumber(plan: DayPlan, issuer: Party, series: number): number {
  const isOfLarge = series === largeCompany.series || issuer.id === largeCompany.id;
  const above = isOfLarge ? LARGE_COMPANY_NUMBERS_FROM : 0;
  return above + createRandom(plan.seed, 'first number', issuer.id, series).integer(1_000, 60_000);
}

/** The slot that an access key names; `outsiders` are issuers that are not of the account. */
export function slotOfKey(
  plan: DayPlan,
  held: readonly SandboxCompany[],
  outsiders: readonly Party[],
  kind: DocumentKind,
  key: string,
): Slot | undefined {
  const issuerId = key.slice(6, 20);
  const series = Number(key.slice(22, 25));
  const own = held.find(({ id }) => id === issuerId);
  const issuer = own ?? outsiders.find(({ id }) => id === issuerId);
  const company = own ?? held.find((one) => one.series === series);
  if (!issuer || !company) return undefined;
  const position = Number(key.slice(25, 34)) - firstNumber(plan, issuer, series);
  const flow = { company, kind, direction: own ? 'outbound' : 'inbound' } as const;
  return plan.slotAt(flow, position, daysOfKeyMonth(key.slice(2, 6)));
}

export function issue(plan: DayPlan, slot: Slot, issuer: Party, random: Random): Issuance {
  const series = seriesOf(slot);
  const issuedAt = issueMoment(slot, random);
  const authorizedAt = issuedAt + random.integer(2, 45);
  const lagInDays = slot.flow.direction === 'outbound' ? 0 : random.integer(0, 3);
  return {
    slot,
    issuer,
    series,
    number: firstNumber(plan, issuer, series) + slot.position,
    issuedAt,
    authorizedAt,
    enteredAt: authorizedAt + lagInDays * SECONDS_IN_DAY + random.integer(60, 1_800),
    protocol: `1${stateCode(issuer)}${yearDigits(issuedAt)}${random.digits(10)}`,
  };
}

/** The 44-position access key of a document. Source: docs/fiscal/keys.md. */
export function accessKeyOf(issuance: Issuance, model: '55' | '57', code: string): string {
  const { issuer, series, number, issuedAt } = issuance;
  return completeAccessKey(
    [
      stateCode(issuer),
      keyMonth(issuedAt),
      issuer.id,
      model,
      String(series).padStart(3, '0'),
      String(number).padStart(9, '0'),
      '1',
      code,
    ].join(''),
  );
}
