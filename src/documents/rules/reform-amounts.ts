import { addDecimals, isDecimal, multiplyDecimals, roundDecimal, withoutEndingZeros } from '../decimals.ts';
import type { DocumentSummary } from '../summary/summary.ts';
import { classificationOf } from '../tables/class-trib.ts';
import { absent, type Deviation, inEach, isWithinACent, kinds, rule, verified, type Words } from './rule.ts';
import { amountUnderCode, due, notDue } from './situations.ts';
import { itemsAgainstTotal, itemsAgainstTotals } from './totals.ts';

const TAXED_IN_FULL = '000';
/** CST whose groups state the standard rates of the year, even if reduced or deferred. */
const standardRates = new Set<string | undefined>([TAXED_IN_FULL, '200', '222', '510', '515', '550', '830']);

const rateFields = { ibs_state_rate: 'pIBSUF', ibs_city_rate: 'pIBSMun', cbs_rate: 'pCBS' } as const;
type Rate = keyof typeof rateFields;
const rates = Object.entries(rateFields) as [Rate, string][];

const halves = { ibs_state_rate: '0.05', ibs_city_rate: '0.05' };
/**
 * Rates in per cent by year; absent if not fixed when last verified. Source: LC 214/2025, articles 343, 344 and 346;
 * rules UB18-10, UB37-10 and UB56-10.
 */
const ratesByYear = new Map<string | undefined, Readonly<Partial<Record<Rate, string>>>>([
  ['2026', { ibs_state_rate: '0.1', ibs_city_rate: '0', cbs_rate: '0.9' }],
  ['2027', halves],
  ['2028', halves],
]);

const yearOf = ({ issued_at }: DocumentSummary) => issued_at?.slice(0, 4) ?? absent;

/** States with areas in which the CBS between local parties may be zero (UB56-10, exception 3). */
const incentivised = new Set<string | undefined>(['AC', 'AM', 'AP', 'RO', 'RR']);

/** Fully taxed items of a note, or a whole CT-e. */
function taxedInFull({ items, taxation, totals }: DocumentSummary) {
  if (items.length > 0)
    return items
      .filter(({ taxes }) => taxes.ibs_cbs_cst === TAXED_IN_FULL)
      .map(({ number: item = absent, taxes }) => {
        return { item, base: taxes.ibs_cbs_base, cbs: taxes.cbs, rate: taxes.cbs_rate };
      });
  if (taxation?.ibs_cbs_cst !== TAXED_IN_FULL) return [];
  return [{ item: absent, base: totals.ibs_cbs_base, cbs: totals.cbs, rate: undefined }];
}

const ibsCbsBasis = verified(
  'NT 2025.002-RTC v1.52, regras UB54a-10, UB67-10 e W34-10 a W56-10; LC 214/2025',
);
const ratesBasis = verified(
  'LC 214/2025, arts. 343, 344 e 346; NT 2025.002-RTC v1.52, regras UB18-10, UB37-10 e UB56-10',
);
const grandTotalBasis = verified('NT 2025.002-RTC v1.52, regras W60-05 e W60-10 (implementação futura)');

const correctAmounts: Words = [
  'Confira o cálculo: em nota própria, corrija o sistema; em nota recebida, avise o emitente.',
  'Check the calculation: for your own notes, correct the system; for a note received, tell the issuer.',
];

/** Groups issued before the test year had no legal value. */
const sinceTestYear = { from: '2026-01-01' };

