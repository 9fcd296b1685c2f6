import { closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import { relative } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { fromFdPromise } from 'yauzl';
import { errorCode } from '../../disk/files.ts';
import { type Book, BookError } from '../../documents/books/book.ts';
import {
  BYTES_TO_RECOGNISE,
  createBookReader,
  formOfBook,
  type ReadingOptions,
} from '../../documents/books/recognise.ts';
import { readSharedStrings, readSheet, readTable } from '../../documents/books/table.ts';
import { foldersOf, openToRead } from './folders.ts';
import { contentOf, entriesOf, zipOptions } from './zip.ts';

const CHUNK = 1024 ** 2;
const LARGEST_PART = 128 * 1024 ** 2;
/** Bounds of a spreadsheet's ZIP. Deflate compresses at most to about a thousandth. */
const bounds = { entries: 10_000, ratio: 1_032, small: 1024 ** 2 } as const;
const MOST_LOOKED_INTO = 2_000;

/** Read position in a file, and the file's last change. */
export interface Progress {
  readonly read: number;
  readonly size: number;
}

/** A file comparable with documents, judging by its first bytes. */
export interface FoundBook {
  readonly path: string;
  readonly book: Pick<Book, 'kind' | 'layout' | 'company' | 'from' | 'to'>;
}

function readAt(descriptor: number, at: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, at));
}

function tagsIn(xml: string): string[] {
  return xml.split('<').map((part) => part.split('>', 1)[0] ?? '');
}

function firstSheet(workbook: string, relations: string): string {
  const sheet = tagsIn(workbook).find((tag) => /^(?:\w+:)?sheet\s/.test(tag)) ?? '';
  const id = /\br:id="([^"]+)"/.exec(sheet)?.[1] ?? '';
  const relation = tagsIn(relations).find((tag) => tag.includes(`Id="${id}"`)) ?? '';
  const target = /\bTarget="([^"]+)"/.exec(relation)?.[1] ?? 'worksheets/sheet1.xml';
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

async function readSpreadsheet(descriptor: number, { company, columns }: ReadingOptions): Promise<Book> {
  try {
    const zip = await fromFdPromise(descriptor, zipOptions);
    const listed = await entriesOf(zip, fstatSync(descriptor).size, bounds);
    if (listed === undefined) throw new BookError('too_large');
    const entries = new Map(listed.map(({ name, entry }) => [name, entry]));
    const text = async (name: string) => {
      const entry = entries.get(name);
      if (entry === undefined) return '';
      if (entry.uncompressedSize > LARGEST_PART || entry.isEncrypted()) throw new BookError('too_large');
      return (await contentOf(zip, entry)).toString('utf8');
    };
    const workbook = await text('xl/workbook.xml');
    const sheet = await text(firstSheet(workbook, await text('xl/_rels/workbook.xml.rels')));
    if (workbook === '' || sheet === '') throw new BookError('not_a_book');
    const strings = await text('xl/sharedStrings.xml');
    const rows = readSheet(sheet, strings === '' ? [] : readSharedStrings(strings));
    const epoch = /\bdate1904="(?:1|true)"/.test(workbook) ? 1904 : 1900;
    return readTable(rows, { layout: 'xlsx', company, columns, isCut: false, epoch });
  } catch (error) {
    // The library's errors have no distinct class.
    throw error instanceof BookError ? error : new BookError('zip_damaged');
  }
}

/**
 * Reads a file in chunks and yields progress; the last value is the book.
 * @throws BookError if the file can't be compared
 */
export async function* readUserBook(path: string, options: ReadingOptions): AsyncGenerator<Progress | Book> {
  let descriptor: number | undefined;
  try {
    descriptor = openToRead(path);
    const { size } = fstatSync(descriptor);
    const form = formOfBook(readAt(descriptor, 0, BYTES_TO_RECOGNISE));
    if (form === 'xlsx') {
      yield await readSpreadsheet(descriptor, options);
      return;
    }
    const reader = createBookReader(form, options);
    for (let at = 0; at < size; ) {
      const bytes = readAt(descriptor, at, CHUNK);
      if (bytes.length === 0) break;
      reader.write(bytes);
      at += bytes.length;
      yield { read: at, size };
      await letOthersRun();
    }
    yield reader.end();
  } catch (error) {
    if (error instanceof BookError || errorCode(error) === undefined) throw error;
    throw new BookError('unreadable');
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Size and change time, by which later calls detect changes. */
export function stampOfBook(path: string): string {
  try {
    const { size, mtimeMs } = lstatSync(path);
    return `${size}@${mtimeMs}`;
  } catch {
    return '';
  }
}

/** Detects the kind of book by a file's first bytes; undefined if it can't be compared. */
function look(path: string): FoundBook['book'] | undefined {
  const descriptor = openToRead(path);
  try {
    const first = readAt(descriptor, 0, BYTES_TO_RECOGNISE);
    const form = formOfBook(first);
    if (form === 'efd') {
      const reader = createBookReader(form, { company: '', columns: {} });
      reader.write(first);
      return reader.end();
    }
    const assessment = /"(?:apuracao|apuracaoCorrente|apuracaoAjuste|debitosExtemporaneos)"/;
    if (form === 'json' && !assessment.test(first.toString('latin1'))) return undefined;
    if (form === 'json') return { kind: 'cbs_assessment', layout: '' };
    return { kind: 'list', layout: form === 'xlsx' ? 'xlsx' : 'csv' };
  } finally {
    closeSync(descriptor);
  }
}

/** Finds comparable files below some folders. */
export async function findUserBooks(roots: readonly string[]): Promise<FoundBook[]> {
  const found: FoundBook[] = [];
  let left = MOST_LOOKED_INTO;
  for (const root of roots) {
    for await (const { path: folder, files } of foldersOf(root)) {
      for (const { name } of files) {
        if (!/\.(?:txt|efd|sped|json|csv|tsv|xlsx)$/i.test(name) || left-- <= 0) continue;
        const path = `${folder}/${name}`;
        try {
          const book = look(path);
          if (book !== undefined) found.push({ path: relative(root, path), book });
        } catch (error) {
          if (!(error instanceof BookError) && errorCode(error) === undefined) throw error;
        }
      }
      await letOthersRun();
    }
  }
  return found;
}
