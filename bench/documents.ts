// How long an NF-e takes from bytes to summary, beside a full parse with fast-xml-parser.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { readDocuments } from '../src/documents/summary/read-document.ts';
import { decodeText } from '../src/documents/xml/encoding.ts';
import { generateNotes } from './generated-notes.ts';
import { cpuTime, median, report } from './measure.ts';

const ROUNDS = 30;
const TURN_MS = 60;

const samples = join(process.cwd(), 'test/samples/nfe');
const parser = new XMLParser({
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreAttributes: false,
  removeNSPrefix: true,
});

/** Microseconds per document in one turn. */
function turn(notes: readonly Buffer[], work: (text: string) => unknown): number {
  const start = cpuTime();
  let count = 0;
  while (cpuTime() - start < TURN_MS) {
    for (const bytes of notes) work(decodeText(bytes));
    count += notes.length;
  }
  return ((cpuTime() - start) * 1000) / count;
}

function compare(title: string, notes: readonly Buffer[], faster: number): void {
  const [ours, lenient]: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours?.push(turn(notes, readDocuments));
    lenient?.push(turn(notes, (text) => parser.parse(text)));
  }
  const yardstick = median(lenient ?? []);
  const limit = { yardstick, beside: 'fast-xml-parser', most: yardstick / faster };
  report({ what: `${title}, from bytes to summary`, unit: 'µs', ours: median(ours ?? []), ...limit });
}

const generated = generateNotes(200).map((xml) => Buffer.from(xml));
compare('a generated NF-e', generated, 12);
const notes = readdirSync(samples)
  .filter((name) => name.endsWith('.xml'))
  .map((name) => readFileSync(join(samples, name)));
compare('a sample NF-e', notes, 9);
