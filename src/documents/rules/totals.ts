import { sameDecimal } from '../decimals.ts';
import type { ProblemCode } from '../problems.ts';
import type { DocumentSummary, TaxName, TotalName } from '../summary.ts';
import { sumOf } from './amounts.ts';
import { absent, type Deviation } from './rule.ts';
import { isReliefInValue } from './tax-situations.ts';

/**
 * What was already seen when the document was read, with more of the file at hand than the summary keeps: items that
 * do not count in the total (indTot), discounts with conditions.
 */
export function remarkedAs(code: ProblemCode): (document: DocumentSummary) => Deviation[] {
  return ({ warnings }) =>
    warnings
      .filter((warning) => warning.code === code)
      .map(({ values }) => ({ found: values.found ?? absent, expected: values.expected ?? absent }));
}

/** An amount that stands in every item and, added up, in the totals; by the total's name in the schema. */
export interface SummedField {
  readonly field: string;
  readonly name: TaxName & TotalName;
}

/**
 * Without PIS and COFINS: those of services and of substitution stand elsewhere in the file. Source: fiscal-domain
 * notes, section 4.1.
 */
export const icmsAndIpi: readonly SummedField[] = [
  { field: 'vBC', name: 'icms_base' },
  { field: 'vICMS', name: 'icms' },
  { field: 'vFCP', name: 'fcp' },
  { field: 'vST', name: 'icms_st' },
  { field: 'vFCPST', name: 'fcp_st' },
  { field: 'vII', name: 'import_duty' },
  { field: 'vIPI', name: 'ipi' },
];

export const ibsAndCbs: readonly SummedField[] = [
  { field: 'vIBS', name: 'ibs' },
  { field: 'vCBS', name: 'cbs' },
];

/** Items against totals, to the cent: each item is rounded once and the total is the sum. */
export function itemsAgainstTotals(
  fields: readonly SummedField[],
): (document: DocumentSummary) => Deviation[] {
  return ({ items, item_count, totals, layout }) => {
    if (items.length === 0 || items.length !== item_count) return [];
    return fields.flatMap(({ field, name }) => {
      const expected = totals[name];
      const summed = name === 'icms' ? items.filter((item) => !isReliefInValue(item, layout)) : items;
      const found = sumOf(summed.map(({ taxes }) => taxes[name])) ?? '0.00';
      return expected === undefined || sameDecimal(found, expected)
        ? []
        : [{ found, expected, values: { field } }];
    });
  };
}
