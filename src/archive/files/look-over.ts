import { relative, sep } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { GivenUpNumbers } from '../../documents/layouts/given-up-numbers.ts';
import { type FiledDocument, type LeftOutPart, type LeftOutTally, noneLeftOut, tallied } from './contents.ts';
import { claimName, type FileIndex } from './file-index.ts';
import { type FileStamp, foldersOf, type ListedFolder, readFile } from './folders.ts';
import type { FilePlace, ReadPart } from './take.ts';

export interface LookProgress {
  readonly files: number;
  readonly read: number;
  readonly documents: number;
}

/** The code of a configured folder with nothing in it, as a disk leaves it that is not mounted. */
export const EMPTY = 'EMPTY';

/** A folder that can't be listed, so that its known files stay; or an empty one. */
export interface UnseenFolder {
  readonly path: string;
  /** The system's code, e.g. `EACCES`, or `EMPTY`. */
  readonly code: string;
  readonly isRoot: boolean;
}

export interface LookResult extends LookProgress {
  readonly unseen: readonly UnseenFolder[];
  /** Entries of the folders that are neither files nor folders. */
  readonly odd: LeftOutTally;
}

export interface LookOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: LookProgress) => void;
  /** The company that owns the documents, if known. */
  readonly company: string | undefined;
}

/** Documents, and characters of them, that are held before they are written together. */
const MOST_HELD = 400;
const MOST_CHARACTERS = 16 * 1024 ** 2;
const SLICE = 20;
/** A file that changed so lately may change again within the same tick of its clock; microseconds. */
const RECENT = 2_000_000;

/** A stamp that no later look finds unchanged, for a file that may be in the middle of being written. */
function stampOf({ size, changed }: FileStamp): FileStamp {
  const age = Date.now() * 1000 - changed;
  return { size, changed: age >= 0 && age < RECENT ? changed - 1 : changed };
}

const isBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/**
 * Looks the folders over and updates the index: reads new and changed files, and forgets those that are no longer there.
 * The known files of a folder that can't be listed stay, and it is reported.
 * @param roots as `rootPath` gives them
 */
export async function lookOver(
  index: FileIndex,
  roots: readonly string[],
  { signal, onProgress, company }: LookOptions,
): Promise<LookResult> {
  const progress = { files: 0, read: 0, documents: 0 };
  let sliceEnd = performance.now() + SLICE;
  let parts: ReadPart[] = [];
  let held = 0;
  let characters = 0;

  async function flush(): Promise<void> {
    const full = parts;
    [parts, held, characters] = [[], 0, 0];
    if (full.length > 0) await index.take(full, company);
  }

  /** Reads a file and hands it on, in several parts where it holds more than may be held together. */
  async function read(place: FilePlace, stamp: FileStamp, path: string): Promise<void> {
    signal.throwIfAborted();
    progress.read++;
    let leftOut = noneLeftOut;
    let documents: FiledDocument[] = [];
    let givenUp: GivenUpNumbers[] = [];
    const add = (isLast: boolean) => {
      parts.push({ ...place, ...stamp, isLast, documents, givenUp, leftOut });
      [documents, givenUp] = [[], []];
    };
    for await (const found of readFile(path)) {
      signal.throwIfAborted();
      documents = documents.concat(found.documents);
      givenUp = givenUp.concat(found.givenUp);
      leftOut = tallied(leftOut, found.leftOut);
      progress.documents += found.documents.length;
      held += found.documents.length;
      for (const { xml } of found.documents) characters += xml.length;
      if (held < MOST_HELD && characters < MOST_CHARACTERS) continue;
      add(false);
      await flush();
      onProgress(progress);
    }
    add(true);
    if (parts.length >= MOST_HELD) await flush();
    if (performance.now() < sliceEnd) return;
    onProgress(progress);
    await letOthersRun();
    sliceEnd = performance.now() + SLICE;
  }

  async function lookAt(root: string, folder: string, { path, files }: ListedFolder): Promise<void> {
    const known = await index.known(root, folder);
    const names = new Set(files.map(({ name }) => name));
    const missing = [...known.keys()].filter((name) => name !== claimName && !names.has(name));
    if (missing.length > 0) await index.forget(root, folder, new Set(missing));
    for (const file of files) {
      progress.files++;
      const before = known.get(file.name);
      if (before?.size === file.size && before.changed === file.changed) continue;
      await read({ root, folder, name: file.name }, stampOf(file), path + sep + file.name);
    }
  }

  const paths = new Map<string, string>();
  const hidden: { root: string; folder: string }[] = [];
  const unseen: UnseenFolder[] = [];
  const odd: LeftOutPart[] = [];
  for (const root of roots) {
    let isEmpty = true;
    for await (const listed of foldersOf(root)) {
      const { path, files, leftOut, failure } = listed;
      signal.throwIfAborted();
      const below = relative(root, path);
      const folder = below.startsWith('..') ? '' : below.split(sep).join('/');
      isEmpty &&= files.length + leftOut.length === 0 && failure === undefined;
      odd.push(...leftOut);
      if (failure === undefined) {
        paths.set(`${root}\0${folder}`, path);
        await lookAt(root, folder, listed);
        continue;
      }
      hidden.push({ root, folder });
      unseen.push({ path, code: failure, isRoot: path === root });
    }
    if (isEmpty) unseen.push({ path: root, code: EMPTY, isRoot: true });
  }
  await flush();

  for (const { root, folder } of await index.folders()) {
    if (paths.has(`${root}\0${folder}`)) continue;
    const isKept = roots.includes(root)
      ? hidden.some((one) => one.root === root && isBelow(folder, one.folder))
      : await index.isClaimed(root);
    if (!isKept) await index.forget(root, folder);
  }
  for (const { size, changed, ...place } of await index.due()) {
    const path = paths.get(`${place.root}\0${place.folder}`);
    if (path !== undefined) await read(place, { size, changed }, path + sep + place.name);
  }
  await flush();
  return { ...progress, unseen, odd: tallied(noneLeftOut, odd) };
}
