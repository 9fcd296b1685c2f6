import { Big } from 'big.js';
import { isDecimal } from '../../../documents/decimals.ts';
import { isRelieved, RELIEF_IN_VALUE } from '../../../documents/rules/relief.ts';
import type { DocumentSummary, Item } from '../../../documents/summary/summary.ts';
import { unitsOf } from '../schema/encoding.ts';
import { type AmountMeasure, amountMeasures, type ItemAmount, itemAmounts } from '../schema/measures.ts';

type Units<Name extends string> = { [N in Name]: bigint | null };
type Texts<Name extends string> = { readonly [N in Name]?: string | undefined };

/** A document's amounts, as columns of `documents`. */
export type DocumentAmounts = Units<AmountMeasure | 'contributions_withheld'>;
/** A line's amounts, as columns of `items`. */
export type LineAmounts = Units<ItemAmount | 'quantity' | 'unit_price'>;

/** What a document and its lines add up to, in the form it is stored in. */
export interface Amounts {
  readonly document: DocumentAmounts;
  /** One of each item, in their order. */
  readonly items: readonly LineAmounts[];
  /** What of the document's amounts belongs to no item; undefined where that is nothing. */
  readonly remainder: LineAmounts | undefined;
  /** False where the archive can't hold one of them exactly. */
  readonly isExact: boolean;
}

/**
 * From this day on `vProd` has IBS, CBS and IS in it, but for imports.
 * Source: docs/fiscal/reform.md, NT 2026.008 v1.00.
 */
const taxesInPriceFrom = '2027-01-01';

/** Amounts that items have a part of: what is left of the document's is a line of its own. */
const sharedOut = [
  'total',
  'products',
  'products_net',
  'services',
  'freight',
  'insurance',
  'discount',
  'other',
] as const satisfies readonly ItemAmount[];

/** Amounts that stand in items only, or in items too: a document that names no sum of them has that of its items. */
const summedUp = [
  'icms_credit',
  'icms_relieved',
  'icms_mono',
  'fcp',
  'fcp_st',
  'difal',
  'import_duty',
] as const satisfies readonly ItemAmount[];

/** Counts what can't be held exactly. */
class Exactness {
  isExact = true;

  units(text: string | undefined): bigint | null {
    if (text === undefined) return null;
    const units = unitsOf(text);
    if (units === undefined) this.isExact = false;
    return units ?? null;
  }

  all<Name extends string>(names: readonly Name[], texts: Texts<Name>): Units<Name> {
    return Object.fromEntries(names.map((name) => [name, this.units(texts[name])])) as Units<Name>;
  }
}

/** Nothing withheld is zero; a withheld tax of unknown amount is unknown. */
function issWithheld({ iss_withheld, totals }: DocumentSummary): string | undefined {
  if (iss_withheld === false) return '0';
  return totals.iss_withheld ?? (iss_withheld ? totals.iss : undefined);
}

/** An NFS-e that names no net value counts with the one worked out. */
function documentTexts(summary: DocumentSummary): Texts<AmountMeasure> {
  const { total, net_derived } = summary.totals;
  return { ...summary.totals, total: total ?? net_derived, iss_withheld: issWithheld(summary) };
}

/** Goods without the taxes that the layout of the day has in their price. */
function netOf(gross: bigint | null, taxes: readonly (bigint | null)[], isTaxed: boolean): bigint | null {
  if (gross === null || !isTaxed) return gross;
  return taxes.reduce<bigint>((net, tax) => net - (tax ?? 0n), gross);
}

/** What one unit costs as the item says it, to ten thousandths. */
function priceOf({ unit_value }: Item): string | undefined {
  return unit_value !== undefined && isDecimal(unit_value) ? new Big(unit_value).toFixed(4) : undefined;
}

const isService = ({ taxes }: Item): boolean => taxes.iss !== undefined || taxes.iss_base !== undefined;

/** Goods and services apart: an item under ISS is among the services where the note counts it there. */
function hasServicesApart(
  { totals, items }: DocumentSummary,
  sum: (some: readonly Item[]) => bigint,
): boolean {
  if (totals.services === undefined) return false;
  const goods = sum(items.filter((item) => !isService(item)));
  return goods === (unitsOf(totals.products ?? '0') ?? 0n);
}

