import { isDecimal, roundDecimal } from '../../documents/decimals.ts';
import { isRelieved, RELIEF_IN_VALUE, TAXES_IN_PRICE_FROM } from '../../documents/rules/rule.ts';
import { amountsWith } from '../../documents/summary/amounts.ts';
import type { DocumentSummary, Item } from '../../documents/summary/summary.ts';
import {
  documentAmounts,
  itemAmounts,
  less,
  lineAmounts,
  plus,
  type Units,
  unitsOf,
} from '../schema/measures.ts';

type Amounted<Name extends string> = { [N in Name]: Units | null };

export type DocumentAmounts = Amounted<(typeof documentAmounts)[number]>;
export type LineAmounts = Amounted<(typeof lineAmounts)[number]>;

/** Amounts split across items; the document's remainder is a separate line. */
const sharedOut = amountsWith('items', 'parts');
const summedUp = amountsWith('items', 'sum');

function noUnits<Name extends string>(names: readonly Name[]): Readonly<Amounted<Name>> {
  return Object.fromEntries(names.map((name) => [name, null])) as Amounted<Name>;
}

const emptyDocument: Readonly<DocumentAmounts> = noUnits(documentAmounts);
const emptyLine: Readonly<LineAmounts> = noUnits(lineAmounts);

/** Records amounts that can't be stored exactly. */
class Exactness {
  isExact = true;

  units(text: string | undefined): Units | null {
    if (text === undefined) return null;
    const units = unitsOf(text);
    if (units === undefined) this.isExact = false;
    return units ?? null;
  }

  /** Copies the given amounts into a row. Skips names the row doesn't have. */
  fill<Row extends Amounted<string>>(row: Row, texts: object): Row {
    for (const name in texts) {
      const text: unknown = texts[name as keyof typeof texts];
      if (typeof text === 'string' && name in row) (row as Amounted<string>)[name] = this.units(text);
    }
    return row;
  }
}

function documentTexts({ totals, transport, iss_withheld: isWithheld }: DocumentSummary) {
  // Nothing withheld is zero; a withheld tax of unknown amount is unknown.
  const iss_withheld =
    isWithheld === false ? '0' : (totals.iss_withheld ?? (isWithheld ? totals.iss : undefined));
  // An invalid weight must not exclude the document from sums of money.
  const weight = unitsOf(transport?.gross_weight ?? '') === undefined ? undefined : transport?.gross_weight;
  return { ...totals, iss_withheld, weight };
}

/** Value of goods minus the taxes included in their price. */
function netOf(line: LineAmounts, { ibs_mono, cbs_mono }: Item['taxes'], exact: Exactness): Units | null {
  const taxes = [line.ibs, line.cbs, line.is, exact.units(ibs_mono), exact.units(cbs_mono)];
  return line.products && taxes.reduce<Units>((net, tax) => (tax ? less(net, tax) : net), line.products);
}

/** The item's stated unit price, to ten thousandths. */
function priceOf({ unit_value }: Item): string | undefined {
  if (unit_value === undefined || !isDecimal(unit_value)) return undefined;
  return /\.\d{4}0*$/.test(unit_value) ? unit_value : roundDecimal(unit_value, 4);
}

const isService = ({ taxes }: Item): boolean => taxes.iss !== undefined || taxes.iss_base !== undefined;

/** True if the note totals services separately from goods, so that items under ISS count as services. */
function hasServicesApart({ totals, items }: DocumentSummary): boolean {
  if (totals.services === undefined) return false;
  const goods = items
    .filter((item) => !isService(item))
    .reduce<Units>((sum, { total }) => plus(sum, unitsOf(total ?? '') ?? 0), 0);
  return goods === (unitsOf(totals.products ?? '0') ?? 0);
}

function itemLine(summary: DocumentSummary, item: Item, isApart: boolean, exact: Exactness): LineAmounts {
  const { taxes, total, share = total, discount, freight, insurance, other, quantity } = item;
  const asService = isApart && isService(item);
  const line = exact.fill({ ...emptyLine }, taxes);
  const [products, services] = asService ? [undefined, total] : [total, undefined];
  exact.fill(line, { total: share, products, services, discount, freight, insurance, other });
  if (summary.layout === RELIEF_IN_VALUE && isRelieved(item) && line.icms_relieved === null) {
    // Layouts up to 2.00 state the relieved amount in the field of the amount due.
    line.icms_relieved = line.icms;
    line.icms = null;
  }
  const isTaxed = (summary.issued_at ?? '') >= TAXES_IN_PRICE_FROM && item.cfop?.startsWith('3') !== true;
  line.products_net = isTaxed ? netOf(line, taxes, exact) : line.products;
  if (item.products_net !== undefined) line.products_net = exact.units(item.products_net);
  line.quantity = exact.units(quantity);
  line.unit_price = unitsOf(priceOf(item) ?? '') ?? null;
  return line;
}

function sumOf<Name extends string>(lines: readonly Amounted<Name>[], name: Name): Units | null {
  let sum: Units | null = null;
  for (const line of lines) {
    const units = line[name];
    if (units !== null) sum = sum === null ? units : plus(sum, units);
  }
  return sum;
}

/** Fills amounts missing in the document with sums of its items. Mutates the document. */
function addFromItems(document: DocumentAmounts, items: readonly LineAmounts[]): void {
  for (const name of summedUp) document[name] ??= sumOf(items, name);
  for (const name of sharedOut)
    if (name !== 'total' && name !== 'products_net') document[name] ??= sumOf(items, name);
  if (document.products_net === null && document.products !== null) {
    const unshared = less(document.products, sumOf(items, 'products') ?? 0);
    document.products_net = plus(unshared, sumOf(items, 'products_net') ?? 0);
  }
}

function remainderOf(document: DocumentAmounts, items: readonly LineAmounts[]): LineAmounts | undefined {
  let line: LineAmounts | undefined;
  for (const name of sharedOut) {
    const units = document[name];
    const rest = units === null ? 0 : less(units, sumOf(items, name) ?? 0);
    if (rest === 0) continue;
    line ??= { ...emptyLine };
    line[name] = rest;
  }
  return line;
}

/** The line of a document of a kind without items. */
export function wholeLine(document: DocumentAmounts): LineAmounts {
  const line = { ...emptyLine };
  for (const name of itemAmounts) line[name] = document[name];
  return line;
}

export type Amounts = ReturnType<typeof amountsOf>;

/**
 * The stored amounts of a document and its items. Items and remainder add up to the document; the remainder is
 * undefined if zero. `isExact` is false if the archive can't hold an amount exactly.
 */
export function amountsOf(summary: DocumentSummary) {
  const exact = new Exactness();
  const document = exact.fill({ ...emptyDocument }, documentTexts(summary));
  const isApart = hasServicesApart(summary);
  const items = summary.items.map((item) => itemLine(summary, item, isApart, exact));
  if (items.length === 0) return { document, items, remainder: undefined, isExact: exact.isExact };
  addFromItems(document, items);
  return { document, items, remainder: remainderOf(document, items), isExact: exact.isExact };
}
