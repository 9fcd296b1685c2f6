import { deflateRawSync, inflateRawSync } from 'node:zlib';

const quick = { level: 1 };

/** Text in the form it is kept in; `inflated` gives it back. */
export function deflated(text: string): Uint8Array {
  // A copy: what zlib gives is a view of a larger buffer, which it would keep alive.
  return new Uint8Array(deflateRawSync(text, quick));
}

/** The text of what an engine gave for a column of bytes. */
export function inflated(bytes: Uint8Array | ArrayBuffer): string {
  return inflateRawSync(bytes).toString('utf8');
}
