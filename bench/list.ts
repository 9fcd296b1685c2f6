// Processor time of a list from the first page to the last, beside a client that reads the same reply with our own reader
// and keeps nothing: `npm run bench -- list [documents] [memory|file]`. The service is a process of its own, which makes
// its notes while they are read; the client reads last, so that its memory isn't counted as ours.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Company, createCompany } from '../src/company/company.ts';
import { configure } from '../src/config/configure.ts';
import { wholeDays } from '../src/documents/days.ts';
import { readDocuments } from '../src/documents/summary/read-document.ts';
import { createXmlReader } from '../src/documents/xml/xml.ts';
import { listReply } from '../test/clients/replies/list-reply.ts';
import { cpuTime, inFolder, median, memoryOf, report, serve } from './measure.ts';

const COMPANY = '11222333000181';
const PAGE = 200;
/** Items per note: the average of bench/generated-notes.ts. */
const ITEMS = 13;
const SERVE = '--serve';

/** Answers every request with documents that no reply has had before. */
function becomeService(documents: number): void {
  let replies = 0;
  const server = createServer(async (_request, response) => {
    replies += 1;
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    for (const piece of listReply('json', documents, replies * documents, ITEMS)) {
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
}

/** All pages of the list of a day; how many documents they have. */
async function readPages({ memory }: Company, documents: number, round: number): Promise<number> {
  const date = `2026-08-${String(round + 1).padStart(2, '0')}`;
  const day = wholeDays({ from: date, to: date });
  const asked = { company: COMPANY, area: 'nfe', by: 'issue', operation: 'nfeListByIssue', ...day } as const;
  const { signal } = new AbortController();
  const keys = new Set<string | undefined>();
  for (let offset = 0; offset < documents; offset += PAGE) {
    const page = { signal, limit: PAGE, offset, goesOn: offset > 0 };
    const { lines } = await memory.list(asked, page);
    for (const { summary } of lines) keys.add(summary.key);
  }
  return keys.size;
}

/** How many documents a client that keeps nothing finds. */
async function readPlainly(url: string): Promise<number> {
  const wrapper = (await (await fetch(url)).json()) as string;
  let [count, place, text] = [0, '', ''];
  const reader = createXmlReader({
    open(name) {
      [place, text] = [name, ''];
      return undefined;
    },
    text(piece) {
      text += piece;
    },
    close() {
      if (place === 'Conteudo') count += readDocuments(text).length;
      place = '';
    },
  });
  reader.write(wrapper);
  reader.end();
  return count;
}

async function timesOf(rounds: number, documents: number, read: (round: number) => Promise<number>) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = cpuTime();
    const count = await read(round);
    times.push(cpuTime() - began);
    if (count < documents) throw new Error(`${count} documents of ${documents}`);
  }
  return median(times);
}

async function main(documents: number, mode: string, folder: string): Promise<void> {
  const { url, child } = await serve([process.argv[1] ?? '', SERVE, String(documents)]);
  const service = { DFE_URL: url, DFE_USER: 'demo', DFE_PASSWORD: 'demo', DFE_CNPJ: COMPANY };
  const kept = { DFE_ARCHIVE: mode, DFE_TIMEOUT: '3600', DFE_DATA_DIR: folder };
  const company = createCompany(configure(new Map(), { ...service, ...kept }).settings);
  const isShort = documents <= PAGE;
  const rounds = isShort ? 25 : 3;
  const ours = await timesOf(rounds, documents, (round) => readPages(company, documents, round));
  const peak = memoryOf(process.pid, 'VmHWM');
  await company.close();
  const yardstick = await timesOf(rounds, documents, () => readPlainly(url));
  const what = `a list of ${documents} documents in pages of ${PAGE}, ${mode}`;
  const beside = 'a client with our reader';
  const most = isShort ? yardstick + 20 : 2 * yardstick;
  report({ what, unit: 'ms', ours, yardstick, beside, most });
  report({ what: 'peak of memory', unit: 'MB', ours: peak, most: 400 });
  child.kill();
}

const [first = '1000', second = 'memory'] = process.argv.slice(2);
if (first === SERVE) becomeService(Number(second));
else void inFolder((folder) => main(Number(first), second, folder));
