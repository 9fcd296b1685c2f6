// What a list costs from the first page to the last, beside a bare client that reads the same bytes to what they say:
// `node bench/run.mjs list-pages [documents] [memory|file]`. 20,000 documents are 441 MB. The service and the bare client
// are processes of their own, and the reply is made while it is read, of documents that no reply has had before. A list
// of one page is asked for many times, turn about.
//
// The service answers with a string in JSON, so that bytes that are decoded and no more would be no XML yet: each of its
// quotation marks has a backslash before it. The bare client takes that off, piece by piece, and does nothing with what
// it has then. What it takes without that is a row of its own.
//
// The clock counts what other programs computed meanwhile, and the making of the reply, which is the same for both. What
// the main thread of each computes itself is a row of its own; that bears out a comparison on a busy machine too.
//
// A list is answered when it has been read, and written behind that: how long it takes until it is kept too, which the
// next question waits for, is a row of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configure } from '../src/config/configure.ts';
import { createServices, type Services } from '../src/services/services.ts';
import { longListReply } from '../test/clients/replies/list-reply.ts';
import { computed } from './computed.cjs';
import { report } from './report.mjs';
import { toTheEnd } from './to-the-end.mjs';

const COMPANY = '11222333000181';
const PAGE = 200;
const ROUNDS_OF_ONE_PAGE = 25;

function serve(documents: number): void {
  let downloads = 0;
  const server = createServer(async (request, response) => {
    if (request.url === '/downloads') return void response.end(String(downloads));
    downloads += 1;
    const first = downloads * documents;
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    for (const piece of longListReply(documents, first)) {
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  process.once('disconnect', () => process.exit(0));
}

/** Starts this file as a process of its own, which ends with `stop`. */
function startProcess(...given: readonly string[]): { child: ChildProcess; stop: () => void } {
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...given], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return { child, stop: () => child.disconnect() };
}

function startService(documents: number): Promise<{ url: string; stop: () => void }> {
  const { child, stop } = startProcess('--serve', String(documents));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.once('data', (line: Buffer) => resolve({ url: line.toString().trim(), stop }));
  });
}

/** Milliseconds: by the clock, and those that the main thread computed. */
interface Time {
  readonly clock: number;
  readonly computed: number;
}

async function timeOf(work: () => Promise<unknown>): Promise<Time> {
  const [began, before] = [performance.now(), computed()];
  await work();
  return { clock: performance.now() - began, computed: computed() - before };
}

/** What the bare client makes of a reply. */
const readings = { characters: () => (piece: string) => piece, text: createUnquoting };
type Wanted = keyof typeof readings;

/** The bare client: a process of its own, so that what it holds is not counted as ours. */
function startReader(url: string): { read: (wanted: Wanted) => Promise<Time>; stop: () => void } {
  const { child, stop } = startProcess('--read', url);
  const read = (wanted: Wanted) =>
    new Promise<Time>((resolve) => {
      child.once('message', (time) => resolve(time as Time));
      child.send(wanted);
    });
  return { read, stop };
}

function readWhenAsked(url: string): void {
  process.on('message', async (wanted: Wanted) =>
    process.send?.(await timeOf(() => readReply(url, readings[wanted]()))),
  );
  process.once('disconnect', () => process.exit(0));
}

/** The yardstick: what the bytes of the list say, and nothing done with it. */
async function readReply(url: string, made: (piece: string) => string): Promise<number> {
  const decoder = new TextDecoder();
  let length = 0;
  const { body } = await fetch(url);
  for await (const chunk of body ?? []) length += made(decoder.decode(chunk, { stream: true })).length;
  return length;
}

/** Takes the quotation marks and backslashes of one string in JSON off, piece by piece. */
function createUnquoting(): (piece: string) => string {
  let held = '';
  let isFirst = true;
  return (piece) => {
    const arrived = held + (isFirst ? piece.slice(1) : piece);
    isFirst = false;
    // An escape may be cut: at most six characters, behind a backslash that is not one itself.
    const cut = /(?<!\\)(?:\\\\)*\\(?:u[\da-f]{0,3})?$/i.exec(arrived.slice(-100));
    const end = arrived.length - (cut?.[0].length ?? 0);
    held = arrived.slice(end);
    const isLast = arrived.endsWith('"') && !arrived.endsWith('\\"');
    return JSON.parse(isLast ? `"${arrived}` : `"${arrived.slice(0, end)}"`);
  };
}

