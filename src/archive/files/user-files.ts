import { closeSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Archive, StoredDocument } from '../archive.ts';
import type { DocumentReference } from '../references.ts';
import { identityOf, identityOfReference } from '../schema/identity.ts';
import { claim, release } from './claims.ts';
import type { Holder } from './index/file-index.ts';
import { type LookProgress, type LookResult, lookOver, pathOnDisk } from './look-over.ts';
import type { FiledDocument } from './reading/documents-in-text.ts';
import { rootPath } from './reading/folders.ts';
import { openToRead, readFile } from './reading/read-file.ts';
import { readZip } from './reading/zip.ts';

/** How far the files have been read when a question is answered. */
export interface FilesState {
  /** When the folders were last looked over to the end; undefined while the first look is under way. */
  readonly looked_at: string | undefined;
  /** Whether there is more to be read: what is answered now lacks it. */
  readonly isReading: boolean;
  readonly progress: LookProgress;
  /** What the last look came to. */
  readonly result: LookResult | undefined;
}

export interface ReadyOptions {
  /** Milliseconds since 1970: later than this nobody waits for reading. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: LookProgress) => void;
  /** Looks now, however lately the folders have been looked at. */
  readonly refresh?: boolean;
}

/** Whose documents the files are: one company, or several that are as likely. */
export interface Whose {
  readonly company: string | undefined;
  /** The most frequent parties, most frequent first. */
  readonly candidates: readonly Holder[];
}

/** The user's own folders and ZIPs as a source of documents. They are read, never changed. */
export interface UserFiles {
  /** Absolute, links followed. */
  readonly roots: readonly string[];
  /**
   * Looks the folders over and reads what is new, for as long as may be waited; the rest is read in the meantime.
   * @throws ArchiveError; what the signal is aborted with
   */
  ready(options: ReadyOptions): Promise<FilesState>;
  /** Makes the documents that name a company findable for it. */
  adopt(company: string): Promise<void>;
  /** The company that most documents share; none where two are as likely. */
  whose(): Promise<Whose>;
  /** The text of a document as it stands in a file; undefined where no file has it any more. */
  textOf(reference: DocumentReference, stored: StoredDocument): Promise<string | undefined>;
  /** A file by its path relative to one of the folders; undefined where there is none within them. */
  find(path: string): string | undefined;
  /** The documents and events of a file, as `find` gave it. */
  documentsIn(path: string): AsyncIterable<FiledDocument>;
  close(): Promise<void>;
}

export interface UserFilesOptions {
  readonly roots: readonly string[];
  readonly archive: () => Promise<Archive>;
  /** Whose documents they are, where that is configured. */
  readonly company: string | undefined;
}

/** A look counts for three times as long as it took, so that looking never takes most of the time, and no longer than: */
const LONGEST_HOLD_MS = 3_000;
/** Who is named where it has to be asked whose documents they are. */
const MOST_CANDIDATES = 10;
const nothingYet: LookProgress = { files: 0, read: 0, documents: 0 };
const cnpjLength = 14;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function* documentsOf(path: string): AsyncGenerator<FiledDocument> {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return;
  const read = await readFile(path, size);
  if (read !== 'zip') {
    yield* read.documents;
    return;
  }
  const descriptor = openToRead(path);
  try {
    for await (const { documents } of readZip(descriptor)) yield* documents;
  } finally {
    closeSync(descriptor);
  }
}

function isWithin(root: string, path: string): boolean {
  const below = relative(root, path);
  return below === '' || !(below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below));
}

