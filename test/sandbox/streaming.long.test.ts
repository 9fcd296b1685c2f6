import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LARGE_CNPJ, period } from './calls.ts';

const repository = join(import.meta.dirname, '../..');
const MEBIBYTE = 1_048_576;
const LARGEST_PEAK = 200;

/** A sandbox in a process of its own, whose memory is nothing but its own; it answers a message with its peak. */
const program = `
  import { startSandbox } from './src/sandbox/index.ts';
  startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') }).then(({ url }) => process.send(url));
  process.on('message', () => process.send(process.resourceUsage().maxRSS / 1024));
`;

let folder = '';
let child: ChildProcess;
let url = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docfiscal-sandbox-'));
  await build({
    stdin: { contents: program, resolveDir: repository, loader: 'ts' },
    outfile: join(folder, 'sandbox.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    loader: { '.xml': 'text' },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  child = spawn(process.execPath, [join(folder, 'sandbox.cjs')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [address] = await once(child, 'message');
  url = String(address);
});
afterEach(async () => {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
});

async function peakInMebibytes(): Promise<number> {
  const reply = once(child, 'message');
  child.send('peak');
  const [peak] = await reply;
  return Number(peak);
}

async function ask(name: string, dates: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const query = new URLSearchParams({ usuario: 'demo', senha: 'demo', ...dates });
  const request = get(`${url}/API/${name}?${query}`);
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response === undefined) throw new Error('no response');
  return response;
}

interface Drained {
  readonly bytes: number;
  readonly documents: number;
  readonly end: string;
}

const DOCUMENT = '<Conteudo>';

/** Reads a body to its end without keeping it. */
async function drained(response: IncomingMessage): Promise<Drained> {
  let bytes = 0;
  let documents = 0;
  let end = '';
  for await (const chunk of response) {
    const data = Buffer.from(chunk);
    const text = end + data.toString('latin1');
    documents += text.split(DOCUMENT).length - 1;
    bytes += data.length;
    end = text.slice(1 - DOCUMENT.length);
  }
  return { bytes, documents, end };
}

const MONTH = period('01/10/2026', '31/10/2026', LARGE_CNPJ);
const YEAR = period('01/01/2026', '31/12/2026', LARGE_CNPJ);

describe('a long list', () => {
  it('of a month is written in flat memory', async () => {
    const response = await ask('Mercadoria/RetornaListaXml', MONTH);
    expect(response.headers['content-length']).toBeUndefined();
    const { bytes, documents, end } = await drained(response);
    expect(documents).toBeGreaterThan(5_000);
    expect(bytes).toBeGreaterThan(80 * MEBIBYTE);
    expect('</retListaXml>"'.endsWith(end)).toBe(true);
    expect(await peakInMebibytes()).toBeLessThan(LARGEST_PEAK);
  });

  it('of the CT-e of a whole year is written in flat memory', async () => {
    const { documents } = await drained(await ask('Transporte/RetornaListaXmlPelaEmissao', YEAR));
    expect(documents).toBeGreaterThan(14_000);
    expect(await peakInMebibytes()).toBeLessThan(LARGEST_PEAK);
  });

  it('waits for a reader who pauses, and ends with one who leaves', async () => {
    const response = await ask('Mercadoria/RetornaListaXml', YEAR);
    response.pause();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const peak = await peakInMebibytes();
    expect(peak).toBeLessThan(LARGEST_PEAK);
    response.destroy();
    const { documents } = await drained(
      await ask('Mercadoria/RetornaListaXml', period('14/10/2026', '14/10/2026')),
    );
    expect(documents).toBeGreaterThan(0);
  });

  it('leaves other requests their turn', async () => {
    const long = drained(await ask('Mercadoria/RetornaListaXml', MONTH));
    let answeredMeanwhile = 0;
    let running = true;
    const done = long.finally(() => {
      running = false;
    });
    for (let i = 0; i < 200 && running; i++) {
      await drained(await ask('Mercadoria/RetornaChaves', period('14/10/2026', '14/10/2026')));
      if (running) answeredMeanwhile += 1;
    }
    await done;
    expect(answeredMeanwhile).toBeGreaterThan(3);
  });
});
