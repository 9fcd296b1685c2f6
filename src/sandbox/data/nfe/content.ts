import {
  dayOf,
  IBS_CBS_FROM,
  isoDate,
  type Moment,
  SECONDS_IN_DAY,
  TAXES_IN_PRICE_FROM,
} from '../calendar.ts';
import { type Product, products } from '../catalogue/products.ts';
import { isPerson } from '../parties/party.ts';
import { createRandom, type Random } from '../random.ts';
import { type Cents, installmentsOf, proportion, type Rate, sumOf, taxOn } from '../taxes/cents.ts';
import { type IbsCbs, ibsCbsOn } from '../taxes/ibs-cbs.ts';
import { type Difference, differenceOf, type Icms, icmsOf, isToFinalConsumer } from '../taxes/icms.ts';
import type { Nfe } from './book.ts';

export interface ItemTaxes {
  readonly icms: Icms;
  /** Where the goods go to a final consumer in another state. */
  readonly difference: Difference | undefined;
  readonly ipi: { readonly rate: Rate; readonly amount: Cents } | undefined;
  /** Undefined where the issuer pays them within Simples Nacional, and on what it receives. */
  readonly contributions: Contributions | undefined;
  readonly ibsCbs: IbsCbs | undefined;
}

/** PIS and COFINS. */
export interface Contributions {
  readonly base: Cents;
  readonly pisRate: Rate;
  readonly pis: Cents;
  readonly cofinsRate: Rate;
  readonly cofins: Cents;
}

export interface NfeItem {
  readonly product: Product;
  readonly cfop: string;
  /** In ten-thousandths of the unit. */
  readonly quantity: number;
  readonly unitPrice: Cents;
  /** What the goods cost without IBS and CBS. */
  readonly net: Cents;
  /** `vProd`: with IBS and CBS from 2027 on. */
  readonly gross: Cents;
  readonly discount: Cents;
  readonly freight: Cents;
  readonly taxes: ItemTaxes;
}

export interface NfeTotals {
  readonly icmsBase: Cents;
  readonly icms: Cents;
  readonly difference: Cents;
  readonly substitutionBase: Cents;
  readonly substitution: Cents;
  readonly products: Cents;
  readonly freight: Cents;
  readonly discount: Cents;
  readonly ipi: Cents;
  readonly pis: Cents;
  readonly cofins: Cents;
  /** `vNF` = products − discount + substitution + freight + IPI. */
  readonly total: Cents;
}

export interface Installment {
  readonly due: Moment;
  readonly amount: Cents;
}

export interface NfeContent {
  readonly operation: string;
  readonly purchaseOrder: string | undefined;
  readonly items: readonly NfeItem[];
  readonly totals: NfeTotals;
  /** Empty where the note was paid at once or nothing is to be paid. */
  readonly installments: readonly Installment[];
  readonly notes: string;
}

interface Line {
  readonly product: Product;
  readonly quantity: number;
  readonly unitPrice: Cents;
  readonly discount: Cents;
  readonly freight: Cents;
}

function linesOf(note: Nfe, random: Random): Line[] {
  const stock = (note.issuer.sells ?? []).flatMap((family) => products[family]);
  const discountRate = random.chance(15) ? random.pick([200, 350, 500, 1000]) : 0;
  const freightTotal = note.freight === '1' && random.chance(20) ? random.integer(2_500, 45_000) : 0;
  const first = random.integer(0, stock.length - 1);
  const wanted = itemCount(note, random);
  const count = note.slot.flow.company.longNotes ? wanted : Math.min(wanted, stock.length);
  const freights = installmentsOf(freightTotal, count);
  return Array.from({ length: count }, (_, i) => {
    const product = productAt(stock, first, i);
    const unitPrice = proportion(product.price, random.integer(92, 108), 100);
    const units = product.price > 20_000 ? random.integer(1, 12) : random.integer(1, 120);
    const quantity = units * 10_000 + (product.fractional ? random.integer(0, 99) * 100 : 0);
    const gross = proportion(unitPrice, quantity, 10_000);
    return { product, unitPrice, quantity, discount: taxOn(gross, discountRate), freight: freights[i] ?? 0 };
  });
}

/** The stock from its `first` product on; each time round it is another lot of the same products. */
function productAt(stock: readonly Product[], first: number, place: number): Product {
  const product = stock[(first + place) % stock.length];
  if (product === undefined) throw new RangeError('nothing in stock');
  const lot = Math.floor(place / stock.length);
  if (lot === 0) return product;
  return { ...product, code: `${product.code}-${lot}`, description: `${product.description} lote ${lot}` };
}

function itemCount(note: Nfe, random: Random): number {
  if (isPerson(note.recipient)) return random.integer(1, 3);
  if (note.slot.flow.company.longNotes) {
    if (random.chance(50)) return random.integer(1, 8);
    return random.chance(72) ? random.integer(9, 24) : random.integer(25, 60);
  }
  return random.chance(70) ? random.integer(1, 5) : random.integer(6, 12);
}

/** A return takes back the first item of the note it refers to, at the price it was bought for. */
function returnedLines(returned: Nfe, seed: string): Line[] {
  return nfeContent(returned, seed)
    .items.slice(0, 1)
    .map((item) => ({ ...item, discount: 0, freight: 0 }));
}

