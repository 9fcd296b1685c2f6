import type { ReplyKind } from '../operations.ts';

/** A reply that is cut, mixed or unknown; its readers make a `NotUnderstood` of it. */
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

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const GIBIBYTE = 1024 * MEBIBYTE;

/** Bounds of one kind of reply. */
export interface ReplyLimits {
  /** Bytes on the wire, content encoding undone. */
  readonly wire: number;
  /** Bytes and characters once a packed reply has been unpacked. */
  readonly unpacked: number;
  /** Characters of one value, or of a text or JSON value that is all there is. */
  readonly value: number;
}

const wire = 32 * MEBIBYTE;
const short: ReplyLimits = { wire, unpacked: 64 * KIBIBYTE, value: 64 * KIBIBYTE };
const records: ReplyLimits = { wire, unpacked: 64 * MEBIBYTE, value: 2 * MEBIBYTE };
const single: ReplyLimits = { wire, unpacked: 64 * MEBIBYTE, value: 64 * MEBIBYTE };
const keys: ReplyLimits = { wire, unpacked: GIBIBYTE, value: 32 * MEBIBYTE };

/** Lists of documents are streamed, so their bounds only stop a service that never ends. */
export const limitsOf: Readonly<Record<ReplyKind, ReplyLimits>> = {
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
};

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
  /** How many times as large as a zip its files may be together; XML has been seen to shrink to a sixtieth. */
  zipRatio: 250,
  /** Bytes that the files of a small zip may have whatever its own size. */
  smallZip: MEBIBYTE,
  /** Characters of a tag that stay within reach while it is incomplete. */
  tag: 8 * KIBIBYTE,
  /** Bytes decoded and read at once. */
  slice: 32 * KIBIBYTE,
  /** Bytes read before other calls get their turn. */
  turn: MEBIBYTE,
  /** Records of events: the events asked about fit into one address. */
  eventRecords: 1000,
  /** Different status codes of a reply, each of which becomes a warning. */
  statuses: 1000,
  /** Elements and keys of a reply that are kept. */
  elements: 2_000_000,
  /** Values of one record of an unknown form. */
  fields: 20_000,
  /** Unreadable parts of a list. */
  unread: 100_000,
} as const;

/** Passes on pieces of at most so many bytes or characters in all. @throws Unreadable `too large` */
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
