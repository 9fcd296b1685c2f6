import productsXml from '../../templates/products.xml';
import { isoDate, type Moment, SECONDS_IN_DAY } from '../calendar.ts';
import { isPerson, largeCompany } from '../parties.ts';
import { createRandom, type Random } from '../random.ts';
import { type Row, rowsOf } from '../templates.ts';
import type { Cents } from '../text.ts';
import type { Nfe } from './book.ts';
import { caseOf, cfopOf, type ItemTemplate, itemTemplate } from './item-cases.ts';

/** Families, codes, names, NCM and units; `cest` where ICMS is collected ahead, `reduced` where IBS and CBS are. */
const products = rowsOf(productsXml, 'product');

export interface NfeItem {
  /** What templates ask of a product; nothing of fuels, whose templates name them. */
  readonly product: Row;
  readonly cfop: string;
  readonly template: ItemTemplate;
}

export interface NfeContent {
  readonly operation: string;
  readonly purchaseOrder: string | undefined;
  readonly items: readonly NfeItem[];
  /** The items' sums by the names of their elements, and `vNF`. */
  readonly sums: ReadonlyMap<string, Cents>;
  readonly total: Cents;
  /** Empty where the note was paid at once or nothing is to be paid. */
  readonly installments: readonly { readonly due: Moment; readonly amount: Cents }[];
  readonly remarks: string;
}

/** Prices of the templates hold for up to so many times their quantity: their taxes are exact to the cent until then. */
const MOST_TIMES = 4;

function itemCount({ recipient, slot }: Nfe, random: Random): number {
  if (isPerson(recipient)) return random.integer(1, 3);
  if (slot.company !== largeCompany) return random.chance(70) ? random.integer(1, 5) : random.integer(6, 12);
  // Fourteen on the average.
  if (random.chance(50)) return random.integer(1, 8);
  return random.chance(72) ? random.integer(9, 24) : random.integer(25, 60);
}

function itemOf(note: Nfe, product: Row, name: string, factor: number): NfeItem {
  const cfop = cfopOf(note, product.cest !== undefined);
  return { product, cfop, template: itemTemplate(note, name, factor) };
}

const FUELS = { refined: ['fuel 02', 'fuel 15', 'fuel 53'], retail: ['fuel 61'] };

function fuelItems(note: Nfe, random: Random): NfeItem[] {
  const sold = FUELS[note.issuer.manufacturer ? 'refined' : 'retail'];
  const first = random.integer(0, sold.length - 1);
  const count = Math.min(random.integer(1, 3), sold.length);
  return Array.from({ length: count }, (_, i) =>
    itemOf(note, {}, sold[(first + i) % sold.length] ?? '', random.integer(1, MOST_TIMES)),
  );
}

/** The stock from a first product on; each time round it is another lot of the same products. */
function inLot(product: Row, lot: number): Row {
  const { code, description } = product;
  return lot === 0
    ? product
    : { ...product, code: `${code}-${lot}`, description: `${description} lote ${lot}` };
}

function soldItems(note: Nfe, random: Random): NfeItem[] {
  const isDelivered = note.freight === '1' && random.chance(20);
  const stock = products.flatMap((product) => {
    const isSold = note.issuer.sells.includes(product.family ?? '');
    const name = isSold ? caseOf(note, product, isDelivered) : undefined;
    return name === undefined ? [] : [{ product, name }];
  });
  const wanted = itemCount(note, random);
  const count = note.slot.company === largeCompany ? wanted : Math.min(wanted, stock.length);
  const first = random.integer(0, stock.length - 1);
  return Array.from({ length: count }, (_, i) => {
    const { product = {}, name = '' } = stock[(first + i) % stock.length] ?? {};
    return itemOf(note, inLot(product, Math.floor(i / stock.length)), name, random.integer(1, MOST_TIMES));
  });
}

function itemsOf(note: Nfe, random: Random): NfeItem[] {
  if (!note.returned) return note.rarity === 'fuel' ? fuelItems(note, random) : soldItems(note, random);
  // A return takes back the first item of the note it refers to.
  const { product = {} } = nfeContent(note.returned).items[0] ?? {};
  return [itemOf(note, product, caseOf(note, product, false) ?? '', 1)];
}

function sumsOf(items: readonly NfeItem[]): Map<string, Cents> {
  const sums = new Map<string, Cents>();
  for (const { template } of items)
    for (const [name, cents] of template.amounts) sums.set(name, (sums.get(name) ?? 0) + cents);
  return sums;
}

/** Parts as equal as cents allow, of which the last one takes what is left over. */
function installmentsOf(note: Nfe, total: Cents, random: Random): NfeContent['installments'] {
  if (note.returned || note.isEntry || isPerson(note.recipient) || random.chance(15)) return [];
  const parts = random.integer(1, 3);
  const part = Math.floor(total / parts);
  return Array.from({ length: parts }, (_, i) => ({
    amount: i === parts - 1 ? total - part * i : part,
    due: note.issuedAt + (i + 1) * 30 * SECONDS_IN_DAY,
  }));
}

const REMARKS = [
  'Conferir a mercadoria no ato do recebimento.',
  'Entrega de segunda a sexta, das 8h às 17h; falar com o almoxarifado.',
  'Canhoto deve ser devolvido assinado & carimbado.',
  'Tributos aproximados conforme Lei 12.741/2012.',
];
const OF_SIMPLES =
  'Documento emitido por ME ou EPP optante pelo Simples Nacional. Não gera direito a crédito fiscal de IPI.';

function remarksOf({ returned, issuer }: Nfe, order: string | undefined, random: Random): string {
  if (returned) return `Devolução parcial referente à NF-e ${returned.number}, série ${returned.series}.`;
  const ordered = order === undefined ? '' : `Pedido ${order}.`;
  return [ordered, random.pick(REMARKS), issuer.regime === '1' ? OF_SIMPLES : ''].filter(Boolean).join(' ');
}

function operationOf({ returned, isEntry, rarity }: Nfe): string {
  if (rarity === 'import') return 'Importação de mercadoria';
  if (isEntry) return 'Compra de mercadoria de pessoa física';
  return returned ? 'Devolução de compra' : 'Venda de mercadoria';
}

/** Content of a note, derived from its seed on every request. */
export function nfeContent(note: Nfe): NfeContent {
  const random = createRandom(note.slot.seed, 'content', note.key);
  const items = itemsOf(note, random);
  const sums = sumsOf(items);
  const total = sums.get('vNF') ?? 0;
  const purchaseOrder =
    !note.returned && random.chance(50)
      ? `PED-${isoDate(note.issuedAt).slice(0, 4)}-${random.digits(4)}`
      : undefined;
  const installments = installmentsOf(note, total, random);
  const remarks = remarksOf(note, purchaseOrder, random);
  return { operation: operationOf(note), purchaseOrder, items, sums, total, installments, remarks };
}
