import {
  foreignCharacter,
  isAscii,
  isSpace,
  localPart,
  nameEnd,
  plainNameEnd,
  plainValueEnd,
  resolveReference,
  startsName,
} from './characters.ts';
import { END, type TextWindow, type Units } from './text.ts';

/** Attributes by local name, without namespace declarations. Has no prototype. */
export type XmlAttributes = Readonly<Record<string, string>>;

export const noAttributes: XmlAttributes = Object.freeze(Object.create(null));

/** Refuses the document for what stands before this index. */
export type Refuse = (detail: string, at: number, reason?: 'malformed' | 'too_long') => never;

interface Attribute {
  readonly name: string;
  readonly value: string;
  /** The index behind its closing quote. */
  readonly end: number;
}

/** The text ends before the tag does, and not before this has come. */
interface Cut {
  readonly awaited: string;
}

const MOST_ATTRIBUTES = 1000;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const COLON = 0x3a;

const cutInTag: Cut = { awaited: '>' };

const REFERENCE = /&([^;]*)(;?)/g;

/** The value meant by what stands between the quotes, or undefined where that cannot stand there. */
function valueFrom(raw: string): string | undefined {
  if (foreignCharacter(raw) !== -1) return undefined;
  let isWrong = false;
  const value = raw.replace(/\r\n|[\t\r\n]/g, ' ').replace(REFERENCE, (_, reference, end) => {
    const character = end === '' ? undefined : resolveReference(reference);
    isWrong ||= character === undefined;
    return character ?? '';
  });
  return isWrong ? undefined : value;
}

function spacesEnd(units: Units, from: number): number {
  let at = from;
  while (isSpace(units[at] ?? END)) at++;
  return at;
}

function attributeNameEnd({ text, units }: TextWindow, start: number, refuse: Refuse): number {
  const plainEnd = plainNameEnd(units, start);
  if (plainEnd > start && isAscii(units[plainEnd] ?? END)) return plainEnd;
  if (!startsName(text, start)) refuse('attribute name', start);
  return nameEnd(text, plainEnd);
}

function readAttribute(window: TextWindow, start: number, refuse: Refuse): Attribute | Cut {
  const { text, units } = window;
  const end = attributeNameEnd(window, start, refuse);
  const equals = spacesEnd(units, end);
  if (equals === text.length) return cutInTag;
  if (units[equals] !== EQUALS) refuse('attribute without value', equals);
  const open = spacesEnd(units, equals + 1);
  if (open === text.length) return cutInTag;
  const quote = units[open];
  if (quote !== QUOTE && quote !== APOSTROPHE) return refuse('attribute without quotes', open);
  const name = text.slice(start, end);
  const plainEnd = plainValueEnd(units, open + 1, quote);
  if (units[plainEnd] === quote) return { name, value: text.slice(open + 1, plainEnd), end: plainEnd + 1 };
  const close = text.indexOf(quote === QUOTE ? '"' : "'", plainEnd);
  // Without its closing quote a value would run on to the end of the text.
  const less = text.indexOf('<', plainEnd);
  if (less !== -1 && (close === -1 || less < close)) return refuse('attribute value', less);
  if (close === -1) return { awaited: quote === QUOTE ? '"' : "'" };
  const value = valueFrom(text.slice(open + 1, close)) ?? refuse('attribute value', close);
  return { name, value, end: close + 1 };
}

/** Of two with the same local name the first counts. */
function addAttribute(
  attributes: Record<string, string>,
  { name, value, end }: Attribute,
  refuse: Refuse,
): void {
  attributes[localPart(name) ?? refuse('name', end)] ??= value;
}

function isNamespace(name: string): boolean {
  return name.startsWith('xmlns') && (name.length === 5 || name.charCodeAt(5) === COLON);
}

