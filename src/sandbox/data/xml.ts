const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export type Attributes = Readonly<Record<string, string>>;

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

function opening(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${written.join('')}>`;
}

/** An element with text in it; nothing at all where there is no text. */
export function leaf(name: string, text: string | undefined, attributes: Attributes = {}): string {
  return text === undefined ? '' : `${opening(name, attributes)}${escapeXml(text)}</${name}>`;
}

/** An element around XML that is already written. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  return `${opening(name, attributes)}${content.join('')}</${name}>`;
}

/** An element without attributes around XML that is already written. */
export function group(name: string, ...content: readonly string[]): string {
  return element(name, {}, ...content);
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

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
