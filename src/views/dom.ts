import { cleanText } from '../documents/untrusted.ts';
import { viewMessages } from '../messages/apart/views.ts';
import { dayFormat, type Language, type Message, textIn, wordsOf } from '../messages/message.ts';
import type { Text } from '../page/page.ts';

/** A value that came from outside, read without trusting its shape. */
export type Unknown = Readonly<Record<string, unknown>>;

/** A text or number as text; undefined for anything else and for an empty one. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Text of one element, cut with an ellipsis. */
const LONGEST_TEXT = 20_000;
const SVG = 'http://www.w3.org/2000/svg';

/** Content of an element; `false`, undefined and empty texts are skipped, as in `condition && child`. */
export type Child = Node | string | undefined | false;

/** Attributes by name; undefined ones are skipped, and functions are listeners of the event of that name. */
type Attributes = Readonly<Record<string, string | number | ((event: Event) => void) | undefined>>;

/** An element's name, with its class behind a point. */
type Named<K extends string> = K | `${K}.${string}`;

/** Roles that browsers drop from a table laid out as a grid. */
const roles: Readonly<Record<string, string>> = {
  table: 'table',
  thead: 'rowgroup',
  tbody: 'rowgroup',
  tfoot: 'rowgroup',
  tr: 'row',
  td: 'cell',
};

/** Untrusted text without invisible and direction-changing characters. */
function safe(text: string): string {
  const [before, after] = [/^\s/, /\s$/].map((space) => (space.test(text) ? ' ' : ''));
  return `${before}${cleanText(text, LONGEST_TEXT)}${after}`;
}

function fillIn<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child) element.append(typeof child === 'string' ? safe(child) : child);
  }
  return element;
}

/** Creates an element from optional attributes and children; strings become text, never markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  named: Named<K>,
  ...content: readonly (Attributes | Child)[]
): HTMLElementTagNameMap[K] {
  const [name, className] = named.split('.') as [K, string?];
  const [first] = content;
  const attributes = typeof first === 'object' && !(first instanceof Node) ? first : undefined;
  const children = (attributes === undefined ? content : content.slice(1)) as readonly Child[];
  const ofHeading = attributes?.scope === 'col' ? 'columnheader' : 'rowheader';
  const role = name === 'th' ? ofHeading : roles[name];
  return fillIn(document.createElement(name), { role, class: className, ...attributes }, children);
}

/** An element around a list; undefined if the list is empty. */
export function listOf<K extends keyof HTMLElementTagNameMap>(
  named: Named<K>,
  children: readonly Child[],
  attributes: Attributes = {},
): HTMLElementTagNameMap[K] | undefined {
  return children.some(Boolean) ? el(named, attributes, ...children) : undefined;
}

/** The same for a picture. */
export function svg(name: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  return fillIn(document.createElementNS(SVG, name) as SVGElement, attributes, children);
}

export function button(text: string, press: (event: Event) => void, attributes: Attributes = {}) {
  return el('button', { type: 'button', click: press, ...attributes }, text);
}

export type Speaker = ReturnType<typeof speakerOf>;

/** Words and formats of a view, in one language. */
export function speakerOf(language: Language) {
  return {
    language,
    day: dayFormat(language),
    say: wordsOf(viewMessages, language),
    /** A text of the page in this language; empty if undefined. */
    text(text: Text | undefined): string {
      const own: unknown = Array.isArray(text) ? textIn(text as Message, language) : text;
      return typeof own === 'string' ? own : '';
    },
  };
}

/** The server's language, in which the page came. */
const own: Language = document.documentElement.lang === 'en' ? 'en' : 'pt-BR';

/** The language of the host, or the server's. */
export function languageFor(locale = ''): Language {
  if (/^pt\b/i.test(locale)) return 'pt-BR';
  return /^en\b/i.test(locale) ? 'en' : own;
}