function cfopOf(note: Nfe, substituted: boolean): string {
  const { issuer, recipient, returned, isEntry } = note;
  const isWithinState = issuer.city.state === recipient.city.state;
  if (isEntry) return (isWithinState ? '1' : '2') + (substituted ? '403' : '102');
  const place = isWithinState ? '5' : '6';
  if (returned) return place + (substituted ? '411' : issuer.manufacturer ? '201' : '202');
  if (substituted && issuer.manufacturer) return `${place}401`;
  if (substituted) return place === '5' ? '5405' : '6404';
  if (isToFinalConsumer(note)) return issuer.manufacturer ? '6107' : '6108';
  return place + (issuer.manufacturer ? '101' : '102');
}

function contributionsOf(note: Nfe, base: Cents): Contributions | undefined {
  if (note.issuer.regime === '1' || note.isEntry) return undefined;
  const pisRate = note.issuer.cumulative ? 65 : 165;
  const cofinsRate = note.issuer.cumulative ? 300 : 760;
  return { base, pisRate, pis: taxOn(base, pisRate), cofinsRate, cofins: taxOn(base, cofinsRate) };
}

function itemOf(note: Nfe, line: Line): NfeItem {
  const { product, quantity, unitPrice, discount, freight } = line;
  const net = proportion(unitPrice, quantity, 10_000);
  const charged = net - discount + freight;
  const paysIpi = note.issuer.manufacturer && !note.returned && !note.isEntry;
  const ipiRate = paysIpi ? product.ipi : undefined;
  const ipi = ipiRate === undefined ? undefined : { rate: ipiRate, amount: taxOn(charged, ipiRate) };
  const icms = icmsOf(note, product, charged, ipi?.amount ?? 0);
  const contributions = contributionsOf(note, charged - icms.amount);
  const withoutTaxes = charged - icms.amount - (contributions?.pis ?? 0) - (contributions?.cofins ?? 0);
  const carriesIbsCbs = note.issuer.regime === '3' && dayOf(note.issuedAt) >= IBS_CBS_FROM;
  const day = dayOf(note.issuedAt);
  const ibsCbs = carriesIbsCbs ? ibsCbsOn(withoutTaxes, product.reduced === true, day) : undefined;
  const included = ibsCbs && day >= TAXES_IN_PRICE_FROM ? ibsCbs.ibsState + ibsCbs.ibsCity + ibsCbs.cbs : 0;
  return {
    product,
    cfop: cfopOf(note, product.cest !== undefined),
    quantity,
    unitPrice,
    net,
    gross: net + included,
    discount,
    freight,
    taxes: { icms, difference: differenceOf(note, icms), ipi, contributions, ibsCbs },
  };
}

function totalsOf(items: readonly NfeItem[]): NfeTotals {
  const parts = {
    icmsBase: sumOf(items, (item) => item.taxes.icms.base),
    icms: sumOf(items, (item) => item.taxes.icms.amount),
    difference: sumOf(items, (item) => item.taxes.difference?.amount ?? 0),
    substitutionBase: sumOf(items, (item) => item.taxes.icms.substitution?.base ?? 0),
    substitution: sumOf(items, (item) => item.taxes.icms.substitution?.amount ?? 0),
    products: sumOf(items, (item) => item.gross),
    freight: sumOf(items, (item) => item.freight),
    discount: sumOf(items, (item) => item.discount),
    ipi: sumOf(items, (item) => item.taxes.ipi?.amount ?? 0),
    pis: sumOf(items, (item) => item.taxes.contributions?.pis ?? 0),
    cofins: sumOf(items, (item) => item.taxes.contributions?.cofins ?? 0),
  };
  const total = parts.products - parts.discount + parts.substitution + parts.freight + parts.ipi;
  return { ...parts, total };
}

function dueDates(note: Nfe, total: Cents, random: Random): Installment[] {
  if (note.returned || isPerson(note.recipient) || random.chance(15)) return [];
  const parts = random.integer(1, 3);
  return installmentsOf(total, parts).map((amount, i) => ({
    amount,
    due: note.issuedAt + (i + 1) * 30 * SECONDS_IN_DAY,
  }));
}

function notesOf(note: Nfe, order: string | undefined, random: Random): string {
  if (note.returned) {
    return `Devolução parcial referente à NF-e ${note.returned.number}, série ${note.returned.series}.`;
  }
  const remarks = [
    'Conferir a mercadoria no ato do recebimento.',
    'Entrega de segunda a sexta, das 8h às 17h; falar com o almoxarifado.',
    'Canhoto deve ser devolvido assinado & carimbado.',
    'Tributos aproximados conforme Lei 12.741/2012.',
  ];
  const simples =
    'Documento emitido por ME ou EPP optante pelo Simples Nacional. Não gera direito a crédito fiscal de IPI.';
  return [
    order === undefined ? '' : `Pedido ${order}.`,
    random.pick(remarks),
    note.issuer.regime === '1' ? simples : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function operationOf({ returned, isEntry }: Nfe): string {
  if (isEntry) return 'Compra de mercadoria de pessoa física';
  return returned ? 'Devolução de compra' : 'Venda de mercadoria';
}

/** Everything inside a note, made anew from the seed each time it is asked for. */
export function nfeContent(note: Nfe, seed: string): NfeContent {
  const random = createRandom(seed, 'content', note.key);
  const lines = note.returned ? returnedLines(note.returned, seed) : linesOf(note, random);
  const items = lines.map((line) => itemOf(note, line));
  const totals = totalsOf(items);
  const purchaseOrder =
    !note.returned && random.chance(50)
      ? `PED-${isoDate(note.issuedAt).slice(0, 4)}-${random.digits(4)}`
      : undefined;
  return {
    operation: operationOf(note),
    purchaseOrder,
    items,
    totals,
    installments: dueDates(note, totals.total, random),
    notes: notesOf(note, purchaseOrder, random),
  };
}
