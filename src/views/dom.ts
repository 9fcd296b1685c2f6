import { cleanText, isObject } from '../documents/untrusted.ts';

/** A value that came from outside, read without trusting its shape. */
export type Unknown = Readonly<Record<string, unknown>>;

/** An object's members; none for any other value. */
export function membersOf(value: unknown): Unknown {
  return isObject(value) ? value : {};
}

/** A text or number as text; undefined for anything else and for an empty one. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Text of one element; what is longer is cut and says so by its last character. */
const LONGEST_TEXT = 20_000;
const SVG = 'http://www.w3.org/2000/svg';

type Child = Node | string | undefined | false;

/** Attributes by name; one that is undefined is left out, and a function hears the event of that name. */
type Attributes = Readonly<Record<string, string | number | ((event: Event) => void) | undefined>>;

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (typeof child === 'string') element.append(safe(child));
    else if (child) element.append(child);
  }
  return element;
}

/** A text of anybody's, without what hides it or turns its direction. */
function safe(text: string): string {
  const [before, after] = [/^\s/.test(text) ? ' ' : '', /\s$/.test(text) ? ' ' : ''];
  return `${before}${cleanText(text, LONGEST_TEXT)}${after}`;
}

/** An element with its attributes and what is in it: text is always text. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children);
}

/** The same for a picture. */
export function svg(name: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  return fill(document.createElementNS(SVG, name) as SVGElement, attributes, children);
}

export function button(text: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el('button', { type: 'button', click: press, ...attributes }, text);
}
