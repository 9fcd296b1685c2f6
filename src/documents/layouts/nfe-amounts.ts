import { addDecimals, negateDecimal, sameDecimal } from '../decimals.ts';
import type { Problem } from '../problems.ts';
import { checkAmount, checkClassification, type Unchecked } from '../summary/checks.ts';
import type { Collected, ListRecords } from '../summary/fields.ts';
import type { TaxName } from '../summary/summary.ts';

function given(...amounts: readonly (string | undefined)[]): string[] {
  return amounts.filter((amount) => amount !== undefined);
}

/** indTot of an item whose value is not in the note's total. */
export const NOT_IN_TOTAL = '0';

function counts(item: ListRecords['items']): boolean {
  return item.in_total !== NOT_IN_TOTAL;
}

/** tpOp of a vehicle that its maker invoices to the consumer: the note's total is another amount. */
export const DIRECT_TO_CONSUMER = '2';

/** Items that count (indTot 1) against vProd, with or without services, which may be in vServ instead. */
function checkProducts({ totals }: Unchecked, { lists }: Collected): Problem[] {
  if (totals.products === undefined) return [];
  const amounts = lists.items.map((item) => (counts(item) ? (item.total ?? '') : undefined));
  const all = addDecimals(amounts);
  if (all === undefined || totals.services === undefined) {
    return checkAmount('items_against_products', all, totals.products);
  }
  const withoutServices = addDecimals([all, negateDecimal(totals.services)]);
  const isEither = sameDecimal(withoutServices ?? '', totals.products);
  return isEither ? [] : checkAmount('items_against_products', all, totals.products);
}

/**
 * Imports (CFOP 3…), complementary and adjustment notes and direct invoicing of vehicles have other rules.
 */
function hasPlainTotal({ purpose }: Unchecked, { lists }: Collected): boolean {
  const plainPurpose = purpose === '1' || purpose === '4';
  const imported = lists.items.some(({ cfop }) => cfop?.startsWith('3'));
  const directVehicle = lists.items.some((item) => item.vehicle_operation === DIRECT_TO_CONSUMER);
  return plainPurpose && !imported && !directVehicle;
}

function substitutedIn({ lists }: Collected): string[] {
  const amounts: string[] = [];
  for (const [i, { pis_st, cofins_st }] of lists.items.entries()) {
    const { pis_st_counts, cofins_st_counts } = lists.item_clues[i] ?? {};
    if (pis_st_counts === '1' && pis_st !== undefined) amounts.push(pis_st);
    if (cofins_st_counts === '1' && cofins_st !== undefined) amounts.push(cofins_st);
  }
  return amounts;
}

/**
 * vNF against its parts, with or without relieved ICMS; IBS, CBS and IS are outside. Source:
 * docs/fiscal/layouts.md.
 */
function checkTotal(document: Unchecked, collected: Collected): Problem[] {
  const { totals } = document;
  if (totals.products === undefined || !hasPlainTotal(document, collected)) return [];
  const added = given(
    totals.products,
    totals.services,
    totals.icms_st,
    totals.fcp_st,
    collected.sections.clue.icms_mono_beside,
    totals.freight,
    totals.insurance,
    totals.other,
    totals.import_duty,
    totals.ipi,
    totals.ipi_returned,
    ...substitutedIn(collected),
  );
  const whole = addDecimals([...added, ...given(totals.discount).map(negateDecimal)]);
  if (whole === undefined) return [];
  const relieved = addDecimals([whole, ...given(totals.icms_relieved).map(negateDecimal)]);
  if (relieved !== undefined && sameDecimal(relieved, totals.total ?? '')) return [];
  return checkAmount('parts_against_total', totals.total, whole);
}

/** PIS and COFINS of the items against the totals, unless services or substitution are among them. */
function checkContributions({ totals }: Unchecked, collected: Collected): Problem[] {
  const { items, taxes } = collected.lists;
  const isService = taxes.some(({ iss, iss_base, iss_rate }) => (iss ?? iss_base ?? iss_rate) !== undefined);
  const isSubstituted = items.some(({ pis_st, cofins_st }) => (pis_st ?? cofins_st) !== undefined);
  const isPartial = items.some((item) => !counts(item));
  if (isService || isSubstituted || isPartial || totals.services !== undefined) return [];
  return [
    ...checkAmount('items_against_pis', sumOfTaxes(collected, 'pis') ?? '0.00', totals.pis),
    ...checkAmount('items_against_cofins', sumOfTaxes(collected, 'cofins') ?? '0.00', totals.cofins),
  ];
}

function sumOfTaxes({ lists }: Collected, name: TaxName): string | undefined {
  return addDecimals(lists.taxes.map((taxes) => taxes[name]));
}

function checkClassifications({ lists }: Collected): Problem[] {
  const problems: Problem[] = [];
  lists.taxes.forEach(({ ibs_cbs_cst, class_trib }, i) => {
    if (class_trib === undefined) return;
    problems.push(...checkClassification(ibs_cbs_cst, class_trib, lists.items[i]?.number ?? String(i + 1)));
  });
  return problems;
}

/** The amounts of an NF-e against each other. */
export function checkNfeAmounts(document: Unchecked, collected: Collected): Problem[] {
  return [
    ...checkProducts(document, collected),
    ...checkTotal(document, collected),
    ...checkContributions(document, collected),
    ...checkAmount('items_against_ibs', sumOfTaxes(collected, 'ibs'), document.totals.ibs),
    ...checkAmount('items_against_cbs', sumOfTaxes(collected, 'cbs'), document.totals.cbs),
    ...checkClassifications(collected),
  ];
}

type Shares = readonly (string | undefined)[];

function sumOf(shares: Shares): string | undefined {
  return shares.includes(undefined) ? undefined : addDecimals(shares);
}

/** A reading of the formula, since files differ. */
interface Reading {
  /** Whether the relieved ICMS of an item, by its place, is taken off its price. */
  readonly deducts: (i: number) => boolean;
  /** Whether import duty is added, because the price does not include it. */
  readonly addsDuty: boolean;
}

function off(amount: string | undefined): string | undefined {
  return amount && negateDecimal(amount);
}

/** The parts of an item that the note's total adds and subtracts. */
function partsOf({ lists }: Collected, i: number, { deducts, addsDuty }: Reading): Shares {
  const item = lists.items[i] ?? {};
  const taxes = lists.taxes[i] ?? {};
  const clues = lists.item_clues[i] ?? {};
  return [
    counts(item) ? item.total : '0.00',
    item.freight,
    item.insurance,
    item.other,
    taxes.icms_st,
    taxes.fcp_st,
    clues.icms_mono_beside,
    addsDuty ? taxes.import_duty : undefined,
    taxes.ipi,
    clues.ipi_returned,
    clues.pis_st_counts === '1' ? item.pis_st : undefined,
    clues.cofins_st_counts === '1' ? item.cofins_st : undefined,
    off(item.discount),
    deducts(i) ? off(taxes.icms_relieved) : undefined,
  ];
}

function byFormula(collected: Collected, reading: Reading): Shares {
  return collected.lists.items.map((_, i) => addDecimals(partsOf(collected, i, reading)));
}

/** The readings of the formula that differ for a note, the likeliest first. */
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
