import type { ReplySketch } from '../errors.ts';
import type { Redact } from './redact.ts';

/** Bytes of a reply's start that a sketch looks at. */
export const sketchStart = 512;

const shownCharacters = 80;

/**
 * What a reply looks like, for an error about it.
 *
 * @param start the first bytes, at least `sketchStart` of them where there are as many
 * @param bytes how many there are or were seen in all
 */
export function sketchReply(start: Uint8Array, bytes: number, redact: Redact): ReplySketch {
  const text = new TextDecoder().decode(start.subarray(0, sketchStart)).trimStart();
  const kind = kindOf(text);
  const shown = ['html', 'pdf', 'binary', 'empty'].includes(kind) ? '' : cleaned(text, redact);
  return { kind, bytes, start: shown };
}

function kindOf(text: string): string {
  if (text === '') return 'empty';
  if (text.startsWith('%PDF')) return 'pdf';
  if (/^<!doctype html|^<html/i.test(text)) return 'html';
  const root = /^(?:<\?xml[^>]*>\s*)?<([A-Za-z_][\w.:-]{0,60})/.exec(text)?.[1];
  if (root) return `xml <${root}>`;
  if (text.startsWith('{')) return 'json object';
  if (text.startsWith('[')) return 'json array';
  if (text.startsWith('"')) return 'json string';
  return /\p{Cc}/u.test(text.replace(/[\t\r\n]/g, '')) || text.includes('\ufffd') ? 'binary' : 'text';
}

function cleaned(text: string, redact: Redact): string {
  return redact(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .slice(0, shownCharacters)
    .trim();
}
