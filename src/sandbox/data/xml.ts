const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export type Attributes = Readonly<Record<string, string>>;

const NEEDS_ESCAPE = /[&<>"]/;

export function escapeXml(text: string): string {
  return NEEDS_ESCAPE.test(text)
    ? text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
    : text;
}

function joined(pieces: readonly string[]): string {
  let all = '';
  for (const piece of pieces) all += piece;
  return all;
}

/** An element with text in it; nothing at all where there is no text. */
export function leaf(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escapeXml(text)}</${name}>`;
}

/** An element around XML that is already written. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  let opening = `<${name}`;
  for (const key in attributes) opening += ` ${key}="${escapeXml(attributes[key] ?? '')}"`;
  return `${opening}>${joined(content)}</${name}>`;
}

/** An element without attributes around XML that is already written. */
export function group(name: string, ...content: readonly string[]): string {
  return `<${name}>${joined(content)}</${name}>`;
}

/** Leaves in the order of the fields; undefined ones are left out. */
export function leaves(fields: Readonly<Record<string, string | undefined>>): string {
  let written = '';
  for (const name in fields) written += leaf(name, fields[name]);
  return written;
}

/** Text that must survive inside CDATA, whatever it holds. */
export function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
