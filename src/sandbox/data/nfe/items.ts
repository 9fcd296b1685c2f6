import industryXml from '../../templates/items-industry.xml';
import rareXml from '../../templates/items-rare.xml';
import resaleXml from '../../templates/items-resale.xml';
import simplesXml from '../../templates/items-simples.xml';
import productsXml from '../../templates/products.xml';
import type { Cents } from '../money.ts';
import { isPerson, type Party } from '../parties.ts';
import { casesOf, compileTemplate, type Edition, rowsOf, type Template, variantOf } from '../template.ts';
import type { Nfe } from './book.ts';

export interface Product {
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

export const products: readonly Product[] = rowsOf(productsXml, 'product').map((row) => {
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
export function caseOf(note: Nfe, product: Product, isDelivered: boolean): string | undefined {
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
export interface ItemTemplate {
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
export function itemTemplate(name: string, edition: Edition, factor: number): ItemTemplate {
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
