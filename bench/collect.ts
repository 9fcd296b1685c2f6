// Collecting a year of documents from the sandbox's large company: documents per second, peak memory, and the share
// of the time in which the collector only waited for the service. Beside it, in the same run, the yardstick: reading
// the bytes of the same replies and doing nothing with them.
// Run with `node bench/run.mjs collect [months] [memory|file]`; 12 months are about 100,000 documents.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cover } from '../src/archive/fetch/cover.ts';
import { settingsSchema } from '../src/config/settings.ts';
import { startSandbox } from '../src/sandbox/index.ts';
import { createServices } from '../src/services/services.ts';
import { report } from './report.mjs';

const COMPANY = '73190482000163';
const areas = ['nfe', 'nfse', 'cte'] as const;
const paths = {
  nfe: '/API/Mercadoria/RetornaListaXmlPelaEmissao',
  nfse: '/API/Servico/RetornaListaXmlPelaEmissao',
  cte: '/API/Transporte/RetornaListaXmlPelaEmissao',
} as const;

async function serve(): Promise<void> {
  const sandbox = await startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') });
  process.stdout.write(`${sandbox.url}\n`);
  process.once('disconnect', () => process.exit(0));
}

function startService(): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', '--serve'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.once('data', (line: Buffer) =>
      resolve({ url: line.toString().trim(), stop: () => child.disconnect() }),
    );
  });
}

/** The yardstick: a month's replies, read and dropped. */
async function readBytes(url: string, month: string, lastDay: number): Promise<number> {
  let bytes = 0;
  for (const area of areas) {
    const days = `dataDe=01/${month}/2026&horaDe=00:00:00&dataAte=${lastDay}/${month}/2026&horaAte=23:59:59`;
    const reply = await fetch(`${url}${paths[area]}?usuario=demo&senha=demo&cnpj=${COMPANY}&${days}`);
    for await (const chunk of reply.body ?? []) bytes += chunk.length;
  }
  return bytes;
}

function settingsFor(url: string, mode: string, folder: string) {
  return settingsSchema.parse({
    url,
    user: 'demo',
    password: 'demo',
    cnpj: COMPANY,
    archive: mode,
    dataDir: folder,
    timeout: '600',
  });
}

async function measure(): Promise<void> {
  const months = Number(process.argv[2] ?? 12);
  const mode = process.argv[3] ?? 'file';
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  const { url, stop } = await startService();
  const services = createServices(settingsFor(url, mode, folder), 'bench');
  try {
    const [archive, client] = [await services.archive(), await services.documents()];
    let [waited, documents, peak, peakAtFifth] = [0, 0, 0, 0];
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
      if (documents < 20_000) peakAtFifth = peak;
    }, 50);
    const processor = process.cpuUsage();
    const began = performance.now();
    let bytes = 0;
    for (let month = 1; month <= months; month++) {
      const lastDay = new Date(Date.UTC(2026, month, 0)).getUTCDate();
      const two = String(month).padStart(2, '0');
      for (const area of areas) {
        const result = await cover(
          { company: COMPANY, area, by: 'issue', from: `2026-${two}-01`, to: `2026-${two}-${lastDay}` },
          {
            archive,
            client,
            concurrency: 4,
            hasTimes: true,
            keepXml: false,
            freshness: { now: new Date(), rules: [] },
            now: Date.now,
            deadline: Date.now() + 3_600_000,
            signal: new AbortController().signal,
            onProgress: () => undefined,
          },
        );
        if (result.missing.length + result.pending.length > 0) throw new Error('incomplete');
        documents += result.documents;
      }
    }
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(processor);
    waited = 1 - (user + system) / 1e6 / seconds;
    clearInterval(watch);
    const { maxRSS } = process.resourceUsage();
    const yardstickBegan = performance.now();
    bytes = await readBytes(url, '01', 31);
    const yardstick = bytes / 1e6 / ((performance.now() - yardstickBegan) / 1000);
    const megabytes = (value: number) => `${(value / 1024 ** 2).toFixed(0)} MB`;
    process.stdout.write(
      [
        `${documents} documents in ${seconds.toFixed(1)} s: ${(documents / seconds).toFixed(0)} documents/s (${mode})`,
        `peak memory ${megabytes(peak)}, up to 20,000 documents ${megabytes(peakAtFifth)}`,
        `time without work of its own (waiting for the service): ${(Math.max(0, waited) * 100).toFixed(0)} %`,
        `yardstick, a month's bytes read and dropped: ${yardstick.toFixed(0)} MB/s`,
        '',
      ].join('\n'),
    );
    const what = `one of ${documents} documents collected, ${mode}`;
    report({ what, unit: 'µs', ours: (seconds * 1e6) / documents });
    report({ what: 'peak of memory', unit: 'MB', ours: maxRSS / 1024, most: mode === 'file' ? 200 : 400 });
  } finally {
    await services.close();
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

(process.argv[2] === '--serve' ? serve() : measure()).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
