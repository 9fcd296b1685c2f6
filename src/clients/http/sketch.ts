import type { ReplySketch } from '../errors.ts';
import type { Redact } from './call.ts';
import { clearedStart } from './redact.ts';

/** Bytes or characters of a reply's start that a sketch looks at. */
export const sketchStart = 512;

const shownCharacters = 80;
const wordless: ReadonlySet<string> = new Set(['html', 'pdf', 'binary', 'empty']);

/**
 * What a reply looks like, for an error about it: without secrets, e-mail addresses and whole identifiers.
 *
 * @param start the first bytes or characters, at least `sketchStart` of them where there are as many
 * @param bytes how many there are or were seen in all
 * @param known what a reader that got further takes the reply for, e.g. `xml <retFoo>` inside of a JSON string
 */
export function sketchReply(
  start: Uint8Array | string,
  bytes: number,
  redact: Redact,
  known?: string,
): ReplySketch {
  const whole = typeof start === 'string' ? start : new TextDecoder().decode(start.subarray(0, sketchStart));
  const text = whole.slice(0, sketchStart);
  const kind = text === '' && bytes > 0 ? (known ?? 'binary') : kindOf(text.trimStart(), known);
  return {
    kind,
    bytes,
    start: wordless.has(kind)
      ? ''
      : clearedStart(text, sketchStart - 1, redact)
          .slice(0, shownCharacters)
          .trim(),
  };
}

function kindOf(text: string, known: string | undefined): string {
  if (text === '') return 'empty';
  if (text.startsWith('%PDF')) return 'pdf';
  if (/^(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html[\s>])/i.test(text)) return 'html';
  if (known !== undefined) return known;
  const root = /^(?:<\?xml[^>]*>\s*)?<([A-Za-z_][\w.:-]{0,60})/.exec(text)?.[1];
  if (root) return `xml <${root}>`;
  if (text.startsWith('{')) return 'json object';
  if (text.startsWith('[')) return 'json array';
  if (text.startsWith('"')) return 'json string';
  return /\p{Cc}/u.test(text.replace(/[\t\r\n]/g, '')) || text.includes('\ufffd') ? 'binary' : 'text';
}
