import { join } from 'node:path';
import { openOwnFile, syncFolder } from '../disk/files.ts';
import type { DataFolder } from './data-folder.ts';
import type { About, JournalStore } from './journal.ts';
import { decodeLine, encodeLine, type JournalLine } from './journal-lines.ts';

export const journalFile = 'journal.jsonl';

/** Bytes; more than half a million writes. A larger file is not our journal. */
const largestJournal = 256 * 1024 ** 2;

const LINE_BREAK = 10;
/** Bytes kept of a segment: more than any line has. */
const mostHeld = 4096;

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
        if (buffer[0] !== LINE_BREAK) texts.unshift('');
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

/**
 * Streams the wanted lines, in bounded memory: `damaged` for an unreadable one, and `torn` at the end of a file that
 * ends inside a line. Skips blank lines.
 */
async function* read(
  folder: DataFolder,
  isWanted: (text: string) => boolean = () => true,
): AsyncGenerator<JournalLine | 'damaged' | 'torn'> {
  const file = await folder.read(() => openOwnFile(join(folder.path, journalFile), 'read', largestJournal));
  if (file === undefined) return;
  let held = Buffer.alloc(0);
  try {
    // The stream closes the file, even if its consumer stops early.
    for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
      const bytes = Buffer.concat([held, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(LINE_BREAK); end !== -1; end = bytes.indexOf(LINE_BREAK, start)) {
        const line = bytes.subarray(start, end);
        start = end + 1;
        if (line.length > 0 && isWanted(line.toString('latin1'))) yield decodeLine(line) ?? 'damaged';
      }
      held = bytes.subarray(start, start + mostHeld);
    }
  } catch (error) {
    throw folder.explain(error);
  }
  if (held.length > 0) yield 'torn';
}

/** Whether a line's text may concern a question; ids and keys are written without escapes. */
function filterFor(about: About): (text: string) => boolean {
  if (about === 'open' || 'subject' in about) return () => true;
  const ids = new Set('id' in about ? [about.id] : []);
  const keys = new Set('keys' in about ? about.keys : []);
  return (text) => {
    const id = /"id":"([^"]*)"/.exec(text)?.[1] ?? '';
    if (ids.has(id)) return true;
    const isWanted = text.match(/(?<=")[0-9A-Z]{44}(?=")/g)?.some((key) => keys.has(key)) === true;
    // Outcomes of a wanted write may not name its keys.
    if (isWanted) ids.add(id);
    return isWanted;
  };
}

/** Readable lines of a data folder's journal, in order; with a question, at least those that concern it. */
export async function* linesInFolder(folder: DataFolder, about: About = 'open'): AsyncGenerator<JournalLine> {
  for await (const line of read(folder, filterFor(about))) if (typeof line === 'object') yield line;
}

/**
 * Keeps a journal in an append-only JSON lines file, shared by all processes that use the folder. Queries stream the
 * file from its beginning.
 */
export function journalInFolder(folder: DataFolder): JournalStore {
  return {
    unusable: folder.unusable,
    append: (lines) => append(folder, lines),
    lines: (about) => linesInFolder(folder, about),
    async damage() {
      const damage = { count: 0, tornEnd: false };
      for await (const line of read(folder)) {
        if (typeof line === 'object') continue;
        damage.count += 1;
        damage.tornEnd = line === 'torn';
      }
      return damage;
    },
  };
}
