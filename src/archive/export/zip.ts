import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { FileNotWritten } from '../../disk/files.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { fileNameOf, referenceOf } from '../references.ts';
import { identityColumns } from './document-tables.ts';
import { type Column, column, csvHeading, csvLine, type HeadingLanguage, type Rows } from './table.ts';

export interface ZipEntry {
  readonly name: string;
  /** ISO 8601. Date and time are stored without zone conversion, so that the same document yields the same bytes. */
  readonly modified?: string | undefined;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Largest size and count without ZIP64 records. */
const LARGEST_32_BIT = 0xffffffff;
const MOST_ENTRIES = 0xffff;

const VERSION_DEFLATE = 20;
const VERSION_64_BIT = 45;
/** UTF-8 names; sizes and checksum after the data. */
const FLAGS = (1 << 11) | (1 << 3);
const DEFLATED = 8;
const LOCAL_HEADER_BYTES = 30;
const DESCRIPTOR_BYTES = 16;

/** Little-endian numbers of `size` bytes each. */
function numbers(size: 2 | 4 | 8, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(size * values.length);
  for (const [i, value] of values.entries()) {
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value), 8 * i);
    else bytes.writeUIntLE(value, size * i, size);
  }
  return bytes;
}

/** Date and time in DOS format; the start of 1980, its earliest, for other text. */
function zipTime(text = ''): number {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d))?/.exec(text)?.slice(1) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.map((part) =>
    Number(part ?? 0),
  );
  if (year < 1980 || year > 2107) return 0x210000;
  const date = ((year - 1980) << 9) | (month << 5) | day;
  return date * 0x10000 + ((hour << 11) | (minute << 5) | (second >> 1));
}

const deflate = promisify(deflateRaw);
/** Deflates chunks to a byte boundary, without a final block, so that they can be concatenated. */
const asPiece = { finishFlush: constants.Z_SYNC_FLUSH };
/** An empty block, marked as the last. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** End-of-archive records: number of entries, and offset of the directory. */
function endRecords(entries: number, directoryBytes: number, directoryOffset: number): Buffer {
  const count = Math.min(entries, MOST_ENTRIES);
  const place = [Math.min(directoryBytes, LARGEST_32_BIT), Math.min(directoryOffset, LARGEST_32_BIT)];
  const end = [numbers(4, 0x06054b50), numbers(2, 0, 0, count, count), numbers(4, ...place), numbers(2, 0)];
  if (entries < MOST_ENTRIES && directoryOffset + directoryBytes < LARGEST_32_BIT) return Buffer.concat(end);
  return Buffer.concat([
    ...[numbers(4, 0x06064b50), numbers(8, 44), numbers(2, VERSION_64_BIT, VERSION_64_BIT), numbers(4, 0, 0)],
    numbers(8, entries, entries, directoryBytes, directoryOffset),
    ...[numbers(4, 0x07064b50, 0), numbers(8, directoryOffset + directoryBytes), numbers(4, 1)],
    ...end,
  ]);
}

/**
 * Streams a ZIP; only its directory is held, about 150 bytes per entry.
 * @param start bytes before the first entry
 * @throws FileNotWritten with `EFBIG` for an entry above 4 GiB, whose 64-bit sizes not every reader supports
 */
