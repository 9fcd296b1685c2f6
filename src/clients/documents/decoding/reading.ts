import type { UnreadFacts } from '../../../documents/layouts/other-models.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import { EncodingError } from '../../../documents/xml/encoding.ts';
import { type XmlAttributes, XmlError } from '../../../documents/xml/xml.ts';
import { httpUrl } from './forms.ts';

/** A truncated, mixed or unknown reply, reported as `NotUnderstood`. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  /** In a few words, e.g. `truncated`, `document 3: malformed`. Holds nothing of the reply. */
  readonly reason: string;
  /** What the reply holds instead, if known, e.g. `MDF-e`. */
  readonly model: string | undefined;
  /** Outermost element of the one quoted text that the damage is confined to: the text around it can be read. */
  readonly root: string | undefined;

  constructor(reason: string, { model, root }: { readonly model?: string; readonly root?: string } = {}) {
    super(reason);
    this.reason = reason;
    this.model = model;
    this.root = root;
  }
}

/** The reason of an error of the decoder, in a few words; undefined for any other. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof Unreadable) return error.reason;
  if (error instanceof XmlError) {
    return error.reason === 'empty' ? 'truncated' : error.reason.replace('_', ' ');
  }
  return error instanceof EncodingError ? error.message : undefined;
}

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const GIBIBYTE = 1024 * MEBIBYTE;

/** Bounds of one kind of reply. */
export interface ReplyLimits {
  /** Bytes on the wire, content encoding undone. */
  readonly wire: number;
  /** Bytes and characters once a packed reply has been unpacked. */
  readonly unpacked: number;
  /** Characters of one value, or of a reply that is a single text or JSON value. */
  readonly value: number;
}

const wire = 32 * MEBIBYTE;
const short: ReplyLimits = { wire, unpacked: 64 * KIBIBYTE, value: 64 * KIBIBYTE };
const records: ReplyLimits = { wire, unpacked: 64 * MEBIBYTE, value: 2 * MEBIBYTE };
const single: ReplyLimits = { wire, unpacked: 64 * MEBIBYTE, value: 64 * MEBIBYTE };
const keys: ReplyLimits = { wire, unpacked: GIBIBYTE, value: 32 * MEBIBYTE };

/** Lists of documents are streamed, so their limits only stop an endless reply. */
export const limitsOf = {
  text: short,
  integer: short,
  url: short,
  record: records,
  records,
  document: { ...single, value: 32 * MEBIBYTE },
  service_document: single,
  pdf: single,
  access_keys: keys,
  service_keys: keys,
  documents: { wire: 4 * GIBIBYTE, unpacked: 16 * GIBIBYTE, value: 32 * MEBIBYTE },
  undocumented: { wire, unpacked: 16 * MEBIBYTE, value: 16 * MEBIBYTE },
} as const satisfies Record<string, ReplyLimits>;

/** Bounds that hold in every reply. */
export const limits = {
  /** Characters of one document. */
  document: 32 * MEBIBYTE,
  /** Quotings inside quotings. */
  layers: 6,
  /** Members inside members of a JSON value. */
  jsonDepth: 64,
  /** Values of a JSON object or array: two megabytes of the smallest there are. */
  jsonValues: 250_000,
  /** Packings inside packings. */
  packings: 3,
  /** Bytes of a zip, which is unpacked from its end. */
  packedFile: 64 * MEBIBYTE,
  zipFiles: 100_000,
  /** Ratio of unpacked to packed bytes; XML has been seen to shrink to a sixtieth. */
  zipRatio: 250,
  /** Unpacked bytes that a small ZIP may have regardless of the ratio. */
  smallZip: MEBIBYTE,
  /** Characters buffered of an incomplete tag. */
  tag: 8 * KIBIBYTE,
  /** Bytes decoded and read at once. */
  slice: 32 * KIBIBYTE,
  /** Bytes read before yielding to other calls. */
  turn: MEBIBYTE,
  /** Event records; those of a request fit into one URL. */
  eventRecords: 1000,
  /** Different status codes of a reply; each becomes a warning. */
  statuses: 1000,
  /** Elements and keys of a reply that are kept. */
  elements: 2_000_000,
  /** Values of one record of an unknown form. */
  fields: 20_000,
  /** Unreadable parts of a list. */
  unread: 100_000,
  /** Documents of a list that are announced and not sent, each with its place. */
  unsent: 1000,
} as const;

