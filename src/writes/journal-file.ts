import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openOwnFile, syncFolder, systemCode } from '../disk/regular-file.ts';
import type { DataFolder } from './data-folder.ts';
import type { About, JournalStore } from './journal.ts';
import {
  encodeLine,
  idIn,
  type JournalLine,
  keysIn,
  type LineFilter,
  largestJournal,
  readJournal,
  settlingMs,
} from './journal-lines.ts';

export const journalFile = 'journal.jsonl';

const OFFSETS_REPORTED = 100;

async function openForAppending(folder: string): Promise<FileHandle> {
  const path = join(folder, journalFile);
  try {
    const handle = await openOwnFile(path, 'append-new', largestJournal);
    await syncFolder(folder);
    return handle;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    return openOwnFile(path, 'append', largestJournal);
  }
}

async function endsInsideLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString('latin1') !== '\n';
}

/** Whether the last line is torn, rather than being written by another process. */
async function isTorn(handle: FileHandle): Promise<boolean> {
  if (!(await endsInsideLine(handle))) return false;
  await setTimeout(settlingMs);
  return endsInsideLine(handle);
}

/** Appends lines, one atomic write each, and syncs them. Closes a torn last line first, so that it spoils no other. */
async function append(folder: DataFolder, lines: readonly JournalLine[]): Promise<void> {
  const encoded = lines.map(encodeLine);
  await folder.write(async (path) => {
    const handle = await openForAppending(path);
    try {
      if (await isTorn(handle)) encoded.unshift(Buffer.from('\n'));
      for (const bytes of encoded) {
        const { bytesWritten } = await handle.write(bytes);
        if (bytesWritten !== bytes.length) throw folder.unusable('SHORT_WRITE');
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** Filter: lines with any of the keys, and other lines of the same writes. */
function linesOf(keys: ReadonlySet<string>): LineFilter {
  const followed = new Set<string>();
  return (bytes) => {
    const text = bytes.toString('latin1');
    const id = idIn(text) ?? '';
    const isWanted = followed.has(id) || keysIn(text).some((key) => keys.has(key));
    if (isWanted) followed.add(id);
    return isWanted;
  };
}

const filterOf = (about: About): LineFilter | undefined =>
  typeof about === 'object' && 'keys' in about ? linesOf(about.keys) : undefined;

/** Readable, wanted lines of a data folder's journal, in order; none without a journal. */
export async function* linesInFolder(folder: DataFolder, isWanted?: LineFilter): AsyncGenerator<JournalLine> {
  const stretches = readJournal(join(folder.path, journalFile), isWanted);
  try {
    for (;;) {
      const next = await folder.read(() => stretches.next());
      if (next === undefined || next.done) return;
      if (next.value.line !== undefined) yield next.value.line;
    }
  } finally {
    await stretches.return(undefined);
  }
}

/**
 * Keeps a journal in an append-only JSON lines file, shared by all processes that use the folder. Queries stream the
 * file from its beginning.
 */
export function journalInFolder(folder: DataFolder): JournalStore {
  const path = join(folder.path, journalFile);
  return {
    append: (lines) => append(folder, lines),

    lines: (about) => linesInFolder(folder, filterOf(about)),

    async damage() {
      const offsets: number[] = [];
      let count = 0;
      let tornEnd = false;
      await folder.read(async () => {
        for await (const stretch of readJournal(path)) {
          if (stretch.line !== undefined) continue;
          count += 1;
          tornEnd = stretch.isTornEnd;
          if (offsets.length < OFFSETS_REPORTED) offsets.push(stretch.offset);
        }
      });
      return { count, offsets, tornEnd };
    },

    probe: () => append(folder, []),
  };
}
