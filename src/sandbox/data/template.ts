import { escapeXml, unescapeXml } from './xml.ts';

/** Values by the names that a template has in braces; undefined drops the element around the name. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Writes a document, or a part of one. */
export type Template = (values: Values) => string;

/**
 * What templates hold of the reform: nothing of it, the amounts of 2026, or those of 2027, which stand in attributes
 * `y27` beside the former.
 */
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
const OF_2027 = /<(\w+) y27="([^"]*)"(?:\/>|>([^<]*)<\/\1>)/g;

function inEdition(xml: string, edition: Edition): string {
  const kept = edition === 'plain' ? xml.replace(REFORM, '') : xml;
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
 * A template for use. A name that is all of an element's text is filled with text, with what follows its colon where
 * there is no value, or drops the element; any other name is filled with XML.
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