/** Limits the bytes or characters of a stream. @throws Unreadable `too large` */
export async function* bounded<T extends { readonly length: number }>(
  source: AsyncIterable<T>,
  most: number,
): AsyncGenerator<T> {
  let length = 0;
  for await (const piece of source) {
    length += piece.length;
    requireWithin(length, most);
    yield piece;
  }
}

/** @throws Unreadable `too large` */
export function requireWithin(length: number, most: number): void {
  if (length > most) throw new Unreadable('too large');
}

/** An element of the frame around documents, or a member of a JSON object. */
export interface Element {
  readonly name: string;
  readonly attributes: XmlAttributes;
  /** Whether it is the outermost element of an XML text, in whatever that is quoted. */
  readonly isRoot: boolean;
  readonly parent: Element | undefined;
  /** Trimmed, not empty; of an element without children. */
  text?: string;
  hasChildren: boolean;
  /** Whether it holds a status, count or error message of the service. */
  ofEnvelope: boolean;
  /** Child elements; kept only by readers that take no documents. */
  readonly children: Element[];
}

/** Whether the element or one around it has this name. */
export function isWithin(element: Element | undefined, name: string): boolean {
  return element !== undefined && (element.name === name || isWithin(element.parent, name));
}

/** The content of a reply without packing and quoting, the same for XML and JSON. */
type Content =
  /** The end of an element, after its content. */
  | { readonly kind: 'element'; readonly element: Element }
  /** A document that is whole and well-formed; `xml` is its own text. */
  | { readonly kind: 'document'; readonly xml: string; readonly summary: DocumentSummary }
  /** An unreadable document; what follows it is read. */
  | ({ readonly kind: 'unreadable' } & UnreadablePart)
  /** A file of a zip begins; for readers of documents. */
  | { readonly kind: 'file'; readonly name: string }
  /** Text outside any element; a quoted one is known to be complete. */
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  /** An empty string or array. */
  | { readonly kind: 'empty'; readonly form: 'empty string' | 'empty array' }
  /** A PDF as it is, or an array of byte values; for readers of bytes. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

export type Piece = Content & { readonly parent: Element | undefined };

/** A part of a reply in a document's place that can't be read. */
export interface UnreadablePart extends UnreadFacts {
  /** In a few words, as in `Unreadable`. */
  readonly reason: string;
}

/** Pieces that a reader takes besides elements and text. */
export interface Takes {
  /** Documents as such, even beside unreadable ones; otherwise they are read as elements. */
  readonly documents?: boolean;
  /** The content of a value that is XML itself (escaped or CDATA), instead of the value. */
  readonly markup?: boolean;
  /** A PDF, and a JSON array of byte values, as bytes. */
  readonly bytes?: boolean;
}

/** A text that is read while it arrives. */
export interface TextReader {
  write(text: string): void;
  /** @throws Unreadable where the text ends too early */
  end(): void;
}

/** Documents before a text, and the element around it. */
interface Place {
  readonly documents: number;
  readonly element: Element | undefined;
}

/** The envelope's own elements: a reply of these and an address is just an address. */
export const ENVELOPE_ELEMENTS: ReadonlySet<string> = new Set(['cStat', 'xMotivo', 'dhResp', 'Quantidade']);

/** Reasons that concern the whole reply: an attack, or an exceeded limit. */
const NO_DAMAGE = ['too large', 'too long', 'too deep', 'nested too deeply', 'doctype'];

/** State of decoding one reply, whatever its packing and quoting. */
export class Reading {
  readonly limits: ReplyLimits;
  readonly takes: Takes;
  /** The forms met, from the outside in, each once. */
  readonly forms: string[] = [];
  /** The innermost form, e.g. `html`, `json object`, `xml <retFoo>`, `text`; undefined while nothing is recognised. */
  kind: string | undefined;
  /** Whether the next document has begun. */
  isInDocument = false;
  /** The first characters of the text. */
  start = '';
  /** Documents so far, read or not. */
  #documents = 0;
  /**
   * The reply's first two contents: a text, or undefined for any other. With two, the reply is not just an address.
   */
  readonly #contents: (string | undefined)[] = [];
  #element: Element | undefined;
  #elements = 0;
  #pieces: Piece[] = [];

  constructor(limits: ReplyLimits, takes: Takes) {
    this.limits = limits;
    this.takes = takes;
  }

