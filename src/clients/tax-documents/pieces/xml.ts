import { flatten } from '../../../documents/summary/flatten.ts';
import type { OpenText } from './entry.ts';
import { isMarkup, Unreadable } from './forms.ts';
import { requireWithin } from './limits.ts';
import type { Piece, Reading } from './piece.ts';
import { createTextCursor, type More, type TextCursor } from './text-cursor.ts';
import { createXmlTokens, type Token } from './xml-tokens.ts';

/** The wrapper that ASP.NET puts around a string result when it answers in XML. */
const STRING_WRAPPER = 'string';
/** A root of this name is no declaration gone wrong but what the service sends: the frame is inside it. */
const LITERAL_XML_ROOT = 'xml';
const SHOWN_NAME_LENGTH = 60;

interface Element {
  readonly name: string;
  hasChildren: boolean;
  text: string;
}

/** Reads XML texts that stand one after the other: frames, documents, or frames with documents in them. */
export function* readXml(text: TextCursor, reading: Reading, open: OpenText): Generator<Piece | More> {
  const { forms, takes } = reading;
  const tokens = createXmlTokens(reading);
  const elements: Element[] = [];
  let hasEnded = false;

  function* nextToken(): Generator<More, Token | undefined> {
    for (;;) {
      const token = tokens.next();
      if (token !== undefined || hasEnded) return token;
      const part = yield* text.take();
      if (part !== undefined) tokens.write(part);
      else {
        tokens.end();
        hasEnded = true;
      }
    }
  }

  /** A child begins, an element or a document. */
  function enterChild(): Element | undefined {
    const parent = elements.at(-1);
    if (parent === undefined) return undefined;
    if (parent.text !== '') throw new Unreadable('mixed content');
    parent.hasChildren = true;
    return parent;
  }

  function noteFrame(name: string): void {
    if (name === LITERAL_XML_ROOT || name === STRING_WRAPPER) return;
    const shown = name.slice(0, SHOWN_NAME_LENGTH);
    forms.note(`xml envelope ${shown}`, `xml <${shown}>`);
  }

  /** What is left of the text of the innermost element, which it uses up with the element's end. */
  function* textToEnd(begun: string): Generator<string | More> {
    yield begun;
    for (;;) {
      const token = tokens.next() ?? (yield* nextToken());
      if (token?.kind === 'text') yield token.text;
      else if (token?.kind === 'close') return;
      else throw new Unreadable('mixed content');
    }
  }

  function* openElement({ name, attributes }: Token & { kind: 'open' }): Generator<Piece | More> {
    const parent = enterChild();
    if (parent === undefined || parent.name === LITERAL_XML_ROOT) noteFrame(name);
    if (name === STRING_WRAPPER) {
      forms.note('string wrapper');
      yield* open(createTextCursor(textToEnd('')), { form: 'string', isEntry: parent !== undefined });
      return;
    }
    elements.push({ name, hasChildren: false, text: '' });
    yield { kind: 'open', name, attributes, isRoot: parent === undefined };
  }

  function* addText(element: Element, part: string): Generator<Piece | More> {
    const added = element.text === '' ? part.trimStart() : part;
    if (added === '') return;
    if (element.hasChildren) throw new Unreadable('mixed content');
    if (element.text === '' && isMarkup(added) && takes.markup === true) {
      forms.note('xml in text');
      yield* open(createTextCursor(textToEnd(added)), { form: 'markup', isEntry: true });
      yield* closeElement();
      return;
    }
    element.text += added;
    requireWithin(element.text.length, reading.limits.value);
  }

  function* closeElement(): Generator<Piece> {
    const element = elements.pop();
    if (element === undefined) return;
    const { name } = element;
    if (element.text !== '') yield { kind: 'value', name, text: flatten(element.text.trimEnd()) };
    yield { kind: 'close', name };
  }

  for (;;) {
    const token = tokens.next() ?? (yield* nextToken());
    if (token === undefined) return;
    const element = elements.at(-1);
    if (token.kind === 'open') yield* openElement(token);
    else if (token.kind === 'close') yield* closeElement();
    else if (token.kind === 'begin document') {
      enterChild();
      reading.isInDocument = true;
    } else if (token.kind === 'document') {
      reading.isInDocument = false;
      reading.documents++;
      yield token;
    } else if (token.kind === 'unreadable') {
      enterChild();
      reading.isInDocument = false;
      reading.documents++;
      yield token;
    } else if (element !== undefined) yield* addText(element, token.text);
  }
}
