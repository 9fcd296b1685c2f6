import { decodeText, decodeWindows, EncodingError } from '../xml/encoding.ts';
import { readAssessment } from './assessment.ts';
import { type Book, BookError, type BookReader, type Part } from './book.ts';
import { createEfdReader } from './efd.ts';
import { readCsv, readTable } from './table.ts';

/** Bytes needed to recognise a file's format. */
export const BYTES_TO_RECOGNISE = 4096;
/** Size limit of files read whole: an assessment covers one window, a table has some hundred thousand rows. */
const LARGEST_WHOLE = 64 * 1024 ** 2;

/** Format of a file, as recognised by its first bytes. */
export type BookForm = 'efd' | 'json' | 'table' | 'xlsx';

const beginsWith = (first: Uint8Array, ...bytes: number[]) => bytes.every((byte, at) => first[at] === byte);

/** Recognises a file's format by its content, whatever its name. @throws BookError for other content */
export function formOfBook(first: Uint8Array): BookForm {
  if (first.length === 0) throw new BookError('empty');
  if (beginsWith(first, 0x50, 0x4b, 3, 4)) return 'xlsx';
  if (beginsWith(first, 0xd0, 0xcf, 0x11, 0xe0)) throw new BookError('spreadsheet_too_old');
  if (beginsWith(first, 0x1f, 0x8b) || beginsWith(first, 0x30, 0x82) || beginsWith(first, 0x30, 0x80))
    throw new BookError('signed_or_packed');
  const isWide = beginsWith(first, 0xff, 0xfe) || beginsWith(first, 0xfe, 0xff);
  if (!isWide && (first.includes(0) || beginsWith(first, 0x25, 0x50, 0x44, 0x46)))
    throw new BookError('not_a_book');
  const head = Buffer.from(first.buffer, first.byteOffset, first.length).toString(
    isWide && first[0] === 0xff ? 'utf16le' : 'latin1',
  );
  const text = head.replace(/^(?:\u00EF\u00BB\u00BF|\uFEFF)/, '').trimStart();
  if (text === '') throw new BookError('empty');
  if (text.startsWith('|0000|')) {
    if (isWide) throw new BookError('encoding');
    return 'efd';
  }
  if (/^\|[0-9A-Z]{4}\|/.test(text)) throw new BookError('efd_without_opening');
  if (text.startsWith('{') || text.startsWith('[')) return 'json';
  if (text.startsWith('<')) throw new BookError('page');
  const [line = ''] = text.split(/[\r\n]/, 1);
  if (!/[;,\t|]/.test(line)) throw new BookError('not_a_book');
  return 'table';
}

/** Decodes UTF-8 or UTF-16 if the bytes are valid, else windows-1252, which Brazilian programs write. */
function decodeLoosely(bytes: Uint8Array): string {
  try {
    return decodeText(bytes);
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    return decodeWindows(bytes);
  }
}

/** Owner and column mapping, for tables. */
export interface ReadingOptions {
  readonly company: string;
  readonly columns: Readonly<Record<string, string>>;
  /** Part of a SPED file to read. */
  readonly part?: Part;
}

/** A reader for any format but spreadsheets. */
export function createBookReader(
  form: Exclude<BookForm, 'xlsx'>,
  { company, columns, part }: ReadingOptions,
): BookReader {
  if (form === 'efd') return createEfdReader(part);
  const chunks: Uint8Array[] = [];
  let length = 0;
  return {
    write(bytes) {
      length += bytes.length;
      if (length > LARGEST_WHOLE) throw new BookError('too_large');
      chunks.push(Uint8Array.from(bytes));
    },
    end(): Book {
      const text = decodeLoosely(Buffer.concat(chunks));
      if (form === 'json') return readAssessment(text.replace(/^\uFEFF/, ''));
      const { rows, isCut } = readCsv(text);
      return readTable(rows, { layout: 'csv', company, columns, isCut });
    },
  };
}
