import { gunzip, isGzip, isZip, unzipSingle } from './compressed.ts';
import type { Forms } from './content.ts';
import type { Pdf } from './results.ts';
import { wholeReplyLimit } from './text-stream.ts';
import { Unreadable } from './unreadable.ts';

/** The end mark stands in the last bytes; some writers add blanks or a signature's padding after it. */
const END_MARK_REACH = 2048;
const DEEPEST = 3;
const DATA_URI = /^data:application\/pdf[^,]{0,60};base64,/i;
/** How base64 of a PDF, of gzip and of zip begins. */
const BASE64_START = /^(?:JVBERi|H4sI|UEsDB)/;
const HEXADECIMAL_START = /^(?:0x)?25504446/i;
const URL_START = /^https?:\/\//i;
const LONGEST_URL = 8192;

export function isPdf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46;
}

/** The PDF in these bytes, unpacked; undefined where they are neither PDF nor packed. */
export function pdfFromBytes(bytes: Uint8Array, forms: Forms, depth = 0): Pdf | undefined {
  if (isPdf(bytes)) {
    forms.note('pdf', 'pdf');
    const end = Buffer.from(bytes.subarray(-END_MARK_REACH)).toString('latin1');
    if (!end.includes('%%EOF')) throw new Unreadable('truncated');
    return { kind: 'bytes', bytes };
  }
  if (depth === DEEPEST || !(isGzip(bytes) || isZip(bytes))) return undefined;
  forms.note(isGzip(bytes) ? 'gzip' : 'zip', isGzip(bytes) ? 'gzip' : 'zip');
  const content = isGzip(bytes) ? gunzip(bytes, wholeReplyLimit) : unzipSingle(bytes, wholeReplyLimit);
  return pdfFromBytes(content, forms, depth + 1);
}

function requirePdf(bytes: Uint8Array, forms: Forms): Pdf {
  const pdf = pdfFromBytes(bytes, forms);
  if (pdf === undefined) throw new Unreadable('not a pdf');
  return pdf;
}

function fromBase64(text: string): Uint8Array {
  const compact = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) throw new Unreadable('malformed base64');
  if (compact.length % 4 !== 0) throw new Unreadable('truncated');
  return Buffer.from(compact, 'base64');
}

function fromHexadecimal(text: string): Uint8Array {
  const compact = text.replace(/\s+/g, '').replace(/^0x/i, '');
  if (!/^[0-9a-f]*$/i.test(compact)) throw new Unreadable('malformed hexadecimal');
  if (compact.length % 2 !== 0) throw new Unreadable('truncated');
  return Buffer.from(compact, 'hex');
}

/** The text as a URL to fetch from, unchanged; undefined where it is none. */
export function httpUrl(text: string): string | undefined {
  if (!URL_START.test(text) || text.length > LONGEST_URL || /[\s<>"]/.test(text)) return undefined;
  return URL.canParse(text) ? text : undefined;
}

/** The PDF that a text stands for; undefined where it looks like none, an error where it does and is broken. */
export function pdfFromText(text: string, forms: Forms): Pdf | undefined {
  const url = httpUrl(text);
  if (url !== undefined) {
    forms.note('url');
    return { kind: 'url', url };
  }
  const dataUri = DATA_URI.exec(text)?.[0];
  if (dataUri !== undefined || BASE64_START.test(text)) {
    forms.note('base64', 'base64');
    return requirePdf(fromBase64(text.slice(dataUri?.length ?? 0)), forms);
  }
  if (HEXADECIMAL_START.test(text)) {
    forms.note('hexadecimal', 'hexadecimal');
    return requirePdf(fromHexadecimal(text), forms);
  }
  return undefined;
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}

/** The PDF in a JSON array of byte values; undefined where the value is no such array. */
export function pdfFromJson(value: unknown, forms: Forms): Pdf | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isByte)) return undefined;
  forms.note('byte array', 'json array');
  return requirePdf(Uint8Array.from(value), forms);
}
