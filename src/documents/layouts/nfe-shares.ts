import { addGiven, negateDecimal, sameDecimal } from '../decimals.ts';
import type { Collected } from '../summary/collected.ts';

type Shares = readonly (string | undefined)[];

function sumOf(shares: Shares): string | undefined {
  return shares.includes(undefined) ? undefined : addGiven(shares);
}

/** How a formula is read where files differ. */
interface Reading {
  /** Whether the relieved ICMS of an item, by its place, is taken off its price. */
  readonly deducts: (i: number) => boolean;
  /** Whether import duty is charged on top, and not in the price already. */
  readonly addsDuty: boolean;
}

function off(amount: string | undefined): string | undefined {
  return amount && negateDecimal(amount);
}

/** What of an item goes into the note's total, and what it takes off. */
function partsOf({ lists }: Collected, i: number, { deducts, addsDuty }: Reading): Shares {
  const item = lists.items[i] ?? {};
  const taxes = lists.taxes[i] ?? {};
  const clues = lists.item_clues[i] ?? {};
  return [
    clues.counts_in_total === '0' ? '0.00' : item.total,
    item.freight,
    item.insurance,
    item.other,
    taxes.icms_st,
    taxes.fcp_st,
    clues.icms_mono_retained,
    addsDuty ? taxes.import_duty : undefined,
    taxes.ipi,
    clues.ipi_returned,
    clues.pis_st_counts === '1' ? clues.pis_st : undefined,
    clues.cofins_st_counts === '1' ? clues.cofins_st : undefined,
    off(item.discount),
    deducts(i) ? off(taxes.icms_relieved) : undefined,
  ];
}

function byFormula(collected: Collected, reading: Reading): Shares {
  return collected.lists.items.map((_, i) => addGiven(partsOf(collected, i, reading)));
}

/** The readings of the formula for a note, the likelier first: those that make no difference to it are left out. */
function readingsOf({ lists }: Collected): readonly [Reading, ...Reading[]] {
  const asSaid = (i: number) => lists.item_clues[i]?.icms_relief_deducted === '1';
  const hasRelief = lists.taxes.some(({ icms_relieved }) => icms_relieved !== undefined);
  const hasDuty = lists.taxes.some(({ import_duty }) => import_duty !== undefined);
  const reliefs = hasRelief ? [() => true, () => false] : [];
  return [
    { deducts: asSaid, addsDuty: true },
    ...reliefs.map((deducts) => ({ deducts, addsDuty: true })),
    ...(hasDuty ? [asSaid, ...reliefs].map((deducts) => ({ deducts, addsDuty: false })) : []),
  ];
}

/**
 * Each item's part of the note's total (vNF): what the file says itself (vItem), if those add up to the total, else
 * the layout's own formula. Whether relieved ICMS is taken off depends on its reason and the state, and newer files say
 * it (indDeduzDeson); imports have their duty in the price or on top. Of the readings the one counts that adds up to
 * the total. Where none does, the first one stands, and what is left of the total belongs to no item. From 2027 the
 * goods have IBS, CBS and IS in them, so that neither formula adds them. Source: docs/fiscal/layouts.md, rules W16-10
 * and VB01-10.
 */
export function sharesOf(collected: Collected): Shares {
  const { total } = collected.sections.totals;
  const addsUp = (shares: Shares) => total !== undefined && sameDecimal(sumOf(shares) ?? '', total);
  const stated = collected.lists.items.map(({ share }) => share);
  const hasStated = stated.length > 0 && stated.every((share) => share !== undefined);
  if (hasStated && addsUp(stated)) return stated;
  const [first, ...others] = readingsOf(collected);
  const likely = byFormula(collected, first);
  if (addsUp(likely)) return likely;
  for (const reading of others) {
    const shares = byFormula(collected, reading);
    if (addsUp(shares)) return shares;
  }
  return hasStated ? stated : likely;
}