/** Reads the attributes of a tag from behind its name to its `>` or `/`, which is where `end` is. */
export function readAttributes(
  window: TextWindow,
  from: number,
  refuse: Refuse,
): { attributes: XmlAttributes; end: number } | Cut {
  const { text, units } = window;
  let attributes: Record<string, string> | undefined;
  const names: string[] = [];
  for (let at = from; ; ) {
    const start = spacesEnd(units, at);
    const unit = units[start];
    if (start === text.length) return cutInTag;
    if (unit === GREATER || unit === SLASH) return { attributes: attributes ?? noAttributes, end: start };
    if (start === at) refuse('character in a tag', start);
    const attribute = readAttribute(window, start, refuse);
    if ('awaited' in attribute) return attribute;
    const { name } = attribute;
    if (names.includes(name)) refuse('duplicate attribute', attribute.end);
    names.push(name);
    if (names.length > MOST_ATTRIBUTES) refuse('too many attributes', attribute.end, 'too_long');
    if (!isNamespace(name)) {
      attributes ??= Object.create(null) as Record<string, string>;
      addAttribute(attributes, attribute, refuse);
    }
    at = attribute.end;
  }
}

/** Where a comment begins. */
export const COMMENT = '<!--';

const QUESTION = 0x3f;

const BLANK = '[\\t\\n\\r ]';

/** One part of the XML declaration, its value in either quotes. */
function part(name: string, value: string): string {
  return `${BLANK}+${name}${BLANK}*=${BLANK}*(?:"${value}"|'${value}')`;
}

const VERSION = part('version', '1\\.[0-9]+');
const ENCODING = part('encoding', '[A-Za-z][A-Za-z0-9._-]*');
const STANDALONE = part('standalone', '(?:yes|no)');
const DECLARATION = new RegExp(`^${VERSION}(?:${ENCODING})?(?:${STANDALONE})?${BLANK}*$`);

/** Refuses what XML has no character for. */
export function checkCharacters(text: string, from: number, to: number, refuse: Refuse): void {
  const index = foreignCharacter(text.slice(from, to));
  if (index !== -1) refuse('character', from + index + 1);
}

/** Both give the index behind what begins at this one, or undefined where the text ends before. */
export function commentEnd(text: string, at: number, refuse: Refuse): number | undefined {
  const end = text.indexOf('--', at + COMMENT.length);
  if (end === -1 || end + 2 === text.length) return undefined;
  if (text.charCodeAt(end + 2) !== GREATER) refuse('comment', end + 3);
  checkCharacters(text, at, end, refuse);
  return end + 3;
}

/** A processing instruction or the XML declaration; `isFirst` is whether the document begins with it. */
export function instructionEnd(
  text: string,
  at: number,
  isFirst: boolean,
  refuse: Refuse,
): number | undefined {
  const targetStart = at + 2;
  if (targetStart === text.length) return undefined;
  if (!startsName(text, targetStart)) refuse('processing instruction', targetStart + 1);
  const targetEnd = nameEnd(text, targetStart);
  if (targetEnd === text.length) return undefined;
  const target = text.slice(targetStart, targetEnd);
  if (target.toLowerCase() !== 'xml') return bodyEnd(text, targetEnd, refuse);
  if (target !== 'xml' || !isFirst) refuse('place of the XML declaration', targetEnd);
  return declarationEnd(text, targetEnd, refuse);
}

function bodyEnd(text: string, from: number, refuse: Refuse): number | undefined {
  const code = text.charCodeAt(from);
  if (code !== QUESTION && !isSpace(code)) refuse('processing instruction', from + 1);
  const end = text.indexOf('?>', from);
  if (end === -1) return undefined;
  checkCharacters(text, from, end, refuse);
  return end + 2;
}

function declarationEnd(text: string, from: number, refuse: Refuse): number | undefined {
  const end = text.indexOf('?', from);
  if (end === -1 || end + 1 === text.length) return undefined;
  const isRight = text.charCodeAt(end + 1) === GREATER && DECLARATION.test(text.slice(from, end));
  return isRight ? end + 2 : refuse('XML declaration', end + 2);
}
