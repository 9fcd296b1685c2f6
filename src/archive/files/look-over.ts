import { closeSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { plainId } from '../../documents/summary/parties.ts';
import { claimName, isClaimed } from './claims.ts';
import type { FileIndex, FilePlace, FileStamp, KnownFile, ReadPart } from './index/file-index.ts';
import type { FileContents, FiledDocument } from './reading/documents-in-text.ts';
import { foldersOf, type ListedFile, type ListedFolder } from './reading/folders.ts';
import {
  EMPTY,
  type LeftOutPart,
  type LeftOutTally,
  noneLeftOut,
  tallied,
  type UnseenFolder,
} from './reading/left-out.ts';
import { codeOf, openToRead, readFile } from './reading/read-file.ts';
import { readZip } from './reading/zip.ts';

/** How far a look has come. */
export interface LookProgress {
  /** Files listed, and those that had to be read. */
  readonly files: number;
  readonly read: number;
  readonly documents: number;
}

/** What came of a look. */
export interface LookResult extends LookProgress {
  /** Files that are no longer there or have other contents. */
  readonly gone: number;
  readonly unseen: readonly UnseenFolder[];
  /** What stands in the folders and is no file. */
  readonly odd: LeftOutTally;
}

export interface LookOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: LookProgress) => void;
  /** Whose documents they are, where that is known. */
  readonly company: string | undefined;
}

/** Documents, and characters of them, that are held before they are written together. */
const MOST_HELD = 400;
const MOST_CHARACTERS = 16 * 1024 ** 2;
/** Milliseconds without letting others run. */
const SLICE = 20;
/** Looks one after the other: what is dropped with one file may have to be read from another. */
const MOST_PASSES = 3;
/** A file that changed so lately may change again within the same tick of its clock; microseconds. */
const RECENT = 2_000_000;

/** The folder of a listed file, relative to the root's own. */
function folderBelow(root: string, { path }: Pick<ListedFolder, 'path'>): string {
  const below = relative(root, path);
  return below.startsWith('..') ? '' : below.split(sep).join('/');
}

