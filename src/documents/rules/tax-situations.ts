import { negateDecimal } from '../decimals.ts';
import type { DocumentSummary, Item, TaxName } from '../summary/summary.ts';
import { isMoreThan, isPositive, sumOf } from './amounts.ts';
import { isRelieved, RELIEF_IN_VALUE } from './relief.ts';
import { absent, type Deviation } from './rule.ts';

/** Codes under which an amount must be there, or must not. */
interface Situation {
  /** Where the code stands: `cst` is the item's ICMS code (CST or CSOSN). */
  readonly code: 'cst' | 'ipi_cst' | 'pis_cst' | 'cofins_cst' | 'ibs_cbs_cst';
  readonly codes: ReadonlySet<string>;
  readonly amount: TaxName;
  /** The amount's name in the schema. */
  readonly field: string;
}

function situation(code: Situation['code'], codes: string, amount: TaxName, field: string): Situation {
  return { code, codes: new Set(codes.split(' ')), amount, field };
}

/** Exempt, not taxed, suspended, deferred by substitution; and the Simples codes that highlight no ICMS. */
export const icmsNotDue = [
  situation('cst', '30 40 41 50 60 61 101 102 103 201 202 203 300 400 500', 'icms', 'vICMS'),
];

/** Taxed in full, with substitution, with a reduced base. */
export const icmsDue = [situation('cst', '00 10 20 70', 'icms', 'vICMS')];

export const icmsStNotDue = [
  situation('cst', '00 20 40 41 50 51 60 61 101 102 103 300 400 500', 'icms_st', 'vICMSST'),
];

export const simplesCreditNotDue = [
  situation('cst', '102 103 202 203 300 400 500', 'icms_credit', 'vCredICMSSN'),
];

export const simplesCreditDue = [situation('cst', '101 201', 'icms_credit', 'vCredICMSSN')];

/** Zero rate, exempt, not taxed, immune, suspended. */
export const ipiNotDue = [situation('ipi_cst', '01 02 03 04 05 51 52 53 54 55', 'ipi', 'vIPI')];

/** Single-phase resale, substitution, zero rate, exempt, without incidence, suspended. */
export const pisCofinsNotDue = [
  situation('pis_cst', '04 05 06 07 08 09', 'pis', 'vPIS'),
  situation('cofins_cst', '04 05 06 07 08 09', 'cofins', 'vCOFINS'),
];

/** Taxed by the basic rate, by another rate, by quantity. */
export const pisCofinsDue = [
  situation('pis_cst', '01 02 03', 'pis', 'vPIS'),
  situation('cofins_cst', '01 02 03', 'cofins', 'vCOFINS'),
];

/** Exempt; immune or without incidence. */
export const ibsCbsNotDue = [
  situation('ibs_cbs_cst', '400 410', 'ibs', 'vIBS'),
  situation('ibs_cbs_cst', '400 410', 'cbs', 'vCBS'),
];

/** Taxed in full. IBS is left out: a tenth of a per cent of a small item rounds to nothing. */
export const cbsDue = [situation('ibs_cbs_cst', '000', 'cbs', 'vCBS')];

function codeOf(item: Item, code: Situation['code']): string | undefined {
  return code === 'cst' ? item.cst : item.taxes[code];
}

function deviation(item: Item, { code, amount, field }: Situation, expected: string): Deviation {
  const values = { item: item.number ?? absent, cst: codeOf(item, code) ?? absent, field };
  return { found: item.taxes[amount] ?? absent, expected, values };
}

function applies(item: Item, { code, codes }: Situation): boolean {
  return codes.has(codeOf(item, code) ?? '');
}

/** What is wrong of items under the situations. Written as loops: every item of every document comes by here. */
function wrongIn(
  items: readonly Item[],
  situations: readonly Situation[],
  isWrong: (item: Item, situation: Situation) => boolean,
  expected: string,
): Deviation[] {
  const wrong: Deviation[] = [];
  for (const item of items) {
    for (const one of situations) {
      if (applies(item, one) && isWrong(item, one)) wrong.push(deviation(item, one, expected));
    }
  }
  return wrong;
}

/** Amounts under codes that have none. */
export function notDue(situations: readonly Situation[]): (document: DocumentSummary) => Deviation[] {
  return ({ items, layout }) => {
    const isRelief = (item: Item, amount: TaxName) =>
      amount === 'icms' && layout === RELIEF_IN_VALUE && isRelieved(item);
    const isWrong = (item: Item, { amount }: Situation) =>
      isPositive(item.taxes[amount]) && !isRelief(item, amount);
    return wrongIn(items, situations, isWrong, '0.00');
  };
}

/** Below one real the lowest rate rounds to nothing. */
const WORTH_A_CENT = '0.99';

function hasPrice({ total, discount }: Item): boolean {
  const paid = total && sumOf([total, discount && negateDecimal(discount)]);
  return isMoreThan(paid, WORTH_A_CENT);
}

/** Complementary and adjustment notes carry what was missing, which may be any one amount. */
function isPlain({ purpose }: DocumentSummary): boolean {
  return purpose !== '2' && purpose !== '3';
}

/** Codes that stand for a tax, without its amount, on items that have a price. */
export function due(
  situations: readonly Situation[],
  among: (document: DocumentSummary) => boolean = () => true,
): (document: DocumentSummary) => Deviation[] {
  return (document) => {
    if (!isPlain(document) || !among(document)) return [];
    const isWrong = (item: Item, { amount }: Situation) => !isPositive(item.taxes[amount]) && hasPrice(item);
    return wrongIn(document.items, situations, isWrong, '> 0');
  };
}

/** IPI codes below 50 are for what the issuer receives (tpNF 0), from 50 on for what it sends. */
export function checkIpiFlow({ items, flow }: DocumentSummary): Deviation[] {
  if (flow !== '0' && flow !== '1') return [];
  return items.flatMap(({ number = absent, taxes: { ipi_cst } }) => {
    if (ipi_cst === undefined || !/^\d\d$/.test(ipi_cst)) return [];
    const isInbound = ipi_cst < '50';
    if (isInbound === (flow === '0')) return [];
    return [{ found: ipi_cst, expected: flow === '0' ? '00-49' : '50-99', values: { item: number } }];
  });
}
