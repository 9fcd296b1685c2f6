import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { openOwnFile, readOwnFile, syncFolder } from '../disk/files.ts';
import type { DataFolder } from './data-folder.ts';
import type { About, JournalStore } from './journal.ts';
import { decodeLine, encodeLine, type JournalLine } from './journal-lines.ts';

export const journalFile = 'journal.jsonl';

/** Bytes; more than half a million writes. A larger file is not our journal. */
const largestJournal = 256 * 1024 ** 2;

/** Milliseconds that another process may take to finish a line. */
const settlingMs = 50;

async function endsInsideLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
}

/** Whether the last line is torn, rather than being written by another process. */
async function isTorn(handle: FileHandle): Promise<boolean> {
  if (!(await endsInsideLine(handle))) return false;
  await setTimeout(settlingMs);
  return endsInsideLine(handle);
}

/** Appends lines, one atomic write each, and syncs them. Closes a torn last line first, so that it spoils no other. */
async function append(folder: DataFolder, lines: readonly JournalLine[]): Promise<void> {
  const texts = lines.map(encodeLine);
  await folder.write(async () => {
    const handle = await openOwnFile(join(folder.path, journalFile), 'append', largestJournal);
    try {
      if ((await handle.stat()).size === 0) await syncFolder(folder.path);
      if (await isTorn(handle)) texts.unshift('');
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

/**
 * The wanted lines in order, without blank ones: `damaged` for an unreadable one, `torn` where the file ends inside a
 * line. Yields during long files.
 */
async function readLines(folder: DataFolder, isWanted: (text: string) => boolean = () => true) {
  const bytes = await folder.read(() => readOwnFile(join(folder.path, journalFile), largestJournal));
  const texts = (bytes?.toString('latin1') ?? '').split('\n');
  const end = texts.pop();
  const lines: (JournalLine | 'damaged' | 'torn')[] = [];
  for (const [index, text] of texts.entries()) {
    if (index % 1000 === 999) await setImmediate();
    if (text !== '' && isWanted(text)) lines.push(decodeLine(Buffer.from(text, 'latin1')) ?? 'damaged');
  }
  return end === '' ? lines : [...lines, 'torn' as const];
}

/** Whether a line's text may concern a question; ids and keys are written without escapes. */
function filterFor(about: About): (text: string) => boolean {
  if (about === 'open' || 'subject' in about) return () => true;
  const ids = new Set('id' in about ? [about.id] : []);
  const keys = new Set('keys' in about ? about.keys : []);
  return (text) => {
    const id = /"id":"([^"]*)"/.exec(text)?.[1] ?? '';
    const isWanted =
      ids.has(id) || text.match(/(?<=")[0-9A-Z]{44}(?=")/g)?.some((key) => keys.has(key)) === true;
    // Outcomes of a wanted write may not name its keys.
    if (isWanted) ids.add(id);
    return isWanted;
  };
}

/** Readable lines of a data folder's journal, in order; with a question, at least those that concern it. */
export async function linesInFolder(folder: DataFolder, about: About = 'open'): Promise<JournalLine[]> {
  return (await readLines(folder, filterFor(about))).filter((line) => typeof line === 'object');
}

/** Keeps a journal in an append-only JSON lines file, shared by all processes that use the folder. */
export function journalInFolder(folder: DataFolder): JournalStore {
  return {
    unusable: folder.unusable,
    append: (lines) => append(folder, lines),
    lines: (about) => linesInFolder(folder, about),
    async damage() {
      let lines = await readLines(folder);
      if (lines.at(-1) === 'torn') {
        await setTimeout(settlingMs);
        lines = await readLines(folder);
      }
      const count = lines.filter((line) => typeof line === 'string').length;
      return { count, tornEnd: lines.at(-1) === 'torn' };
    },
  };
}