/** Opens the user's files; nothing is looked at before it is asked for. */
export function createUserFiles({ roots: given, archive, company }: UserFilesOptions): UserFiles {
  const ending = new AbortController();
  let roots: readonly string[] | undefined;
  let look: Promise<LookResult> | undefined;
  let progress: LookProgress = nothingYet;
  let result: LookResult | undefined;
  let lookedAt: number | undefined;
  let holdsUntil = 0;
  let hasClaimed = false;
  const adopted = new Set<string>();

  const known = () => {
    roots ??= given.map(rootPath);
    return roots;
  };

  async function begin(): Promise<LookResult> {
    const began = performance.now();
    const { files } = await archive();
    progress = nothingYet;
    await claim(files, known());
    hasClaimed = true;
    result = await lookOver(files, known(), {
      company,
      signal: ending.signal,
      onProgress: (now) => {
        progress = { ...now };
      },
    });
    adopted.clear();
    lookedAt = Date.now();
    progress = result;
    const ended = performance.now();
    holdsUntil = ended + Math.min(LONGEST_HOLD_MS, 3 * (ended - began));
    return result;
  }

  function current(): Promise<LookResult> {
    if (look === undefined) {
      look = begin().finally(() => {
        look = undefined;
      });
      // Whoever waits hears of it; that nobody does must not end the process.
      look.catch(() => undefined);
    }
    return look;
  }

  const state = (isReading: boolean): FilesState => ({
    looked_at: lookedAt === undefined ? undefined : new Date(lookedAt).toISOString(),
    isReading,
    progress,
    result,
  });

  return {
    get roots() {
      return known();
    },
    async ready({ deadline, signal, onProgress, refresh = false }) {
      signal.throwIfAborted();
      const holds = result !== undefined && performance.now() < holdsUntil && !refresh;
      if (look === undefined && holds) return state(false);
      const reading = current();
      let timer: NodeJS.Timeout | undefined;
      let ticker: NodeJS.Timeout | undefined;
      let abort: () => void = () => undefined;
      const over = new Promise<'over'>((resolve, reject) => {
        timer = setTimeout(() => resolve('over'), Math.max(0, deadline - Date.now()));
        abort = () => reject(signal.reason);
        signal.addEventListener('abort', abort, { once: true });
        if (onProgress) ticker = setInterval(() => onProgress(progress), 1000);
      });
      try {
        return state((await Promise.race([reading, over])) === 'over');
      } finally {
        clearTimeout(timer);
        clearInterval(ticker);
        signal.removeEventListener('abort', abort);
      }
    },
    async adopt(owner) {
      if (adopted.has(owner)) return;
      await (await archive()).files.adopt(owner);
      adopted.add(owner);
    },
    async whose() {
      const all = await (await archive()).files.holders(MOST_CANDIDATES * 2);
      const candidates = all.filter((one) => one.company.length === cnpjLength).slice(0, MOST_CANDIDATES);
      const [first, second] = candidates;
      const isClear = first !== undefined && first.documents > (second?.documents ?? 0);
      return { company: isClear ? first.company : undefined, candidates };
    },
    async textOf(reference, stored) {
      const wanted = JSON.stringify(stored.summary);
      const identity = identityOfReference(reference);
      const isIt = ({ summary }: FiledDocument) => {
        if (summary.kind === 'event') return false;
        const own = identityOf(reference.document, summary, () => '');
        return identity.endsWith('|') ? own.startsWith(identity) : own === identity;
      };
      let other: string | undefined;
      for (const place of await (await archive()).files.placesOf(reference)) {
        for await (const document of documentsOf(pathOnDisk(place, isFolder(place.root)))) {
          if (!isIt(document)) continue;
          if (JSON.stringify(document.summary) === wanted) return document.xml;
          other ??= document.xml;
        }
      }
      return other;
    },
    find(path) {
      for (const root of known()) {
        const base = isFolder(root) ? root : join(root, '..');
        try {
          const real = realpathSync(isAbsolute(path) ? path : join(base, path));
          if (isWithin(root, real)) return real;
        } catch {
          // Not there, or not to be looked at: it may be in another folder.
        }
      }
      return undefined;
    },
    documentsIn: documentsOf,
    async close() {
      ending.abort();
      await look?.catch(() => undefined);
      // An archive that can't be written any more keeps the claim until it has passed.
      if (hasClaimed) await release((await archive()).files, known()).catch(() => undefined);
    },
  };
}
