// How long an NF-e takes from bytes to summary with our reader and with saxes in its place, beside a full parse with
// fast-xml-parser and reading the bytes alone; the two readers also by themselves.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { createDocumentReader, readDocuments } from '../src/documents/summary/read-document.ts';
import type { DocumentSummary } from '../src/documents/summary/summary.ts';
import { decodeText } from '../src/documents/xml/encoding.ts';
import { createXmlReader, type XmlEvents } from '../src/documents/xml/xml.ts';
import { readWithSaxes } from '../test/documents/saxes-oracle.ts';
import { generateNotes } from './generated-notes.ts';
import { report } from './report.mjs';

const ROUNDS = 30;
const MICROSECONDS_PER_TURN = 60_000;

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

const BYTES = 'bytes to text';
const SUMMARY = 'to summary';
const SAXES_SUMMARY = 'to summary, read by saxes';
const LENIENT = 'fast-xml-parser, full parse';

/** Events that go nowhere, all of them wanted. */
const nowhere: XmlEvents = { open: () => undefined, text: () => undefined, close: () => undefined };

function readWithOurs(text: string): void {
  const reader = createXmlReader(nowhere);
  reader.write(text);
  reader.end();
}

function summarizeBySaxes(text: string): DocumentSummary[] {
  const documents: DocumentSummary[] = [];
  readWithSaxes(
    text,
    createDocumentReader((document) => documents.push(document)),
  );
  return documents;
}

const contenders: Record<string, (bytes: Buffer) => unknown> = {
  [BYTES]: (bytes) => decodeText(bytes).length,
  events: (bytes) => readWithOurs(decodeText(bytes)),
  'events, by saxes': (bytes) => readWithSaxes(decodeText(bytes), nowhere),
  [SUMMARY]: (bytes) => readDocuments(decodeText(bytes)),
  [SAXES_SUMMARY]: (bytes) => summarizeBySaxes(decodeText(bytes)),
  [LENIENT]: (bytes) => parser.parse(decodeText(bytes)),
};

/** Microseconds of the process, since others may use the machine too. */
function used(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Microseconds per document in one turn. */
function turn(notes: readonly Buffer[], work: (bytes: Buffer) => unknown): number {
  const start = used();
  let count = 0;
  while (used() - start < MICROSECONDS_PER_TURN) {
    for (const bytes of notes) work(bytes);
    count += notes.length;
  }
  return (used() - start) / count;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Turn about, so that what slows the machine down slows all of them down. */
function compare(title: string, notes: readonly Buffer[], faster: number): void {
  const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(contenders)) times.get(name)?.push(turn(notes, work));
  }
  const timeOf = (name: string) => median(times.get(name) ?? []);
  const bytes = notes.reduce((sum, note) => sum + note.length, 0) / notes.length;
  console.log(`\n${title}: ${notes.length} documents, ${(bytes / 1024).toFixed(1)} KB each`);
  for (const name of times.keys()) {
    const time = timeOf(name);
    const rate = Math.round(1e6 / time).toLocaleString('en');
    const ratio = (timeOf(SAXES_SUMMARY) / time).toFixed(1);
    const bytesAlone = (time / timeOf(BYTES)).toFixed(1);
    console.log(
      `  ${name.padEnd(28)} ${time.toFixed(0).padStart(6)} µs  ${rate.padStart(9)}/s  ` +
        `${ratio} times the rate of a summary read by saxes, ${bytesAlone} times the bytes' time`,
    );
  }
  const what = `${title} of ${(bytes / 1024).toFixed(0)} KB, from bytes to summary`;
  const ours = timeOf(SUMMARY);
  report({ what, unit: 'µs', ours, yardstick: timeOf(LENIENT), beside: LENIENT, faster });
  report({ what, unit: 'µs', ours, yardstick: timeOf(SAXES_SUMMARY), beside: 'read by saxes' });
}

/** Heap that stays for each summary kept while the texts go. */
function heapPerSummary(): string {
  const count = 2000;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const kept = generateNotes(count, 7).map((xml) => readDocuments(decodeText(Buffer.from(xml))));
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / kept.length;
  return `${(bytes / 1024).toFixed(1)} KB`;
}

compare(
  'a generated NF-e',
  generateNotes(200).map((xml) => Buffer.from(xml)),
  12,
);
if (existsSync(samples)) compare('a sample NF-e', sampleNotes(), 9);
console.log(`\nHeap kept per summary: ${heapPerSummary()}`);
