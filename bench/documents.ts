// How long an NF-e takes from text to summary, beside a full parse with fast-xml-parser and reading the bytes alone.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { XMLParser } from 'fast-xml-parser';
import { compactSummary } from '../src/documents/compact-summary.ts';
import { decodeText } from '../src/documents/encoding.ts';
import { readDocuments } from '../src/documents/read-document.ts';
import { generateNotes } from './generated-notes.ts';

const ROUNDS = 7;
const MILLISECONDS_PER_TURN = 400;

const samples = join(process.cwd(), '../shared/samples/open/nfe');

function sampleNotes(): Buffer[] {
  return readdirSync(samples).map((name) => readFileSync(join(samples, name)));
}

const parser = new XMLParser({
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreAttributes: false,
  removeNSPrefix: true,
});

const contenders: Record<string, (bytes: Buffer) => unknown> = {
  'bytes to text': (bytes) => decodeText(bytes).length,
  'to summary': (bytes) => readDocuments(decodeText(bytes)),
  'fast-xml-parser, full parse': (bytes) => parser.parse(decodeText(bytes)),
};

/** Microseconds per document in one turn. */
function turn(notes: readonly Buffer[], work: (bytes: Buffer) => unknown): number {
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < MILLISECONDS_PER_TURN) {
    for (const bytes of notes) work(bytes);
    count += notes.length;
  }
  return ((performance.now() - start) * 1000) / count;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function compare(title: string, notes: readonly Buffer[]): void {
  const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, work] of Object.entries(contenders)) {
      const time = turn(notes, work);
      if (round > 0) times.get(name)?.push(time);
    }
  }
  const bytes = notes.reduce((sum, note) => sum + note.length, 0) / notes.length;
  const reference = median(times.get('fast-xml-parser, full parse') ?? []);
  console.log(`\n${title}: ${notes.length} documents, ${(bytes / 1024).toFixed(1)} KB each`);
  for (const [name, values] of times) {
    const time = median(values);
    const rate = Math.round(1e6 / time).toLocaleString('en');
    const ratio = (reference / time).toFixed(1);
    console.log(`  ${name.padEnd(28)} ${time.toFixed(0).padStart(6)} µs  ${rate.padStart(9)}/s  ${ratio}x`);
  }
}

/** Heap that stays for each summary kept while the texts go. */
function heapPerSummary(): number {
  const count = 2000;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const kept = generateNotes(count, 7).map((xml) => readDocuments(xml).map(compactSummary));
  globalThis.gc?.();
  return kept.length === count ? (process.memoryUsage().heapUsed - before) / count : Number.NaN;
}

const generated = generateNotes(200).map((xml) => Buffer.from(xml));
compare('Generated NF-e', generated);
if (existsSync(samples)) compare('Sample NF-e', sampleNotes());
console.log(`\nHeap kept per compact summary: ${(heapPerSummary() / 1024).toFixed(1)} KB`);
