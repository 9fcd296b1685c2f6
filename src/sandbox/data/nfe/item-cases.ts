import industryXml from '../../templates/items-industry.xml';
import rareXml from '../../templates/items-rare.xml';
import resaleXml from '../../templates/items-resale.xml';
import simplesXml from '../../templates/items-simples.xml';
import { isPerson } from '../parties.ts';
import { casesOf, compileTemplate, editionOf, type Row, type Template, variantOf } from '../templates.ts';
import type { Cents } from '../text.ts';
import type { Nfe } from './book.ts';

const cases = new Map(
  [resaleXml, industryXml, simplesXml, rareXml].flatMap((xml) => [...casesOf(xml, 'det')]),
);

/** ICMS within a state, in per cent, as templates are named. */
const INTERNAL_RATES: Readonly<Record<string, string>> = {
  ...{ MG: '18', PE: '20.5', PR: '19.5', RJ: '20', SC: '17', SP: '18' },
};
const SOUTH_AND_SOUTHEAST = ['SP', 'RJ', 'MG', 'PR', 'SC', 'RS'];

/** 12 % between states, 7 % from the South and Southeast (without ES) to the others. */
export function icmsRate(from: string, to: string): string {
  if (from === to) return INTERNAL_RATES[from] ?? `of ${from}`;
  return SOUTH_AND_SOUTHEAST.includes(from) && !SOUTH_AND_SOUTHEAST.includes(to) ? '7' : '12';
}

/** Whether a note is a sale to somebody of another state who is no ICMS taxpayer, and so the goods' final consumer. */
export function isToFinalConsumer({ issuer, recipient, returned, isEntry }: Nfe): boolean {
  const isElsewhere = issuer.state !== recipient.state;
  return isElsewhere && recipient.stateRegistration === undefined && !returned && !isEntry;
}

/** The template of an item of a product (`products.xml`); undefined where the product isn't in that trade. */
export function caseOf(note: Nfe, product: Row, isDelivered: boolean): string | undefined {
  const { issuer, recipient, rarity, returned } = note;
  const rate = icmsRate(issuer.state, recipient.state);
  const internal = INTERNAL_RATES[recipient.state];
  const kind = issuer.cumulative ? 'cumulative' : issuer.manufacturer && !returned ? 'industry' : 'resale';
  const isSubstituted = product.cest !== undefined;
  const named = (): readonly string[] => {
    if (rarity === 'import') return ['import'];
    if (rarity === 'freeZone') return ['free zone'];
    if (issuer.regime === '1') {
      if (returned || note.isEntry) return [returned ? 'simples 900' : 'entry 900'];
      if (isSubstituted) return ['simples 500'];
      return [isPerson(recipient) ? 'simples 102' : 'simples 101'];
    }
    if (note.isEntry) return ['entry 41'];
    if (isSubstituted)
      return [kind === 'industry' ? `industry ${rate} substitution ${internal}` : `${kind} 60`];
    if (rarity === 'reduced') return [`${issuer.cumulative ? 'cumulative ' : ''}reduced ${rate}`];
    if (isToFinalConsumer(note)) return [`${kind} consumer ${internal}`];
    if (product.reduced === 'yes') return [`${kind} ${rate} food`];
    return [...(isDelivered ? [`${kind} ${rate} delivered`] : []), `${kind} ${rate}`];
  };
  return named().find((name) => cases.has(name));
}

export function cfopOf({ issuer, recipient, returned, ...note }: Nfe, isSubstituted: boolean): string {
  const { manufacturer } = issuer;
  const isWithinState = issuer.state === recipient.state;
  const place = note.isEntry ? (isWithinState ? '1' : '2') : isWithinState ? '5' : '6';
  if (note.rarity === 'import') return manufacturer ? '3101' : '3102';
  if (note.isEntry) return place + (isSubstituted ? '403' : '102');
  if (note.rarity === 'fuel') return place + (manufacturer ? '653' : '656');
  if (note.rarity === 'freeZone') return '6110';
  if (returned) return place + (isSubstituted ? '411' : manufacturer ? '201' : '202');
  if (isSubstituted && manufacturer) return `${place}401`;
  if (isSubstituted) return place === '5' ? '5405' : '6404';
  const isToConsumer = isToFinalConsumer({ issuer, recipient, returned, ...note });
  if (isToConsumer) return manufacturer ? '6107' : '6108';
  return place + (manufacturer ? '101' : '102');
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

/** The template of a case for so many times its quantity, in the edition of the note. */
export function itemTemplate({ issuer, issuedAt }: Nfe, name: string, factor: number): ItemTemplate {
  const edition = editionOf(issuer.regime, issuedAt);
  const id = `${name} ${edition} ${factor}`;
  const known = made.get(id);
  if (known) return known;
  const det = `<det nItem="{number}">${variantOf(cases.get(name) ?? '', edition, factor)}</det>`;
  const template = { write: compileTemplate(det), amounts: amountsIn(det) };
  made.set(id, template);
  return template;
}
