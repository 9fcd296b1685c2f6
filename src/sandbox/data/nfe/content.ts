import industryXml from '../../templates/items-industry.xml';
import rareXml from '../../templates/items-rare.xml';
import resaleXml from '../../templates/items-resale.xml';
import simplesXml from '../../templates/items-simples.xml';
import productsXml from '../../templates/products.xml';
import {
  dayOf,
  IBS_CBS_FROM,
  isoDate,
  type Moment,
  SECONDS_IN_DAY,
  TAXES_IN_PRICE_FROM,
} from '../calendar.ts';
import { isPerson, type Party } from '../parties.ts';
import { createRandom, type Random } from '../random.ts';
import {
  type Cents,
  casesOf,
  compileTemplate,
  type Edition,
  installmentsOf,
  rowsOf,
  type Template,
  variantOf,
} from '../text.ts';
import type { Nfe } from './book.ts';

interface Product {
  readonly family: string;
  readonly code: string;
  readonly description: string;
  /** 8 digits. */
  readonly ncm: string;
  readonly unit: string;
  /** `CEST`: present where ICMS is collected ahead by substitution. */
  readonly cest: string | undefined;
  /** IBS and CBS are reduced by 60 %. */
  readonly reduced: boolean;
}

const products: readonly Product[] = rowsOf(productsXml, 'product').map((row) => {
  const { family = '', code = '', description = '', ncm = '', unit = '', cest } = row;
  return { family, code, description, ncm, unit, cest, reduced: row.reduced === 'yes' };
});

const cases = new Map(
  [resaleXml, industryXml, simplesXml, rareXml].flatMap((xml) => [...casesOf(xml, 'det')]),
);

/** ICMS within a state, in per cent, as templates are named. */
const INTERNAL_RATES: Readonly<Record<string, string>> = {
  MG: '18',
  PE: '20.5',
  PR: '19.5',
  RJ: '20',
  SC: '17',
  SP: '18',
};
const SOUTH_AND_SOUTHEAST = ['SP', 'RJ', 'MG', 'PR', 'SC', 'RS'];

/** 12 % between states, 7 % from the South and Southeast (without ES) to the others. */
export function icmsRate(from: string, to: string): string {
  if (from === to) return INTERNAL_RATES[from] ?? `of ${from}`;
  return SOUTH_AND_SOUTHEAST.includes(from) && !SOUTH_AND_SOUTHEAST.includes(to) ? '7' : '12';
}

/** Whether a note is a sale to somebody of another state who is no ICMS taxpayer, and so the goods' final consumer. */
export function isToFinalConsumer({ issuer, recipient, returned, isEntry }: Nfe): boolean {
  const isElsewhere = issuer.city.state !== recipient.city.state;
  return isElsewhere && recipient.stateRegistration === undefined && !returned && !isEntry;
}

function simplesCase(note: Nfe, { cest }: Product): string {
  if (note.returned) return 'simples 900';
  if (note.isEntry) return 'entry 900';
  if (cest !== undefined) return 'simples 500';
  return isPerson(note.recipient) ? 'simples 102' : 'simples 101';
}

function trade({ manufacturer, cumulative }: Party, returned: Nfe | undefined): string {
  if (cumulative) return 'cumulative';
  return manufacturer && !returned ? 'industry' : 'resale';
}

/** The template of an item of a product; undefined where there is none, and the product isn't in that trade. */
function caseOf(note: Nfe, product: Product, isDelivered: boolean): string | undefined {
  const { issuer, recipient, rarity } = note;
  const [from, to] = [issuer.city.state, recipient.city.state];
  const rate = icmsRate(from, to);
  const kind = trade(issuer, note.returned);
  const known = (...names: readonly string[]) => names.find((name) => cases.has(name));
  if (rarity === 'import') return 'import';
  if (rarity === 'freeZone') return 'free zone';
  if (issuer.regime === '1') return simplesCase(note, product);
  if (note.isEntry) return 'entry 41';
  if (product.cest !== undefined)
    return kind === 'industry'
      ? known(`industry ${rate} substitution ${INTERNAL_RATES[to]}`)
      : known(`${kind} 60`);
  if (rarity === 'reduced') return known(`${issuer.cumulative ? 'cumulative ' : ''}reduced ${rate}`);
  if (isToFinalConsumer(note)) return known(`${kind} consumer ${INTERNAL_RATES[to]}`);
  if (product.reduced) return known(`${kind} ${rate} food`);
  return known(...(isDelivered ? [`${kind} ${rate} delivered`] : []), `${kind} ${rate}`);
}

