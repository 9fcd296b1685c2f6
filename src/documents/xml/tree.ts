import { cleanText } from '../untrusted.ts';
import { createXmlReader, type XmlAttributes, XmlError } from './xml.ts';

/** An element with its content, for readers that need every field. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: readonly XmlElement[];
  /** The element's own text, safe to show; empty if it has only children. */
  readonly text: string;
  /** Start and end of the element in the source text. */
  readonly start: number;
  readonly end: number;
}

interface Growing extends XmlElement {
  readonly children: Growing[];
  text: string;
  end: number;
}

const LONGEST_TEXT = 20_000;

/** Limit per document: an NF-e of 990 items with every optional field has half as many. */
const MOST_ELEMENTS = 300_000;

/** Reads one document as a tree. @throws XmlError if it is malformed, truncated or too large */
export function readTree(xml: string): XmlElement {
  const document: Growing = { name: '', attributes: {}, children: [], text: '', start: 0, end: 0 };
  const open = [document];
  let elements = 0;
  const reader = createXmlReader({
    open(name, attributes) {
      elements += 1;
      if (elements > MOST_ELEMENTS) throw new XmlError('too_long', 0, 'elements');
      const start = reader.tagStart;
      const element: Growing = { name, attributes, children: [], text: '', start, end: start };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text(piece) {
      const element = open.at(-1);
      if (element !== undefined && element.text.length < LONGEST_TEXT) element.text += piece;
    },
    close() {
      const element = open.pop();
      if (element === undefined) return;
      element.text = cleanText(element.text, LONGEST_TEXT);
      element.end = reader.position;
    },
  });
  reader.write(xml);
  reader.end();
  return document.children[0] ?? document;
}

/** Like `readTree`, but undefined for malformed text. */
export function treeIfWellFormed(xml: string): XmlElement | undefined {
  try {
    return readTree(xml);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

/** Elements at a path below this one, `a/b/c`; `*` matches any element. */
export function elementsAt(element: XmlElement | undefined, path: string): readonly XmlElement[] {
  let found: readonly XmlElement[] = element === undefined ? [] : [element];
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => name === '*' || child.name === name));
  }
  return found;
}

/** The first element at a path. */
export function elementAt(element: XmlElement | undefined, path: string): XmlElement | undefined {
  return elementsAt(element, path)[0];
}

/** An element and all its descendants, in file order. */
export function allElements(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(allElements)];
}

/** All elements with a name, in file order; includes this one. */
export function elementsNamed(element: XmlElement, name: string): XmlElement[] {
  return allElements(element).filter((one) => one.name === name);
}

/** Text of the first path that has one; undefined if none has. */
export function textAt(element: XmlElement | undefined, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = elementsAt(element, path).find((one) => one.text !== '')?.text;
    if (text !== undefined) return text;
  }
  return undefined;
}
