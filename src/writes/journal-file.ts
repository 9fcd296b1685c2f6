import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openOwnFile, syncFolder } from '../disk/files.ts';
import type { DataFolder } from './data-folder.ts';
import type { About, JournalStore } from './journal.ts';
import { decodeLine, encodeLine, type JournalLine, longestLine } from './journal-lines.ts';

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

/** Lines without blank ones, in bounded memory; `isTorn` if the file ends inside a line. */
async function* segments(folder: DataFolder) {
  const file = await folder.read(() => openOwnFile(join(folder.path, journalFile), 'read', largestJournal));
  if (file === undefined) return;
  const block = Buffer.alloc(64 * 1024);
  let held = Buffer.alloc(0);
  try {
    for (;;) {
      const read = await folder.read(() => file.read(block));
      if (!read?.bytesRead) break;
      const bytes = Buffer.concat([held, block.subarray(0, read.bytesRead)]);
      let start = 0;
      for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
        if (end > start) yield { bytes: bytes.subarray(start, end), isTorn: false };
        start = end + 1;
      }
      // One byte more than a line may have: a longer one stays unreadable.
      held = bytes.subarray(start, start + longestLine + 1);
    }
  } finally {
    await file.close();
  }
  if (held.length > 0) yield { bytes: held, isTorn: true };
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
export async function* linesInFolder(folder: DataFolder, about: About = 'open'): AsyncGenerator<JournalLine> {
  const isWanted = filterFor(about);
  for await (const { bytes, isTorn } of segments(folder)) {
    const line = isTorn || !isWanted(bytes.toString('latin1')) ? undefined : decodeLine(bytes);
    if (line !== undefined) yield line;
  }
}

async function damageIn(folder: DataFolder) {
  const damage = { count: 0, tornEnd: false };
  for await (const { bytes, isTorn } of segments(folder)) {
    if (isTorn || decodeLine(bytes) === undefined) damage.count += 1;
    damage.tornEnd = isTorn;
  }
  return damage;
}

/** Keeps a journal in an append-only JSON lines file, shared by all processes that use the folder. */
export function journalInFolder(folder: DataFolder): JournalStore {
  return {
    unusable: folder.unusable,
    append: (lines) => append(folder, lines),
    lines: (about) => linesInFolder(folder, about),
    async damage() {
      const damage = await damageIn(folder);
      if (!damage.tornEnd) return damage;
      await setTimeout(settlingMs);
      return damageIn(folder);
    },
  };
}