/** What an item is written with, and what it adds to the note's totals, by the names of its elements. */
interface ItemTemplate {
  readonly write: Template;
  readonly amounts: ReadonlyMap<string, Cents>;
}

/** Bases have one name in every tax: that of ICMS keeps it, that of IBS and CBS gets the one of its total. */
function withNamedBases(det: string): string {
  return det
    .replace(/<(IPI|II|PIS|COFINS)>.*?<\/\1>/g, (tax) => tax.replace(/<vBC>[^<]*<\/vBC>/, ''))
    .replace(/<IBSCBS>.*<\/IBSCBS>/, (tax) => tax.replace(/<(\/?)vBC>/g, '<$1vBCIBSCBS>'));
}

/** What is in a note's total, and what is taken off. Source: docs/fiscal/layouts.md, rules W16-10 and VB01-10. */
const IN_TOTAL = ['vProd', 'vICMSST', 'vICMSMonoReten', 'vFrete', 'vOutro', 'vII', 'vIPI'];

function amountsIn(det: string): ReadonlyMap<string, Cents> {
  const amounts = new Map<string, Cents>();
  for (const [, name = '', text] of withNamedBases(det).matchAll(/<((?:v(?!Un)|q)\w+)>(\d+\.\d+)</g))
    amounts.set(name, (amounts.get(name) ?? 0) + Math.round(Number(text) * 100));
  const added = IN_TOTAL.reduce((sum, name) => sum + (amounts.get(name) ?? 0), 0);
  const relief = det.includes('<indDeduzDeson>1<') ? (amounts.get('vICMSDeson') ?? 0) : 0;
  return amounts.set('vNF', added - (amounts.get('vDesc') ?? 0) - relief);
}

const made = new Map<string, ItemTemplate>();

/** The template of a case for so many times its quantity. */
function itemTemplate(name: string, edition: Edition, factor: number): ItemTemplate {
  const id = `${name} ${edition} ${factor}`;
  const known = made.get(id);
  if (known) return known;
  const text = cases.get(name);
  if (text === undefined) throw new RangeError(`no template ${name}`);
  const det = `<det nItem="{number}">${variantOf(text, edition, factor)}</det>`;
  const template = { write: compileTemplate(det), amounts: amountsIn(det) };
  made.set(id, template);
  return template;
}

export interface NfeItem {
  /** Undefined for fuels, whose templates name them. */
  readonly product: Product | undefined;
  readonly cfop: string;
  readonly template: ItemTemplate;
}

interface Installment {
  readonly due: Moment;
  readonly amount: Cents;
}

export interface NfeContent {
  readonly operation: string;
  readonly purchaseOrder: string | undefined;
  readonly items: readonly NfeItem[];
  /** The items' sums by the names of their elements, and `vNF`. */
  readonly sums: ReadonlyMap<string, Cents>;
  readonly total: Cents;
  /** Empty where the note was paid at once or nothing is to be paid. */
  readonly installments: readonly Installment[];
  readonly remarks: string;
}

/** Prices of the templates hold for up to so many times their quantity: their taxes are exact to the cent until then. */
const MOST_TIMES = 4;

/** IBS and CBS are stated by issuers under the normal regime. Source: docs/fiscal/reform.md. */
export function editionOf(regime: string, issuedAt: Moment): Edition {
  const day = dayOf(issuedAt);
  if (regime !== '3' || day < IBS_CBS_FROM) return 'plain';
  return day >= TAXES_IN_PRICE_FROM ? '2027' : '2026';
}

function cfopOf(note: Nfe, isSubstituted: boolean): string {
  const { issuer, recipient, returned, isEntry, rarity } = note;
  if (rarity === 'import') return issuer.manufacturer ? '3101' : '3102';
  const isWithinState = issuer.city.state === recipient.city.state;
  if (isEntry) return (isWithinState ? '1' : '2') + (isSubstituted ? '403' : '102');
  const place = isWithinState ? '5' : '6';
  if (rarity === 'fuel') return place + (issuer.manufacturer ? '653' : '656');
  if (rarity === 'freeZone') return '6110';
  if (returned) return place + (isSubstituted ? '411' : issuer.manufacturer ? '201' : '202');
  if (isSubstituted && issuer.manufacturer) return `${place}401`;
  if (isSubstituted) return place === '5' ? '5405' : '6404';
  if (isToFinalConsumer(note)) return issuer.manufacturer ? '6107' : '6108';
  return place + (issuer.manufacturer ? '101' : '102');
}

