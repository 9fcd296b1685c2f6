import { addDecimals, negateDecimal, sameDecimal } from '../decimals.ts';
import type { Collected } from '../summary/collected.ts';

type Shares = readonly (string | undefined)[];

function sumOf(shares: Shares): string | undefined {
  const given = shares.filter((share) => share !== undefined);
  return given.length < shares.length ? undefined : addDecimals(given);
}

/** What of an item goes into the note's total, and what it takes off, but for relieved ICMS. */
function partsOf(
  { lists }: Collected,
  i: number,
): { added: (string | undefined)[]; off: (string | undefined)[] } {
  const item = lists.items[i] ?? {};
  const taxes = lists.taxes[i] ?? {};
  const clues = lists.item_clues[i] ?? {};
  const added = [
    clues.counts_in_total === '0' ? '0.00' : item.total,
    item.freight,
    item.insurance,
    item.other,
    taxes.icms_st,
    taxes.fcp_st,
    clues.icms_mono_retained,
    taxes.import_duty,
    taxes.ipi,
    clues.ipi_returned,
    clues.pis_st_counts === '1' ? clues.pis_st : undefined,
    clues.cofins_st_counts === '1' ? clues.cofins_st : undefined,
  ];
  return { added, off: [item.discount] };
}

/** Whether an item's relieved ICMS is taken off its price. */
type Deducts = (i: number) => boolean;

function byFormula(collected: Collected, deducts: Deducts): Shares {
  const { items, taxes } = collected.lists;
  return items.map((_, i) => {
    const { added, off } = partsOf(collected, i);
    if (deducts(i)) off.push(taxes[i]?.icms_relieved);
    const parts = [...added, ...off.map((amount) => amount && negateDecimal(amount))];
    return addDecimals(parts.filter((part) => part !== undefined));
  });
}

/**
 * Each item's part of the note's total (vNF): what the file says itself (vItem), if those add up to the total, else
 * the layout's own formula. Whether relieved ICMS is taken off depends on its reason and the state, and newer files say
 * it (indDeduzDeson): of the readings the one counts that adds up to the total. Where none does, the first one stands,
 * and what is left of the total belongs to no item. From 2027 the goods have IBS, CBS and IS in them, so that neither
 * formula adds them. Source: docs/fiscal/layouts.md, rules W16-10 and VB01-10.
 */
export function sharesOf(collected: Collected): Shares {
  const { items, item_clues, taxes } = collected.lists;
  const { total } = collected.sections.totals;
  const addsUp = (shares: Shares) => total !== undefined && sameDecimal(sumOf(shares) ?? '', total);
  const stated = items.map(({ share }) => share);
  const hasStated = stated.length > 0 && stated.every((share) => share !== undefined);
  if (hasStated && addsUp(stated)) return stated;
  const asSaid = byFormula(collected, (i) => item_clues[i]?.icms_relief_deducted === '1');
  if (addsUp(asSaid)) return asSaid;
  if (taxes.some(({ icms_relieved }) => icms_relieved !== undefined)) {
    for (const isDeducted of [true, false]) {
      const shares = byFormula(collected, () => isDeducted);
      if (addsUp(shares)) return shares;
    }
  }
  return hasStated ? stated : asSaid;
}
