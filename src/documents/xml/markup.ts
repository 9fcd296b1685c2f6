import { foreignCharacter, localPart, NAME, resolveReference } from './characters.ts';

/** Attributes by local name, without namespace declarations. Has no prototype. */
export type XmlAttributes = Readonly<Record<string, string>>;

/** `empty`: no element; `truncated`: ends inside the root; `too_deep`, `too_long`: over the limits. */
export type XmlErrorReason = 'empty' | 'truncated' | 'malformed' | 'doctype' | 'too_deep' | 'too_long';

/** A text that is not one complete, well-formed document. The message contains nothing from the text. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  readonly reason: XmlErrorReason;
  /** Offset of the error from the start of this document, in characters. */
  readonly position: number;

  constructor(reason: XmlErrorReason, position: number, detail = '') {
    super(`XML ${reason.replace('_', ' ')} at character ${position}${detail && ` (${detail})`}`);
    this.reason = reason;
    this.position = position;
  }
}

/** Returned by a handler to skip the content of an element. */
export const SKIP = Symbol('skip');

/** Handles a document in order. Names are local names: prefixes are dropped, namespaces are not resolved. */
export interface XmlHandler {
  /** After SKIP, the content is checked but not reported; the next event is this element's `close`. */
  open(name: string, attributes: XmlAttributes): typeof SKIP | undefined;
  /** Text and CDATA, references resolved. One text may arrive in several pieces. */
  text(text: string): void;
  close(name: string): void;
  /**
   * Optional, replaces `open`, `text` and `close`: an element with plain text and no attributes. Returns false to
   * receive the three instead.
   */
  field?(name: string, text: string): boolean;
}

export const noAttributes: XmlAttributes = Object.freeze(Object.create(null));

/** Rejects the document because of the text before this index. */
export type Refuse = (detail: string, index: number, reason?: 'malformed' | 'too_long') => never;

const MOST_ATTRIBUTES = 1000;
const BLANK = '[\\t\\n\\r ]';
/** An attribute up to its opening quote. */
const ATTRIBUTE = new RegExp(`${BLANK}+(${NAME})${BLANK}*=${BLANK}*(["'])`, 'uy');
const TAG_END = new RegExp(`${BLANK}*/?>`, 'y');
/** End of a text that may still become an attribute or the tag's end. */
const UNFINISHED = new RegExp(`${BLANK}*(?:/|${NAME}${BLANK}*(?:=${BLANK}*)?)?$`, 'uy');

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Reads the attributes of a tag, from the end of its name to the `>` before `end`. Of two with the same local name, the
 * first counts. If the text ends before the tag, `awaited` must arrive before the next attempt.
 */
export function readAttributes(
  text: string,
  from: number,
  refuse: Refuse,
): { readonly attributes: XmlAttributes; readonly end: number } | { readonly awaited: string } {
  let attributes: Record<string, string> | undefined;
  const names: string[] = [];
  let at = from;
  for (let head = matchAt(ATTRIBUTE, text, at); head !== null; head = matchAt(ATTRIBUTE, text, at)) {
    const [opening, name = '', quote = ''] = head;
    const start = at + opening.length;
    const end = text.indexOf(quote, start);
    const raw = text.slice(start, end === -1 ? text.length : end);
    // Without a closing quote, a value would extend to the end of the text.
    if (raw.includes('<')) refuse('attribute value', start);
    if (end === -1) return { awaited: quote };
    if (names.includes(name)) refuse('duplicate attribute', end);
    names.push(name);
    if (names.length > MOST_ATTRIBUTES) refuse('too many attributes', end, 'too_long');
    const value = valueFrom(raw) ?? refuse('attribute value', end);
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) {
      attributes ??= Object.create(null) as Record<string, string>;
      attributes[localPart(name) ?? refuse('name', end)] ??= value;
    }
    at = end + 1;
  }
  const close = matchAt(TAG_END, text, at);
  if (close !== null) return { attributes: attributes ?? noAttributes, end: at + close[0].length };
  return matchAt(UNFINISHED, text, at) === null ? refuse('attribute', at) : { awaited: '>' };
}

const REFERENCE = /&([^;]*)(;?)/g;

/** Value of an attribute from the text between its quotes; undefined if invalid. */
function valueFrom(raw: string): string | undefined {
  if (foreignCharacter(raw) !== -1) return undefined;
  if (!/[&\t\r\n]/.test(raw)) return raw;
  let isWrong = false;
  const value = raw.replace(/\r\n|[\t\r\n]/g, ' ').replace(REFERENCE, (_, reference, end) => {
    const character = end === '' ? undefined : resolveReference(reference);
    isWrong ||= character === undefined;
    return character ?? '';
  });
  return isWrong ? undefined : value;
}

/** Rejects characters not allowed in XML in a part of the document that starts at `start`. */
export function requireCharacters(part: string, start: number, refuse: Refuse): void {
  const index = foreignCharacter(part);
  if (index !== -1) refuse('character', start + index + 1);
}

/** Index after the comment at `at`; undefined if the text ends first. */
export function commentEnd(text: string, at: number, refuse: Refuse): number | undefined {
  const end = text.indexOf('--', at + '<!--'.length);
  if (end === -1 || end + 2 === text.length) return undefined;
  if (text.charAt(end + 2) !== '>') refuse('comment', end + 3);
  requireCharacters(text.slice(at, end), at, refuse);
  return end + 3;
}

function part(name: string, value: string): string {
  return `${BLANK}+${name}${BLANK}*=${BLANK}*(?:"${value}"|'${value}')`;
}

const VERSION = part('version', '1\\.[0-9]+');
const ENCODING = part('encoding', '[A-Za-z][A-Za-z0-9._-]*');
const STANDALONE = part('standalone', '(?:yes|no)');
const DECLARATION = new RegExp(`^xml${VERSION}(?:${ENCODING})?(?:${STANDALONE})?${BLANK}*$`);
const TARGET_END = `(?:${BLANK}|\\?|$)`;
const INSTRUCTION = new RegExp(`^(?!xml${TARGET_END})${NAME}${TARGET_END}`, 'iu');

/**
 * Index after a processing instruction, or an XML declaration, which is allowed only at the start (`isFirst`);
 * undefined if the text ends first.
 */
export function instructionEnd(
  text: string,
  at: number,
  isFirst: boolean,
  refuse: Refuse,
): number | undefined {
  const end = text.indexOf('?>', at + 2);
  const isWhole = end !== -1;
  const inside = text.slice(at + 2, isWhole ? end : text.length);
  const isDeclaration = isFirst && (isWhole ? DECLARATION : /^xml/).test(inside);
  const mayFollow = inside === '' && !isWhole;
  if (!isDeclaration && !INSTRUCTION.test(inside) && !mayFollow) refuse('processing instruction', at + 2);
  if (!isWhole) return undefined;
  requireCharacters(inside, at + 2, refuse);
  return end + 2;
}