function itemCount(note: Nfe, random: Random): number {
  if (isPerson(note.recipient)) return random.integer(1, 3);
  if (note.slot.flow.company.longNotes) {
    if (random.chance(50)) return random.integer(1, 8);
    return random.chance(72) ? random.integer(9, 24) : random.integer(25, 60);
  }
  return random.chance(70) ? random.integer(1, 5) : random.integer(6, 12);
}

const FUELS = { refined: ['fuel 02', 'fuel 15', 'fuel 53'], retail: ['fuel 61'] };

function fuelItems(note: Nfe, random: Random): NfeItem[] {
  const sold = FUELS[note.issuer.manufacturer ? 'refined' : 'retail'];
  const first = random.integer(0, sold.length - 1);
  const count = Math.min(random.integer(1, 3), sold.length);
  const edition = editionOf(note.issuer.regime, note.issuedAt);
  return Array.from({ length: count }, (_, i) => ({
    product: undefined,
    cfop: cfopOf(note, false),
    template: itemTemplate(sold[(first + i) % sold.length] ?? '', edition, random.integer(1, MOST_TIMES)),
  }));
}

function itemOf(note: Nfe, product: Product, name: string, factor: number): NfeItem {
  const edition = editionOf(note.issuer.regime, note.issuedAt);
  const cfop = cfopOf(note, product.cest !== undefined);
  return { product, cfop, template: itemTemplate(name, edition, factor) };
}

/** The stock from a first product on; each time round it is another lot of the same products. */
function inLot(product: Product, lot: number): Product {
  if (lot === 0) return product;
  return { ...product, code: `${product.code}-${lot}`, description: `${product.description} lote ${lot}` };
}

function soldItems(note: Nfe, random: Random): NfeItem[] {
  const isDelivered = note.freight === '1' && random.chance(20);
  const stock = products.flatMap((product) => {
    const name = note.issuer.sells.includes(product.family) && caseOf(note, product, isDelivered);
    return name ? [{ product, name }] : [];
  });
  const wanted = itemCount(note, random);
  const count = note.slot.flow.company.longNotes ? wanted : Math.min(wanted, stock.length);
  const first = random.integer(0, stock.length - 1);
  return Array.from({ length: count }, (_, i) => {
    const one = stock[(first + i) % stock.length];
    if (one === undefined) throw new RangeError('nothing in stock');
    const product = inLot(one.product, Math.floor(i / stock.length));
    return itemOf(note, product, one.name, random.integer(1, MOST_TIMES));
  });
}

/** A return takes back the first item of the note it refers to. */
function returnedItems(note: Nfe, returned: Nfe, seed: string): NfeItem[] {
  const [first] = nfeContent(returned, seed).items;
  const name = first?.product && caseOf(note, first.product, false);
  if (first?.product === undefined || name === undefined) throw new RangeError('nothing to return');
  return [itemOf(note, first.product, name, 1)];
}

function sumsOf(items: readonly NfeItem[]): Map<string, Cents> {
  const sums = new Map<string, Cents>();
  for (const { template } of items) {
    for (const [name, cents] of template.amounts) sums.set(name, (sums.get(name) ?? 0) + cents);
  }
  return sums;
}

function dueDates(note: Nfe, total: Cents, random: Random): Installment[] {
  if (note.returned || note.isEntry || isPerson(note.recipient) || random.chance(15)) return [];
  const parts = random.integer(1, 3);
  return installmentsOf(total, parts).map((amount, i) => ({
    amount,
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

function itemsOf(note: Nfe, random: Random, seed: string): NfeItem[] {
  if (note.returned) return returnedItems(note, note.returned, seed);
  return note.rarity === 'fuel' ? fuelItems(note, random) : soldItems(note, random);
}

/** Everything inside a note, made anew from the seed each time it is asked for. */
export function nfeContent(note: Nfe, seed: string): NfeContent {
  const random = createRandom(seed, 'content', note.key);
  const items = itemsOf(note, random, seed);
  const sums = sumsOf(items);
  const total = sums.get('vNF') ?? 0;
  const purchaseOrder =
    !note.returned && random.chance(50)
      ? `PED-${isoDate(note.issuedAt).slice(0, 4)}-${random.digits(4)}`
      : undefined;
  return {
    operation: operationOf(note),
    purchaseOrder,
    items,
    sums,
    total,
    installments: dueDates(note, total, random),
    remarks: remarksOf(note, purchaseOrder, random),
  };
}