export const reformAmountRules = [
  rule('ibs_cbs_not_due', 'error', kinds.notes, ibsCbsBasis, {
    title: ['IBS ou CBS em CST sem tributação', 'IBS or CBS under a CST that is not taxed'],
    finding: amountUnderCode,
    todo: correctAmounts,
    // Exempt; immune or without incidence.
    check: notDue(['ibs_cbs_cst', '400 410', 'ibs', 'vIBS'], ['ibs_cbs_cst', '400 410', 'cbs', 'vCBS']),
  }),
  rule('cbs_due', 'warning', kinds.notes, ibsCbsBasis, {
    title: ['Tributação integral sem CBS', 'Taxed in full without CBS'],
    finding: amountUnderCode,
    todo: correctAmounts,
    // IBS is excluded: a tenth of a per cent of a small item rounds to nothing.
    check: due(['ibs_cbs_cst', TAXED_IN_FULL, 'cbs', 'vCBS']),
  }),
  rule('ibs_cbs_rate', 'error', kinds.notes, ratesBasis, {
    valid: { from: '2026-01-01', to: '2028-12-31' },
    title: ['Alíquota de IBS ou CBS × alíquota do ano', 'Rate of IBS or CBS × rate of the year'],
    finding: [
      'item {item}: {field} {found}; em {year} é {expected}',
      'item {item}: {field} {found}; in {year} it is {expected}',
    ],
    todo: correctAmounts,
    /**
     * Compares rates with those of the year of issue; zero if the table says so of the classification. Excludes
     * returns, credit and debit notes, which repeat the rates of the documents they adjust, and government purchases,
     * which have their own.
     */
    check(document) {
      const { items, purpose = '1', is_to_government, issuer, recipient } = document;
      const ofYear = ratesByYear.get(yearOf(document));
      if (ofYear === undefined || purpose !== '1' || is_to_government === true) return undefined;
      const isIncentivised = incentivised.has(issuer?.state) && incentivised.has(recipient?.state);
      const wrong: Deviation[] = [];
      let isCompared = false;
      for (const { number: item = absent, taxes } of items) {
        if (!standardRates.has(taxes.ibs_cbs_cst)) continue;
        const isZeroRated = classificationOf(taxes.class_trib ?? '')?.isZeroRated === true;
        for (const [name, field] of rates) {
          const written = taxes[name];
          const expected = isZeroRated ? '0' : ofYear[name];
          if (written === undefined || expected === undefined) continue;
          isCompared = true;
          // Rates are small and have at most four decimals, so doubles can be compared exactly.
          const mayBeZero = name === 'cbs_rate' && isIncentivised && Number(written) === 0;
          if (Number(written) === Number(expected) || mayBeZero || !isDecimal(written)) continue;
          const values = { item, field, year: yearOf(document) };
          wrong.push({ found: `${withoutEndingZeros(written)}%`, expected: `${expected}%`, values });
        }
      }
      return isCompared ? wrong : undefined;
    },
  }),
  rule('cbs_against_base', 'error', kinds.coded, ratesBasis, {
    valid: sinceTestYear,
    title: ['CBS × base e alíquota', 'CBS × base and rate'],
    finding: [
      'item {item}: CBS {found} sobre a base {base}; à alíquota de {rate} seriam {expected}',
      'item {item}: CBS {found} on the base {base}; at {rate} it would be {expected}',
    ],
    todo: correctAmounts,
    /** Compares CBS of full taxation with the base and the stated rate, or the rate of the year if none is stated. */
    check(document) {
      if (document.is_to_government === true) return undefined;
      const rateOfYear = ratesByYear.get(yearOf(document))?.cbs_rate;
      const calculable = taxedInFull(document).flatMap(({ item, base, cbs, rate = rateOfYear }) =>
        base === undefined || cbs === undefined || rate === undefined ? [] : { item, base, cbs, rate },
      );
      return inEach(calculable, ({ item, base, cbs: found, rate }) => {
        // Values clearly right in floating point need no exact arithmetic.
        if (Math.abs((Number(base) * Number(rate)) / 100 - Number(found)) < 0.009) return [];
        if (![base, found, rate].every(isDecimal)) return [];
        const exact = multiplyDecimals(multiplyDecimals(base, rate), '0.01');
        if (isWithinACent(exact, found)) return [];
        const values = { item, base, rate: `${withoutEndingZeros(rate)}%` };
        return [{ found, expected: roundDecimal(exact, 2), values }];
      });
    },
  }),
  rule('ibs_cbs_items_against_totals', 'error', kinds.notes, ibsCbsBasis, {
    title: ['IBS e CBS dos itens × totais', 'IBS and CBS of items × totals'],
    finding: itemsAgainstTotal,
    todo: correctAmounts,
    check: itemsAgainstTotals({ vBCIBSCBS: 'ibs_cbs_base', vIBS: 'ibs', vCBS: 'cbs' }),
  }),
  rule('ibs_cbs_totals_missing', 'error', kinds.notes, ibsCbsBasis, {
    valid: sinceTestYear,
    title: [
      'Itens com IBS/CBS sem os totais (IBSCBSTot)',
      'Items with IBS/CBS without the totals (IBSCBSTot)',
    ],
    finding: [
      '{found}; o esperado é {expected} (regras W34-10 e W34-20)',
      '{found}; {expected} is expected (rules W34-10 and W34-20)',
    ],
    todo: correctAmounts,
    check({ items, item_count, totals }) {
      if (items.length === 0 || items.length !== item_count) return undefined;
      const isInItems = items.some(({ taxes }) => (taxes.ibs_cbs_cst ?? taxes.class_trib) !== undefined);
      const isInTotals = (totals.ibs_cbs_base ?? totals.ibs ?? totals.cbs) !== undefined;
      if (isInItems === isInTotals) return isInItems ? [] : undefined;
      const [item, total] = ['det/imposto/IBSCBS', 'total/IBSCBSTot'];
      return isInItems ? [{ found: item, expected: total }] : [{ found: total, expected: item }];
    },
  }),
  rule('total_with_ibs_cbs_missing', 'info', kinds.notes, grandTotalBasis, {
    valid: sinceTestYear,
    title: ['Total com IBS/CBS (vNFTot) ausente', 'Total with IBS/CBS (vNFTot) missing'],
    finding: [
      'a nota tem IBSCBSTot e não tem {expected} (regra W60-05, rejeição sem data)',
      'the note has IBSCBSTot and no {expected} (rule W60-05, rejection without a date)',
    ],
    todo: [
      'Nada a fazer na escrituração; em nota própria, inclua vNFTot nas próximas.',
      'Nothing to do in the books; put vNFTot into your own next notes.',
    ],
    check({ totals: { ibs_cbs_base, total_with_ibs_cbs } }) {
      if (ibs_cbs_base === undefined) return undefined;
      return total_with_ibs_cbs === undefined ? [{ found: absent, expected: 'vNFTot' }] : [];
    },
  }),
  rule('total_with_ibs_cbs_inconsistent', 'warning', kinds.notes, grandTotalBasis, {
    valid: sinceTestYear,
    title: ['Total com IBS/CBS (vNFTot) que não fecha', 'Total with IBS/CBS (vNFTot) that does not add up'],
    finding: [
      'vNFTot é {found}; seria {expected}, com ou sem IBS, CBS e IS',
      'vNFTot is {found}; it would be {expected}, with or without IBS, CBS and IS',
    ],
    todo: correctAmounts,
    /** Accepts the total with or without IBS, CBS and IS: both kinds of note are authorised. */
    check({ totals, purpose }) {
      const { total, total_with_ibs_cbs: found, ibs, cbs, is, ibs_mono, cbs_mono } = totals;
      if (total === undefined || found === undefined || purpose === '5' || purpose === '6') return undefined;
      const withTaxes = addDecimals([total, ibs, cbs, is, ibs_mono, cbs_mono]) ?? total;
      const isRight = isWithinACent(found, total) || isWithinACent(found, withTaxes);
      return isRight ? [] : [{ found, expected: total }];
    },
  }),
];
