import { isAscii, isUtf8, transcode } from 'node:buffer';

/** Bytes that are invalid in their declared encoding, or an unsupported encoding. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'iso-8859-1';

/** Decodes chunks split at any byte. */
export interface StreamingTextDecoder {
  /** Throws an EncodingError on a sequence invalid in the encoding. Drops the byte-order mark. */
  write(bytes: Uint8Array): string;
  /** Returns the rest; throws if the input ends inside a character. */
  end(): string;
}

/** Bytes needed to detect a byte-order mark and an XML declaration. */
export const enoughToChooseEncoding = 256;

/** Encodings by name without dashes. */
const byName: Readonly<Record<string, Encoding>> = {
  ...{ utf8: 'utf-8', usascii: 'utf-8', ascii: 'utf-8' },
  ...{ iso88591: 'iso-8859-1', latin1: 'iso-8859-1' },
  ...{ windows1252: 'windows-1252', cp1252: 'windows-1252' },
};

/** Characters of bytes 0x80 to 0x9F in windows-1252; U+FFFD for unassigned bytes. */
const WINDOWS_1252 = '€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ';

/** Up to version 22, Node decodes UTF-8 through UTF-16 in a third of the time; longer input is not worth the copy. */
const isDetourFaster = Number.parseInt(process.versions.node, 10) < 24;
const LONGEST_DETOUR = 1024 ** 2;

function latin1(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Encoding by byte-order mark, else declaration, else UTF-8. Single bytes declared as UTF-16 were re-encoded by .NET:
 * UTF-8.
 */
function chooseEncoding(firstBytes: Uint8Array): Encoding {
  if (markLength(firstBytes) > 0) return 'utf-8';
  if (firstBytes[0] === 0xff && firstBytes[1] === 0xfe) return 'utf-16le';
  if (firstBytes[0] === 0xfe && firstBytes[1] === 0xff) return 'utf-16be';
  const start = asBuffer(firstBytes).toString('latin1', 0, enoughToChooseEncoding);
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]?.toLowerCase();
  if (declared === undefined || /^utf-?16(le|be)?$/.test(declared)) return 'utf-8';
  const name = declared.replace(/[-_]/g, '');
  const encoding = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (encoding === undefined) throw new EncodingError(`unsupported ${declared}`);
  return encoding;
}

/** Files declared as ISO-8859-1 are decoded as windows-1252, because they contain its curly quotes. */
function decodeSingleBytes(bytes: Uint8Array, encoding: Encoding): string {
  return latin1(bytes).replace(/[\x80-\x9f]/g, (control) => {
    const character = WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80);
    if (character !== '\uFFFD') return character;
    if (encoding === 'iso-8859-1') return control;
    throw new EncodingError(`invalid ${encoding}`);
  });
}

/** Decodes windows-1252 or ISO-8859-1. Node's own decoder does not distinguish the two. */
export function decodeWindows(bytes: Uint8Array): string {
  return decodeSingleBytes(bytes, 'iso-8859-1');
}

/** Length of the bytes without an incomplete last character. */
function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (length > back) return bytes.length - back;
    if (length > 0) break;
  }
  return bytes.length;
}

function markLength(bytes: Uint8Array): 0 | 3 {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function decodeUtf8(bytes: Uint8Array): string {
  if (isAscii(bytes)) return latin1(bytes);
  if (!isUtf8(bytes)) throw new EncodingError('invalid utf-8');
  if (isDetourFaster && bytes.length <= LONGEST_DETOUR)
    return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
  return asBuffer(bytes).toString('utf8');
}

/** Node's streaming decoder returns two-byte strings; decoding whole characters gives one-byte strings if possible. */
function createUtf8Decoder(): StreamingTextDecoder {
  let held = new Uint8Array(0);
  let started = false;

  return {
    write(bytes) {
      const arrived = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const length = wholeLength(arrived);
      const start = started ? 0 : markLength(arrived);
      started ||= length > 0;
      held = Uint8Array.from(arrived.subarray(length));
      return decodeUtf8(arrived.subarray(start, length));
    },
    end: () => decodeUtf8(held),
  };
}

function createUtf16Decoder(encoding: Encoding): StreamingTextDecoder {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      throw new EncodingError(`invalid ${encoding}`);
    }
  };
  return { write: (bytes) => decode(bytes, true), end: () => decode(new Uint8Array(0), false) };
}

/**
 * Chooses the encoding by these bytes without consuming them. Pass at least `enoughToChooseEncoding`, or all there are.
 */
export function createTextDecoder(firstBytes: Uint8Array): StreamingTextDecoder {
  const encoding = chooseEncoding(firstBytes);
  if (encoding === 'windows-1252' || encoding === 'iso-8859-1')
    return { write: (bytes) => decodeSingleBytes(bytes, encoding), end: () => '' };
  return encoding === 'utf-8' ? createUtf8Decoder() : createUtf16Decoder(encoding);
}

/** Decodes a whole text. */
export function decodeText(bytes: Uint8Array): string {
  const decoder = createTextDecoder(bytes);
  return decoder.write(bytes) + decoder.end();
}
