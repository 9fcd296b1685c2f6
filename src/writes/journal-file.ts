import { join } from 'node:path';
import { openOwnFile, readOwnFile, syncFolder } from '../disk/files.ts';
import type { DataFolder } from './data-folder.ts';
import type { JournalStore } from './journal.ts';
import { decodeLine, encodeLine, type JournalLine } from './journal-lines.ts';

export const journalFile = 'journal.jsonl';

/** Bytes; more than half a million writes. A larger file is not our journal. */
const largestJournal = 256 * 1024 ** 2;

/**
 * Appends lines, one atomic write each, and syncs them. Closes a torn last line first, so that it spoils no other; a
 * line that another process is about to finish gets a blank one behind it.
 */
async function append(folder: DataFolder, lines: readonly JournalLine[]): Promise<void> {
  const texts = lines.map(encodeLine);
  await folder.write(async () => {
    const handle = await openOwnFile(join(folder.path, journalFile), 'append', largestJournal);
    try {
      const { size } = await handle.stat();
      if (size === 0) await syncFolder(folder.path);
      else {
        const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
        if (buffer.toString() !== '\n') texts.unshift('');
      }
      for (const text of texts) {
        const bytes = Buffer.from(`${text}\n`);
        const { bytesWritten } = await handle.write(bytes);
        if (bytesWritten !== bytes.length) throw folder.unusable('SHORT_WRITE');
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** The lines in order, without blank ones: `damaged` for an unreadable one, `torn` where the file ends inside a line. */
async function readLines(folder: DataFolder) {
  const bytes = await folder.read(() => readOwnFile(join(folder.path, journalFile), largestJournal));
  const texts = (bytes?.toString('latin1') ?? '').split('\n');
  const end = texts.pop();
  const lines = texts.flatMap((text) =>
    text === '' ? [] : (decodeLine(Buffer.from(text, 'latin1')) ?? ('damaged' as const)),
  );
  return end === '' ? lines : [...lines, 'torn' as const];
}

/** The readable lines of a data folder's journal, in order. */
export async function linesInFolder(folder: DataFolder): Promise<JournalLine[]> {
  return (await readLines(folder)).filter((line) => typeof line === 'object');
}

/** Keeps a journal in an append-only JSON lines file, shared by all processes that use the folder. */
export function journalInFolder(folder: DataFolder): JournalStore {
  return {
    unusable: folder.unusable,
    append: (lines) => append(folder, lines),
    lines: () => linesInFolder(folder),
    async damage() {
      const damaged = (await readLines(folder)).filter((line) => typeof line === 'string');
      return { count: damaged.length, tornEnd: damaged.at(-1) === 'torn' };
    },
  };
}
