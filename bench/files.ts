// The user's own files: taking them in beside reading and parsing them in a plain loop, by our own reader and by
// fast-xml-parser, and looking over an unchanged folder beside a plain loop of stat. Processor time: each is one loop,
// and what else the machine does changes the time on the clock more than it changes the ratio.
// `node bench/run.mjs files [files] [unchanged]`
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { rootPath } from '../src/archive/files/folders.ts';
import { lookOver } from '../src/archive/files/look-over.ts';
import { openArchive } from '../src/archive/open.ts';
import { readDocuments } from '../src/documents/summary/read-document.ts';
import { eachNote } from './generated-notes.ts';
import { report } from './report.mjs';
import { toTheEnd } from './to-the-end.mjs';

const count = Number(process.argv[2] ?? 20_000);
const unchanged = Number(process.argv[3] ?? 100_000);
const perFolder = 1_000;
const root = mkdtempSync(join(tmpdir(), 'docfiscal-bench-files-'));

/** Starts a clock of processor seconds. */
function clock(): () => number {
  const since = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1e6;
  };
}

function fill(name: string, texts: Iterable<string>): string {
  const top = join(root, name);
  let index = 0;
  for (const text of texts) {
    const folder = join(top, String(Math.floor(index / perFolder)));
    if (index % perFolder === 0) mkdirSync(folder, { recursive: true });
    const path = join(folder, `${index++}.xml`);
    writeFileSync(path, text);
    // A file that has just changed is read again at the next look.
    utimesSync(path, 1_760_000_000, 1_760_000_000);
  }
  return top;
}

function* sameText(files: number): Generator<string> {
  for (let index = 0; index < files; index++) yield '<x/>';
}

function* pathsIn(top: string): Generator<string> {
  for (const folder of readdirSync(top)) {
    for (const name of readdirSync(join(top, folder))) yield join(top, folder, name);
  }
}

async function look(top: string) {
  const archive = await openArchive({
    mode: 'file',
    folder: join(root, `archive-${performance.now()}`),
    keepXml: false,
  });
  const options = { signal: new AbortController().signal, onProgress: () => undefined, company: undefined };
  const run = async () => {
    const seconds = clock();
    const result = await lookOver(archive.files, [rootPath(top)], options);
    return { seconds: seconds(), result };
  };
  const first = await run();
  const second = await run();
  await archive.close();
  return { first, second };
}

async function main(): Promise<void> {
  try {
    const top = fill('notes', eachNote(count));
    const loop = (parse: (text: string) => unknown) => {
      const seconds = clock();
      for (const path of pathsIn(top)) parse(readFileSync(path, 'utf8'));
      return seconds();
    };
    loop(readDocuments);
    const { first } = await look(top);
    const peak = Math.round(process.resourceUsage().maxRSS / 1024);
    console.error(
      `${count} files taken in ${first.seconds.toFixed(1)} s; ${first.result.documents} documents, peak ${peak} MB`,
    );
    const parser = new XMLParser({ ignoreAttributes: false, parseTagValue: false });
    const loops = { 'our reader': readDocuments, 'fast-xml-parser': (text: string) => parser.parse(text) };
    for (const [name, parse] of Object.entries(loops)) {
      report({
        what: `${count} files taken in`,
        unit: 's of processor',
        ours: first.seconds,
        yardstick: loop(parse),
        beside: `a loop that reads them with ${name}`,
        ...(name === 'fast-xml-parser' ? { times: 2 } : {}),
      });
    }
    const same = fill('same', sameText(unchanged));
    const stat = () => {
      const seconds = clock();
      for (const path of pathsIn(same)) lstatSync(path);
      return seconds();
    };
    stat();
    const plainStat = stat();
    const { second } = await look(same);
    console.error(
      `${unchanged} unchanged: plain stat loop ${plainStat.toFixed(2)} s, looked over ${second.seconds.toFixed(2)} s, ratio ${(second.seconds / plainStat).toFixed(2)}; read ${second.result.read}`,
    );
    const what = `${unchanged} unchanged files looked over`;
    report({
      what,
      unit: 's of processor',
      ours: second.seconds,
      yardstick: plainStat,
      beside: 'a loop of stat',
      times: 2,
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

void toTheEnd(main);
