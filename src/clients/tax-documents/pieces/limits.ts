import type { ReplyKind } from '../operations.ts';
import { Unreadable } from './forms.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const GIBIBYTE = 1024 * MEBIBYTE;

/** What is taken of a reply at most. */
export interface ReplyLimits {
  /** Bytes on the wire, content encoding undone. */
  readonly wire: number;
  /** Bytes and characters after a packed reply has been unpacked. */
  readonly unpacked: number;
  /** Characters of one value in it, or of a text that is all there is. */
  readonly value: number;
}

const short: ReplyLimits = { wire: 32 * MEBIBYTE, unpacked: 64 * KIBIBYTE, value: 64 * KIBIBYTE };
const records: ReplyLimits = { wire: 32 * MEBIBYTE, unpacked: 64 * MEBIBYTE, value: MEBIBYTE };
const single: ReplyLimits = { wire: 32 * MEBIBYTE, unpacked: 64 * MEBIBYTE, value: 64 * MEBIBYTE };

const keys: ReplyLimits = { wire: 32 * MEBIBYTE, unpacked: GIBIBYTE, value: 16 * MEBIBYTE };

/**
 * Lists are read as they arrive and kept nowhere, so their bounds only stop a service that never ends; what is needed
 * whole is bounded by what a process can hold.
 */
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
  undocumented: { wire: 32 * MEBIBYTE, unpacked: 16 * MEBIBYTE, value: 16 * MEBIBYTE },
};

/** Bounds that hold in every reply. */
export const limits = {
  /** Characters of one document. */
  document: 32 * MEBIBYTE,
  /** Quotings inside quotings that are followed. */
  layers: 6,
  /** Members inside members of a JSON value. */
  jsonDepth: 64,
  /** Packings inside packings that are undone. */
  packings: 3,
  /** Bytes of a packed file that has to be whole before it can be unpacked. */
  packedFile: 64 * MEBIBYTE,
  /** Files in one zip. */
  zipFiles: 100_000,
  /** How many times as large as a zip its files may be together; XML has been seen to shrink to a sixtieth. */
  zipRatio: 250,
  /** Bytes that the files of a small zip may have whatever its own size. */
  smallZip: MEBIBYTE,
  /** Characters of a text that is given as a whole also to who takes parts: an address must fit. */
  shortText: 8 * KIBIBYTE,
  /** Characters of a tag that stay within reach while it is incomplete. */
  tag: 8 * KIBIBYTE,
  /** Bytes passed on at once. */
  slice: 32 * KIBIBYTE,
  /** A slice by the measure of `Pace`: two of them between two turns, for a slice may hold thousands of keys. */
  workOfSlice: 2048,
  /** Pieces passed on at once. */
  piecesTogether: 512,
  /** Records of events: what was asked for fits into one address, so that there are some dozens. */
  eventRecords: 1000,
  /** Status codes of a reply that differ, each of which is told. */
  statuses: 1000,
  /** Elements and keys of a reply, of which something is kept. */
  elements: 2_000_000,
  /** Values of one record of a form that is not known. */
  fields: 20_000,
  /** Things in a list that can't be read. */
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
