import { foreignCharacter, nameEnd, resolveReference, skipSpaces, startsName } from './characters.ts';
import { localPart } from './names.ts';

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

const cutInTag: Cut = { awaited: '>' };

const NOT_PLAIN = /[^\x20-\x25\x27-\x3b\x3d-\ud7ff]/;
const REFERENCE = /&([^;]*)(;?)/g;

/** The value meant by what stands between the quotes, or undefined where that cannot stand there. */
function valueFrom(raw: string): string | undefined {
  if (!NOT_PLAIN.test(raw)) return raw;
  if (raw.includes('<') || foreignCharacter(raw) !== -1) return undefined;
  let isWrong = false;
  const value = raw.replace(/\r\n|[\t\r\n]/g, ' ').replace(REFERENCE, (_, reference, end) => {
    const character = end === '' ? undefined : resolveReference(reference);
    isWrong ||= character === undefined;
    return character ?? '';
  });
  return isWrong ? undefined : value;
}

function readAttribute(text: string, start: number, refuse: Refuse): Attribute | Cut {
  if (!startsName(text, start)) refuse('attribute name', start);
  const end = nameEnd(text, start);
  const equals = skipSpaces(text, end);
  if (equals === text.length) return cutInTag;
  if (text.charCodeAt(equals) !== EQUALS) refuse('attribute without value', equals);
  const open = skipSpaces(text, equals + 1);
  if (open === text.length) return cutInTag;
  const quote = text.charAt(open);
  if (quote !== '"' && quote !== "'") refuse('attribute without quotes', open);
  const close = text.indexOf(quote, open + 1);
  if (close === -1) return { awaited: quote };
  const value = valueFrom(text.slice(open + 1, close)) ?? refuse('attribute value', close);
  return { name: text.slice(start, end), value, end: close + 1 };
}

/** Of two with the same local name the first counts. */
function addAttribute(
  attributes: Record<string, string>,
  names: string[],
  { name, value, end }: Attribute,
  refuse: Refuse,
): void {
  if (names.includes(name)) refuse('duplicate attribute', end);
  names.push(name);
  if (names.length > MOST_ATTRIBUTES) refuse('too many attributes', end, 'too_long');
  if (name === 'xmlns' || name.startsWith('xmlns:')) return;
  attributes[localPart(name) ?? refuse('name', end)] ??= value;
}

/** Reads the attributes of a tag from behind its name to its `>` or `/`, which is where `end` is. */
export function readAttributes(
  text: string,
  from: number,
  refuse: Refuse,
): { attributes: XmlAttributes; end: number } | Cut {
  const attributes: Record<string, string> = Object.create(null);
  const names: string[] = [];
  for (let at = from; ; ) {
    const start = skipSpaces(text, at);
    const code = text.charCodeAt(start);
    if (start === text.length) return cutInTag;
    if (code === GREATER || code === SLASH) return { attributes, end: start };
    if (start === at) refuse('character in a tag', start);
    const attribute = readAttribute(text, start, refuse);
    if ('awaited' in attribute) return attribute;
    addAttribute(attributes, names, attribute, refuse);
    at = attribute.end;
  }
}
