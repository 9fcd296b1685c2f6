import { escapeXml } from '../../documents/untrusted.ts';
import { type Day, dayOf, dayOfDate, type Moment } from './calendar.ts';

/** Values of a template's placeholders by name; undefined drops the enclosing element. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Renders a document or a part of one. */
export type Template = (values: Values) => string;

/** Reform elements of a template: none, amounts of 2026, or of 2027 (attribute `y27`) without PIS and COFINS. */
export type Edition = 'plain' | '2026' | '2027';

/** From this day documents of issuers under the normal regime carry IBS and CBS. Source: docs/fiscal/reform.md. */
const IBS_CBS_FROM: Day = dayOfDate(2026, 8, 3);
/** From this day goods have IBS and CBS in their price. Source: docs/fiscal/reform.md. */
const TAXES_IN_PRICE_FROM: Day = dayOfDate(2027, 1, 1);

/** The edition of a document by its issuer's regime (`CRT`). */
export function editionOf(regime: string, issuedAt: Moment): Edition {
  const day = dayOf(issuedAt);
  if (regime !== '3' || day < IBS_CBS_FROM) return 'plain';
  return day >= TAXES_IN_PRICE_FROM ? '2027' : '2026';
}

/** Elements that an edition omits: the reform's, or contributions ending with 2026. Source: ADCT, article 126, II. */
const LEFT_OUT = { plain: 'IBSCBS|IBSCBSTot|vNFTot|vTotDFe', '2026': '', '2027': 'PIS|COFINS' };
const OF_2027 = /<(\w+) y27="([^"]*)"(?:\/>|>([^<]*)<\/\1>)/g;
/** Elements proportional to the quantity: amounts and quantities, but no prices. */
const GROWING = /<((?:v(?!Un)|q)[A-Z]\w*)>(\d+\.\d+)</g;

/** Multiplies decimal text: `12.50` times 3 is `37.50`. */
export function times(amount: string, factor: number): string {
  const places = amount.length - amount.indexOf('.') - 1;
  const digits = String(Number(amount.replace('.', '')) * factor).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A template's text without comments and whitespace, in an edition, with quantities and amounts multiplied. */
export function variantOf(xml: string, edition: Edition = 'plain', factor = 1): string {
  return xml
    .replace(/<!--.*?-->/gs, '')
    .replace(/(?<=[>}])\s+(?=[<{])/g, '')
    .trim()
    .replace(new RegExp(`<(${LEFT_OUT[edition]})>.*?</\\1>`, 'gs'), '')
    .replace(OF_2027, (_all, name: string, of2027: string, before: string | undefined) => {
      const text = edition === '2027' ? of2027 : before;
      return text === undefined ? '' : `<${name}>${text}</${name}>`;
    })
    .replace(GROWING, (_all, name: string, amount: string) => `<${name}>${times(amount, factor)}<`);
}

const SLOT = /<(\w+)>\{(\w+)(?::([^}]*))?\}<\/\1>|\{(\w+)\}/g;

/** A placeholder alone in an element is text: default after a colon, else the element drops. Others are raw XML. */
export function compileTemplate(text: string): Template {
  const parts: Template[] = [];
  let end = 0;
  for (const { 0: whole, 1: element, 2: leaf = '', 3: fallback, 4: place = '', index } of text.matchAll(
    SLOT,
  )) {
    const before = text.slice(end, index);
    end = index + whole.length;
    parts.push((values) => {
      if (element === undefined) return before + (values[place] ?? '');
      const value = values[leaf] ?? fallback;
      return value === undefined ? before : `${before}<${element}>${escapeXml(value)}</${element}>`;
    });
  }
  const last = text.slice(end);
  return (values) => parts.reduce((written, part) => written + part(values), '') + last;
}

/** Templates of a file by their `case`. */
export function casesOf(xml: string): ReadonlyMap<string, string> {
  const cases = xml.matchAll(/<(\w+) case="([^"]+)">(.*?)<\/\1>/gs);
  return new Map([...cases].map(([, , name = '', text = '']) => [name, text]));
}

/** The templates of a parts file, by name. */
export function partsOf(xml: string): (name: string, values: Values) => string {
  const parts = new Map([...casesOf(xml)].map(([name, text]) => [name, compileTemplate(variantOf(text))]));
  return (name, values) => parts.get(name)?.(values) ?? '';
}

/** A row of a data file: the attributes of an element. */
export type Row = Readonly<Record<string, string>>;

/** The rows of a data file: all elements of a name. */
export function rowsOf(xml: string, element: string): Row[] {
  const rows = xml.matchAll(new RegExp(`<${element}\\s([^>]*)/>`, 'g'));
  return [...rows].map(([, attributes = '']) => {
    const pairs = [...attributes.matchAll(/(\w+)="([^"]*)"/g)];
    return Object.fromEntries(pairs.map(([, name = '', text = '']) => [name, unescapeXml(text)]));
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Reverts `escapeXml`. */
export function unescapeXml(text: string): string {
  return text.replace(/&(\w+);/g, (_all, entity: string) => ENTITIES[entity] ?? '');
}

/** Money in whole cents. */
export type Cents = number;

/** `1234.50`. */
export function formatCents(cents: Cents): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
