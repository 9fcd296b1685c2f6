import { Big } from 'big.js';
import { addDecimals, isDecimal } from '../../decimals.ts';
import type { DocumentSummary, Item } from '../../summary/summary.ts';
import { classificationOf } from '../../tables/class-trib.ts';
import { isWithinACent } from '../amounts.ts';
import { absent, type Deviation } from '../rule.ts';
import { ratesOf, type YearRates } from './calendar.ts';

const TAXED_IN_FULL = '000';
/** CST under which the rates of the year are written, whatever they are reduced or deferred to. */
const standardRates = new Set<string | undefined>([TAXED_IN_FULL, '200', '222', '510', '515', '550', '830']);

/** The field's name in the schema, by ours. */
const rateFields = [
  ['ibs_state_rate', 'pIBSUF'],
  ['ibs_city_rate', 'pIBSMun'],
  ['cbs_rate', 'pCBS'],
] as const satisfies readonly (readonly [keyof YearRates, string])[];

/** States with areas where the CBS may be zero among those established there (UB56-10, exception 3). */
const incentivised = new Set<string | undefined>(['AC', 'AM', 'AP', 'RO', 'RR']);

function isWithinIncentives({ issuer, recipient }: DocumentSummary): boolean {
  return incentivised.has(issuer?.state) && incentivised.has(recipient?.state);
}

/** Returns, credit and debit notes repeat the rates of what they adjust; purchases by the state have their own. */
function hasOrdinaryRates({ purpose, is_to_government }: DocumentSummary): boolean {
  return (purpose ?? '1') === '1' && is_to_government !== true;
}

/** Rates are small and have four decimals at the most, which doubles tell apart. */
function isRate(written: string, rate: string): boolean {
  return Number(written) === Number(rate);
}

/** Rates as written against those of the year of issue; zero where the table says so of the classification. */
export function checkRates(document: DocumentSummary): Deviation[] {
  const rates = ratesOf(document.issued_at);
  if (rates === undefined || !hasOrdinaryRates(document)) return [];
  const year = document.issued_at?.slice(0, 4) ?? absent;
  const wrong: Deviation[] = [];
  for (const { number = absent, taxes } of document.items) {
    if (!standardRates.has(taxes.ibs_cbs_cst)) continue;
    const isZeroRated = classificationOf(taxes.class_trib ?? '')?.isZeroRated === true;
    for (const [name, field] of rateFields) {
      const written = taxes[name];
      const expected = isZeroRated ? '0' : rates[name];
      if (written === undefined || expected === undefined || isRate(written, expected)) continue;
      const mayBeZero = name === 'cbs_rate' && isWithinIncentives(document);
      if (!isDecimal(written) || (mayBeZero && isRate(written, '0'))) continue;
      const values = { item: number, field, year };
      wrong.push({ found: `${Big(written).toString()}%`, expected: `${expected}%`, values });
    }
  }
  return wrong;
}

interface Taxed {
  readonly item: string;
  readonly base?: string;
  readonly cbs?: string;
  readonly rate?: string;
}

function fromItem({ number = absent, taxes }: Item): Taxed {
  return { item: number, base: taxes.ibs_cbs_base, cbs: taxes.cbs, rate: taxes.cbs_rate };
}

/** What is taxed in full: items of a note; a CT-e as a whole. */
function taxed({ items, taxation, totals }: DocumentSummary): Taxed[] {
  if (items.length > 0) return items.filter(({ taxes }) => taxes.ibs_cbs_cst === TAXED_IN_FULL).map(fromItem);
  if (taxation?.ibs_cbs_cst !== TAXED_IN_FULL) return [];
  return [{ item: absent, base: totals.ibs_cbs_base, cbs: totals.cbs }];
}

/** What is clearly right by doubles needs no exact arithmetic. */
function isNear(base: string, rate: string, cbs: string): boolean {
  return Math.abs((Number(base) * Number(rate)) / 100 - Number(cbs)) < 0.009;
}

/** CBS of what is taxed in full, against its base and its own rate, or where none is written that of the year. */
export function checkCbs(document: DocumentSummary): Deviation[] {
  if (document.is_to_government === true) return [];
  const rateOfYear = ratesOf(document.issued_at)?.cbs_rate;
  return taxed(document).flatMap(({ item, base, cbs, rate = rateOfYear }) => {
    if (base === undefined || cbs === undefined || rate === undefined || isNear(base, rate, cbs)) return [];
    if (![base, cbs, rate].every(isDecimal)) return [];
    const expected = Big(base).times(rate).div(100);
    if (expected.minus(cbs).abs().lte('0.01')) return [];
    return [
      { found: cbs, expected: expected.toFixed(2), values: { item, base, rate: Big(rate).toString() } },
    ];
  });
}

function hasTotals({ totals }: DocumentSummary): boolean {
  return totals.ibs_cbs_base !== undefined || totals.ibs !== undefined || totals.cbs !== undefined;
}

/** Items with the group and no totals of it (W34-20), or totals of no item (W34-10). */
export function checkTotalsThere(document: DocumentSummary): Deviation[] {
  const { items, item_count } = document;
  if (items.length === 0 || items.length !== item_count) return [];
  const isInItems = items.some(
    ({ taxes }) => taxes.ibs_cbs_cst !== undefined || taxes.class_trib !== undefined,
  );
  if (isInItems === hasTotals(document)) return [];
  const [item, total] = ['det/imposto/IBSCBS', 'total/IBSCBSTot'];
  return isInItems ? [{ found: item, expected: total }] : [{ found: total, expected: item }];
}

/** vNFTot where the totals of IBS and CBS are there (W60-05). */
export function checkGrandTotalThere(document: DocumentSummary): Deviation[] {
  const { ibs_cbs_base, total_with_ibs_cbs } = document.totals;
  return ibs_cbs_base === undefined || total_with_ibs_cbs !== undefined
    ? []
    : [{ found: absent, expected: 'vNFTot' }];
}

/**
 * vNFTot (W60-10) is the sum of the items' totals, which have IBS, CBS and IS in them since 2027 and not before. Notes
 * of both readings are authorised, so that both are accepted in every year.
 */
export function checkGrandTotal({ totals, purpose }: DocumentSummary): Deviation[] {
  const { total, total_with_ibs_cbs: found, ibs, cbs, is, ibs_mono, cbs_mono } = totals;
  if (total === undefined || found === undefined || purpose === '5' || purpose === '6') return [];
  const taxes = [ibs, cbs, is, ibs_mono, cbs_mono].filter((amount) => amount !== undefined);
  const withTaxes = addDecimals([total, ...taxes]);
  if (isWithinACent(found, total) || (withTaxes !== undefined && isWithinACent(found, withTaxes))) return [];
  return [{ found, expected: total }];
}
