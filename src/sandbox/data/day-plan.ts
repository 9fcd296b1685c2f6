import { type Day, isWeekend, type Moment, SECONDS_IN_HOUR, startOf } from './calendar.ts';
import type { SandboxCompany } from './parties.ts';
import { createRandom, type Random } from './random.ts';

export type DocumentKind = 'nfe' | 'nfse' | 'cte';
export type Direction = 'inbound' | 'outbound';

/** The documents of one kind and direction of one company, in order of issue. */
export interface Flow {
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

/**
 * How many documents a company has on a day, and so which number each one has. A count is a pure function of the
 * seed, the flow and the day: no document needs to be made to know it, and one stays what it is whatever day today is.
 */
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
export function issueMoment(slot: Slot, random: Random): Moment {
  const span = Math.floor((10 * SECONDS_IN_HOUR) / slot.ofDay);
  return (
    startOf(slot.day) + 8 * SECONDS_IN_HOUR + span * slot.index + random.integer(0, Math.max(span - 60, 0))
  );
}
