import {
  foreignCharacter,
  isSpace,
  localPart,
  nameEnd,
  plainValueEnd,
  resolveReference,
  skipSpaces,
} from './characters.ts';

/** Attributes by local name, without namespace declarations. Has no prototype. */
export type XmlAttributes = Readonly<Record<string, string>>;

export const noAttributes: XmlAttributes = Object.freeze(Object.create(null));

/** Refuses the document for what stands before this index. */
export type Refuse = (detail: string, index: number, reason?: 'malformed' | 'too_long') => never;

/** The text ends before the tag does; no need to read it again before this has arrived. */
interface Cut {
  readonly awaited: string;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  /** The index behind its closing quote. */
  readonly end: number;
}

const MOST_ATTRIBUTES = 1000;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

const cutInTag: Cut = { awaited: '>' };

/**
 * Reads the attributes of a tag from behind its name up to its `>` or `/`, which is at `end`. Of two with the same
 * local name the first counts.
 */
export function readAttributes(
  text: string,
  from: number,
  refuse: Refuse,
): { attributes: XmlAttributes; end: number } | Cut {
  let attributes: Record<string, string> | undefined;
  const names: string[] = [];
  for (let at = from; ; ) {
    const start = skipSpaces(text, at);
    if (start === text.length) return cutInTag;
    const unit = text.charCodeAt(start);
    if (unit === GREATER || unit === SLASH) return { attributes: attributes ?? noAttributes, end: start };
    if (start === at) refuse('character in a tag', start);
    const attribute = readAttribute(text, start, refuse);
    if ('awaited' in attribute) return attribute;
    const { name, value, end } = attribute;
    if (names.includes(name)) refuse('duplicate attribute', end);
    names.push(name);
    if (names.length > MOST_ATTRIBUTES) refuse('too many attributes', end, 'too_long');
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) {
      attributes ??= Object.create(null) as Record<string, string>;
      attributes[localPart(name) ?? refuse('name', end)] ??= value;
    }
    at = end;
  }
}

function readAttribute(text: string, start: number, refuse: Refuse): Attribute | Cut {
  const end = nameEnd(text, start);
  if (end === start) refuse('attribute name', start);
  const equals = skipSpaces(text, end);
  if (equals === text.length) return cutInTag;
  if (text.charCodeAt(equals) !== EQUALS) refuse('attribute without value', equals);
  const open = skipSpaces(text, equals + 1);
  if (open === text.length) return cutInTag;
  const quote = text.charAt(open);
  if (quote !== '"' && quote !== "'") return refuse('attribute without quotes', open);
  const name = text.slice(start, end);
  const plainEnd = plainValueEnd(text, open + 1, quote.charCodeAt(0));
  if (text.startsWith(quote, plainEnd)) {
    return { name, value: text.slice(open + 1, plainEnd), end: plainEnd + 1 };
  }
  const close = text.indexOf(quote, plainEnd);
  // Without its closing quote a value would run on to the end of the text.
  const less = text.indexOf('<', plainEnd);
  if (less !== -1 && (close === -1 || less < close)) return refuse('attribute value', less);
  if (close === -1) return { awaited: quote };
  const value = valueFrom(text.slice(open + 1, close)) ?? refuse('attribute value', close);
  return { name, value, end: close + 1 };
}

const REFERENCE = /&([^;]*)(;?)/g;

/** The value of an attribute from the text between its quotes; undefined where that is not allowed there. */
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

/** Refuses characters that XML does not have, in a part of the document that begins at an index. */
export function requireCharacters(part: string, start: number, refuse: Refuse): void {
  const index = foreignCharacter(part);
  if (index !== -1) refuse('character', start + index + 1);
}

/** The index behind the comment that begins there; undefined where the text ends before. */
export function commentEnd(text: string, at: number, refuse: Refuse): number | undefined {
  const end = text.indexOf('--', at + '<!--'.length);
  if (end === -1 || end + 2 === text.length) return undefined;
  if (text.charCodeAt(end + 2) !== GREATER) refuse('comment', end + 3);
  requireCharacters(text.slice(at, end), at, refuse);
  return end + 3;
}

/** The same of a processing instruction or an XML declaration, which may only begin a document (`isFirst`). */
export function instructionEnd(
  text: string,
  at: number,
  isFirst: boolean,
  refuse: Refuse,
): number | undefined {
  const start = at + 2;
  if (start === text.length) return undefined;
  const targetEnd = nameEnd(text, start);
  if (targetEnd === start) refuse('processing instruction', start + 1);
  if (targetEnd === text.length) return undefined;
  const target = text.slice(start, targetEnd);
  if (target.toLowerCase() !== 'xml') return bodyEnd(text, targetEnd, refuse);
  if (target !== 'xml' || !isFirst) refuse('place of the XML declaration', targetEnd);
  return declarationEnd(text, targetEnd, refuse);
}

function bodyEnd(text: string, from: number, refuse: Refuse): number | undefined {
  const code = text.charCodeAt(from);
  if (code !== QUESTION && !isSpace(code)) refuse('processing instruction', from + 1);
  const end = text.indexOf('?>', from);
  if (end === -1) return undefined;
  requireCharacters(text.slice(from, end), from, refuse);
  return end + 2;
}

const BLANK = '[\\t\\n\\r ]';

/** One part of the XML declaration, its value in either quotes. */
function part(name: string, value: string): string {
  return `${BLANK}+${name}${BLANK}*=${BLANK}*(?:"${value}"|'${value}')`;
}

const VERSION = part('version', '1\\.[0-9]+');
const ENCODING = part('encoding', '[A-Za-z][A-Za-z0-9._-]*');
const STANDALONE = part('standalone', '(?:yes|no)');
const DECLARATION = new RegExp(`^${VERSION}(?:${ENCODING})?(?:${STANDALONE})?${BLANK}*$`);

function declarationEnd(text: string, from: number, refuse: Refuse): number | undefined {
  const end = text.indexOf('?', from);
  if (end === -1 || end + 1 === text.length) return undefined;
  const isRight = text.charCodeAt(end + 1) === GREATER && DECLARATION.test(text.slice(from, end));
  return isRight ? end + 2 : refuse('XML declaration', end + 2);
}
