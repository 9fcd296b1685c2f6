// What a document costs to collect, by the built programs themselves, each asked over MCP for months of the sandbox's
// large company: `npm run bench -- collect [months] [memory|file] [other programs…]`, 12 months being about 100,000
// documents. Another program is another version's `dist/docfiscal-mcp.cjs`; all of them take turns on the same recorded
// replies (bench/replayed-service.ts). Of three turns each the median counts, of a year there is one. `ROUNDS=1` gives one
// turn of whatever it is, `PROFILE=folder` a profile of each program's processor time.
//
//   npm run bench -- collect 2 file ../b10fe02/dist/docfiscal-mcp.cjs
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { becomesService, startReplayedService } from './replayed-service.ts';
import { report } from './report.mjs';
import { initialize, type Spoken, speakTo } from './spoken.mjs';
import { toTheEnd } from './to-the-end.mjs';

const COMPANY = '73190482000163';
const kinds = ['nfe', 'nfse', 'cte'] as const;
/** From so many documents on no more memory is taken. */
const FLAT_FROM = 20_000;
const inside = resolve('bench/measured-from-inside.cjs');

interface Cost {
  readonly documents: number;
  readonly seconds: number;
  /** Milliseconds of processor time of all threads, and of the main one. */
  readonly cpu: number;
  readonly thread: number;
  /** Megabytes: at the end, and at the end of the month that the 20,000th document came in. */
  readonly peak: number;
  readonly early: number | undefined;
  /** Milliseconds between two turns of the event loop: by the clock, and of them those that were computed. */
  readonly longest: number;
  readonly most: number;
}

interface Answered {
  readonly documents: number;
  readonly complete: boolean;
  readonly not_fetched_yet?: readonly object[];
}

/** Asks for a month of a kind, again until all of it is there; how many documents that are. */
async function askFor(program: Spoken, kind: string, month: number): Promise<number> {
  const lastDay = new Date(Date.UTC(2026, month, 0)).getUTCDate();
  const two = String(month).padStart(2, '0');
  const days = { from: `2026-${two}-01`, to: `2026-${two}-${lastDay}` };
  const params = {
    name: 'query_documents',
    arguments: { document: kind, ...days, measures: ['count'] },
  };
  for (;;) {
    const { result, error } = await program.ask({ method: 'tools/call', params });
    const answer = result?.structuredContent as Answered | undefined;
    if (answer === undefined) throw new Error(`no answer: ${error?.message ?? JSON.stringify(result)}`);
    if (answer.complete) return answer.documents;
    if (answer.not_fetched_yet === undefined) throw new Error(`incomplete: ${JSON.stringify(answer)}`);
  }
}

/** The most memory that a process has had, by the system's own account. */
function peakOf(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function measure(path: string, url: string, months: number, mode: string): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  const { PATH, HOME, PROFILE } = process.env;
  const service = { DFE_URL: url, DFE_USER: 'demo', DFE_PASSWORD: 'demo', DFE_CNPJ: COMPANY };
  const env = { PATH, HOME, ...service, DFE_ARCHIVE: mode, DFE_DATA_DIR: folder };
  const profiled = PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILE}`];
  const program = speakTo([...profiled, '-r', inside, path], env, 'ipc');
  try {
    await program.ask(initialize);
    program.notify('notifications/initialized');
    await program.tell('begin');
    const began = performance.now();
    let documents = 0;
    let early: number | undefined;
    for (let month = 1; month <= months; month++) {
      for (const kind of kinds) documents += await askFor(program, kind, month);
      if (documents >= FLAT_FROM) early ??= peakOf(program.pid);
    }
    const seconds = (performance.now() - began) / 1000;
    const inner = (await program.tell('end')) as Pick<Cost, 'cpu' | 'thread' | 'longest' | 'most'>;
    return { documents, seconds, peak: peakOf(program.pid), early, ...inner };
  } finally {
    await program.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function median(costs: readonly Cost[], of: (cost: Cost) => number): number {
  return costs.map(of).toSorted((a, b) => a - b)[costs.length >> 1] ?? Number.NaN;
}

async function main(first = '12', mode = 'file', ...others: string[]): Promise<void> {
  const months = Number(first);
  const rounds = Number(process.env.ROUNDS ?? (months > 3 ? 1 : 3));
  const programs = [resolve('dist/docfiscal-mcp.cjs'), ...others];
  const costs = new Map(programs.map((path) => [path, [] as Cost[]]));
  const { url, stop } = await startReplayedService();
  try {
    // Not counted: it has the replies recorded.
    await measure(programs[0] ?? '', url, months, mode);
    for (let round = 0; round < rounds; round++) {
      for (const path of programs) costs.get(path)?.push(await measure(path, url, months, mode));
    }
  } finally {
    stop();
  }
  for (const [path, all] of costs) {
    const [{ documents }] = all as [Cost];
    const each = (of: (cost: Cost) => number) => median(all, of);
    console.log(
      `${path}: ${documents} documents, ${each((c) => c.documents / c.seconds).toFixed(0)} a second; ` +
        `${each((c) => (c.cpu * 1000) / documents).toFixed(0)} µs of processor each, ` +
        `${each((c) => (c.thread * 1000) / documents).toFixed(0)} of them of the main thread; ` +
        `peak ${each((c) => c.peak).toFixed(0)} MB, longest block ${each((c) => c.longest).toFixed(0)} ms, ` +
        `${each((c) => c.most).toFixed(0)} of them computing`,
    );
  }
  const [ours = [], other] = programs.map((path) => costs.get(path));
  const documents = ours[0]?.documents ?? 0;
  const each = (all: readonly Cost[]) => median(all, ({ seconds }) => (seconds * 1e6) / documents);
  const what = `one of ${documents} documents collected, ${mode}`;
  if (other === undefined) report({ what, unit: 'µs', ours: each(ours) });
  else report({ what, unit: 'µs', ours: each(ours), yardstick: each(other), beside: others[0], faster: 4 });
  const most = mode === 'file' ? 200 : 400;
  const [peak, early] = [median(ours, (cost) => cost.peak), median(ours, (cost) => cost.early ?? Number.NaN)];
  report({ what: 'peak of memory', unit: 'MB', ours: peak, most });
  if (mode === 'file' && documents > 2 * FLAT_FROM) {
    const what = `peak of ${documents} documents`;
    report({ what, unit: 'MB', ours: peak, yardstick: early, beside: `of ${FLAT_FROM}`, times: 1.1 });
  }
  const longest = median(ours, (cost) => cost.most);
  report({ what: 'longest computing that nothing else could run in', unit: 'ms', ours: longest, most: 50 });
}

if (!becomesService()) {
  void toTheEnd(() => main(...process.argv.slice(2)));
}
