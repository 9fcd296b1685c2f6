import type { Refuse } from './xml-attributes.ts';
import { hasOnlyCharacters, isSpace, nameEnd, startsName } from './xml-characters.ts';

/** Where a comment begins. */
export const COMMENT = '<!--';

const GREATER = 0x3e;
const QUESTION = 0x3f;
const BYTE_ORDER_MARK = '\ufeff';

const VERSION = /\s+version\s*=\s*(?:"1\.\d+"|'1\.\d+')/;
const ENCODING = /\s+encoding\s*=\s*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*')/;
const STANDALONE = /\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)')/;
const DECLARATION = new RegExp(`^${VERSION.source}(?:${ENCODING.source})?(?:${STANDALONE.source})?\\s*$`);

/** Both give the index behind what begins at this one, or undefined where the text ends before. */
export function commentEnd(text: string, at: number, refuse: Refuse): number | undefined {
  const end = text.indexOf('--', at + COMMENT.length);
  if (end === -1 || end + 2 === text.length) return undefined;
  if (text.charCodeAt(end + 2) !== GREATER) refuse('comment', end + 3);
  if (!hasOnlyCharacters(text.slice(at, end))) refuse('character', end);
  return end + 3;
}

/** A processing instruction or the XML declaration; `textStart` is whether the text is the document's first. */
export function instructionEnd(
  text: string,
  at: number,
  textStart: boolean,
  refuse: Refuse,
): number | undefined {
  const targetStart = at + 2;
  if (targetStart === text.length) return undefined;
  if (!startsName(text, targetStart)) refuse('processing instruction', targetStart + 1);
  const targetEnd = nameEnd(text, targetStart);
  if (targetEnd === text.length) return undefined;
  const target = text.slice(targetStart, targetEnd);
  if (target.toLowerCase() !== 'xml') return bodyEnd(text, targetEnd, refuse);
  const isFirst = textStart && (at === 0 || (at === 1 && text.startsWith(BYTE_ORDER_MARK)));
  if (target !== 'xml' || !isFirst) refuse('place of the XML declaration', targetEnd);
  return declarationEnd(text, targetEnd, refuse);
}

function bodyEnd(text: string, from: number, refuse: Refuse): number | undefined {
  const code = text.charCodeAt(from);
  if (code !== QUESTION && !isSpace(code)) refuse('processing instruction', from + 1);
  const end = text.indexOf('?>', from);
  if (end === -1) return undefined;
  if (!hasOnlyCharacters(text.slice(from, end))) refuse('character', end);
  return end + 2;
}

function declarationEnd(text: string, from: number, refuse: Refuse): number | undefined {
  const end = text.indexOf('?', from);
  if (end === -1 || end + 1 === text.length) return undefined;
  const isRight = text.charCodeAt(end + 1) === GREATER && DECLARATION.test(text.slice(from, end));
  return isRight ? end + 2 : refuse('XML declaration', end + 2);
}
