// What a document costs to collect, by the built program, asked over MCP for months of the sandbox's large company:
// `npm run bench -- collect [months] [memory|file]`, 12 months being about 100,000 documents. Meanwhile it is pinged: how
// long it takes to answer is how long it was busy with something else.
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../src/sandbox/index.ts';
import { inFolder, initialize, memoryOf, program, report, type Spoken, serve, speakTo } from './measure.ts';

const COMPANY = '73190482000163';
const SERVE = '--serve';
const PING_MS = 20;

interface Answered {
  readonly documents: number;
  readonly complete: boolean;
  readonly not_fetched_yet?: readonly object[];
}

/** Asks for a month of a kind, again until all of it is there; how many documents that are. */
async function askFor(spoken: Spoken, document: string, month: number): Promise<number> {
  const lastDay = new Date(Date.UTC(2026, month, 0)).getUTCDate();
  const prefix = `2026-${String(month).padStart(2, '0')}`;
  const args = { document, from: `${prefix}-01`, to: `${prefix}-${lastDay}`, measures: ['count'] };
  for (;;) {
    const params = { name: 'query_documents', arguments: args };
    const { result, error } = await spoken.ask({ method: 'tools/call', params });
    const answer = result?.structuredContent as Answered | undefined;
    if (answer === undefined) throw new Error(`no answer: ${error?.message ?? JSON.stringify(result)}`);
    if (answer.complete) return answer.documents;
    if (answer.not_fetched_yet === undefined) throw new Error(`incomplete: ${JSON.stringify(answer)}`);
  }
}

async function main(months: number, mode: string, folder: string): Promise<void> {
  const { url, child } = await serve([process.argv[1] ?? '', SERVE]);
  const { PATH, HOME } = process.env;
  const service = { DFE_URL: url, DFE_USER: 'demo', DFE_PASSWORD: 'demo', DFE_CNPJ: COMPANY };
  const env = { PATH, HOME, ...service, DFE_ARCHIVE: mode, DFE_DATA_DIR: folder };
  const spoken = speakTo([program], env);
  await spoken.ask(initialize);
  let [documents, longest, isOver] = [0, 0, false];
  const pinging = (async () => {
    while (!isOver) {
      const began = performance.now();
      await spoken.ask({ method: 'ping' });
      longest = Math.max(longest, performance.now() - began);
      await sleep(PING_MS);
    }
  })();
  const began = performance.now();
  for (let month = 1; month <= months; month++) {
    for (const kind of ['nfe', 'nfse', 'cte']) documents += await askFor(spoken, kind, month);
  }
  const elapsed = performance.now() - began;
  isOver = true;
  await pinging;
  const what = `one of ${documents} documents collected, ${mode}`;
  report({ what, unit: 'µs', ours: (elapsed * 1000) / documents });
  report({ what: 'peak of memory', unit: 'MB', ours: memoryOf(spoken.pid, 'VmHWM'), most: 400 });
  report({ what: 'longest wait for another answer', unit: 'ms', ours: longest, most: 250 });
  await spoken.end();
  child.kill();
}

const [first = '12', mode = 'file'] = process.argv.slice(2);
if (first === SERVE) {
  const now = () => new Date('2026-12-31T23:59:59-03:00');
  void startSandbox({ large: true, now }).then(({ url }) => console.log(url));
} else {
  void inFolder((folder) => main(Number(first), mode, folder));
}
