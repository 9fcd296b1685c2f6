import { escapeXml } from '../../documents/untrusted.ts';

/** Money in whole cents. */
export type Cents = number;

/** `1234.50`. */
export function formatCents(cents: Cents): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Text that was written by `escapeXml`. */
export function unescapeXml(text: string): string {
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
