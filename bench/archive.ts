// How fast the archive takes documents in and answers, beside the same questions as SQL by hand over the same file:
// `node bench/run.mjs archive [documents] [rounds]`. The rows are generated, nothing is fetched or parsed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../src/archive/store/archive.ts';
import { openSqlite } from '../src/archive/store/engines/sqlite.ts';
import { openArchive } from '../src/archive/store/open.ts';
import { company, generateDocuments } from '../test/archive/store/generated-documents.ts';
import { byWeek, questions } from './archive-questions.ts';
import { computed } from './computed.cjs';
import { report } from './report.mjs';
import { toTheEnd } from './to-the-end.mjs';

/** Milliseconds; what takes that long by hand is asked once. */
const LONG = 1_000;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The longest time that nothing else could run, in milliseconds: by the clock, and what was computed in one go. */
function watchBlocks(): () => { longest: number; most: number } {
  let [longest, most] = [0, 0];
  let [last, lastComputed] = [performance.now(), computed()];
  const timer = setInterval(() => {
    const [now, nowComputed] = [performance.now(), computed()];
    longest = Math.max(longest, now - last - 1);
    most = Math.max(most, nowComputed - lastComputed);
    [last, lastComputed] = [now, nowComputed];
  }, 1);
  return () => {
    clearInterval(timer);
    return { longest, most };
  };
}

async function takeIn(archive: Archive, count: number): Promise<void> {
  const documentsByWeek = byWeek(
    generateDocuments({ count, items: 10, partners: 1_500, products: 5_000, classes: 300 }),
  );
  let milliseconds = 0;
  let [longest, most] = [0, 0];
  for (const [from, to, week] of documentsByWeek) {
    const window = { company, area: 'nfe', by: 'issue', from, to, fetchedAt: new Date() } as const;
    const arrivals = week.map((summary) => ({ summary }));
    const stopWatching = watchBlocks();
    const started = performance.now();
    await archive.store(window, arrivals);
    milliseconds += performance.now() - started;
    const watched = stopWatching();
    longest = Math.max(longest, watched.longest);
    most = Math.max(most, watched.most);
  }
  const seconds = milliseconds / 1000;
  const { documents, items, bytes, engine } = await archive.info();
  console.log(
    `${engine}: ${documents} documents, ${items} items in ${seconds.toFixed(1)} s ` +
      `(${((seconds * 1e6) / documents).toFixed(0)} µs each, longest block ${longest.toFixed(0)} ms, ${most.toFixed(0)} of them computing), ` +
      `${(bytes / 1024 ** 2).toFixed(0)} MB`,
  );
  report({
    what: `one of ${documents} documents of ten items into the archive`,
    unit: 'µs',
    ours: (seconds * 1e6) / documents,
  });
  report({ what: 'longest computing that nothing else could run in', unit: 'ms', ours: most, most: 50 });
}

function milliseconds(time: number): string {
  return `${time.toFixed(0)} ms`.padStart(7);
}

async function compare(archive: Archive, file: string, rounds: number): Promise<void> {
  const sqlite = await openSqlite(file);
  console.log(`\n${'question'.padEnd(34)} archive  by hand  ratio  source`);
  let slowest = { title: '', own: 0, hand: 0 };
  for (const { title, question, sql } of questions) {
    const times = { archive: [] as number[], hand: [] as number[] };
    let source = '';
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      ({ source } = await archive.ask(question));
      times.archive.push(performance.now() - started);
      if (times.hand.some((time) => time > LONG)) continue;
      const between = performance.now();
      sqlite.run(sql, []);
      times.hand.push(performance.now() - between);
    }
    const [own, hand] = [median(times.archive), median(times.hand)];
    const columns = [milliseconds(own), milliseconds(hand), (own / hand).toFixed(2).padStart(5), source];
    console.log(`${title.padEnd(34)} ${columns.join('  ')}`);
    if (own > slowest.own) slowest = { title, own, hand };
  }
  const { title, own, hand } = slowest;
  const what = `slowest of ${questions.length} questions: ${title}`;
  report({ what, unit: 'ms', ours: own, yardstick: hand, beside: 'SQL by hand', most: 100 });
  sqlite.close();
}

async function main(documents = '100000', rounds = '7'): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  try {
    const archive = await openArchive({ mode: 'file', folder, keepXml: false });
    await takeIn(archive, Number(documents));
    await compare(archive, join(folder, 'archive.db'), Number(rounds));
    await archive.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void toTheEnd(() => main(...process.argv.slice(2)));
