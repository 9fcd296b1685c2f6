import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pause } from '../../clients/http/call.ts';
import type { StoredDocument } from '../ask/stored-documents.ts';
import type { DocumentReference } from '../references.ts';
import { identityOf, identityOfReference } from '../schema/encoding.ts';
import type { FiledDocument } from './contents.ts';
import type { FileIndex, Holder } from './file-index.ts';
import { findWithin, readFile, rootPath } from './folders.ts';
import { type LookProgress, type LookResult, lookOver } from './look-over.ts';
import type { FilePlace } from './take.ts';

/** How far the files have been read when a question is answered. */
export interface FilesState {
  /** When the folders were last looked over to the end; undefined while the first look is under way. */
  readonly looked_at: string | undefined;
  /** Whether files are still unread: answers lack their documents. */
  readonly isReading: boolean;
  readonly progress: LookProgress;
  readonly result: LookResult | undefined;
}

export interface ReadyOptions {
  /** Deadline of reading, milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: LookProgress) => void;
  /** Looks now, however lately the folders have been looked at. */
  readonly refresh?: boolean | undefined;
}

/** Whose documents the files are: one company, or several that are as likely. */
export interface Whose {
  readonly company: string | undefined;
  readonly candidates: readonly Holder[];
}

export interface UserFilesOptions {
  readonly roots: readonly string[];
  readonly archive: () => Promise<{ readonly files: FileIndex }>;
  readonly company: string | undefined;
}

/** A look counts for three times as long as it took, so that looking never takes most of the time, and no longer than: */
const LONGEST_HOLD_MS = 3_000;
/** A claim on the folders is renewed well before it ends. */
const CLAIM_RENEWED_MS = 900_000;
/** Companies named where the call has to say which one it is about. */
const MOST_CANDIDATES = 10;
const nothingYet: LookProgress = { files: 0, read: 0, documents: 0 };
const cnpjLength = 14;

function pathOnDisk({ root, folder, name }: FilePlace): string {
  const isFolder = statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  return join(isFolder ? root : dirname(root), folder, name);
}

async function* documentsIn(path: string): AsyncGenerator<FiledDocument> {
  for await (const { documents } of readFile(path)) yield* documents;
}

/**
 * The user's own folders and ZIPs as a source of documents. They are read, never changed; nothing is looked at before
 * it is asked for.
 */
export function createUserFiles({ roots: given, archive, company }: UserFilesOptions) {
  const ending = new AbortController();
  let known: readonly string[] | undefined;
  let look: Promise<LookResult> | undefined;
  let progress: LookProgress = nothingYet;
  let result: LookResult | undefined;
  let lookedAt: number | undefined;
  let holdsUntil = 0;
  let claimedAt = 0;
  const adopted = new Set<string>();

  const roots = () => {
    known ??= given.map(rootPath);
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
    const signal = ending.signal;
    const onProgress = (now: LookProgress) => {
      progress = { ...now };
    };
    result = await lookOver(files, roots(), { company, signal, onProgress });
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
      // Callers that wait get the error; without any it must not end the process.
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
    roots,

    /**
     * Scans the folders and reads new files until the deadline; the rest is read in the background.
     * @throws ArchiveError; the signal's reason
     */
    async ready({ deadline, signal, onProgress, refresh = false }: ReadyOptions): Promise<FilesState> {
      signal.throwIfAborted();
      // Folders without a file are looked at again at once: that takes no time, and files may just have come.
      const holds = result !== undefined && result.files > 0 && performance.now() < holdsUntil && !refresh;
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

    /** Makes the documents that name a company findable for it. */
    async adopt(owner: string): Promise<void> {
      if (adopted.has(owner)) return;
      await (await archive()).files.adopt(owner);
      adopted.add(owner);
    },

    /** The company that most documents share; none where two are as likely. */
    async whose(): Promise<Whose> {
      const all = await (await archive()).files.holders(MOST_CANDIDATES * 2);
      const candidates = all.filter((one) => one.company.length === cnpjLength).slice(0, MOST_CANDIDATES);
      const [first, second] = candidates;
      const isClear = first !== undefined && first.documents > (second?.documents ?? 0);
      return { company: isClear ? first.company : undefined, candidates };
    },

    /** The text of a document from a file; undefined if no file has it any more. */
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

    /** A file by its path relative to one of the folders; undefined where there is none within them. */
    find(path: string): string | undefined {
      return findWithin(roots(), path);
    },

    documentsIn,

    async close(): Promise<void> {
      ending.abort();
      await look?.catch(() => undefined);
      // The claim on an archive that can't be written any more ends by itself.
      if (claimedAt > 0) await (await archive()).files.claim(roots(), 0).catch(() => undefined);
    },
  };
}

export type UserFiles = ReturnType<typeof createUserFiles>;