export async function* zipped(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  start = 0,
): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let position = start;
  for await (const { name: text, modified, content } of entries) {
    const name = Buffer.from(text);
    const common = Buffer.concat([numbers(2, FLAGS, DEFLATED), numbers(4, zipTime(modified))]);
    const header = [numbers(4, 0x04034b50), numbers(2, VERSION_DEFLATE), common, numbers(4, 0, 0, 0)];
    yield Buffer.concat([...header, numbers(2, name.length, 0), name]);
    let [checksum, bytes, packed] = [0, 0, LAST_BLOCK.length];
    for await (const piece of content instanceof Uint8Array ? [content] : content) {
      checksum = crc32(piece, checksum);
      bytes += piece.length;
      const chunk = await deflate(piece, asPiece);
      packed += chunk.length;
      yield chunk;
    }
    if (Math.max(bytes, packed) >= LARGEST_32_BIT) throw new FileNotWritten(text, 'EFBIG');
    const sizes = numbers(4, checksum, packed, bytes);
    yield Buffer.concat([LAST_BLOCK, numbers(4, 0x08074b50), sizes]);

    const isFar = position >= LARGEST_32_BIT;
    const extra = isFar ? [numbers(2, 1, 8), numbers(8, position)] : [];
    const versions = numbers(2, VERSION_64_BIT, isFar ? VERSION_64_BIT : VERSION_DEFLATE);
    const lengths = numbers(2, name.length, isFar ? 12 : 0, 0, 0, 0);
    const place = numbers(4, 0, Math.min(position, LARGEST_32_BIT));
    const record = [numbers(4, 0x02014b50), versions, common, sizes, lengths, place, name, ...extra];
    directory.push(Buffer.concat(record));
    position += LOCAL_HEADER_BYTES + name.length + packed + DESCRIPTOR_BYTES;
  }
  yield* directory;
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  yield endRecords(directory.length, directoryBytes, position);
}

/** A document with its file (its XML, byte for byte as received, or a sheet), or the reason for none. */
export type XmlRow = { readonly summary: DocumentSummary } & (
  | { readonly xml: Uint8Array }
  | { readonly reason: string }
);

type ManifestRow = DocumentSummary & {
  readonly file?: string;
  readonly sha256?: string;
  readonly bytes?: string;
  readonly remark?: string;
};

const { key, kind, issuerId, number, issued, status } = identityColumns;

/** Columns of the ZIP's index: contained and missing documents, one line each. */
const manifestColumns: readonly Column<ManifestRow>[] = [
  column('text', 'Arquivo', 'File', ({ file }) => file),
  ...[key, kind, issuerId, number, issued, status],
  column('text', 'SHA-256', 'SHA-256', ({ sha256 }) => sha256),
  column('number', 'Bytes', 'Bytes', ({ bytes }) => bytes),
  column('text', 'Observação', 'Remark', ({ remark }) => remark),
];

/** `<key>.xml`; an NFS-e without a key by issuer, number and day; an event by its document, code and sequence. */
function baseName(summary: DocumentSummary): string {
  const { event } = summary;
  if (summary.kind === 'event') return [summary.key, event?.code, event?.sequence].filter(Boolean).join('-');
  if (summary.key !== undefined) return summary.key;
  const reference = referenceOf(summary);
  return reference === undefined ? '' : fileNameOf(reference);
}

/** Assigns file names, unique also on case-insensitive file systems. */
export function createNames(ending: string): (summary: DocumentSummary) => string {
  const copies = new Map<string, number>();

  function take(name: string): string {
    const copy = (copies.get(name.toLowerCase()) ?? 0) + 1;
    copies.set(name.toLowerCase(), copy);
    return copy === 1 ? name : take(`${name}_${copy}`);
  }

  return (summary) => `${take(baseName(summary).replace(/[^0-9A-Za-z-]/g, '_') || summary.kind)}.${ending}`;
}

/**
 * The files of documents as one ZIP that ends with an index of them and their hashes (`manifest.csv`), which also lists
 * documents without a file. Files are dated by their documents, so that the same documents yield the same bytes. Only
 * the index is held: some 300 bytes per document.
 */
export function zipOf(
  rows: Rows<XmlRow>,
  language: HeadingLanguage,
  ending: 'xml' | 'pdf' = 'xml',
): AsyncGenerator<Uint8Array> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    const nameOf = createNames(ending);
    const manifest = [csvHeading(manifestColumns, language)];
    const list = (row: ManifestRow) => void manifest.push(csvLine(manifestColumns, row, language));
    for await (const row of rows) {
      const { summary } = row;
      if ('reason' in row) {
        list({ ...summary, remark: row.reason });
        continue;
      }
      const { xml } = row;
      const file = nameOf(summary);
      yield { name: file, content: xml, modified: summary.issued_at ?? summary.event?.at };
      const sha256 = createHash('sha256').update(xml).digest('hex');
      list({ ...summary, file, sha256, bytes: String(xml.length) });
    }
    yield { name: 'manifest.csv', content: Buffer.concat(manifest) };
  }
  return zipped(entries());
}
