import { setImmediate as letOthersRun } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { formOfBytes } from '../../clients/documents/decoding/forms.ts';
import { errorCode } from '../../disk/files.ts';
import {
  type GivenUpNumbers,
  isGivingUp,
  readGivenUpNumbers,
} from '../../documents/layouts/given-up-numbers.ts';
import { createDocumentReader, type UnreadDocument } from '../../documents/summary/read-document.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { cleanText } from '../../documents/untrusted.ts';
import { decodeText, EncodingError } from '../../documents/xml/encoding.ts';
import { XmlSequence } from '../../documents/xml/sequence.ts';
import { type XmlAttributes, XmlError } from '../../documents/xml/xml.ts';
import type { LeftOutPart, LeftOutReason } from './left-out.ts';

/** A document or an event with its text from the file. */
export interface FiledDocument {
  readonly summary: DocumentSummary;
  readonly xml: string;
}

export interface FileContents {
  readonly documents: FiledDocument[];
  readonly givenUp: GivenUpNumbers[];
  readonly leftOut: LeftOutPart[];
}

export const MEBIBYTE = 1024 ** 2;
/** Largest file, ZIP entry or packed document, bytes. */
export const LARGEST_FILE = 32 * MEBIBYTE;
export const FORM_BYTES = 512;

/** Bounds of all documents packed into one file by the distribution service, as for a ZIP of that size. */
const packedLimits = { total: 256 * MEBIBYTE, ratio: 250, small: MEBIBYTE } as const;

/** Characters read between yields. */
const SLICE = 32 * 1024;
/** Most unreadable parts recorded per file; real files have fewer. */
const MOST_LEFT_OUT = 20_000;
const SHOWN_NAME_LENGTH = 60;
/** A document packed by gzip and base64. Source: NT 2014.002, schema docZip. */
const PACKED = 'docZip';
/** Root elements of requests to an authority, which lack its answer. */
const requests: ReadonlySet<string> = new Set([
  'inutNFe',
  'inutCTe',
  'Rps',
  'RPS',
  'LoteRps',
  'EnviarLoteRpsEnvio',
]);

/** Detects a file's format by its first bytes. `other` can't contain documents. */
export function formOf(first: Uint8Array): 'empty' | 'zip' | 'gzip' | 'text' | 'other' {
  if (first.length === 0) return 'empty';
  const form = formOfBytes(first);
  if (form !== 'text') return form === 'pdf' ? 'other' : form;
  const isUtf16 = (first[0] === 0xff && first[1] === 0xfe) || (first[0] === 0xfe && first[1] === 0xff);
  if (isUtf16) return 'text';
  return first.subarray(0, FORM_BYTES).includes(0) ? 'other' : 'text';
}

/** The contents of a file, or a part of one, without documents. */
export function nothing(reason: LeftOutReason, facts: Omit<LeftOutPart, 'reason'> = {}): FileContents {
  return { documents: [], givenUp: [], leftOut: [{ reason, ...facts }] };
}

/** Reason of a failed decompression, by zlib's code. @throws errors without a code */
function unpackingFailure(error: unknown, damage: LeftOutReason): LeftOutReason {
  const code = errorCode(error);
  if (code === undefined) throw error;
  return code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : damage;
}

/** The reason of an error of decoding or parsing. @throws every other error */
function reasonOf(error: unknown): LeftOutReason {
  if (error instanceof EncodingError) return 'encoding';
  if (!(error instanceof XmlError)) throw error;
  return error.reason === 'too_long' ? 'too_large' : error.reason;
}

/** Records an unread document, but parses the text of a number range given up (inutilização). */
function takeUnread({ givenUp, leftOut }: FileContents, unread: UnreadDocument, xml: string): void {
  const { root, family, reason, outline } = unread;
  const given = isGivingUp(root) ? readGivenUpNumbers(xml) : undefined;
  if (given !== undefined) givenUp.push(given);
  else if (isGivingUp(root) || requests.has(root)) leftOut.push({ reason: 'not_issued', root, family });
  else
    leftOut.push({ reason: reason === 'no identity' ? 'no_identity' : 'other_model', root, family, outline });
}

/**
 * Reads a text of one or several consecutive XML documents. Complete documents before damage count, and the damage is
 * reported. Yields during long texts.
 * @returns the outermost element, and the packed documents, base64
 */
