import { completeAccessKey } from '../../documents/identity/keys.ts';
import { keyMonth, type Moment, SECONDS_IN_DAY, yearDigits } from './calendar.ts';
import { type DayPlan, issueMoment, type Slot } from './day-plan.ts';
import { largeCompany, type Party, type SandboxCompany, stateCode } from './parties.ts';
import { createRandom, type Random } from './random.ts';

/**
 * When and under which number a document came to be: what all kinds have in common. The books copy it field by field,
 * because a spread of so many fields takes ten times as long as everything else about a document but its XML.
 */
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
 * A company numbers its own documents in series 1. An outside issuer keeps one series for each company of the
 * account, whose gaps are what it sold to others.
 */
function seriesOf(slot: Slot): number {
  return slot.flow.direction === 'outbound' ? 1 : slot.flow.company.series;
}

/**
 * What the large company receives is numbered above everything else, because a provider's NFS-e are told apart by
 * number and not by series; and what it issues, because it issued tens of thousands in the year before 2026.
 */
const LARGE_COMPANY_NUMBERS_FROM = 100_000;

function firstNumber(plan: DayPlan, issuer: Party, series: number): number {
  const isOfLarge = series === largeCompany.series || issuer.id === largeCompany.id;
  const above = isOfLarge ? LARGE_COMPANY_NUMBERS_FROM : 0;
  return above + createRandom(plan.seed, 'first number', issuer.id, series).integer(1_000, 60_000);
}

/** The place in the flow that a number stands for; it may be a place the flow does not have. */
export function positionOf(plan: DayPlan, issuer: Party, series: number, number: number): number {
  return number - firstNumber(plan, issuer, series);
}

/** Which of the companies an outside issuer's series belongs to. */
export function companyOfSeries(held: readonly SandboxCompany[], series: number): SandboxCompany | undefined {
  return held.find((company) => company.series === series);
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
