import { addDecimals, addGiven, negateDecimal, sameDecimal } from '../decimals.ts';
import type { Problem } from '../problems.ts';
import { checkAmount, checkClassification, type Unchecked } from '../summary/checks.ts';
import type { Collected, ListRecords } from '../summary/collected.ts';
import type { TaxName } from '../summary/summary.ts';

function given(...amounts: readonly (string | undefined)[]): string[] {
  return amounts.filter((amount) => amount !== undefined);
}

function counts(clues: ListRecords['item_clues'] | undefined): boolean {
  return clues?.counts_in_total !== '0';
}

/**
 * Items that count in the total (indTot 1) against vProd. Items under ISS are in vServ instead where the issuer
 * fills it; both readings are accepted, since validation has taken both.
 */
function checkProducts({ totals }: Unchecked, { lists }: Collected): Problem[] {
  if (totals.products === undefined) return [];
  const amounts = lists.items.map(({ total = '' }, i) => (counts(lists.item_clues[i]) ? total : undefined));
  const all = addGiven(amounts);
  if (all === undefined || totals.services === undefined) {
    return checkAmount('items_against_products', all, totals.products);
  }
  const withoutServices = addDecimals([all, negateDecimal(totals.services)]);
  const isEither = sameDecimal(withoutServices ?? '', totals.products);
  return isEither ? [] : checkAmount('items_against_products', all, totals.products);
}

/**
 * Imports (CFOP 3…), complementary and adjustment notes and direct invoicing of vehicles follow other rules for vNF.
 */
function hasPlainTotal({ purpose }: Unchecked, { lists }: Collected): boolean {
  const plainPurpose = purpose === '1' || purpose === '4';
  const imported = lists.items.some(({ cfop }) => cfop?.startsWith('3'));
  const directVehicle = lists.item_clues.some((clues) => clues.vehicle_operation === '2');
  return plainPurpose && !imported && !directVehicle;
}

/**
 * vNF against its parts. Whether relieved ICMS is taken off depends on the reason and the state: both are accepted.
 * IBS, CBS and IS are not in vNF. Source: docs/fiscal/layouts.md.
 */
function substitutedIn({ lists }: Collected): string[] {
  const amounts: string[] = [];
  for (const { pis_st, pis_st_counts, cofins_st, cofins_st_counts } of lists.item_clues) {
    if (pis_st_counts === '1' && pis_st !== undefined) amounts.push(pis_st);
    if (cofins_st_counts === '1' && cofins_st !== undefined) amounts.push(cofins_st);
  }
  return amounts;
}

function checkTotal(document: Unchecked, collected: Collected): Problem[] {
  const { totals } = document;
  if (totals.products === undefined || !hasPlainTotal(document, collected)) return [];
  const added = given(
    totals.products,
    totals.services,
    totals.icms_st,
    totals.fcp_st,
    collected.sections.clue.icms_mono_retained,
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

/**
 * PIS and COFINS of the items against the totals. Not where an item is a service, since vPIS and vCOFINS of the goods
 * leave it out, or the contributions are substituted, which stand beside.
 */
function checkContributions({ totals }: Unchecked, collected: Collected): Problem[] {
  const { taxes, item_clues } = collected.lists;
  const isService = taxes.some(({ iss, iss_base, iss_rate }) => (iss ?? iss_base ?? iss_rate) !== undefined);
  const isSubstituted = item_clues.some(({ pis_st, cofins_st }) => (pis_st ?? cofins_st) !== undefined);
  const isPartial = item_clues.some((clues) => !counts(clues));
  if (isService || isSubstituted || isPartial || totals.services !== undefined) return [];
  return [
    ...checkAmount('items_against_pis', sumOfTaxes(collected, 'pis') ?? '0.00', totals.pis),
    ...checkAmount('items_against_cofins', sumOfTaxes(collected, 'cofins') ?? '0.00', totals.cofins),
  ];
}

function sumOfTaxes({ lists }: Collected, name: TaxName): string | undefined {
  return addGiven(lists.taxes.map((taxes) => taxes[name]));
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
