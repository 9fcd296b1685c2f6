import { DAYS_IN_YEAR, type Day, isWeekend, type Moment, SECONDS_IN_HOUR, startOf } from './calendar.ts';
import type { SandboxCompany } from './parties/companies.ts';
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
  /** Place within the year, from 0: what sequential numbers count. */
  readonly position: number;
  /** How many documents the day has. */
  readonly ofDay: number;
}

/**
 * How many documents a company has on a day, and so which number each one has. A count is a pure function of the
 * seed, the flow and the day: nothing before that day needs to be made to know it.
 */
export interface DayPlan {
  readonly seed: string;
  slotsOn(flow: Flow, day: Day): Slot[];
  /** The slot with that place in the year, or undefined where the year has fewer. */
  slotAt(flow: Flow, position: number): Slot | undefined;
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

export function createDayPlan(seed: string): DayPlan {
  const startsByFlow = new Map<string, Uint32Array>();

  function startsOf(flow: Flow): Uint32Array {
    const name = nameOf(flow);
    const known = startsByFlow.get(name);
    if (known) return known;
    const starts = new Uint32Array(DAYS_IN_YEAR + 1);
    for (let day = 0; day < DAYS_IN_YEAR; day++) {
      starts[day + 1] = (starts[day] ?? 0) + countOn(seed, flow, day);
    }
    startsByFlow.set(name, starts);
    return starts;
  }

  function placeOf(flow: Flow, day: Day): { start: number; ofDay: number } {
    const starts = startsOf(flow);
    const start = starts[day] ?? 0;
    return { start, ofDay: (starts[day + 1] ?? start) - start };
  }

  return {
    seed,
    slotsOn(flow, day) {
      if (day < 0 || day >= DAYS_IN_YEAR) return [];
      const { start, ofDay } = placeOf(flow, day);
      return Array.from({ length: ofDay }, (_, index) => ({
        flow,
        day,
        index,
        position: start + index,
        ofDay,
      }));
    },
    slotAt(flow, position) {
      const day = startsOf(flow).findLastIndex((start) => start <= position);
      const { start, ofDay } = placeOf(flow, day);
      const index = position - start;
      return index >= 0 && index < ofDay ? { flow, day, index, position, ofDay } : undefined;
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
