import { flatten } from '../../../documents/summary/flatten.ts';
import type { OpenText } from './entry.ts';
import { isMarkup, Unreadable } from './forms.ts';
import { requireWithin } from './limits.ts';
import type { Piece, Reading } from './piece.ts';
import { type More, TextCursor } from './text-cursor.ts';
import { createXmlTokens, type Token, type XmlTokens } from './xml-tokens.ts';

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

/** The reading of one text. Its generators are functions of the module, for the reason that `TextCursor` is a class. */
interface Frames {
  readonly text: TextCursor;
  readonly reading: Reading;
  readonly open: OpenText;
  readonly tokens: XmlTokens;
  readonly elements: Element[];
  hasEnded: boolean;
}

/** Reads XML texts that stand one after the other: frames, documents, or frames with documents in them. */
export function* readXml(text: TextCursor, reading: Reading, open: OpenText): Generator<Piece | More> {
  const tokens = createXmlTokens(reading);
  const frames: Frames = { text, reading, open, tokens, elements: [], hasEnded: false };
  for (;;) {
    const token = tokens.next() ?? (yield* nextToken(frames));
    if (token === undefined) return;
    yield* readToken(frames, token);
  }
}

function* readToken(frames: Frames, token: Token): Generator<Piece | More> {
  const { reading } = frames;
  switch (token.kind) {
    case 'open':
      return yield* openElement(frames, token);
    case 'close':
      return yield* closeElement(frames);
    case 'text':
      return yield* addText(frames, token.text);
    case 'begin document':
      enterChild(frames);
      reading.isInDocument = true;
      return;
    case 'unreadable':
      enterChild(frames);
  }
  reading.isInDocument = false;
  reading.documents++;
  yield token;
}

function* nextToken(frames: Frames): Generator<More, Token | undefined> {
  const { tokens, text } = frames;
  for (;;) {
    const token = tokens.next();
    if (token !== undefined || frames.hasEnded) return token;
    const part = yield* text.take();
    if (part !== undefined) tokens.write(part);
    else {
      tokens.end();
      frames.hasEnded = true;
    }
  }
}

/** A child begins, an element or a document. */
function enterChild({ elements }: Frames): Element | undefined {
  const parent = elements.at(-1);
  if (parent === undefined) return undefined;
  if (parent.text !== '') throw new Unreadable('mixed content');
  parent.hasChildren = true;
  return parent;
}

function noteFrame({ reading }: Frames, name: string): void {
  if (name === LITERAL_XML_ROOT || name === STRING_WRAPPER) return;
  const shown = name.slice(0, SHOWN_NAME_LENGTH);
  reading.forms.note(`xml envelope ${shown}`, `xml <${shown}>`);
}

/** What is left of the text of the innermost element, which it uses up with the element's end. */
function* textToEnd(frames: Frames, begun: string): Generator<string | More> {
  yield begun;
  for (;;) {
    const token = frames.tokens.next() ?? (yield* nextToken(frames));
    if (token?.kind === 'text') yield token.text;
    else if (token?.kind === 'close') return;
    else throw new Unreadable('mixed content');
  }
}

function* openElement(
  frames: Frames,
  { name, attributes }: Token & { kind: 'open' },
): Generator<Piece | More> {
  const { elements, reading, open } = frames;
  const parent = enterChild(frames);
  if (parent === undefined || parent.name === LITERAL_XML_ROOT) noteFrame(frames, name);
  if (name === STRING_WRAPPER) {
    reading.forms.note('string wrapper');
    const isEntry = parent !== undefined;
    yield* open(new TextCursor(textToEnd(frames, '')), { form: 'string', isEntry });
    return;
  }
  elements.push({ name, hasChildren: false, text: '' });
  yield { kind: 'open', name, attributes, isRoot: parent === undefined };
}

function* addText(frames: Frames, part: string): Generator<Piece | More> {
  const { elements, reading, open } = frames;
  const element = elements.at(-1);
  if (element === undefined) return;
  const added = element.text === '' ? part.trimStart() : part;
  if (added === '') return;
  if (element.hasChildren) throw new Unreadable('mixed content');
  if (element.text === '' && isMarkup(added) && reading.takes.markup === true) {
    reading.forms.note('xml in text');
    yield* open(new TextCursor(textToEnd(frames, added)), { form: 'markup', isEntry: true });
    yield* closeElement(frames);
    return;
  }
  element.text += added;
  requireWithin(element.text.length, reading.limits.value);
}

function* closeElement({ elements }: Frames): Generator<Piece> {
  const element = elements.pop();
  if (element === undefined) return;
  const { name } = element;
  if (element.text !== '') yield { kind: 'value', name, text: flatten(element.text.trimEnd()) };
  yield { kind: 'close', name };
}
