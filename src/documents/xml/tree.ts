import { cleanText } from '../untrusted.ts';
import { createXmlReader, type XmlAttributes, XmlError } from './xml.ts';

/** An element with its content, for readers that need every field. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: readonly XmlElement[];
  /** Its own text, safe to show; empty if it has children only. */
  readonly text: string;
  /** Where its tags begin and end in the text that was read. */
  readonly start: number;
  readonly end: number;
}

interface Growing extends XmlElement {
  readonly children: Growing[];
  text: string;
  end: number;
}

const LONGEST_TEXT = 20_000;

/** Elements of one document: an NF-e of 990 items with everything that they may have is half of it. */
const MOST_ELEMENTS = 300_000;

/** Reads one document as a tree. @throws XmlError unless it is well-formed to its end, and no larger than any is */
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

/** The same; undefined for a text that is not well-formed. */
export function treeIfWellFormed(xml: string): XmlElement | undefined {
  try {
    return readTree(xml);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

/** The elements at a path below this one, `a/b/c`; `*` is any one element. */
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

/** An element and all in it, in the order of the file. */
export function allElements(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(allElements)];
}

/** Every element of a name, wherever in this one, in the order of the file. */
export function elementsNamed(element: XmlElement, name: string): XmlElement[] {
  return allElements(element).filter((one) => one.name === name);
}

/** The first of these paths that has a text; undefined where none has. */
export function textAt(element: XmlElement | undefined, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = elementsAt(element, path).find((one) => one.text !== '')?.text;
    if (text !== undefined) return text;
  }
  return undefined;
}
