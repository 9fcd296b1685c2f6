import {
  addDecimals,
  isDecimal,
  multiplyDecimals,
  roundDecimal,
  withoutEndingZeros,
} from '../../decimals.ts';
import type { DocumentSummary, Item } from '../../summary/summary.ts';
import { classificationOf } from '../../tables/class-trib.ts';
import {
  about,
  absent,
  type Deviation,
  inEach,
  isWithinACent,
  kinds,
  type Rule,
  type Verdict,
  verified,
  type Words,
} from '../rule.ts';
import { amountUnderCode, cbsDue, due, ibsCbsNotDue, notDue } from '../situations.ts';
import { ibsAndCbs, itemsAgainstTotals } from '../totals.ts';
import { calendar, ratesOf, type YearRates } from './calendar.ts';

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
function checkRates(document: DocumentSummary): Verdict {
  const rates = ratesOf(document.issued_at);
  if (rates === undefined || !hasOrdinaryRates(document)) return undefined;
  const year = document.issued_at?.slice(0, 4) ?? absent;
  const wrong: Deviation[] = [];
  let isCompared = false;
  for (const { number = absent, taxes } of document.items) {
    if (!standardRates.has(taxes.ibs_cbs_cst)) continue;
    const isZeroRated = classificationOf(taxes.class_trib ?? '')?.isZeroRated === true;
    for (const [name, field] of rateFields) {
      const written = taxes[name];
      const expected = isZeroRated ? '0' : rates[name];
      if (written === undefined || expected === undefined) continue;
      isCompared = true;
      if (isRate(written, expected)) continue;
      const mayBeZero = name === 'cbs_rate' && isWithinIncentives(document);
      if (!isDecimal(written) || (mayBeZero && isRate(written, '0'))) continue;
      const values = { item: number, field, year };
      wrong.push({ found: `${withoutEndingZeros(written)}%`, expected: `${expected}%`, values });
    }
  }
  return isCompared ? wrong : undefined;
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
function checkCbs(document: DocumentSummary): Verdict {
  if (document.is_to_government === true) return undefined;
  const rateOfYear = ratesOf(document.issued_at)?.cbs_rate;
  const calculable = taxed(document).flatMap(({ item, base, cbs, rate = rateOfYear }) =>
    base === undefined || cbs === undefined || rate === undefined ? [] : { item, base, cbs, rate },
  );
  return inEach(calculable, ({ item, base, cbs, rate }) => {
    if (isNear(base, rate, cbs) || ![base, cbs, rate].every(isDecimal)) return [];
    const exact = multiplyDecimals(multiplyDecimals(base, rate), '0.01');
    if (isWithinACent(exact, cbs)) return [];
    return [
      {
        found: cbs,
        expected: roundDecimal(exact, 2),
        values: { item, base, rate: withoutEndingZeros(rate) },
      },
    ];
  });
}

function hasTotals({ totals }: DocumentSummary): boolean {
  return totals.ibs_cbs_base !== undefined || totals.ibs !== undefined || totals.cbs !== undefined;
}

/** Items with the group and no totals of it (W34-20), or totals of no item (W34-10). */
function checkTotalsThere(document: DocumentSummary): Verdict {
  const { items, item_count } = document;
  if (items.length === 0 || items.length !== item_count) return undefined;
  const isInItems = items.some(
    ({ taxes }) => taxes.ibs_cbs_cst !== undefined || taxes.class_trib !== undefined,
  );
  const isInTotals = hasTotals(document);
  if (!isInItems && !isInTotals) return undefined;
  if (isInItems && isInTotals) return [];
  const [item, total] = ['det/imposto/IBSCBS', 'total/IBSCBSTot'];
  return isInItems ? [{ found: item, expected: total }] : [{ found: total, expected: item }];
}

/** vNFTot where the totals of IBS and CBS are there (W60-05). */
function checkGrandTotalThere(document: DocumentSummary): Verdict {
  const { ibs_cbs_base, total_with_ibs_cbs } = document.totals;
  if (ibs_cbs_base === undefined) return undefined;
  return total_with_ibs_cbs === undefined ? [{ found: absent, expected: 'vNFTot' }] : [];
}

/** vNFTot (W60-10) with or without IBS, CBS and IS: notes of both readings are authorised. */
function checkGrandTotal({ totals, purpose }: DocumentSummary): Verdict {
  const { total, total_with_ibs_cbs: found, ibs, cbs, is, ibs_mono, cbs_mono } = totals;
  if (total === undefined || found === undefined || purpose === '5' || purpose === '6') return undefined;
  const taxes = [ibs, cbs, is, ibs_mono, cbs_mono].filter((amount) => amount !== undefined);
  const withTaxes = addDecimals([total, ...taxes]);
  if (isWithinACent(found, total) || (withTaxes !== undefined && isWithinACent(found, withTaxes))) return [];
  return [{ found, expected: total }];
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

/** Rules of this subject. */
export const reformAmountRules: readonly Rule[] = [
  {
    ...about('ibs_cbs_not_due', 'error', kinds.notes, ibsCbsBasis),
    title: ['IBS ou CBS em CST sem tributação', 'IBS or CBS under a CST that is not taxed'],
    finding: amountUnderCode,
    todo: correctAmounts,
    check: notDue(ibsCbsNotDue),
  },
  {
    ...about('cbs_due', 'warning', kinds.notes, ibsCbsBasis),
    title: ['Tributação integral sem CBS', 'Taxed in full without CBS'],
    finding: amountUnderCode,
    todo: correctAmounts,
    check: due(cbsDue),
  },
  {
    ...about('ibs_cbs_rate', 'error', kinds.notes, ratesBasis, calendar.fixedRates),
    title: ['Alíquota de IBS ou CBS × alíquota do ano', 'Rate of IBS or CBS × rate of the year'],
    finding: [
      'item {item}: {field} {found}; em {year} é {expected}',
      'item {item}: {field} {found}; in {year} it is {expected}',
    ],
    todo: correctAmounts,
    check: checkRates,
  },
  {
    ...about('cbs_against_base', 'error', kinds.coded, ratesBasis, calendar.testYear),
    title: ['CBS × base e alíquota', 'CBS × base and rate'],
    finding: [
      'item {item}: CBS {found} sobre a base {base}; à alíquota de {rate}% seriam {expected}',
      'item {item}: CBS {found} on the base {base}; at {rate}% it would be {expected}',
    ],
    todo: correctAmounts,
    check: checkCbs,
  },
  {
    ...about('ibs_cbs_items_against_totals', 'error', kinds.notes, ibsCbsBasis),
    title: ['IBS e CBS dos itens × totais', 'IBS and CBS of items × totals'],
    finding: [
      '{field}: os itens somam {found} e o total é {expected}',
      '{field}: the items add up to {found} and the total is {expected}',
    ],
    todo: correctAmounts,
    check: itemsAgainstTotals(ibsAndCbs),
  },
  {
    ...about('ibs_cbs_totals_missing', 'error', kinds.notes, ibsCbsBasis, calendar.testYear),
    title: [
      'Itens com IBS/CBS sem os totais (IBSCBSTot)',
      'Items with IBS/CBS without the totals (IBSCBSTot)',
    ],
    finding: [
      '{found}; o esperado é {expected} (regras W34-10 e W34-20)',
      '{found}; {expected} is expected (rules W34-10 and W34-20)',
    ],
    todo: correctAmounts,
    check: checkTotalsThere,
  },
  {
    ...about('total_with_ibs_cbs_missing', 'info', kinds.notes, grandTotalBasis, calendar.testYear),
    title: ['Total com IBS/CBS (vNFTot) ausente', 'Total with IBS/CBS (vNFTot) missing'],
    finding: [
      'a nota tem IBSCBSTot e não tem {expected} (regra W60-05, rejeição sem data)',
      'the note has IBSCBSTot and no {expected} (rule W60-05, rejection without a date)',
    ],
    todo: [
      'Nada a fazer na escrituração; em nota própria, inclua vNFTot nas próximas.',
      'Nothing to do in the books; put vNFTot into your own next notes.',
    ],
    check: checkGrandTotalThere,
  },
  {
    ...about('total_with_ibs_cbs_inconsistent', 'warning', kinds.notes, grandTotalBasis, calendar.testYear),
    title: ['Total com IBS/CBS (vNFTot) que não fecha', 'Total with IBS/CBS (vNFTot) that does not add up'],
    finding: [
      'vNFTot é {found}; seria {expected}, com ou sem IBS, CBS e IS',
      'vNFTot is {found}; it would be {expected}, with or without IBS, CBS and IS',
    ],
    todo: correctAmounts,
    check: checkGrandTotal,
  },
];
