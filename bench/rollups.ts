// What the sums kept beside the documents bring and cost: the same questions answered from them and from the documents,
// and the same documents taken in with them and without.
// Run with `node bench/run.mjs rollups [documents] [rounds]`; 100,000 documents of ten items are a large company's year.

import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Question } from '../src/archive/store/archive.ts';
import { answerQuestion } from '../src/archive/store/ask/ask.ts';
import { connect } from '../src/archive/store/engines/connect.ts';
import type { Connections } from '../src/archive/store/engines/connections.ts';
import { createRollupChanges, type RollupChanges } from '../src/archive/store/rollups/changes.ts';
import { writeBatch } from '../src/archive/store/write/documents.ts';
import { holdDocument } from '../src/archive/store/write/prepare.ts';
import type { DocumentSummary } from '../src/documents/summary/summary.ts';
import { company, generateDocuments } from '../test/archive/store/generated-documents.ts';
import { byWeek, questions } from './archive-questions.ts';
import { toTheEnd } from './to-the-end.mjs';

/** Sums that nobody keeps. */
const noRollups: RollupChanges = { add() {}, take() {}, write: async () => undefined, size: 0 };

/** Processor time, so that other work on the machine hardly counts; milliseconds. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function takeIn(
  { write }: Connections,
  weeks: Iterable<[monday: string, sunday: string, DocumentSummary[]]>,
  keepSums: boolean,
): Promise<number> {
  let milliseconds = 0;
  for (const [from, to, week] of weeks) {
    const documents = week.map((summary) => holdDocument('nfe', { summary }, false));
    const window = { by: 'issue', from, to } as const;
    const sighting = { company, area: 'nfe', window, source: 'service', at: '', events: 'list' } as const;
    const started = spent();
    await write(company, (session) => {
      const rollups = keepSums ? createRollupChanges() : noRollups;
      const batch = { documents, events: [] };
      return writeBatch(session, sighting, batch, () => false, undefined, rollups);
    });
    milliseconds += spent() - started;
  }
  return milliseconds;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function timeOf({ read }: Connections, question: Question, useRollups: boolean) {
  const started = spent();
  const { source } = await read((session) => answerQuestion(session, question, useRollups));
  return { milliseconds: spent() - started, source };
}

async function compareReading(connections: Connections, rounds: number): Promise<void> {
  console.log(`\n${'question'.padEnd(34)}    sums  documents  factor`);
  for (const { title, question } of questions) {
    const times = { sums: [] as number[], documents: [] as number[] };
    let isFromSums = false;
    for (let round = 0; round < rounds; round++) {
      const kept = await timeOf(connections, question, true);
      isFromSums = kept.source === 'roll-up';
      times.sums.push(kept.milliseconds);
      times.documents.push((await timeOf(connections, question, false)).milliseconds);
    }
    const [sums, documents] = [median(times.sums), median(times.documents)];
    const columns = [`${sums.toFixed(0)} ms`.padStart(7), `${documents.toFixed(0)} ms`.padStart(10)];
    const factor = isFromSums ? (documents / sums).toFixed(1) : 'from the documents';
    console.log(`${title.padEnd(34)} ${columns.join(' ')}  ${factor}`);
  }
}

async function main(count = '100000', rounds = '5'): Promise<void> {
  console.log(
    `load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}, Node ${process.versions.node}`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  try {
    const times: Record<string, number> = {};
    for (const keepSums of [false, true]) {
      const name = keepSums ? 'with' : 'without';
      const connections = await connect({ mode: 'file', folder: join(folder, name), tenant: '' });
      const documents = generateDocuments({
        count: Number(count),
        items: 10,
        partners: 1_500,
        products: 5_000,
        classes: 300,
      });
      const milliseconds = await takeIn(connections, byWeek(documents), keepSums);
      times[name] = milliseconds;
      const each = ((milliseconds * 1000) / Number(count)).toFixed(0);
      const megabytes = ((await connections.size()) / 1024 ** 2).toFixed(0);
      console.log(
        `${connections.engine}, ${name} sums: ${count} documents in ${(milliseconds / 1000).toFixed(1)} s, ${each} µs each, ${megabytes} MB`,
      );
      if (keepSums) await compareReading(connections, Number(rounds));
      await connections.close();
    }
    const { with: kept = 0, without = 1 } = times;
    console.log(`\nwriting with sums takes ${(kept / without).toFixed(2)} times as long`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void toTheEnd(() => main(...process.argv.slice(2)));
