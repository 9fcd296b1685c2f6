/** Money in whole cents. */
export type Cents = number;

/** `1234.50`. */
export function formatCents(cents: Cents): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Parts as equal as cents allow; they add up to the whole. The last one takes what is left over. */
export function installmentsOf(total: Cents, parts: number): Cents[] {
  const part = Math.floor(total / parts);
  return Array.from({ length: parts }, (_, i) => (i === parts - 1 ? total - part * (parts - 1) : part));
}

const inBrazil = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 });

/** `1.234,50`, as people write it. */
export function brazilianMoney(cents: Cents): string {
  return inBrazil.format(formatCents(cents) as `${number}`);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function escapeXml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character) : text;
}

/** Text that was written by `escapeXml`. */
function unescapeXml(text: string): string {
  return text.replace(/&(\w+);/g, (_all, entity: string) => ENTITIES[entity] ?? '');
}

/** The text of the first element of a name; empty where there is none. */
export function textIn(xml: string, name: string): string {
  const [, text = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return unescapeXml(text);
}

/** An element with text in it; nothing at all where there is no text. */
export function leaf(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`;
}

/** An element without attributes around XML that is already written. */
export function group(name: string, ...content: readonly string[]): string {
  return `<${name}>${content.join('')}</${name}>`;
}

/** Leaves in the order of the fields; undefined ones are left out. */
export function leaves(fields: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(fields)
    .map(([name, text]) => leaf(name, text))
    .join('');
}

/** Text that must survive inside CDATA, whatever it holds. */
export function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Values by the names that a template has in braces; undefined drops the element around the name. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Writes a document, or a part of one. */
export type Template = (values: Values) => string;

/** What of the reform a template holds: nothing, the amounts of 2026, or those of 2027 (attribute `y27`) without PIS and COFINS. */
export type Edition = 'plain' | '2026' | '2027';

/** Without comments and the layout of the file. */
function squeezed(xml: string): string {
  return xml
    .replace(/<!--.*?-->/gs, '')
    .replace(/>\s+(?=[<{])/g, '>')
    .replace(/\}\s+(?=[<{])/g, '}')
    .trim();
}

const REFORM =
  /<IBSCBS>.*?<\/IBSCBS>|<IBSCBSTot>.*?<\/IBSCBSTot>|<vNFTot>.*?<\/vNFTot>|<vTotDFe>.*?<\/vTotDFe>/gs;
/** They end with 2026. Source: ADCT, article 126, II. */
const CONTRIBUTIONS = /<PIS>.*?<\/PIS>|<COFINS>.*?<\/COFINS>/gs;
const OF_2027 = /<(\w+) y27="([^"]*)"(?:\/>|>([^<]*)<\/\1>)/g;

function inEdition(xml: string, edition: Edition): string {
  const ended = { plain: REFORM, '2026': undefined, '2027': CONTRIBUTIONS }[edition];
  const kept = ended ? xml.replace(ended, '') : xml;
  return kept.replace(OF_2027, (_all, name: string, of2027: string, before: string | undefined) => {
    const text = edition === '2027' ? of2027 : before;
    return text === undefined ? '' : `<${name}>${text}</${name}>`;
  });
}

/** An amount as it is written, so many times: `12.50` three times is `37.50`. */
export function times(amount: string, factor: number): string {
  const [whole = '', decimals = ''] = amount.split('.');
  const digits = String(Number(whole + decimals) * factor).padStart(decimals.length + 1, '0');
  return `${digits.slice(0, digits.length - decimals.length)}.${digits.slice(digits.length - decimals.length)}`;
}

/** Amounts and quantities, but no prices: whatever grows with the quantity. */
const GROWING = /<((?:v(?!Un)|q)[A-Z]\w*)>(\d+\.\d+)</g;

/** A template's text in an edition, for so many times its quantities. */
export function variantOf(xml: string, edition: Edition, factor = 1): string {
  return inEdition(squeezed(xml), edition).replace(
    GROWING,
    (_all, name: string, amount: string) => `<${name}>${times(amount, factor)}<`,
  );
}

const SLOT = /<(\w+)>\{(\w+)(?::([^}]*))?\}<\/\1>|\{(\w+)\}/g;

/**
 * A name alone in an element is text, with its default after a colon, or drops the element; others are XML.
 */
export function compileTemplate(text: string): Template {
  const parts: ((values: Values) => string)[] = [];
  let end = 0;
  for (const match of text.matchAll(SLOT)) {
    const [whole, element, leaf = '', fallback, place = ''] = match;
    const before = text.slice(end, match.index);
    end = match.index + whole.length;
    if (element === undefined) parts.push((values) => before + (values[place] ?? ''));
    else
      parts.push((values) => {
        const value = values[leaf] ?? fallback;
        return value === undefined ? before : `${before}<${element}>${escapeXml(value)}</${element}>`;
      });
  }
  const last = text.slice(end);
  return (values) => {
    let written = '';
    for (const part of parts) written += part(values);
    return written + last;
  };
}

/** What a file of templates holds, by the `case` of each. */
export function casesOf(xml: string, element: string): ReadonlyMap<string, string> {
  const pattern = new RegExp(`<${element} case="([^"]+)">(.*?)</${element}>`, 'gs');
  return new Map([...xml.matchAll(pattern)].map(([, name = '', text = '']) => [name, text]));
}

/** The rows of a file of data: the attributes of each element of a name. */
export function rowsOf(xml: string, element: string): Readonly<Record<string, string>>[] {
  const rows = xml.matchAll(new RegExp(`<${element}\\s([^>]*)/>`, 'g'));
  return [...rows].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', text = '']) => [
        name,
        unescapeXml(text),
      ]),
    ),
  );
}