/** Gathers what was read and hands it on in batches. */
function createBasket(index: FileIndex, given: string | undefined) {
  const counts = new Map<string, number>();
  let parts: ReadPart[] = [];
  let documents = 0;
  let characters = 0;

  /** Most documents of a folder are one company's; a wrong guess only costs the time of placing them later. */
  function guess(): string | undefined {
    if (given !== undefined) return given;
    const [first] = [...counts].sort((one, other) => other[1] - one[1]);
    return first?.[0];
  }

  function count({ summary: { issuer, recipient, sender, payer } }: FiledDocument): void {
    for (const party of [issuer, recipient, sender, payer]) {
      const id = party && plainId(party);
      if (id?.length === 14) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }

  return {
    get isFull() {
      return documents >= MOST_HELD || characters >= MOST_CHARACTERS || parts.length >= MOST_HELD;
    },
    add(part: ReadPart): void {
      parts.push(part);
      documents += part.documents.length;
      for (const one of part.documents) {
        characters += one.xml.length;
        if (counts.size < 10_000) count(one);
      }
    },
    async flush(): Promise<void> {
      if (parts.length === 0) return;
      const full = parts;
      [parts, documents, characters] = [[], 0, 0];
      await index.take(full, guess());
    },
  };
}

type Basket = ReturnType<typeof createBasket>;

interface Work {
  readonly index: FileIndex;
  readonly basket: Basket;
  readonly options: LookOptions;
  readonly progress: { files: number; read: number; documents: number };
  gone: number;
}

function isKnown(known: KnownFile | undefined, { size, changed }: ListedFile): boolean {
  return known !== undefined && !known.isDue && known.size === size && known.changed === changed;
}

/** A stamp that no later look finds unchanged, for a file that may be in the middle of being written. */
function stampOf({ size, changed }: ListedFile): FileStamp {
  const age = Date.now() * 1000 - changed;
  return age >= 0 && age < RECENT ? { size, changed: changed - 1 } : { size, changed };
}

async function readOne(
  work: Work,
  place: FilePlace,
  path: string,
  file: ListedFile,
  known: KnownFile | undefined,
) {
  const { basket, progress } = work;
  const stamp = stampOf(file);
  const read = await readFile(path, file.size);
  progress.read++;
  if (read === 'zip') {
    if (known !== undefined) work.gone++;
    return readPacked(work, place, path, stamp);
  }
  const { digest, documents, givenUp } = read;
  if (known !== undefined && known.digest !== digest) work.gone++;
  progress.documents += documents.length;
  const leftOut = tallied(noneLeftOut, read.leftOut);
  basket.add({ ...place, ...stamp, digest, documents, givenUp, leftOut, isFirst: true, isLast: true });
  if (basket.isFull) await basket.flush();
}

/** A ZIP goes in part after part, so that no more of it is held than of other files. */
async function readPacked(work: Work, place: FilePlace, path: string, stamp: FileStamp): Promise<void> {
  const { basket, progress, options } = work;
  let leftOut = noneLeftOut;
  let isFirst = true;
  let held: { documents: FileContents['documents']; givenUp: FileContents['givenUp'] } = {
    documents: [],
    givenUp: [],
  };
  const add = (isLast: boolean) => {
    basket.add({ ...place, ...stamp, digest: '', ...held, leftOut, isFirst, isLast });
    held = { documents: [], givenUp: [] };
    isFirst = false;
  };
  let descriptor: number;
  try {
    descriptor = openToRead(path);
  } catch (error) {
    leftOut = tallied(leftOut, [{ reason: 'unreadable', code: codeOf(error) }]);
    return add(true);
  }
  try {
    let characters = 0;
    for await (const { documents, givenUp, leftOut: more } of readZip(descriptor)) {
      options.signal.throwIfAborted();
      held.documents.push(...documents);
      held.givenUp.push(...givenUp);
      leftOut = tallied(leftOut, more);
      progress.documents += documents.length;
      for (const { xml } of documents) characters += xml.length;
      if (held.documents.length < MOST_HELD && characters < MOST_CHARACTERS) continue;
      characters = 0;
      add(false);
      await basket.flush();
      options.onProgress(progress);
    }
  } finally {
    closeSync(descriptor);
  }
  add(true);
  if (basket.isFull) await basket.flush();
}

async function lookAtFolder(work: Work, listed: ListedFolder): Promise<void> {
  const { index, options, progress } = work;
  const { root, files } = listed;
  const folder = folderBelow(root, listed);
  const known = await index.known(root, folder);
  const names = new Set(files.map(({ name }) => name));
  const gone = [...known.keys()].filter((name) => name !== claimName && !names.has(name));
  if (gone.length > 0) {
    work.gone += gone.length;
    await index.forget(root, folder, gone);
  }
  let sliceEnd = performance.now() + SLICE;
  for (const file of files) {
    progress.files++;
    const before = known.get(file.name);
    if (isKnown(before, file)) continue;
    options.signal.throwIfAborted();
    const path = `${listed.path}${sep}${file.name}`;
    await readOne(work, { root, folder, name: file.name }, path, file, before);
    if (performance.now() < sliceEnd) continue;
    options.onProgress(progress);
    await letOthersRun();
    sliceEnd = performance.now() + SLICE;
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Folders that were known and were not met again, but for those that can't be looked into or are another's. */
async function forgetFolders(
  { index }: Work,
  roots: readonly string[],
  met: ReadonlySet<string>,
  unseen: readonly { root: string; folder: string }[],
): Promise<number> {
  let gone = 0;
  const others = new Map<string, boolean>();
  for (const { root, folder } of await index.folders()) {
    if (met.has(`${root}\0${folder}`)) continue;
    if (!roots.includes(root)) {
      const isOthers = others.get(root) ?? (await isClaimed(index, root));
      others.set(root, isOthers);
      if (isOthers) continue;
    }
    const isHidden =
      roots.includes(root) && unseen.some((one) => one.root === root && isBelow(folder, one.folder));
    if (isHidden) continue;
    await index.forget(root, folder);
    gone++;
  }
  return gone;
}

async function pass(index: FileIndex, roots: readonly string[], options: LookOptions): Promise<LookResult> {
  const basket = createBasket(index, options.company);
  const progress = { files: 0, read: 0, documents: 0 };
  const work: Work = { index, basket, options, progress, gone: 0 };
  const met = new Set<string>();
  const hidden: { root: string; folder: string }[] = [];
  const unseen: UnseenFolder[] = [];
  const odd: LeftOutPart[] = [];
  for (const root of roots) {
    let isEmpty = true;
    for await (const listed of foldersOf(root)) {
      options.signal.throwIfAborted();
      isEmpty &&= listed.files.length + listed.leftOut.length === 0 && listed.failure === undefined;
      const folder = folderBelow(root, listed);
      odd.push(...listed.leftOut);
      met.add(`${root}\0${folder}`);
      if (listed.failure === undefined) {
        await lookAtFolder(work, listed);
        continue;
      }
      hidden.push({ root, folder });
      unseen.push({ path: listed.path, code: listed.failure, isRoot: listed.path === root });
    }
    if (isEmpty) unseen.push({ path: root, code: EMPTY, isRoot: true });
  }
  await basket.flush();
  work.gone += await forgetFolders(work, roots, met, hidden);
  return { ...progress, gone: work.gone, unseen, odd: tallied(noneLeftOut, odd) };
}

/**
 * Looks the folders over and brings the index up to what is in them: reads what is new or has changed, and forgets
 * what is no longer there. What can't be looked into stays as it was known, and is told.
 * @param roots as `rootPath` gives them
 */
export async function lookOver(
  index: FileIndex,
  roots: readonly string[],
  options: LookOptions,
): Promise<LookResult> {
  let result = await pass(index, roots, options);
  // What went with a file may be in another one, which is due to be read again now.
  for (let again = 1; result.gone > 0 && again < MOST_PASSES; again++) {
    const next = await pass(index, roots, options);
    result = { ...next, read: result.read + next.read, documents: result.documents + next.documents };
  }
  return result;
}

/** Where a file of the index is on disk. */
export function pathOnDisk({ root, folder, name }: FilePlace, isFolder: boolean): string {
  const base = isFolder ? root : dirname(root);
  return [base, ...folder.split('/').filter((part) => part !== ''), name].join(sep);
}