  note(form: string, kind?: string): void {
    if (!this.forms.includes(form)) this.forms.push(form);
    if (kind !== undefined) this.noteKind(kind);
  }

  /** The outermost XML root names the reply, whatever is in it. */
  noteKind(kind: string): void {
    if (this.kind?.startsWith('xml <') !== true) this.kind = kind;
  }

  emit(content: Content): void {
    const piece = { ...content, parent: this.#element };
    if (piece.kind === 'document' || piece.kind === 'unreadable') {
      this.isInDocument = false;
      this.#documents++;
    }
    if (this.#contents.length < 2 && isContent(piece)) this.#contents.push(textOf(piece));
    this.#pieces.push(piece);
  }

  open(name: string, attributes: XmlAttributes = noAttributes, isRoot = false): void {
    const parent = this.#element;
    if (parent !== undefined) parent.hasChildren = true;
    this.#element = { name, attributes, isRoot, parent, hasChildren: false, ofEnvelope: false, children: [] };
  }

  /** @param text of the open element; empty where it has none */
  close(text = ''): void {
    const element = this.#element;
    if (element === undefined) return;
    if (text !== '') element.text = text;
    this.#element = element.parent;
    if (this.takes.documents !== true) {
      requireWithin(++this.#elements, limits.elements);
      element.parent?.children.push(element);
    }
    this.emit({ kind: 'element', element });
  }

  /** The pieces since the last call. */
  taken(): readonly Piece[] {
    return this.#pieces.splice(0);
  }

  /** The reply's address if it is nothing else. */
  get url(): string | undefined {
    const [only = '', ...others] = this.#contents;
    return others.length === 0 ? httpUrl(only.trim()) : undefined;
  }

  /** Gathers a bounded text. */
  gather(done: (text: string) => void): TextReader {
    let text = '';
    return {
      write: (part) => {
        text += part;
        requireWithin(text.length, this.limits.value);
      },
      end: () => done(text),
    };
  }

  /** Reads one text among others. Damage confined to it becomes an unreadable piece. */
  readEntry(text: string, reader: TextReader): void {
    const begun = this.place();
    try {
      reader.write(text);
      reader.end();
    } catch (error) {
      this.contain(error, begun);
    }
  }

  /** Where the next text begins. */
  place(): Place {
    return { documents: this.#documents, element: this.#element };
  }

  /**
   * Makes an error an unreadable piece, and leaves the elements that it broke.
   *
   * @param begun place of the text with the damage
   * @param isSeparate a file of its own: damage after its documents is its own, too
   * @throws the error, unless its damage is confined to the text
   */
  contain(error: unknown, begun: Place, isSeparate = false): void {
    const hasDocuments = !isSeparate && this.#documents > begun.documents;
    if (this.takes.documents !== true || !isOwnDamage(error, hasDocuments)) throw error;
    let root: string | undefined;
    for (let one = this.#element; one !== undefined && one !== begun.element; one = one.parent)
      root = one.name;
    this.emit({ kind: 'unreadable', root: rootOf(error) ?? root, reason: reasonOf(error) ?? '' });
    while (this.#element !== undefined && this.#element !== begun.element) this.close();
  }

  /** Adds the document's number to an error inside a document. */
  placed(error: unknown): unknown {
    const reason = reasonOf(error);
    const isPlaced = this.isInDocument && reason !== undefined;
    return isPlaced ? new Unreadable(`document ${this.#documents + 1}: ${reason}`) : error;
  }
}

const noAttributes: XmlAttributes = Object.freeze({});

function textOf(piece: Piece): string | undefined {
  if (piece.kind === 'text') return piece.text;
  return piece.kind === 'element' ? piece.element.text : undefined;
}

function isContent(piece: Piece): boolean {
  if (piece.kind !== 'element') return piece.kind !== 'file';
  return piece.element.text !== undefined && !ENVELOPE_ELEMENTS.has(piece.element.name);
}

/** Whether an error's damage is confined to one text: it says so, or nothing was found in the text before. */
function isOwnDamage(error: unknown, hasDocuments: boolean): boolean {
  const reason = reasonOf(error);
  if (reason === undefined || NO_DAMAGE.includes(reason)) return false;
  return rootOf(error) !== undefined || !hasDocuments;
}

function rootOf(error: unknown): string | undefined {
  return error instanceof Unreadable ? error.root : undefined;
}
