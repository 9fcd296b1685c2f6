// From spawn to the answer to `initialize`, beside the SDK's own server with one tool, bundled plainly (bench/sdk-server.ts),
// and a bare Node process that answers lines: `npm run bench -- start [rounds]`. They take turns, so that a busy machine slows
// all alike; the first round only fills Node's compile cache. Certificates of one's own are left out: Node 20 reads them
// at every start, for longer than all else.
import { computedBy, inFolder, initialize, median, program, report, sdkServer, speakTo } from './measure.ts';

const bare = `
  process.stdin.on('data', (data) => {
    const { id } = JSON.parse(String(data).split('\\n')[0]);
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }) + '\\n');
  });
  process.stdin.once('end', () => process.exit(0));`;

const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

async function start(args: readonly string[], cache: string) {
  const began = performance.now();
  const spoken = speakTo(args, { ...environment, XDG_CACHE_HOME: cache });
  await spoken.ask(initialize);
  const times = { elapsed: performance.now() - began, computed: computedBy(spoken.pid) };
  await spoken.end();
  return times;
}

async function main(rounds = '21'): Promise<void> {
  const programs = { bare: ['-e', bare], sdk: [sdkServer], ours: [program] };
  const runs = { bare: [], sdk: [], ours: [] } as Record<
    keyof typeof programs,
    { elapsed: number; computed: number }[]
  >;
  await inFolder(async (cache) => {
    for (let round = 0; round <= Number(rounds); round++) {
      for (const name of ['bare', 'sdk', 'ours'] as const) {
        const times = await start(programs[name], cache);
        if (round > 0) runs[name].push(times);
      }
    }
  });
  const of = (name: keyof typeof runs, figure: 'elapsed' | 'computed') =>
    median(runs[name].map((times) => times[figure]));
  const most = Number.parseInt(process.versions.node, 10) < 22 ? 1.2 : 1.1;
  const [ours, yardstick] = [of('ours', 'elapsed'), of('sdk', 'elapsed')];
  const what = `start on Node ${process.versions.node}`;
  report({ what, unit: 'ms', ours, yardstick, beside: 'SDK server', most: most * yardstick });
  report({ what, unit: 'ms', ours, yardstick: of('bare', 'elapsed'), beside: 'bare Node' });
  const computed = { ours: of('ours', 'computed'), yardstick: of('sdk', 'computed'), beside: 'SDK server' };
  report({ what: 'the same, computed by the main thread', unit: 'ms', ...computed });
}

void main(...process.argv.slice(2));