/** Until layout 2.00 what an item is relieved of stands where what is due does. */
function icmsOf(layout: string, item: Item): Pick<Item['taxes'], 'icms' | 'icms_relieved'> {
  const { icms, icms_relieved } = item.taxes;
  const isRelief = layout === RELIEF_IN_VALUE && isRelieved(item) && icms_relieved === undefined;
  return isRelief ? { icms_relieved: icms } : { icms, icms_relieved };
}

function itemLine(summary: DocumentSummary, item: Item, isApart: boolean, exact: Exactness): LineAmounts {
  const { taxes, total, share = total, discount, freight, insurance, other, quantity } = item;
  const asService = isApart && isService(item);
  const line = exact.all(itemAmounts, {
    ...taxes,
    icms: undefined,
    ...icmsOf(summary.layout, item),
    total: share,
    products: asService ? undefined : total,
    services: asService ? total : undefined,
    discount,
    freight,
    insurance,
    other,
  });
  const isImport = item.cfop?.startsWith('3') === true;
  const isTaxed = (summary.issued_at ?? '') >= taxesInPriceFrom && !isImport;
  const mono = [taxes.ibs_mono, taxes.cbs_mono].map((text) => exact.units(text));
  const net = netOf(line.products, [line.ibs, line.cbs, line.is, ...mono], isTaxed);
  return {
    ...line,
    products_net: item.products_net === undefined ? net : exact.units(item.products_net),
    quantity: unitsOf(quantity ?? '') ?? null,
    unit_price: unitsOf(priceOf(item) ?? '') ?? null,
  };
}

function sumOf<Name extends string>(lines: readonly Units<Name>[], name: Name): bigint | null {
  return lines.reduce<bigint | null>((sum, line) => {
    const units = line[name];
    return units === null ? sum : (sum ?? 0n) + units;
  }, null);
}

/** Fills in what the document leaves to its items. Changes the document. */
function addFromItems(document: DocumentAmounts, items: readonly LineAmounts[]): void {
  for (const name of summedUp) document[name] ??= sumOf(items, name);
  for (const name of sharedOut)
    if (name !== 'total' && name !== 'products_net') document[name] ??= sumOf(items, name);
  if (document.products_net === null && document.products !== null) {
    const unshared = document.products - (sumOf(items, 'products') ?? 0n);
    document.products_net = unshared + (sumOf(items, 'products_net') ?? 0n);
  }
}

const nothing: LineAmounts = Object.freeze({
  ...(Object.fromEntries(itemAmounts.map((name) => [name, null])) as Units<ItemAmount>),
  quantity: null,
  unit_price: null,
});

function remainderOf(document: DocumentAmounts, items: readonly LineAmounts[]): LineAmounts | undefined {
  const left = sharedOut.flatMap((name) => {
    const units = document[name];
    const rest = units === null ? 0n : units - (sumOf(items, name) ?? 0n);
    return rest === 0n ? [] : [[name, rest] as const];
  });
  return left.length === 0 ? undefined : { ...nothing, ...Object.fromEntries(left) };
}

/** The line that stands for a document that has no items by nature. */
export function wholeLine(document: DocumentAmounts): LineAmounts {
  const amounts = Object.fromEntries(itemAmounts.map((name) => [name, document[name]])) as Units<ItemAmount>;
  return { ...amounts, quantity: null, unit_price: null };
}

/**
 * The amounts of a document and of its items, such that what items have a part of adds up to what the document says,
 * with the remainder.
 */
export function amountsOf(summary: DocumentSummary): Amounts {
  const exact = new Exactness();
  const document: DocumentAmounts = {
    ...exact.all(amountMeasures, documentTexts(summary)),
    contributions_withheld: exact.units(summary.totals.contributions_withheld),
  };
  const sumTotals = (some: readonly Item[]) =>
    some.reduce((sum, { total }) => sum + (unitsOf(total ?? '') ?? 0n), 0n);
  const isApart = hasServicesApart(summary, sumTotals);
  const items = summary.items.map((item) => itemLine(summary, item, isApart, exact));
  if (items.length === 0) return { document, items, remainder: undefined, isExact: exact.isExact };
  addFromItems(document, items);
  return { document, items, remainder: remainderOf(document, items), isExact: exact.isExact };
}