/** The keys of some pages of the list of a day, which is asked for anew with its first page. */
async function keysOf({ memory }: Services, round: number, from: number, to: number) {
  const date = `2026-08-${String(round + 1).padStart(2, '0')}`;
  const day = { from: { date, time: '00:00:00' }, to: { date, time: '23:59:59' } };
  const asked = { company: COMPANY, area: 'nfe', by: 'issue', ...day } as const;
  const signal = new AbortController().signal;
  const keys: (string | undefined)[] = [];
  for (let offset = from; offset < to; offset += PAGE) {
    const page = { signal, limit: PAGE, offset, goesOn: offset > 0 };
    const { lines } = await memory.list(asked, 'nfeListByIssue', undefined, page);
    keys.push(...lines.map(({ summary }) => summary.key));
  }
  return keys;
}

/** What the first page of a list took, and all of them. */
async function readPages(services: Services, documents: number, round: number) {
  const keys = new Set<string | undefined>();
  const pages = (from: number, to: number) =>
    timeOf(async () => {
      for (const key of await keysOf(services, round, from, to)) keys.add(key);
    });
  const first = await pages(0, PAGE);
  const others = await pages(PAGE, documents);
  if (keys.size !== documents) throw new Error(`${keys.size} documents of ${documents}`);
  const all = { clock: first.clock + others.clock, computed: first.computed + others.computed };
  return { first, all };
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function measure(documents: number, mode: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  const { url, stop } = await startService(documents);
  const reader = startReader(url);
  const configured = configure(new Map(), {
    DFE_URL: url,
    DFE_USER: 'demo',
    DFE_PASSWORD: 'demo',
    DFE_CNPJ: COMPANY,
    DFE_ARCHIVE: mode,
    DFE_TIMEOUT: '3600',
    DFE_DATA_DIR: folder,
  });
  if (!configured.ok) throw new Error('wrong settings');
  const services = createServices(configured.configuration.settings, 'bench');
  const isShort = documents <= PAGE;
  const [first, ours, kept]: [Time[], Time[], Time[]] = [[], [], []];
  const bare: Record<Wanted, Time[]> = { text: [], characters: [] };
  try {
    for (let round = 0; round < (isShort ? ROUNDS_OF_ONE_PAGE : 1); round++) {
      for (const wanted of ['text', 'characters'] as const) bare[wanted].push(await reader.read(wanted));
      const read = await readPages(services, documents, round);
      first.push(read.first);
      ours.push(read.all);
      kept.push(await timeOf(async () => (await services.archive()).info()));
    }
    const downloads = Number(await (await fetch(`${url}/downloads`)).text()) - 2 * bare.text.length;
    if (downloads !== ours.length) throw new Error(`${downloads} downloads for ${ours.length} lists`);
    const clock = (some: readonly Time[]) => median(some.map((time) => time.clock));
    const inThread = (some: readonly Time[]) => median(some.map((time) => time.computed));
    const what = `a list of ${documents} documents in pages of ${PAGE}, ${mode}`;
    const [asText, decoded] = [
      'a client that reads the bytes to what they say',
      'a client that decodes the bytes',
    ];
    const limit = isShort ? { above: 20 } : { times: 2 };
    const unit = 'ms';
    const yardstick = clock(bare.text);
    report({ what, unit, ours: clock(ours), yardstick, beside: asText, ...limit });
    report({ what, unit, ours: clock(ours), yardstick: clock(bare.characters), beside: decoded });
    const computing = { ours: inThread(ours), yardstick: inThread(bare.text), beside: asText };
    report({ what: 'the same, computed by the main thread', unit, ...computing });
    if (!isShort)
      report({ what: 'the same, its first page', unit, ours: clock(first), yardstick, beside: asText });
    report({ what: 'the same, until it is kept', unit, ours: clock(ours) + clock(kept) });
    if (!isShort)
      report({
        what: 'peak of memory',
        unit: 'MB',
        ours: process.resourceUsage().maxRSS / 1024,
        most: mode === 'file' ? 200 : 400,
      });
  } finally {
    await services.close();
    reader.stop();
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [first = '20000', second = 'memory'] = process.argv.slice(2);
if (first === '--serve') serve(Number(second));
else if (first === '--read') readWhenAsked(second);
else {
  void toTheEnd(() => measure(Number(first), second));
}
