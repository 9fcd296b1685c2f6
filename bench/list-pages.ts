// What a long list costs from the first page to the last: `node bench/run.mjs list-pages [documents] [memory|file]`.
// 20,000 documents are 441 MB of text. The service is a process of its own and makes its reply while it is read.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsSchema } from '../src/config/settings.ts';
import { createServices } from '../src/services/services.ts';
import { longListReply } from '../test/clients/replies/list-reply.ts';

const COMPANY = '11222333000181';
const PAGE = 200;

function serve(documents: number): void {
  let downloads = 0;
  const server = createServer(async (request, response) => {
    if (request.url === '/downloads') return void response.end(String(downloads));
    downloads += 1;
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    for (const piece of longListReply(documents)) {
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
  const child = spawn(process.execPath, [process.argv[1] ?? '', '--serve', String(documents)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.once('data', (line: Buffer) =>
      resolve({ url: line.toString().trim(), stop: () => child.disconnect() }),
    );
  });
}

async function measure(documents: number, mode: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  const { url, stop } = await startService(documents);
  const given = { url, user: 'demo', password: 'demo', cnpj: COMPANY, archive: mode, timeout: '3600' };
  const services = createServices(settingsSchema.parse({ ...given, dataDir: folder }), 'bench');
  const day = {
    from: { date: '2026-09-01', time: '00:00:00' },
    to: { date: '2026-09-01', time: '23:59:59' },
  };
  const asked = { company: COMPANY, area: 'nfe', by: 'issue', ...day } as const;
  const signal = new AbortController().signal;
  const peak = () => `peak ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`;
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
  try {
    const keys = new Set<string | undefined>();
    for (let offset = 0; offset === 0 || offset < documents; offset += PAGE) {
      const page = { signal, limit: PAGE, offset, goesOn: offset > 0 };
      const { lines } = await services.memory.list(asked, 'nfeListByIssue', undefined, page);
      for (const { summary } of lines) keys.add(summary.key);
      if (offset === 0) process.stdout.write(`first page after ${seconds()} s, ${peak()}\n`);
    }
    const downloads = await (await fetch(`${url}/downloads`)).text();
    process.stdout.write(
      `${keys.size} documents in pages of ${PAGE}: ${seconds()} s, ${downloads} download, ${peak()} (${mode})\n`,
    );
  } finally {
    await services.close();
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [first = '20000', second = 'memory'] = process.argv.slice(2);
if (first === '--serve') serve(Number(second));
else {
  measure(Number(first), second).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
