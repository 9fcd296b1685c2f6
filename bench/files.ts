// The user's own files: taking them in beside a loop that parses them with fast-xml-parser, and looking over an unchanged
// folder beside a loop of stat, by processor time: `npm run bench -- files [files] [unchanged]`.
import { lstatSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { openArchive } from '../src/archive/archive.ts';
import { rootPath } from '../src/archive/files/folders.ts';
import { lookOver } from '../src/archive/files/user-files.ts';
import { eachNote } from './generated-notes.ts';
import { cpuTime, inFolder, report } from './measure.ts';

const PER_FOLDER = 1_000;
const [count = 20_000, unchanged = 100_000] = process.argv.slice(2).map(Number);

function fill(top: string, texts: Iterable<string>): string {
  let index = 0;
  for (const text of texts) {
    const folder = join(top, String(Math.floor(index / PER_FOLDER)));
    if (index % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const path = join(folder, `${index++}.xml`);
    writeFileSync(path, text);
    // A file that has just changed is read again at the next look.
    utimesSync(path, 1_760_000_000, 1_760_000_000);
  }
  return top;
}

/** Milliseconds of processor that a loop over all files takes. */
function loop(top: string, work: (path: string) => unknown): number {
  const before = cpuTime();
  for (const folder of readdirSync(top)) {
    for (const name of readdirSync(join(top, folder))) work(join(top, folder, name));
  }
  return cpuTime() - before;
}

/** Milliseconds of processor that a first and a second look take. */
async function look(top: string, folder: string): Promise<[first: number, second: number]> {
  const archive = await openArchive({ mode: 'file', folder, keepXml: false });
  const options = { signal: new AbortController().signal, onProgress: () => undefined, company: undefined };
  const once = async () => {
    const before = cpuTime();
    await lookOver(archive.files, [rootPath(top)], options);
    return cpuTime() - before;
  };
  const times = [await once(), await once()] as [number, number];
  await archive.close();
  return times;
}

void inFolder(async (root) => {
  const unit = 'ms of processor';
  const notes = fill(join(root, 'notes'), eachNote(count));
  const [ours] = await look(notes, join(root, 'archive-of-notes'));
  const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false });
  const parsed = loop(notes, (path) => parser.parse(readFileSync(path, 'utf8')));
  const what = `${count} files taken in`;
  report({ what, unit, ours, yardstick: parsed, beside: 'a loop with fast-xml-parser', most: 2 * parsed });
  const same = fill(join(root, 'same'), Array<string>(unchanged).fill('<x/>'));
  loop(same, lstatSync);
  const yardstick = loop(same, lstatSync);
  const [, again] = await look(same, join(root, 'archive-of-same'));
  const looked = `${unchanged} unchanged files looked over`;
  report({ what: looked, unit, ours: again, yardstick, beside: 'a loop of stat', most: 2 * yardstick });
});
