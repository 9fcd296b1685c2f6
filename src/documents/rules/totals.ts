import type { ProblemCode } from '../problems.ts';
import type { DocumentSummary, Item, TaxName, TotalName } from '../summary/summary.ts';
import { isWithinACent, sumOf } from './amounts.ts';
import { isRelieved, RELIEF_IN_VALUE } from './relief.ts';
import { absent, type Deviation } from './rule.ts';

/** The total's name in the schema, where a rule is about several. */
const fieldOf: Readonly<Partial<Record<ProblemCode, string>>> = {
  items_against_pis: 'vPIS',
  items_against_cofins: 'vCOFINS',
};

/**
 * What was already seen when the document was read, with more of the file at hand than the summary keeps: items that
 * do not count in the total (indTot), discounts with conditions, substitution of PIS and COFINS.
 */
export function remarkedAs(...codes: readonly ProblemCode[]): (document: DocumentSummary) => Deviation[] {
  return ({ warnings }) =>
    warnings
      .filter((warning) => codes.includes(warning.code))
      .map(({ code, values: { found = absent, expected = absent } }) => {
        const field = fieldOf[code];
        return { found, expected, ...(field === undefined ? {} : { values: { field } }) };
      })
      .filter(({ found, expected }) => !isWithinACent(found, expected));
}

/** An amount that stands in every item and, added up, in the totals; by the total's name in the schema. */
export interface SummedField {
  readonly field: string;
  readonly name: TaxName & TotalName;
}

/**
 * Without PIS and COFINS: those of services and of substitution stand elsewhere in the file.
 * Source: docs/fiscal/layouts.md.
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
  { field: 'vBCIBSCBS', name: 'ibs_cbs_base' },
  { field: 'vIBS', name: 'ibs' },
  { field: 'vCBS', name: 'cbs' },
];

function sumOfItems(items: readonly Item[], name: TaxName): string {
  const amounts: string[] = [];
  for (const { taxes } of items) {
    const amount = taxes[name];
    if (amount !== undefined) amounts.push(amount);
  }
  return sumOf(amounts) ?? '0.00';
}

/**
 * What a total may be, the likelier first. Where items have in vICMS what they are relieved of, the total of what is due
 * leaves it out; a file that counts it in is still the sum of its items.
 */
function expectableTotals({ items, layout }: DocumentSummary, name: TaxName): readonly [string, ...string[]] {
  const all = sumOfItems(items, name);
  if (name !== 'icms') return [all];
  const due = sumOfItems(
    items.filter((item) => !isRelieved(item)),
    name,
  );
  return layout === RELIEF_IN_VALUE ? [due, all] : [all, due];
}

/** Items against totals; a cent is no difference. */
export function itemsAgainstTotals(
  fields: readonly SummedField[],
): (document: DocumentSummary) => Deviation[] {
  return (document) => {
    const { items, item_count, totals } = document;
    if (items.length === 0 || items.length !== item_count) return [];
    const wrong: Deviation[] = [];
    for (const { field, name } of fields) {
      const expected = totals[name];
      if (expected === undefined) continue;
      const sums = expectableTotals(document, name);
      if (!sums.some((sum) => isWithinACent(sum, expected))) {
        wrong.push({ found: sums[0], expected, values: { field } });
      }
    }
    return wrong;
  };
}
