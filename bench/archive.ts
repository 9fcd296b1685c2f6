// How fast the archive takes documents in and answers, beside the same questions as SQL by hand over the same file:
// `node bench/run.mjs archive [documents] [rounds]`. The rows are generated, nothing is fetched or parsed. Beyond
// 100,000 documents nothing is asked by hand, which reads every item for each question.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive } from '../src/archive/archive.ts';
import { openSqlite, type SqliteConnection } from '../src/archive/engines/sqlite.ts';
import { openArchive } from '../src/archive/open.ts';
import { company, generateDocuments } from '../test/archive/generated-documents.ts';
import { byWeek, questions } from './archive-questions.ts';
import { computed } from './computed.cjs';
import { report } from './report.mjs';
import { toTheEnd } from './to-the-end.mjs';

/** Milliseconds; what takes that long by hand is asked once. */
const LONG = 1_000;
/** Documents. */
const MOST_BY_HAND = 100_000;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [lower, upper] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2;
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

/** Of the processor, all threads. */
function microsecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function takeIn(archive: Archive, count: number): Promise<void> {
  const documentsByWeek = byWeek(
    generateDocuments({ count, items: 10, partners: 1_500, products: 5_000, classes: 300 }),
  );
  let [milliseconds, processor] = [0, 0];
  let [longest, most] = [0, 0];
  for (const [from, to, week] of documentsByWeek) {
    const window = { company, area: 'nfe', by: 'issue', from, to, fetchedAt: new Date() } as const;
    const arrivals = week.map((summary) => ({ summary }));
    const stopWatching = watchBlocks();
    const [started, before] = [performance.now(), process.cpuUsage()];
    await archive.store(window, arrivals);
    milliseconds += performance.now() - started;
    processor += microsecondsSince(before);
    // What was computed last is seen by the next look at the clock.
    await sleep(2);
    const watched = stopWatching();
    longest = Math.max(longest, watched.longest);
    most = Math.max(most, watched.most);
  }
  const seconds = milliseconds / 1000;
  const { documents, items, bytes, engine } = await archive.info();
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${engine}: ${documents} documents, ${items} items in ${seconds.toFixed(1)} s (longest block ` +
      `${longest.toFixed(0)} ms, ${most.toFixed(0)} of them computing), ${(bytes / 1024 ** 2).toFixed(0)} MB`,
  );
  const one = `one of ${documents} documents of ten items`;
  report({ what: `${one} into the archive`, unit: 'µs', ours: (seconds * 1e6) / documents });
  report({ what: `${one} into the archive`, unit: 'µs of processor', ours: processor / documents });
  report({ what: `${one} in the file`, unit: 'bytes', ours: bytes / documents });
  report({ what: `peak of memory while ${documents} documents come`, unit: 'MB', ours: peak });
  report({ what: 'longest computing that nothing else could run in', unit: 'ms', ours: most, most: 50 });
}

function shown(milliseconds: number): string {
  return (Number.isNaN(milliseconds) ? '' : `${milliseconds.toFixed(0)} ms`).padStart(7);
}

interface Timed {
  readonly title: string;
  readonly own: number;
  /** NaN where it was not asked by hand. */
  readonly hand: number;
}

async function timesOf(
  archive: Archive,
  sqlite: SqliteConnection | undefined,
  rounds: number,
): Promise<Timed[]> {
  const timed: Timed[] = [];
  console.log(`\n${'question'.padEnd(34)} archive  computed  by hand  ratio  source`);
  for (const { title, question, sql } of questions) {
    const times = { archive: [] as number[], computed: [] as number[], hand: [] as number[] };
    let source = '';
    for (let round = 0; round < rounds; round++) {
      const [started, before] = [performance.now(), computed()];
      ({ source } = await archive.ask(question));
      times.archive.push(performance.now() - started);
      times.computed.push(computed() - before);
      if (sqlite === undefined || times.hand.some((time) => time > LONG)) continue;
      const between = performance.now();
      sqlite.run(sql, []);
      times.hand.push(performance.now() - between);
    }
    const [own, hand] = [median(times.archive), median(times.hand)];
    const columns = [
      shown(own),
      shown(median(times.computed)).padStart(8),
      shown(hand),
      (own / hand).toFixed(2).padStart(5),
      source,
    ];
    console.log(`${title.padEnd(34)} ${columns.join('  ')}`);
    timed.push({ title, own, hand });
  }
  return timed;
}

async function compare(
  archive: Archive,
  sqlite: SqliteConnection | undefined,
  rounds: number,
): Promise<void> {
  const timed = await timesOf(archive, sqlite, rounds);
  const beside = (hand: number) => (Number.isNaN(hand) ? {} : { yardstick: hand, beside: 'SQL by hand' });
  const [slowest] = [...timed].sort((one, other) => other.own - one.own);
  const what = `slowest of ${timed.length} questions: ${slowest?.title}`;
  const { own = Number.NaN, hand = Number.NaN } = slowest ?? {};
  report({ what, unit: 'ms', ours: own, ...beside(hand), most: 100 });
  report({
    what: `median of ${timed.length} questions, all of them grouped`,
    unit: 'ms',
    ours: median(timed.map((one) => one.own)),
    ...beside(median(timed.map((one) => one.hand))),
    most: 30,
  });
}

async function main(documents = '100000', rounds = '7'): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  try {
    const archive = await openArchive({ mode: 'file', folder, keepXml: false });
    await takeIn(archive, Number(documents));
    const byHand = Number(documents) <= MOST_BY_HAND;
    const sqlite = byHand ? await openSqlite(join(folder, 'archive.db')) : undefined;
    await compare(archive, sqlite, Number(rounds));
    sqlite?.close();
    await archive.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void toTheEnd(() => main(...process.argv.slice(2)));
