import type { Refuse } from './attributes.ts';
import { foreignCharacter, isSpace, nameEnd, startsName } from './characters.ts';

/** Where a comment begins. */
export const COMMENT = '<!--';

const GREATER = 0x3e;
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
