import { addDecimals, negateDecimal, sameDecimal } from '../decimals.ts';
import type { Problem } from '../problems.ts';
import { checkAmount, checkClassification, type Unchecked } from '../summary/checks.ts';
import type { Collected } from '../summary/fields.ts';
import type { TaxName } from '../summary/summary.ts';

type Amounts = readonly (string | undefined)[];

/** indTot of an item outside the note's total. */
export const NOT_IN_TOTAL = '0';
/** tpOp of a vehicle invoiced to the consumer by its maker: the note's total differs. */
const DIRECT_TO_CONSUMER = '2';

function negated(amount: string | undefined): string | undefined {
  return amount && negateDecimal(amount);
}

/** Compares counted items (indTot 1) with vProd, with or without services, which may be in vServ instead. */
function checkProducts({ totals, items }: Unchecked): Problem[] {
  if (totals.products === undefined) return [];
  const counted = items.map(({ in_total, total = '' }) => (in_total === NOT_IN_TOTAL ? undefined : total));
  const all = addDecimals(counted);
  const withoutServices = totals.services && addDecimals([all, negateDecimal(totals.services)]);
  if (all !== undefined && sameDecimal(withoutServices ?? '', totals.products)) return [];
  return checkAmount('items_against_products', all, totals.products);
}

/**
 * True if the note's total is the plain sum of its parts. Imports (CFOP 3…), complementary and adjustment notes, and
 * vehicles invoiced directly to the consumer follow other rules. Source: docs/fiscal/layouts.md.
 */
export function hasPlainTotal({ purpose, items, totals }: Unchecked): boolean {
  const isPlain = (purpose === '1' || purpose === '4') && totals.products !== undefined;
  const isOther = items.some(
    ({ cfop, vehicle_operation }) => cfop?.startsWith('3') || vehicle_operation === DIRECT_TO_CONSUMER,
  );
  return isPlain && !isOther;
}

/** True if PIS and COFINS totals are those of the items: no services, substitution or items outside the total. */
export function hasContributionsOfGoods({ items, totals }: Unchecked): boolean {
  const isElsewhere = items.some(
    ({ in_total, pis_st, cofins_st, taxes: { iss, iss_base, iss_rate } }) =>
      (in_total ?? iss ?? iss_base ?? iss_rate ?? pis_st ?? cofins_st) !== undefined,
  );
  return !isElsewhere && totals.services === undefined;
}

/** An item's PIS and COFINS by substitution, if included in the note's total (indSomaPISST); by item index. */
function substituted({ items, raw_items }: Collected, i: number): Amounts {
  const { pis_st_counts, cofins_st_counts } = raw_items[i] ?? {};
  const { pis_st, cofins_st } = items[i] ?? {};
  return [pis_st_counts === '1' ? pis_st : undefined, cofins_st_counts === '1' ? cofins_st : undefined];
}

/**
 * Compares vNF with its parts, with or without relieved ICMS; IBS, CBS and IS are outside. Source:
 * docs/fiscal/layouts.md.
 */
function checkTotal(document: Unchecked, collected: Collected): Problem[] {
  if (!hasPlainTotal(document)) return [];
  const { totals } = document;
  const whole = addDecimals([
    ...[totals.products, totals.services, totals.icms_st, totals.fcp_st, collected.raw.icms_mono_beside],
    ...[totals.freight, totals.insurance, totals.other, totals.import_duty, totals.ipi, totals.ipi_returned],
    ...collected.items.flatMap((_, i) => substituted(collected, i)),
    negated(totals.discount),
  ]);
  const relieved = whole && addDecimals([whole, negated(totals.icms_relieved)]);
  if (relieved !== undefined && sameDecimal(relieved, totals.total ?? '')) return [];
  return checkAmount('parts_against_total', totals.total, whole);
}

/** Checks the amounts of an NF-e against each other. */
export function checkNfeAmounts(document: Unchecked, collected: Collected): Problem[] {
  const { items, totals } = document;
  const sumOf = (name: TaxName) => addDecimals(items.map(({ taxes }) => taxes[name]));
  const ofGoods = hasContributionsOfGoods(document) ? totals : {};
  return [
    ...checkProducts(document),
    ...checkTotal(document, collected),
    ...checkAmount('items_against_pis', sumOf('pis') ?? '0.00', ofGoods.pis),
    ...checkAmount('items_against_cofins', sumOf('cofins') ?? '0.00', ofGoods.cofins),
    ...checkAmount('items_against_ibs', sumOf('ibs'), totals.ibs),
    ...checkAmount('items_against_cbs', sumOf('cbs'), totals.cbs),
    ...items.flatMap(({ number, taxes: { ibs_cbs_cst, class_trib } }, i) =>
      checkClassification(ibs_cbs_cst, class_trib, number ?? String(i + 1)),
    ),
  ];
}

/**
 * Shares of the items by the layout's formula.
 * @param deducts whether an item's relieved ICMS is deducted from its price, by item index
 * @param addsDuty whether import duty is added, because the price does not include it
 */
function byFormula(collected: Collected, deducts: (i: number) => boolean, addsDuty: boolean): Amounts {
  return collected.items.map((item, i) => {
    const taxes = collected.taxes[i] ?? {};
    const { icms_mono_beside, ipi_returned } = collected.raw_items[i] ?? {};
    return addDecimals([
      item.in_total === NOT_IN_TOTAL ? '0.00' : item.total,
      ...[item.freight, item.insurance, item.other, taxes.icms_st, taxes.fcp_st, icms_mono_beside],
      ...[addsDuty ? taxes.import_duty : undefined, taxes.ipi, ipi_returned],
      ...substituted(collected, i),
      negated(item.discount),
      deducts(i) ? negated(taxes.icms_relieved) : undefined,
    ]);
  });
}

/**
 * Each item's share of the note's total (vNF): the file's own values (vItem) if they add up to the total, else by the
 * layout's formula. The deduction of relieved ICMS depends on its reason and the state, and newer files state it
 * (indDeduzDeson); the price of imports may include the duty or not. The variant that adds up to the total counts. If
 * none does, the first one is used, and the rest of the total belongs to no item. From 2027 on, the price of goods
 * includes IBS, CBS and IS, so neither formula adds them. Source: docs/fiscal/layouts.md, rules W16-10 and VB01-10.
 */
export function sharesOf(collected: Collected): Amounts {
  const { total } = collected.totals;
  const addsUp = (shares: Amounts) =>
    total !== undefined && !shares.includes(undefined) && sameDecimal(addDecimals(shares) ?? '', total);
  const stated = collected.items.map(({ share }) => share);
  const hasStated = stated.length > 0 && !stated.includes(undefined);
  if (hasStated && addsUp(stated)) return stated;
  const asStated = (i: number) => collected.raw_items[i]?.icms_relief_deducted === '1';
  const hasRelief = collected.taxes.some(({ icms_relieved }) => icms_relieved !== undefined);
  const hasDuty = collected.taxes.some(({ import_duty }) => import_duty !== undefined);
  let likely: Amounts | undefined;
  for (const addsDuty of hasDuty ? [true, false] : [true]) {
    for (const deducts of hasRelief ? [asStated, () => true, () => false] : [asStated]) {
      const shares = byFormula(collected, deducts, addsDuty);
      if (addsUp(shares)) return shares;
      likely ??= shares;
    }
  }
  return hasStated || likely === undefined ? stated : likely;
}
