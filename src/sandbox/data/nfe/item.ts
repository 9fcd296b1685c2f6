import { dayOf, IBS_CBS_FROM, TAXES_IN_PRICE_FROM } from '../calendar.ts';
import type { Product } from '../catalogue/products.ts';
import { type Cents, proportion, type Rate, sumOf, taxOn } from '../taxes/cents.ts';
import { type IbsCbs, ibsCbsOn } from '../taxes/ibs-cbs.ts';
import {
  type Difference,
  differenceOf,
  type Icms,
  icmsOf,
  icmsOfImport,
  isToFinalConsumer,
} from '../taxes/icms.ts';
import type { Nfe } from './book.ts';

export interface ItemTaxes {
  readonly icms: Icms;
  /** Where the goods go to a final consumer in another state. */
  readonly difference: Difference | undefined;
  readonly ipi: { readonly base: Cents; readonly rate: Rate; readonly amount: Cents } | undefined;
  /** `vII`. */
  readonly duty: Cents | undefined;
  readonly contributions: Contributions;
  readonly ibsCbs: IbsCbs | undefined;
}

/** PIS and COFINS; nothing but a CST where none are due, or the issuer pays them within Simples Nacional. */
export interface Contributions {
  readonly cst: string;
  readonly base: Cents;
  readonly pisRate: Rate;
  readonly pis: Cents;
  readonly cofinsRate: Rate;
  readonly cofins: Cents;
}

/** What is sold, before any tax. */
export interface Line {
  readonly product: Product;
  /** In ten-thousandths of the unit. */
  readonly quantity: number;
  readonly unitPrice: Cents;
  readonly discount: Cents;
  readonly freight: Cents;
}

export interface NfeItem extends Line {
  readonly cfop: string;
  /** What the goods cost without IBS and CBS. */
  readonly net: Cents;
  /** `vProd`: with IBS and CBS from 2027 on, but for imports. */
  readonly gross: Cents;
  readonly other: Cents;
  readonly taxes: ItemTaxes;
}

/** The item's part of the note's total. Source: docs/fiscal/layouts.md, rules W16-10 and VB01-10. */
export function shareOf({ gross, discount, freight, other, taxes }: NfeItem): Cents {
  const { icms, duty, ipi } = taxes;
  const relief = icms.relief?.isDeducted ? icms.relief.amount : 0;
  const added = [icms.substitution?.amount, icms.monophase?.retained, freight, other, duty, ipi?.amount];
  return gross - discount - relief + sumOf(added, (amount) => amount ?? 0);
}

function cfopOf(note: Nfe, substituted: boolean): string {
  const { issuer, recipient, returned, isEntry, rarity } = note;
  if (rarity === 'import') return issuer.manufacturer ? '3101' : '3102';
  const isWithinState = issuer.city.state === recipient.city.state;
  if (isEntry) return (isWithinState ? '1' : '2') + (substituted ? '403' : '102');
  const place = isWithinState ? '5' : '6';
  if (rarity === 'fuel') return place + (issuer.manufacturer ? '653' : '656');
  if (rarity === 'freeZone') return '6110';
  if (returned) return place + (substituted ? '411' : issuer.manufacturer ? '201' : '202');
  if (substituted && issuer.manufacturer) return `${place}401`;
  if (substituted) return place === '5' ? '5405' : '6404';
  if (isToFinalConsumer(note)) {
    return issuer.manufacturer ? '6107' : '6108';
  }
  return place + (issuer.manufacturer ? '101' : '102');
}

function contributions(cst: string, base: Cents, pisRate: Rate, cofinsRate: Rate): Contributions {
  return { cst, base, pisRate, pis: taxOn(base, pisRate), cofinsRate, cofins: taxOn(base, cofinsRate) };
}

function contributionsOf({ issuer, isEntry, rarity }: Nfe, base: Cents): Contributions {
  if (isEntry) return contributions('98', 0, 0, 0);
  if (rarity === 'freeZone') return contributions('06', 0, 0, 0);
  // Fuels pay them once, with who refines them.
  if (rarity === 'fuel') {
    return issuer.manufacturer ? contributions('02', base, 421, 1_942) : contributions('04', 0, 0, 0);
  }
  if (issuer.regime === '1') return contributions('49', 0, 0, 0);
  return issuer.cumulative ? contributions('01', base, 65, 300) : contributions('01', base, 165, 760);
}

/** How the reform's taxes are stated; of fuels they have no layout yet. Source: docs/fiscal/reform.md. */
function reformTaxes(note: Nfe, product: Product, base: Cents): IbsCbs | undefined {
  const day = dayOf(note.issuedAt);
  if (note.issuer.regime !== '3' || day < IBS_CBS_FROM || product.fuel) return undefined;
  const treatment = note.rarity === 'freeZone' ? 'freeZone' : product.reduced ? 'food' : 'full';
  return ibsCbsOn(base, treatment, day);
}

const DUTY: Rate = 1_600;

/** `net` is the customs value; what the importer pays besides stands in `vOutro`. */
function importedItem(note: Nfe, line: Line, net: Cents): NfeItem {
  const { product } = line;
  const duty = taxOn(net, DUTY);
  const ipi = { base: net + duty, rate: product.ipi, amount: taxOn(net + duty, product.ipi) };
  const charged = contributions('50', net, 210, 965);
  const paid = net + duty + ipi.amount + charged.pis + charged.cofins;
  const icms = icmsOfImport(note, paid);
  const ibsCbs = reformTaxes(note, product, net + duty);
  return {
    ...line,
    cfop: cfopOf(note, false),
    net,
    gross: net,
    discount: 0,
    freight: 0,
    other: charged.pis + charged.cofins + icms.amount,
    taxes: { icms, difference: undefined, ipi, duty, contributions: charged, ibsCbs },
  };
}

export function itemOf(note: Nfe, line: Line): NfeItem {
  const { product, quantity, unitPrice, discount, freight } = line;
  const net = proportion(unitPrice, quantity, 10_000);
  if (note.rarity === 'import') return importedItem(note, line, net);
  const base = net - discount + freight;
  const paysIpi = note.issuer.manufacturer && !note.returned && !note.isEntry && !product.fuel;
  const ipi = paysIpi ? { base, rate: product.ipi, amount: taxOn(base, product.ipi) } : undefined;
  const icms = icmsOf(note, line, base, ipi?.amount ?? 0);
  const charged = contributionsOf(note, base - icms.amount);
  const withoutTaxes = base - icms.amount - charged.pis - charged.cofins;
  const ibsCbs = reformTaxes(note, product, withoutTaxes);
  const isIncluded = dayOf(note.issuedAt) >= TAXES_IN_PRICE_FROM;
  const included = ibsCbs && isIncluded ? ibsCbs.ibsState + ibsCbs.ibsCity + ibsCbs.cbs : 0;
  return {
    product,
    quantity,
    unitPrice,
    discount,
    freight,
    cfop: cfopOf(note, product.cest !== undefined),
    net,
    gross: net + included,
    other: 0,
    taxes: {
      icms,
      difference: differenceOf(note, icms),
      ipi,
      duty: undefined,
      contributions: charged,
      ibsCbs,
    },
  };
}
