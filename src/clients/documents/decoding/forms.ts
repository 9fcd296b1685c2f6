import { visible } from '../../../documents/untrusted.ts';

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}

/** Forms of bytes, detected from the first ones. */
export type BytesForm = 'gzip' | 'zip' | 'pdf' | 'text';

/** The form of bytes of which these are the first. */
export function formOfBytes(first: Uint8Array): BytesForm {
  if (startsWith(first, 0x1f, 0x8b)) return 'gzip';
  if (startsWith(first, 0x50, 0x4b, 3, 4)) return 'zip';
  return startsWith(first, 0x25, 0x50, 0x44, 0x46) ? 'pdf' : 'text';
}

/** Forms of a text, detected from its start. */
export type TextForm = 'empty' | 'json' | 'xml' | 'html' | 'text';

/** Characters that are enough to detect the form of a text. */
export const enoughToTell = 16;

const HTML = /^<(?:!doctype\s+html|(?:html|head|body|title|h[1-6]|p|div|center|span|table)[\s>/])/i;

/** The form of a text that starts so, blanks before it dropped. */
export function formOfText(start: string): TextForm {
  if (start === '') return 'empty';
  if (/^["[{]/.test(start)) return 'json';
  if (!isMarkup(start)) return 'text';
  return HTML.test(start) ? 'html' : 'xml';
}

/** Whether a text, blanks before it dropped, begins as XML does. */
export function isMarkup(text: string): boolean {
  return text.startsWith('<');
}

/** An address, or bytes in a spelling that text can carry. */
export type ValueForm =
  | { readonly form: 'url'; readonly url: string }
  | { readonly form: 'base64' | 'hexadecimal'; readonly digits: string };

const URL_START = /^https?:\/\//i;
const LONGEST_URL = 8192;
const DATA_URI = /^data:application\/pdf[^,]{0,60};base64,/i;
/** How base64 of a PDF, of gzip and of zip begins. */
const BASE64_START = /^(?:JVBERi|H4sI|UEsDB)/;
const HEXADECIMAL_START = /^(?:0x)?25504446/i;

/** The address or bytes that a whole value is; undefined for plain text. */
export function formOfValue(text: string): ValueForm | undefined {
  const url = httpUrl(text);
  if (url !== undefined) return { form: 'url', url };
  const dataUri = DATA_URI.exec(text)?.[0];
  if (dataUri !== undefined || BASE64_START.test(text)) {
    return { form: 'base64', digits: text.slice(dataUri?.length ?? 0) };
  }
  return HEXADECIMAL_START.test(text) ? { form: 'hexadecimal', digits: text } : undefined;
}

/** The text as an http or https URL to fetch from, unchanged; undefined where it is none. */
export function httpUrl(text: string): string | undefined {
  if (!URL_START.test(text) || text.length > LONGEST_URL || visible(text) !== text || /[\s<>"]/.test(text))
    return undefined;
  return URL.canParse(text) ? text : undefined;
}
