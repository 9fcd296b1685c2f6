import industryXml from '../templates/items-industry.xml';
import rareXml from '../templates/items-rare.xml';
import resaleXml from '../templates/items-resale.xml';
import simplesXml from '../templates/items-simples.xml';
import productsXml from '../templates/products.xml';
import { isoDate, type Moment, SECONDS_IN_DAY } from './calendar.ts';
import type { Nfe } from './nfe.ts';
import { isPerson, largeCompany } from './parties.ts';
import { createRandom, type Random } from './plan.ts';
import {
  type Cents,
  casesOf,
  compileTemplate,
  editionOf,
  type Row,
  rowsOf,
  type Template,
  variantOf,
} from './templates.ts';

/** Families, codes, names, NCM and units; `cest` for ICMS collected in advance, `reduced` for reduced IBS and CBS. */
const products = rowsOf(productsXml, 'product');
const cases = new Map([resaleXml, industryXml, simplesXml, rareXml].flatMap((xml) => [...casesOf(xml)]));

/** ICMS rates within a state, in per cent, in the notation of template names. */
const INTERNAL_RATES: Readonly<Record<string, string>> = {
  ...{ MG: '18', PE: '20.5', PR: '19.5', RJ: '20', SC: '17', SP: '18' },
};
const SOUTH_AND_SOUTHEAST = ['SP', 'RJ', 'MG', 'PR', 'SC', 'RS'];

/** 12 % between states, 7 % from the South and Southeast (without ES) to the others. */
export function icmsRate(from: string, to: string): string {
  if (from === to) return INTERNAL_RATES[from] ?? `of ${from}`;
  return SOUTH_AND_SOUTHEAST.includes(from) && !SOUTH_AND_SOUTHEAST.includes(to) ? '7' : '12';
}

/** True for sales to final consumers in other states, who are no ICMS taxpayers. */
export function isToFinalConsumer({ issuer, recipient, returned, isEntry }: Nfe): boolean {
  const isElsewhere = issuer.state !== recipient.state;
  return isElsewhere && recipient.row.ie === undefined && !returned && !isEntry;
}

/** Name of an item's template, which may not exist if the product isn't sold in this trade. */
function caseOf(note: Nfe, product: Row): string {
  const { issuer, recipient, rarity, returned, isEntry } = note;
  const rate = icmsRate(issuer.state, recipient.state);
  const internal = INTERNAL_RATES[recipient.state];
  const isCumulative = issuer.row.cumulative === 'yes';
  const kind = isCumulative ? 'cumulative' : issuer.manufacturer && !returned ? 'industry' : 'resale';
  if (rarity === 'import') return 'import';
  if (rarity === 'freeZone') return 'free zone';
  if (issuer.regime === '1') {
    if (returned) return 'simples 900';
    if (isEntry) return 'entry 900';
    if (product.cest) return 'simples 500';
    return isPerson(recipient) ? 'simples 102' : 'simples 101';
  }
  if (isEntry) return 'entry 41';
  if (product.cest) return kind === 'industry' ? `industry ${rate} substitution ${internal}` : `${kind} 60`;
  if (rarity === 'reduced') return `${isCumulative ? 'cumulative ' : ''}reduced ${rate}`;
  if (isToFinalConsumer(note)) return `${kind} consumer ${internal}`;
  return product.reduced === 'yes' ? `${kind} ${rate} food` : `${kind} ${rate}`;
}

function cfopOf(note: Nfe, { cest }: Row): string {
  const { issuer, recipient, returned, isEntry, rarity } = note;
  const { manufacturer } = issuer;
  const isWithinState = issuer.state === recipient.state;
  const place = (isWithinState ? 1 : 2) + (isEntry ? 0 : 4);
  if (rarity === 'import') return manufacturer ? '3101' : '3102';
  if (isEntry) return `${place}${cest ? '403' : '102'}`;
  if (rarity === 'fuel') return `${place}${manufacturer ? '653' : '656'}`;
  if (rarity === 'freeZone') return '6110';
  if (returned) return `${place}${cest ? '411' : manufacturer ? '201' : '202'}`;
  if (cest) return manufacturer ? `${place}401` : isWithinState ? '5405' : '6404';
  if (isToFinalConsumer(note)) return manufacturer ? '6107' : '6108';
  return `${place}${manufacturer ? '101' : '102'}`;
}

/** An item's template, and its contributions to the note's totals by element name. */
interface ItemTemplate {
  readonly write: Template;
  readonly amounts: ReadonlyMap<string, Cents>;
}

interface NfeItem extends ItemTemplate {
  /** The product's template values; empty for fuels, whose templates include them. */
  readonly product: Row;
  readonly cfop: string;
}

/** Keeps `vBC` for ICMS: removes it from other taxes, and renames that of IBS and CBS as its total. */
function withNamedBases(det: string): string {
  return det
    .replace(/<(IPI|II|PIS|COFINS)>.*?<\/\1>/g, (tax) => tax.replace(/<vBC>[^<]*<\/vBC>/, ''))
    .replace(/<IBSCBS>.*<\/IBSCBS>/, (tax) => tax.replace(/<(\/?)vBC>/g, '<$1vBCIBSCBS>'));
}

