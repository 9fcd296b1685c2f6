import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { errorCode, noFollow } from '../../disk/files.ts';
import { type FileContents, FORM_BYTES, formOf, LARGEST_FILE, nothing, readContents } from './contents.ts';
import type { LeftOutPart } from './left-out.ts';
import { isOfSystem, readZip } from './zip.ts';

/** Size and change time of a file, which detect changes in later scans. */
export interface FileStamp {
  readonly size: number;
  readonly changed: number;
}

export interface ListedFile extends FileStamp {
  readonly name: string;
}

/** A folder with its files, or the reason why it could not be listed. */
export interface ListedFolder {
  readonly path: string;
  readonly files: readonly ListedFile[];
  /** Entries that are neither files nor folders. */
  readonly leftOut: readonly LeftOutPart[];
  readonly failure?: string;
}

const DEEPEST = 64;
const STRIDE = 500;

function listedFile(name: string, { size, mtimeMs }: Stats): ListedFile {
  return { name, size, changed: Math.round(mtimeMs * 1000) };
}

async function* below(path: string, depth: number): AsyncGenerator<ListedFolder> {
  const leftOut: LeftOutPart[] = [];
  const files: ListedFile[] = [];
  const folders: string[] = [];
  let names: string[];
  try {
    if (depth > DEEPEST) throw Object.assign(new Error('too deep'), { code: 'ELOOP' });
    names = readdirSync(path).sort();
  } catch (error) {
    if (depth > DEEPEST) leftOut.push({ reason: 'too_deep', place: path });
    yield { path, files, leftOut, failure: errorCode(error) ?? 'UNKNOWN' };
    return;
  }
  const separator = path.endsWith(sep) ? '' : sep;
  for (const [index, name] of names.entries()) {
    if (index % STRIDE === STRIDE - 1) await letOthersRun();
    // `join` would normalise, which takes longer than the `stat`.
    const place = path + separator + name;
    try {
      const facts = lstatSync(place);
      const isFolder = facts.isDirectory();
      if (isOfSystem(isFolder ? `${name}/` : name)) continue;
      if (facts.isFile()) files.push(listedFile(name, facts));
      else if (isFolder) folders.push(place);
      else leftOut.push({ reason: facts.isSymbolicLink() ? 'link' : 'special', place: name });
    } catch (error) {
      // Names from old programs may not be UTF-8; such a file can't be opened by its decoded name.
      const code = name.includes('\uFFFD') ? 'EILSEQ' : errorCode(error);
      // The entry may have been deleted since the listing.
      if (code !== 'ENOENT') leftOut.push({ reason: 'unreadable', place: name, code });
    }
  }
  yield { path, files, leftOut };
  for (const folder of folders) yield* below(folder, depth + 1);
}

/** Canonical path of a root: absolute, with links resolved if it exists. */
export function rootPath(given: string): string {
  try {
    return realpathSync(given);
  } catch {
    return resolve(given);
  }
}

function isWithin(root: string, path: string): boolean {
  const below = relative(root, path);
  return below === '' || !(below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below));
}

/** Finds a file by its path relative to one of these roots, links resolved; undefined if none of them contains it. */
export function findWithin(roots: readonly string[], path: string): string | undefined {
  for (const root of roots) {
    try {
      const base = statSync(root).isDirectory() ? root : dirname(root);
      const real = realpathSync(isAbsolute(path) ? path : join(base, path));
      if (isWithin(root, real)) return real;
    } catch {
      // Another root may have it.
    }
  }
  return undefined;
}

/**
 * The folders of a root with their files, the root first; a root that is a file counts as a folder with that file.
 * Links inside are reported, not followed, so that nothing is read twice or from outside.
 */
export async function* foldersOf(root: string): AsyncGenerator<ListedFolder> {
  try {
    const facts = statSync(root);
    if (facts.isDirectory()) {
      yield* below(root, 0);
      return;
    }
    const [path, name] = [dirname(root), basename(root)];
    if (facts.isFile()) yield { path, files: [listedFile(name, facts)], leftOut: [] };
    else yield { path, files: [], leftOut: [{ reason: 'special', place: name }] };
  } catch (error) {
    yield { path: root, files: [], leftOut: [], failure: errorCode(error) ?? 'UNKNOWN' };
  }
}

/** Opens a regular file for reading, without following links. @throws the system's errors, or one with `ENOTREG` */
export function openToRead(path: string): number {
  const descriptor = openSync(path, constants.O_RDONLY | noFollow);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error('not a file'), { code: 'ENOTREG' });
}

/** Reads a file: a ZIP entry by entry, any other at once. System errors are reported, never thrown. */
export async function* readFile(path: string): AsyncGenerator<FileContents> {
  let descriptor: number | undefined;
  try {
    descriptor = openToRead(path);
    const first = Buffer.alloc(FORM_BYTES);
    const form = formOf(first.subarray(0, readSync(descriptor, first, 0, first.length, 0)));
    if (form === 'zip') {
      yield* readZip(descriptor);
      return;
    }
    let contents = nothing(form === 'other' ? 'not_xml' : 'too_large');
    if (form !== 'other' && fstatSync(descriptor).size <= LARGEST_FILE)
      contents = await readContents(readFileSync(descriptor));
    const { documents, givenUp, leftOut } = contents;
    const isOther = leftOut.every(({ reason }) => reason === 'not_xml' || reason === 'no_document');
    // A damaged .zip may contain many documents: it is reported, not skipped as text.
    const isDamaged = isOther && documents.length + givenUp.length === 0 && /\.zip$/i.test(path);
    yield isDamaged ? nothing('zip_damaged') : contents;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    yield nothing(code === 'ELOOP' ? 'link' : code === 'ENOTREG' ? 'special' : 'unreadable', { code });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
