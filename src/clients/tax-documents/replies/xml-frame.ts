import { flatten } from '../../../documents/summary/flatten.ts';
import { createXmlReader, type XmlAttributes, XmlError, type XmlReader } from '../../../documents/xml/xml.ts';
import type { Content, Forms } from './content.ts';
import { createDocumentCapture } from './document-capture.ts';
import { createRecentText } from './recent-text.ts';
import type { TextSink } from './text-sink.ts';
import { Unreadable } from './unreadable.ts';

/** How the text of an element is read further: `whole` for a string wrapper, `markup` for XML that was escaped. */
export type OpenText = (form: 'whole' | 'markup') => TextSink;

/** The wrapper that ASP.NET puts around a string result when it answers in XML. */
const STRING_WRAPPER = 'string';
/** A root of this name is no declaration gone wrong but what the service sends: the frame is inside it. */
const LITERAL_XML_ROOT = 'xml';
/** Characters of one document at most. */
const DOCUMENT_LIMIT = 32 * 1024 * 1024;
const SHOWN_NAME_LENGTH = 60;

interface Element {
  readonly name: string;
  hasChildren: boolean;
  text: string;
  inner?: TextSink;
}

/** Reads one XML text with a single root: a frame, a document, or a frame with documents in it. */
function createRootReader(content: Content, forms: Forms, openText: OpenText) {
  const elements: Element[] = [];
  const recent = createRecentText();
  const places = { tagStart: () => reader.tagStart, position: () => reader.position };
  const capture = content.documents && createDocumentCapture(content.documents, recent, places, openElement);

  function noteFrame(name: string): void {
    if (name === LITERAL_XML_ROOT || name === STRING_WRAPPER) return;
    const shown = name.slice(0, SHOWN_NAME_LENGTH);
    forms.note(`xml envelope ${shown}`, `xml <${shown}>`);
  }

  /** A child begins, an element or a document. */
  function enterChild(): Element | undefined {
    const parent = elements.at(-1);
    if (parent === undefined) return undefined;
    if (parent.text !== '' || parent.inner !== undefined) throw new Unreadable('mixed content');
    parent.hasChildren = true;
    return parent;
  }

  function openElement(name: string, attributes: XmlAttributes): void {
    const parent = enterChild();
    if (parent === undefined || parent.name === LITERAL_XML_ROOT) noteFrame(name);
    const element: Element = { name, hasChildren: false, text: '' };
    elements.push(element);
    if (name === STRING_WRAPPER) element.inner = openText('whole');
    else content.open(name, attributes);
  }

  function addText(element: Element, piece: string): void {
    if (element.inner !== undefined) {
      element.inner.write(piece);
      return;
    }
    const text = element.text === '' ? piece.trimStart() : piece;
    if (text === '') return;
    if (element.hasChildren) throw new Unreadable('mixed content');
    if (element.text === '' && text.startsWith('<') && content.opensValues) {
      element.inner = openText('markup');
      element.inner.write(text);
      return;
    }
    element.text += text;
    if (element.text.length > content.valueLimit) throw new Unreadable('too large');
  }

  function closeElement(name: string): void {
    const element = elements.pop();
    if (element === undefined) return;
    if (element.inner !== undefined) element.inner.end();
    else if (element.text !== '') content.value(name, flatten(element.text.trimEnd()));
    if (name !== STRING_WRAPPER) content.close(name);
  }

  const reader: XmlReader = createXmlReader({
    open(name, attributes) {
      const isOutside = capture?.needsText !== true;
      if (capture?.open(name, attributes) !== true) openElement(name, attributes);
      else if (isOutside && enterChild() === undefined) forms.note('xml document', 'xml document');
    },
    text(piece) {
      if (capture?.text(piece) === true) return;
      const element = elements.at(-1);
      if (element !== undefined) addText(element, piece);
    },
    close(name) {
      if (capture?.close(name) !== true) closeElement(name);
    },
  });

  return {
    write(piece: string): number {
      recent.add(piece);
      const used = reader.write(piece);
      if (capture?.needsText !== true) recent.forget();
      else if (recent.length > DOCUMENT_LIMIT) throw new Unreadable('too large');
      return used;
    },
    end: () => reader.end(),
    get isComplete() {
      return reader.rootClosed;
    },
  };
}

/**
 * Reads XML texts that stand one after the other, each with or without its own declaration, and gives what they say
 * as content. Blanks and byte-order marks may stand between them.
 */
export function createXmlFrames(content: Content, forms: Forms, openText: OpenText): TextSink {
  let root: ReturnType<typeof createRootReader> | undefined;
  let count = 0;
  return {
    write(text) {
      let rest = text;
      while (rest !== '') {
        if (root === undefined) {
          rest = rest.trimStart();
          if (rest === '') return;
          root = createRootReader(content, forms, openText);
        }
        rest = rest.slice(root.write(rest));
        if (!root.isComplete) return;
        root = undefined;
        count++;
      }
    },
    end() {
      try {
        root?.end();
      } catch (error) {
        const onlyComments = count > 0 && error instanceof XmlError && error.reason === 'empty';
        if (!onlyComments) throw error;
      }
    },
  };
}
