import { isoDate, type Moment, SECONDS_IN_DAY } from '../calendar.ts';
import { type Product, products } from '../catalogue/products.ts';
import { isPerson } from '../parties/party.ts';
import { createRandom, type Random } from '../random.ts';
import { type Cents, installmentsOf, proportion, sumOf, taxOn } from '../taxes/cents.ts';
import type { Nfe } from './book.ts';
import { itemOf, type Line, type NfeItem, shareOf } from './item.ts';

export interface NfeTotals {
  readonly icmsBase: Cents;
  readonly icms: Cents;
  readonly difference: Cents;
  readonly substitutionBase: Cents;
  readonly substitution: Cents;
  readonly products: Cents;
  readonly freight: Cents;
  readonly discount: Cents;
  /** `vICMSDeson`, deducted or not. */
  readonly relief: Cents;
  readonly duty: Cents;
  readonly other: Cents;
  readonly ipi: Cents;
  readonly pis: Cents;
  readonly cofins: Cents;
  /** `vNF`: the items' shares. */
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
    const lot = product.fuel ? 50 : 1;
    const quantity = units * lot * 10_000 + (product.fractional ? random.integer(0, 99) * 100 : 0);
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

function totalsOf(items: readonly NfeItem[]): NfeTotals {
  return {
    icmsBase: sumOf(items, (item) => item.taxes.icms.base),
    icms: sumOf(items, (item) => item.taxes.icms.amount),
    difference: sumOf(items, (item) => item.taxes.difference?.amount ?? 0),
    substitutionBase: sumOf(items, (item) => item.taxes.icms.substitution?.base ?? 0),
    substitution: sumOf(items, (item) => item.taxes.icms.substitution?.amount ?? 0),
    products: sumOf(items, (item) => item.gross),
    freight: sumOf(items, (item) => item.freight),
    discount: sumOf(items, (item) => item.discount),
    relief: sumOf(items, (item) => item.taxes.icms.relief?.amount ?? 0),
    duty: sumOf(items, (item) => item.taxes.duty ?? 0),
    other: sumOf(items, (item) => item.other),
    ipi: sumOf(items, (item) => item.taxes.ipi?.amount ?? 0),
    pis: sumOf(items, (item) => item.taxes.contributions.pis),
    cofins: sumOf(items, (item) => item.taxes.contributions.cofins),
    total: sumOf(items, shareOf),
  };
}

function dueDates(note: Nfe, total: Cents, random: Random): Installment[] {
  if (note.returned || note.isEntry || isPerson(note.recipient) || random.chance(15)) return [];
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

function operationOf({ returned, isEntry, rarity }: Nfe): string {
  if (rarity === 'import') return 'Importação de mercadoria';
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
