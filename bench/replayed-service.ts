import { spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { startSandbox } from '../src/sandbox/index.ts';

// What the sandbox's large company has, from a process that reads it from files: making a reply takes the sandbox longer
// than it takes the program to read it, and what is to be measured is the program. A day is asked of the sandbox when
// it is first asked for, and given again from its file after that; a reply of several days is put together of theirs.

/** A reply as the sandbox writes it, about its documents. */
const HEAD = /^"<\?xml [^>]*\?><retListaXml [^>]*>.*?<retorno>/;
const TAIL = '</retorno></retListaXml>"';
const COUNT = /<Quantidade>(\d+)<\/Quantidade>/;

interface Day {
  readonly head: string;
  readonly count: number;
  readonly file: string;
}

/** The days from the first to the last, `dd/MM/yyyy` both. */
function* daysBetween(first: string, last: string): Generator<string> {
  const dayOf = (text: string) => Date.parse(text.split('/').reverse().join('-'));
  for (let day = dayOf(first); day <= dayOf(last); day += 86_400_000) {
    yield new Date(day).toISOString().slice(0, 10).split('-').reverse().join('/');
  }
}

async function replay(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-replay-'));
  const sandbox = await startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') });
  const days = new Map<string, Promise<Day>>();

  async function record(path: string, asked: URLSearchParams, day: string): Promise<Day> {
    const query = new URLSearchParams(asked);
    query.set('dataDe', day);
    query.set('dataAte', day);
    const text = await (await fetch(`${sandbox.url}${path}?${query}`)).text();
    const [head] = HEAD.exec(text) ?? [];
    if (head === undefined || !text.endsWith(TAIL)) throw new Error(`not a list: ${text.slice(0, 200)}`);
    const file = join(folder, `${path}-${day}`.replaceAll('/', '_'));
    writeFileSync(file, text.slice(head.length, -TAIL.length));
    return { head, count: Number(COUNT.exec(head)?.[1]), file };
  }

  async function answer(url: URL, response: ServerResponse): Promise<void> {
    const { searchParams: asked, pathname } = url;
    const [from = '', to = ''] = [asked.get('dataDe') ?? undefined, asked.get('dataAte') ?? undefined];
    const found: Day[] = [];
    for (const day of daysBetween(from, to)) {
      const name = `${pathname} ${day}`;
      const known = days.get(name) ?? record(pathname, asked, day);
      days.set(name, known);
      found.push(await known);
    }
    const count = found.reduce((sum, day) => sum + day.count, 0);
    const head = found[0]?.head.replace(COUNT, `<Quantidade>${count}</Quantidade>`);
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    await pipeline(async function* () {
      yield head;
      for (const { file } of found) yield* createReadStream(file, { highWaterMark: 1 << 18 });
      yield TAIL;
    }, response);
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    answer(url, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  process.once('disconnect', () => {
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
}

/** What the bundle that this is part of is started with to be the service. */
const SERVE = '--serve';

/** Becomes the service where the process was started for that. */
export function becomesService(): boolean {
  if (process.argv[2] !== SERVE) return false;
  void replay();
  return true;
}

/** Starts the service in a process of its own. */
export function startReplayedService(): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', SERVE], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.once('data', (line: Buffer) =>
      resolve({ url: line.toString().trim(), stop: () => child.disconnect() }),
    );
  });
}
