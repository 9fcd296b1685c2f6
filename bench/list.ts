// What a list costs from the first page to the last, beside clients that read the same reply (bench/list-clients.ts):
// `node bench/run.mjs list [documents] [memory|file]`. 20,000 documents are 441 MB. The service and each client are
// processes of their own, and the reply is made while it is read, of documents that no reply has had before. A list of
// one page is asked for many times, turn about.
//
// The clock counts what other programs computed meanwhile, and the making of the reply, which is the same for all. What
// the main thread of each computes itself is a row of its own; that bears out a comparison on a busy machine too.
//
// A list is answered when it has been read, and written behind that: how long it takes until it is kept too, which the
// next question waits for, is a row of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Company, createCompany } from '../src/company/company.ts';
import { configure } from '../src/config/configure.ts';
import { longListReply } from '../test/clients/replies/list-reply.ts';
import {
  type Client,
  called,
  clientNames,
  readWhenAsked,
  startClient,
  startProcess,
  type Time,
  timeOf,
} from './list-clients.ts';
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

function startService(documents: number): Promise<{ url: string; stop: () => void }> {
  const { child, stop } = startProcess('--serve', String(documents));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.once('data', (line: Buffer) => resolve({ url: line.toString().trim(), stop }));
  });
}

/** The keys of some pages of the list of a day, which is asked for anew with its first page. */
async function keysOf({ memory }: Company, round: number, from: number, to: number) {
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
async function readPages(company: Company, documents: number, round: number) {
  const keys = new Set<string | undefined>();
  const pages = (from: number, to: number) =>
    timeOf(async () => {
      for (const key of await keysOf(company, round, from, to)) keys.add(key);
    });
  const first = await pages(0, PAGE);
  const others = await pages(PAGE, documents);
  if (keys.size !== documents) throw new Error(`${keys.size} documents of ${documents}`);
  const all = { clock: first.clock + others.clock, computed: first.computed + others.computed };
  return { first, all };
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The limit beside a client: it holds for the one that reads as strictly as we do, and does nothing else. */
function limitBeside(client: Client, isShort: boolean) {
  if (client !== 'summaries') return {};
  return isShort ? { above: 20 } : { times: 2 };
}

async function measure(documents: number, mode: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  const { url, stop } = await startService(documents);
  const clients = clientNames.map((name) => ({ name, times: [] as Time[], ...startClient(name, url) }));
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
  const company = createCompany(configured.configuration.settings, 'bench');
  const isShort = documents <= PAGE;
  const rounds = isShort ? ROUNDS_OF_ONE_PAGE : 1;
  const [first, ours, kept]: [Time[], Time[], Time[]] = [[], [], []];
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { name, times, read } of clients) {
        const { count, ...time } = await read();
        if (count < documents) throw new Error(`${called[name]}: ${count} of ${documents}`);
        times.push(time);
      }
      const read = await readPages(company, documents, round);
      first.push(read.first);
      ours.push(read.all);
      kept.push(await timeOf(async () => (await company.archive()).info()));
    }
    const downloads = Number(await (await fetch(`${url}/downloads`)).text()) - rounds * clients.length;
    if (downloads !== rounds) throw new Error(`${downloads} downloads for ${rounds} lists`);
    const clock = (some: readonly Time[]) => median(some.map((time) => time.clock));
    const inThread = (some: readonly Time[]) => median(some.map((time) => time.computed));
    const what = `a list of ${documents} documents in pages of ${PAGE}, ${mode}`;
    const unit = 'ms';
    for (const { name, times } of clients) {
      const limit = limitBeside(name, isShort);
      report({ what, unit, ours: clock(ours), yardstick: clock(times), beside: called[name], ...limit });
    }
    for (const { name, times } of clients) {
      const computing = { ours: inThread(ours), yardstick: inThread(times), beside: called[name] };
      report({ what: 'the same, computed by the main thread', unit, ...computing });
    }
    if (!isShort) report({ what: 'the same, its first page', unit, ours: clock(first) });
    report({ what: 'the same, until it is kept', unit, ours: clock(ours) + clock(kept) });
    if (!isShort)
      report({
        what: 'peak of memory',
        unit: 'MB',
        ours: process.resourceUsage().maxRSS / 1024,
        most: mode === 'file' ? 200 : 400,
      });
  } finally {
    await company.close();
    for (const client of clients) client.stop();
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
