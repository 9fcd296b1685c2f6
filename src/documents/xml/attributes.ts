import {
  foreignCharacter,
  isAscii,
  isSpace,
  nameEnd,
  plainNameEnd,
  plainValueEnd,
  resolveReference,
  startsName,
} from './characters.ts';
import { localPart } from './names.ts';
import { END, type TextWindow, type Units } from './window.ts';

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
  if (raw.includes('<') || foreignCharacter(raw) !== -1) return undefined;
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
