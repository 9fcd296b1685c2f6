import { statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { pause } from '../../clients/http/call.ts';
import type { GivenUpNumbers } from '../../documents/layouts/given-up-numbers.ts';
import type { StoredDocument } from '../ask/stored-documents.ts';
import type { DocumentReference } from '../references.ts';
import { identityOf, identityOfReference } from '../schema/encoding.ts';
import type { FiledDocument } from './contents.ts';
import { claimName, type FileIndex, type FilePlace, type ReadPart } from './file-index.ts';
import { type FileStamp, findWithin, foldersOf, readFile, rootPath } from './folders.ts';
import { type LeftOutPart, type LeftOutTally, noneLeftOut, tallied } from './left-out.ts';

const nothingYet = { files: 0, read: 0, documents: 0 };

export type LookProgress = Readonly<typeof nothingYet>;

/** Code of an empty configured folder, such as the mount point of an unmounted disk. */
export const EMPTY = 'EMPTY';

/** An unlistable folder, whose known files stay, or an empty one. */
export interface UnseenFolder {
  readonly path: string;
  /** System error code, e.g. `EACCES`, or `EMPTY`. */
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

/** Documents, and characters of their text, per write. */
const MOST_HELD = 400;
const MOST_CHARACTERS = 16 * 1024 ** 2;
/** A file changed this recently may change again within one clock tick; microseconds. */
const RECENT = 2_000_000;
/** Lifetime of a claim; a process that scans less often must read its folders again. */
const CLAIM_HOLDS_MS = 3_600_000;

/** A file's stamp; for one possibly still being written, a stamp that always differs at the next scan. */
function stampOf({ size, changed }: FileStamp): FileStamp {
  const age = Date.now() * 1000 - changed;
  return { size, changed: age >= 0 && age < RECENT ? changed - 1 : changed };
}

const isBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

function pathOnDisk({ root, folder, name }: FilePlace): string {
  const isFolder = statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  return join(isFolder ? root : dirname(root), folder, name);
}

/**
 * Scans the folders and updates the index: removes deleted files, reads new and changed ones. A folder that can't be
 * listed is reported, and its known files stay.
 * @param roots results of `rootPath`
 */
export async function lookOver(
  index: FileIndex,
  roots: readonly string[],
  { signal, onProgress, company }: LookOptions,
): Promise<LookResult> {
  const progress = { ...nothingYet };
  let parts: ReadPart[] = [];
  let held = 0;
  let characters = 0;

  async function flush(): Promise<void> {
    const full = parts;
    [parts, held, characters] = [[], 0, 0];
    if (full.length > 0) await index.take(full, company);
  }

  /** Reads a file in parts of bounded memory. */
  async function read({ root, folder, name }: FilePlace, stamp: FileStamp): Promise<void> {
    signal.throwIfAborted();
    progress.read++;
    let leftOut = noneLeftOut;
    let documents: FiledDocument[] = [];
    let givenUp: GivenUpNumbers[] = [];
    const add = (isLast: boolean) => {
      parts.push({ root, folder, name, ...stamp, isLast, documents, givenUp, leftOut });
      [documents, givenUp] = [[], []];
    };
    for await (const found of readFile(pathOnDisk({ root, folder, name }))) {
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
    onProgress(progress);
    await letOthersRun();
  }

  const found: (FilePlace & FileStamp)[] = [];
  const listed = new Set<string>();
  const unseen: UnseenFolder[] = [];
  const odd: LeftOutPart[] = [];
  const hidden: Pick<FilePlace, 'root' | 'folder'>[] = [];
  for (const root of new Set(roots)) {
    let isEmpty = true;
    for await (const { path, files, leftOut, failure } of foldersOf(root)) {
      signal.throwIfAborted();
      const below = relative(root, path);
      const folder = below.startsWith('..') ? '' : below.split(sep).join('/');
      isEmpty &&= files.length + leftOut.length === 0 && failure === undefined;
      odd.push(...leftOut);
      if (failure !== undefined) {
        hidden.push({ root, folder });
        unseen.push({ path, code: failure, isRoot: path === root });
        continue;
      }
      listed.add(`${root}\0${folder}`);
      progress.files += files.length;
      const known = new Map((await index.filesOf(root, folder)).map((file) => [file.name, file]));
      for (const { name, size, changed } of files) {
        const before = known.get(name);
        known.delete(name);
        if (before?.size !== size || before.changed !== changed)
          found.push({ root, folder, name, size, changed });
      }
      known.delete(claimName);
      await index.forget([...known.values()]);
    }
    if (isEmpty) unseen.push({ path: root, code: EMPTY, isRoot: true });
  }
  const isClaimed = async (root: string): Promise<boolean> => {
    const claim = (await index.filesOf(root, '')).find(({ name }) => name === claimName);
    return Math.abs(Date.now() - (claim?.changed ?? 0) / 1000) < CLAIM_HOLDS_MS;
  };
  const folders = await index.folders();
  const claimed = new Set<string>();
  for (const root of new Set(folders.map((one) => one.root)))
    if (!roots.includes(root) && (await isClaimed(root))) claimed.add(root);
  for (const { root, folder } of folders) {
    const isHidden = hidden.some((one) => one.root === root && isBelow(folder, one.folder));
    const isKept = listed.has(`${root}\0${folder}`) || isHidden || claimed.has(root);
    if (!isKept) await index.forget(await index.filesOf(root, folder));
  }

  for (const file of found) await read(file, stampOf(file));
  await flush();
  for (const file of await index.due())
    if (listed.has(`${file.root}\0${file.folder}`)) await read(file, file);
  await flush();
  return { ...progress, unseen, odd: tallied(noneLeftOut, odd) };
}

/** Reading state of the files at the time of an answer. */
export interface FilesState {
  /** Time of the last complete scan; undefined during the first one. */
  readonly looked_at: string | undefined;
  /** True while files are unread, so that answers lack their documents. */
  readonly isReading: boolean;
  readonly progress: LookProgress;
  readonly result: LookResult | undefined;
}

export interface ReadyOptions {
  /** Deadline of reading, milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: LookProgress) => void;
  /** Forces a scan, however recent the last one. */
  readonly refresh?: boolean | undefined;
}

export interface UserFilesOptions {
  readonly roots: readonly string[];
  readonly archive: () => Promise<{ readonly files: FileIndex }>;
  readonly company: string | undefined;
}

/** Longest validity of a scan, which is three times its duration, so that scanning never takes most of the time. */
const LONGEST_HOLD_MS = 3_000;
/** Renewal interval of a claim, well below its lifetime. */
const CLAIM_RENEWED_MS = 900_000;

async function* documentsIn(path: string): AsyncGenerator<FiledDocument> {
  for await (const { documents } of readFile(path)) yield* documents;
}

/**
 * The user's own folders and ZIPs as a source of documents: read-only, and scanned only on demand.
 */
export function createUserFiles({ roots: given, archive, company }: UserFilesOptions) {
  const ending = new AbortController();
  let look: Promise<LookResult> | undefined;
  let progress: LookProgress = nothingYet;
  let last: { readonly result: LookResult; readonly at: string } | undefined;
  let holdsUntil = 0;
  let claimedAt = 0;
  const adopted = new Set<string>();

  let known: readonly string[] | undefined;
  /** Resolved once, so that a link keeps its target after the disk is unmounted. */
  const roots = () => {
    known ??= [...new Set(given.map(rootPath))];
    return known;
  };

  async function begin(): Promise<LookResult> {
    const { files } = await archive();
    progress = nothingYet;
    if (Math.abs(Date.now() - claimedAt) > CLAIM_RENEWED_MS) {
      claimedAt = Date.now();
      await files.claim(roots(), claimedAt);
    }
    const began = performance.now();
    const onProgress = (now: LookProgress) => {
      progress = { ...now };
    };
    const result = await lookOver(files, roots(), { company, signal: ending.signal, onProgress });
    adopted.clear();
    progress = result;
    last = { result, at: new Date().toISOString() };
    const ended = performance.now();
    holdsUntil = ended + Math.min(LONGEST_HOLD_MS, 3 * (ended - began));
    return result;
  }

  function current(): Promise<LookResult> {
    look ??= begin().finally(() => {
      look = undefined;
    });
    // Waiting callers get the error; without any it must not end the process.
    look.catch(() => undefined);
    return look;
  }

  const state = (isReading: boolean): FilesState => {
    return { looked_at: last?.at, isReading, progress, result: last?.result };
  };

  return {
    roots,

    /**
     * Scans the folders and reads new files until the deadline; the rest is read in the background.
     * @throws ArchiveError; the signal's reason
     */
    async ready({ deadline, signal, onProgress, refresh = false }: ReadyOptions): Promise<FilesState> {
      signal.throwIfAborted();
      // Folders without files are rescanned immediately: that is quick, and files may have just arrived.
      const holds = (last?.result.files ?? 0) > 0 && performance.now() < holdsUntil && !refresh;
      if (look === undefined && holds) return state(false);
      const answered = new AbortController();
      const ticker = onProgress && setInterval(() => onProgress(progress), 1000);
      try {
        const time = pause(Math.max(0, deadline - Date.now()), AbortSignal.any([signal, answered.signal]));
        return state(await Promise.race([current().then(() => false), time.then(() => true)]));
      } finally {
        clearInterval(ticker);
        answered.abort();
      }
    },

    /** Makes the documents that name a company available to its questions. */
    async adopt(owner: string): Promise<void> {
      if (adopted.has(owner)) return;
      await (await archive()).files.adopt(owner);
      adopted.add(owner);
    },

    whose: async () => (await archive()).files.whose(),

    /** Reads a document's text from a file; undefined if no file has it any more. */
    async textOf(reference: DocumentReference, stored: StoredDocument): Promise<string | undefined> {
      const wanted = JSON.stringify(stored.summary);
      const identity = identityOfReference(reference);
      const isIt = ({ summary }: FiledDocument) => {
        if (summary.kind === 'event') return false;
        const own = identityOf(reference.document, summary, () => '');
        return identity.endsWith('|') ? own.startsWith(identity) : own === identity;
      };
      let other: string | undefined;
      for (const place of await (await archive()).files.placesOf(reference)) {
        for await (const document of documentsIn(pathOnDisk(place))) {
          if (!isIt(document)) continue;
          if (JSON.stringify(document.summary) === wanted) return document.xml;
          other ??= document.xml;
        }
      }
      return other;
    },

    /** Finds a file by its path relative to one of the folders; undefined if none of them contains it. */
    find(path: string): string | undefined {
      return findWithin(roots(), path);
    },

    documentsIn,

    async close(): Promise<void> {
      ending.abort();
      await look?.catch(() => undefined);
      // On an archive that can no longer be written, the claim expires.
      if (claimedAt > 0) await (await archive()).files.claim(roots(), 0).catch(() => undefined);
    },
  };
}

export type UserFiles = ReturnType<typeof createUserFiles>;
