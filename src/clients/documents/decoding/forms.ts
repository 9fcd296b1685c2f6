import { visible } from '../../../documents/untrusted.ts';
import { EncodingError } from '../../../documents/xml/encoding.ts';
import { XmlError } from '../../../documents/xml/xml.ts';

/** What is thrown for a reply that is cut, mixed or unknown; its readers make a `NotUnderstood` of it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  /** In a few words, e.g. `truncated`, `document 3: malformed`. Holds nothing of the reply. */
  readonly reason: string;
  /** What the reply holds instead, where that is known, e.g. `MDF-e`. */
  readonly model: string | undefined;

  constructor(reason: string, model?: string) {
    super(reason);
    this.reason = reason;
    this.model = model;
  }
}

/** A text whose damage ends where it ends, so that what it is quoted in can be read on. */
export class UnreadableText extends Unreadable {
  /** Its outermost element, where it has one. */
  readonly root: string | undefined;

  constructor(reason: string, root?: string) {
    super(reason);
    this.root = root;
  }
}

/** In a few words what is wrong with a reply; undefined for an error that is none of the decoder's. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof Unreadable) return error.reason;
  if (error instanceof XmlError) {
    return error.reason === 'empty' ? 'truncated' : error.reason.replace('_', ' ');
  }
  return error instanceof EncodingError ? error.message : undefined;
}

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}

/** What bytes are, told by how they begin. */
export type BytesForm = 'gzip' | 'zip' | 'pdf' | 'text';

/** The form of bytes of which these are the first. */
export function formOfBytes(first: Uint8Array): BytesForm {
  if (startsWith(first, 0x1f, 0x8b)) return 'gzip';
  if (startsWith(first, 0x50, 0x4b, 3, 4)) return 'zip';
  return startsWith(first, 0x25, 0x50, 0x44, 0x46) ? 'pdf' : 'text';
}

/** What a text is, told by how it begins: one in quotes, a frame of elements, or bare text. */
export type TextForm = 'empty' | 'json' | 'xml' | 'html' | 'text';

/** As many characters are enough to tell the forms of a text apart. */
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

/** What a value stands for that is no plain text. */
export type Stand =
  | { readonly form: 'url'; readonly url: string }
  | { readonly form: 'base64' | 'hexadecimal'; readonly digits: string };

const URL_START = /^https?:\/\//i;
const LONGEST_URL = 8192;
const DATA_URI = /^data:application\/pdf[^,]{0,60};base64,/i;
/** How base64 of a PDF, of gzip and of zip begins. */
const BASE64_START = /^(?:JVBERi|H4sI|UEsDB)/;
const HEXADECIMAL_START = /^(?:0x)?25504446/i;

/** What a whole value stands for: an address, or bytes in a spelling that text can carry; else undefined. */
export function formOfValue(text: string): Stand | undefined {
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

/** What a decoding has met so far. */
export interface Forms {
  /** From the outside in, each once. */
  readonly met: readonly string[];
  /** The innermost kind, e.g. `html`, `json object`, `xml <retFoo>`, `text`; undefined while nothing is recognised. */
  readonly kind: string | undefined;
  note(form: string, kind?: string): void;
  noteKind(kind: string): void;
}

export function createForms(): Forms {
  const met: string[] = [];
  let kind: string | undefined;

  /** The outermost XML root names the reply, whatever is in it. */
  function noteKind(inner: string): void {
    if (kind?.startsWith('xml <') !== true) kind = inner;
  }

  return {
    met,
    get kind() {
      return kind;
    },
    note(form, inner) {
      if (!met.includes(form)) met.push(form);
      if (inner !== undefined) noteKind(inner);
    },
    noteKind,
  };
}
