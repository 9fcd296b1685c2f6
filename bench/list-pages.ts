// What a list costs from the first page to the last, beside a bare client that reads the same bytes as text:
// `node bench/run.mjs list-pages [documents] [memory|file]`. 20,000 documents are 441 MB. The service and
// the bare client are processes of their own, and the reply is made while it is read, of documents that no reply has had
// before. A list of one page is asked for many times, turn about.
//
// A list is answered when it has been read, and written behind that: how long it takes until it is kept too, which the
// next question waits for, is a row of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsSchema } from '../src/config/settings.ts';
import { createServices, type Services } from '../src/services/services.ts';
import { longListReply } from '../test/clients/replies/list-reply.ts';
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

/** The bare client: a process of its own, so that what it holds is not counted as ours. */
function startReader(url: string): { read: () => Promise<number>; stop: () => void } {
  const { child, stop } = startProcess('--read', url);
  const read = () =>
    new Promise<number>((resolve) => {
      child.once('message', (milliseconds) => resolve(Number(milliseconds)));
      child.send('read');
    });
  return { read, stop };
}

function readWhenAsked(url: string): void {
  process.on('message', async () => process.send?.(await timeOf(() => readText(url))));
  process.once('disconnect', () => process.exit(0));
}

/** Milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The yardstick: the bytes of the list as text, and nothing done with it. */
async function readText(url: string): Promise<number> {
  const decoder = new TextDecoder();
  let length = 0;
  const { body } = await fetch(url);
  for await (const chunk of body ?? []) length += decoder.decode(chunk, { stream: true }).length;
  return length;
}

/** All pages of the list of a day that was not asked for before. */
async function readPages({ memory }: Services, documents: number, round: number): Promise<void> {
  const date = `2026-08-${String(round + 1).padStart(2, '0')}`;
  const day = { from: { date, time: '00:00:00' }, to: { date, time: '23:59:59' } };
  const asked = { company: COMPANY, area: 'nfe', by: 'issue', ...day } as const;
  const signal = new AbortController().signal;
  const keys = new Set<string | undefined>();
  for (let offset = 0; offset === 0 || offset < documents; offset += PAGE) {
    const page = { signal, limit: PAGE, offset, goesOn: offset > 0 };
    const { lines } = await memory.list(asked, 'nfeListByIssue', undefined, page);
    for (const { summary } of lines) keys.add(summary.key);
  }
  if (keys.size !== documents) throw new Error(`${keys.size} documents of ${documents}`);
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function measure(documents: number, mode: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  const { url, stop } = await startService(documents);
  const reader = startReader(url);
  const given = { url, user: 'demo', password: 'demo', cnpj: COMPANY, archive: mode, timeout: '3600' };
  const services = createServices(settingsSchema.parse({ ...given, dataDir: folder }), 'bench');
  const isShort = documents <= PAGE;
  const [ours, bare, kept]: [number[], number[], number[]] = [[], [], []];
  try {
    for (let round = 0; round < (isShort ? ROUNDS_OF_ONE_PAGE : 1); round++) {
      bare.push(await reader.read());
      const read = await timeOf(() => readPages(services, documents, round));
      ours.push(read);
      kept.push(read + (await timeOf(async () => (await services.archive()).info())));
    }
    const downloads = Number(await (await fetch(`${url}/downloads`)).text()) - bare.length;
    if (downloads !== ours.length) throw new Error(`${downloads} downloads for ${ours.length} lists`);
    report({
      what: `a list of ${documents} documents in pages of ${PAGE}, ${mode}`,
      unit: 'ms',
      ours: median(ours),
      yardstick: median(bare),
      beside: 'a client that reads the bytes as text',
      ...(isShort ? { above: 20 } : { times: 2 }),
    });
    report({ what: 'the same, until it is kept', unit: 'ms', ours: median(kept) });
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
