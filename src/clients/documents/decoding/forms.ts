import { visible } from '../../../documents/untrusted.ts';

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}

/** Forms of bytes, detected from the first ones. */
export type BytesForm = 'gzip' | 'zip' | 'pdf' | 'text';

/** Detects the form of bytes from the first ones. */
export function formOfBytes(first: Uint8Array): BytesForm {
  if (startsWith(first, 0x1f, 0x8b)) return 'gzip';
  if (startsWith(first, 0x50, 0x4b, 3, 4) || startsWith(first, 0x50, 0x4b, 5, 6)) return 'zip';
  return startsWith(first, 0x25, 0x50, 0x44, 0x46) ? 'pdf' : 'text';
}

/** Forms of a text, detected from its start. */
export type TextForm = 'empty' | 'json' | 'xml' | 'html' | 'text';

/** Characters needed to detect the form of a text. */
export const enoughToTell = 16;

const HTML = /^<(?:!doctype\s+html|(?:html|head|body|title|h[1-6]|p|div|center|span|table)[\s>/])/i;

/** Detects the form of a text from its start, without leading blanks. */
export function formOfText(start: string): TextForm {
  if (start === '') return 'empty';
  if (/^["[{]/.test(start)) return 'json';
  if (!isMarkup(start)) return 'text';
  return HTML.test(start) ? 'html' : 'xml';
}

/** Whether a text without leading blanks begins like XML. */
export function isMarkup(text: string): boolean {
  return text.startsWith('<');
}

/** An address, or bytes encoded as text. */
export type ValueForm =
  | { readonly form: 'url'; readonly url: string }
  | { readonly form: 'base64' | 'hexadecimal'; readonly digits: string };

const URL_START = /^https?:\/\//i;
const LONGEST_URL = 8192;
const DATA_URI = /^data:application\/pdf[^,]{0,60};base64,/i;
/** Start of base64 of a PDF, gzip or ZIP. */
const BASE64_START = /^(?:JVBERi|H4sI|UEsDB)/;
const HEXADECIMAL_START = /^(?:0x)?25504446/i;

/** Detects a value that is an address or encoded bytes; undefined for plain text. */
export function formOfValue(text: string): ValueForm | undefined {
  const url = httpUrl(text);
  if (url !== undefined) return { form: 'url', url };
  const dataUri = DATA_URI.exec(text)?.[0];
  if (dataUri !== undefined || BASE64_START.test(text)) {
    return { form: 'base64', digits: text.slice(dataUri?.length ?? 0) };
  }
  return HEXADECIMAL_START.test(text) ? { form: 'hexadecimal', digits: text } : undefined;
}

/** Returns the text unchanged if it is an http or https URL to fetch from. */
export function httpUrl(text: string): string | undefined {
  if (!URL_START.test(text) || text.length > LONGEST_URL || visible(text) !== text || /[\s<>"]/.test(text))
    return undefined;
  return URL.canParse(text) ? text : undefined;
}