async function readTexts(found: FileContents, text: string) {
  const { documents, leftOut } = found;
  const packed: string[] = [];
  let root: string | undefined;
  let base64: string[] | undefined;
  const own = (from: number) => text.slice(from, sequence.position);
  const inner = createDocumentReader(
    (summary, from) => documents.push({ summary, xml: own(from) }),
    () => sequence.tagStart,
    (unread, from) => takeUnread(found, unread, own(from)),
  );
  const events = {
    open(name: string, attributes: XmlAttributes) {
      root ??= name;
      const content = inner.open(name, attributes);
      if (name === PACKED && inner.startedAt === undefined) base64 = [];
      return content;
    },
    text(piece: string) {
      if (base64 === undefined) inner.text(piece);
      else base64.push(piece);
    },
    field: inner.field,
    close(name: string) {
      if (base64 !== undefined && name === PACKED) packed.push(base64.join(''));
      base64 = undefined;
      inner.close();
    },
  };

  const sequence = new XmlSequence(events);
  try {
    for (let at = 0; at < text.length; at += SLICE) {
      if (at > 0) await letOthersRun();
      sequence.write(text.slice(at, at + SLICE));
      if (leftOut.length > MOST_LEFT_OUT) throw new XmlError('too_long', at);
    }
    sequence.end();
  } catch (error) {
    leftOut.push({ reason: reasonOf(error), root });
  }
  return { root, packed };
}

/** Reads gzip and base64 documents; a damaged one affects no other. @param room most unpacked bytes in total */
async function readPacked(found: FileContents, packed: readonly string[], room: number): Promise<void> {
  let left = room;
  for (const base64 of packed) {
    await letOthersRun();
    if (found.leftOut.length > MOST_LEFT_OUT) {
      found.leftOut.push({ reason: 'too_large', root: PACKED });
      return;
    }
    try {
      const most = Math.max(1, Math.min(LARGEST_FILE, left));
      const bytes = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: most });
      left -= bytes.length;
      const inner = await readTexts(found, decodeText(bytes));
      for (const _ of inner.packed) found.leftOut.push({ reason: 'too_deep', root: PACKED });
    } catch (error) {
      const reason = error instanceof EncodingError ? 'encoding' : unpackingFailure(error, 'malformed');
      found.leftOut.push({ reason, root: PACKED });
    }
  }
}

const unchanged = (text: string): string => text;

/** Embedded documents: escaped or in CDATA within an envelope, or JSON strings, as in saved replies of services. */
async function readAsReply(bytes: Uint8Array, root: string | undefined): Promise<FileContents> {
  const [{ readDocuments }, { UpstreamError }] = await Promise.all([
    import('../../clients/documents/replies/documents.ts'),
    import('../../clients/errors.ts'),
  ]);
  const documents: FiledDocument[] = [];
  async function* body() {
    yield bytes;
  }
  const call = { service: 'documents', operation: 'file' } as const;
  const list = readDocuments({ call, headers: {}, body: body(), redact: unchanged, hide: unchanged });
  try {
    for await (const { summary, xml } of list) documents.push({ summary, xml });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
  }
  return documents.length === 0 ? nothing('no_document', { root }) : { documents, givenUp: [], leftOut: [] };
}

const inQuotes = /&lt;|<!\[CDATA\[/;

async function readText(bytes: Uint8Array): Promise<FileContents> {
  let text: string;
  try {
    text = decodeText(bytes);
  } catch (error) {
    return nothing(reasonOf(error));
  }
  const start = /[^\s\uFEFF]/.exec(text)?.[0];
  if (start === undefined) return nothing('empty');
  if (start === '{' || start === '[' || start === '"') return readAsReply(bytes, undefined);
  if (start !== '<') return nothing('not_xml');
  const found: FileContents = { documents: [], givenUp: [], leftOut: [] };
  const { root, packed } = await readTexts(found, text);
  const { total, ratio, small } = packedLimits;
  await readPacked(found, packed, Math.min(total, Math.max(text.length * ratio, small)));
  if (found.documents.length + found.givenUp.length + found.leftOut.length > 0) return found;
  const shown = root === undefined ? undefined : cleanText(root, SHOWN_NAME_LENGTH);
  return packed.length === 0 && inQuotes.test(text)
    ? readAsReply(bytes, shown)
    : nothing('no_document', { root: shown });
}

const unpacked = promisify(gunzip);

/**
 * The contents of one file other than a ZIP. The root element determines a document's kind, never the file's name.
 */
export async function readContents(bytes: Uint8Array): Promise<FileContents> {
  const form = formOf(bytes);
  if (form === 'empty') return nothing('empty');
  if (form === 'text') return readText(bytes);
  if (form !== 'gzip') return nothing('not_xml');
  let inner: Buffer;
  try {
    inner = await unpacked(bytes, { maxOutputLength: LARGEST_FILE });
  } catch (error) {
    return nothing(unpackingFailure(error, 'truncated'));
  }
  return formOf(inner) === 'gzip' ? nothing('not_xml') : readContents(inner);
}
