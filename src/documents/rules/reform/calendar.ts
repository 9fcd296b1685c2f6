import type { Validity } from '../rule.ts';

/** When IBS and CBS are due in which documents, and what else has a day. Source: docs/fiscal/reform.md. */
export const calendar = {
  normalRegime: { from: '2026-08-03' },
  /** Ato Conjunto RFB/CGIBS 4/2026, § 4. */
  notIcmsTaxpayers: { from: '2026-12-01' },
  /** NT 2026.007 v1.10, with the notice of the national portal of 2026-10-05. */
  withoutRegistration: { from: '2026-11-16' },
  /** Decreto 13.075/2026 and Resolução CGIBS 13/2026. */
  persons: { from: '2027-01-01' },
  simples: { from: '2027-01-01' },
  services: { from: '2026-10-01' },
  laterServices: { from: '2026-12-01' },
  /** Since the test year; what came before had no legal value. */
  testYear: { from: '2026-01-01' },
  /** Years whose rates are fixed by law, that of the CBS for the first of them only. */
  fixedRates: { from: '2026-01-01', to: '2028-12-31' },
  /** NT 2025.002-RTC v1.52, rule VC02-14: 2026-11-03 by its text, moved by the portal's notice of 2026-10-05. */
  returnsPerItem: { from: '2026-11-16' },
  /** NT 2026.002 of the NF-e v1.11, rules BA02-35 and VC02-40. */
  consumerReferences: { from: '2026-12-14' },
  /** Resolução CGSN 191/2026, article 3, I. */
  simplesNationalNfse: { from: '2026-11-01' },
  /** The table of classifications as it was captured: what an earlier one let into which document isn't known. */
  documentsOfTable: { from: '2026-10-08' },
} as const satisfies Record<string, Validity>;

/** From this day `vProd` includes IBS, CBS and IS, but for imports. Source: NT 2026.008 v1.00. */
export const TAXES_IN_PRICE_FROM = '2027-01-01';

/** Rates in per cent. Those not fixed when they were last looked up are absent. */
export interface YearRates {
  readonly ibs_state_rate: string;
  readonly ibs_city_rate: string;
  readonly cbs_rate?: string;
}

const halves: YearRates = { ibs_state_rate: '0.05', ibs_city_rate: '0.05' };

/** LC 214/2025, articles 343, 344 and 346; rules UB18-10, UB37-10 and UB56-10. */
const ratesByYear: Readonly<Record<string, YearRates>> = {
  2026: { ibs_state_rate: '0.1', ibs_city_rate: '0', cbs_rate: '0.9' },
  2027: halves,
  2028: halves,
};

/** The rates of the year of a day or moment of issue; undefined for years that have none. */
export function ratesOf(issuedAt: string | undefined): YearRates | undefined {
  const year = issuedAt?.slice(0, 4) ?? '';
  return Object.hasOwn(ratesByYear, year) ? ratesByYear[year] : undefined;
}