/** Elements added to a note's total. Source: docs/fiscal/layouts.md, rules W16-10 and VB01-10. */
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

function itemOf(note: Nfe, product: Row, name: string, factor: number): NfeItem {
  const edition = editionOf(note.issuer.regime, note.issuedAt);
  const id = `${name} ${edition} ${factor}`;
  let template = made.get(id);
  if (template === undefined) {
    const det = `<det nItem="{number}">${variantOf(cases.get(name) ?? '', edition, factor)}</det>`;
    template = { write: compileTemplate(det), amounts: amountsIn(det) };
    made.set(id, template);
  }
  return { ...template, product, cfop: cfopOf(note, product) };
}

/** Largest multiple of the templates' quantities whose taxes stay exact to the cent. */
const MOST_TIMES = 4;

function fuelItems(note: Nfe, random: Random): NfeItem[] {
  const sold = note.issuer.manufacturer ? ['fuel 02', 'fuel 15', 'fuel 53'] : ['fuel 61'];
  const first = random.integer(0, sold.length - 1);
  const length = Math.min(random.integer(1, 3), sold.length);
  return Array.from({ length }, (_, i) =>
    itemOf(note, {}, sold[(first + i) % sold.length] ?? '', random.integer(1, MOST_TIMES)),
  );
}

function itemCount({ recipient, slot }: Nfe, random: Random): number {
  if (isPerson(recipient)) return random.integer(1, 3);
  if (slot.company !== largeCompany) return random.chance(70) ? random.integer(1, 5) : random.integer(6, 12);
  // Fourteen on the average.
  if (random.chance(50)) return random.integer(1, 8);
  return random.chance(72) ? random.integer(9, 24) : random.integer(25, 60);
}

/** Items from a random offset in the stock; the large company repeats the stock in further lots. */
function soldItems(note: Nfe, random: Random): NfeItem[] {
  const isDelivered = note.freight === '1' && random.chance(20);
  const stock = products.flatMap((product) => {
    const name = note.issuer.sells.includes(product.family ?? '') ? caseOf(note, product) : '';
    const delivered = `${name} delivered`;
    const known = isDelivered && cases.has(delivered) ? delivered : name;
    return cases.has(known) ? [{ product, name: known }] : [];
  });
  const wanted = itemCount(note, random);
  const length = note.slot.company === largeCompany ? wanted : Math.min(wanted, stock.length);
  const first = random.integer(0, stock.length - 1);
  return Array.from({ length }, (_, i) => {
    const { product = {}, name = '' } = stock[(first + i) % stock.length] ?? {};
    const { code, description } = product;
    const lot = Math.floor(i / stock.length);
    const inLot = lot > 0 && { code: `${code}-${lot}`, description: `${description} lote ${lot}` };
    return itemOf(note, { ...product, ...inLot }, name, random.integer(1, MOST_TIMES));
  });
}

function itemsOf(note: Nfe, random: Random): NfeItem[] {
  if (!note.returned) return note.rarity === 'fuel' ? fuelItems(note, random) : soldItems(note, random);
  // A return takes back the first item of the note it refers to.
  const { product = {} } = nfeContent(note.returned).items[0] ?? {};
  return [itemOf(note, product, caseOf(note, product), 1)];
}

/** Equal instalments in cents, the last with the remainder; none if nothing is owed. */
function installmentsOf(note: Nfe, total: Cents, random: Random) {
  if (note.returned || note.isEntry || isPerson(note.recipient) || random.chance(15)) return [];
  const length = random.integer(1, 3);
  const part = Math.floor(total / length);
  return Array.from({ length }, (_, i): { due: Moment; amount: Cents } => ({
    amount: i === length - 1 ? total - part * i : part,
    due: note.issuedAt + (i + 1) * 30 * SECONDS_IN_DAY,
  }));
}

const remarks = rowsOf(productsXml, 'remark').map(({ text }) => text);
const [ofSimples] = rowsOf(productsXml, 'remark-of-simples').map(({ text }) => text);

function remarksOf({ returned, issuer }: Nfe, order: string | undefined, random: Random): string {
  if (returned) return `Devolução parcial referente à NF-e ${returned.number}, série ${returned.series}.`;
  const ordered = order === undefined ? '' : `Pedido ${order}.`;
  return [ordered, random.pick(remarks), issuer.regime === '1' ? ofSimples : ''].filter(Boolean).join(' ');
}

export type NfeContent = ReturnType<typeof nfeContent>;

/** Items, their sums by element name and dependent values, derived from the note's seed on each call. */
export function nfeContent(note: Nfe) {
  const random = createRandom(note.slot.seed, 'content', note.key);
  const items: readonly NfeItem[] = itemsOf(note, random);
  const sums = new Map<string, Cents>();
  for (const { amounts } of items)
    for (const [name, cents] of amounts) sums.set(name, (sums.get(name) ?? 0) + cents);
  const total = sums.get('vNF') ?? 0;
  const isOrdered = !note.returned && random.chance(50);
  const order = isOrdered ? `PED-${isoDate(note.issuedAt).slice(0, 4)}-${random.digits(4)}` : undefined;
  const installments = installmentsOf(note, total, random);
  return { items, sums, total, order, installments, remarks: remarksOf(note, order, random) };
}
