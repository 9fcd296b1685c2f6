// Start-up: from spawn to the answer to `initialize`, and from there to the first `tools/list`, beside the SDK's own
// server with one tool, bundled plainly (bench/sdk-server.ts), and a bare Node process that answers lines.
//
//   npm run bench                             21 rounds
//   node bench/start.mjs 41 ../other/dist/docfiscal-mcp.cjs   more rounds, and another build beside this one
//
// Everything runs in turns, so that a busy machine slows all alike. Prints, per program, median and least of the time
// and, on Linux, of what the main thread computed meanwhile, each with its ratio to the SDK's server. The first round is not
// counted: code that was compiled is kept from it, of each program in a folder of its own.
// Certificates of one's own (NODE_EXTRA_CA_CERTS) are left out: before 22 Node reads them at every start, for longer than
// everything else that it does then, so that whatever is measured beside it seems to cost little.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report } from './report.mjs';
import { withSdkServer } from './sdk-server.mjs';
import { initialize, speakTo } from './spoken.mjs';
import { toTheEnd } from './to-the-end.mjs';

const [rounds = '21', ...others] = process.argv.slice(2);
const program = fileURLToPath(new URL('../dist/docfiscal-mcp.cjs', import.meta.url));
const bare = `
  process.stdin.on('data', (data) => {
    const { id } = JSON.parse(String(data).split('\\n')[0]);
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }) + '\\n');
  });
  process.stdin.once('end', () => process.exit(0));`;

/** Milliseconds that the main thread of a process has computed; undefined where the system does not tell. */
function computed(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

async function measure(args, cache) {
  const started = performance.now();
  const spoken = speakTo(args, { ...environment, XDG_CACHE_HOME: cache });
  await spoken.ask(initialize);
  const elapsed = performance.now() - started;
  const cpu = computed(spoken.pid);
  const listing = performance.now();
  await spoken.ask({ method: 'tools/list' });
  const list = performance.now() - listing;
  await spoken.end();
  return { elapsed, cpu, list };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const least = (values) => Math.min(...values);
const figures = [
  ['median', median, 'elapsed'],
  ['least', least, 'elapsed'],
  ['CPU median', median, 'cpu'],
  ['CPU least', least, 'cpu'],
];

function print(runs) {
  console.log(`Node ${process.version}, ${rounds} rounds; milliseconds and ratio to the SDK server`);
  for (const [name, measured] of runs) {
    const cells = figures.map(([title, pick, what]) => {
      const of = (all) => pick(all.map((run) => run[what]).filter((value) => value !== undefined));
      const [value, yardstick] = [of(measured), of(runs.get('SDK server'))];
      return Number.isFinite(value) ? `${title} ${value.toFixed(0)} (${(value / yardstick).toFixed(2)})` : '';
    });
    const list = `tools/list after ${median(measured.map((run) => run.list)).toFixed(0)}`;
    console.log([name, ...cells.filter(Boolean), list].join('  '));
  }
}

const caches = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));

await toTheEnd(() =>
  withSdkServer(async (sdkServer) => {
    const programs = new Map([
      ['bare Node', ['-e', bare]],
      ['SDK server', [sdkServer]],
      ['docfiscal-mcp', [program]],
      ...others.map((path) => [`${basename(dirname(dirname(path)))} (${path})`, [path]]),
    ]);
    const runs = new Map([...programs.keys()].map((name) => [name, []]));
    for (let round = 0; round <= Number(rounds); round++) {
      for (const [name, args] of programs) {
        const run = await measure(args, join(caches, name.replaceAll('/', '_')));
        if (round > 0) runs.get(name).push(run);
      }
    }
    print(runs);
    const start = (name) => median(runs.get(name).map((run) => run.elapsed));
    report({
      what: 'start, to the answer to `initialize`',
      unit: 'ms',
      ours: start('docfiscal-mcp'),
      yardstick: start('SDK server'),
      beside: 'SDK server',
      times: Number.parseInt(process.versions.node, 10) < 22 ? 1.2 : 1.1,
    });
  }).finally(() => rmSync(caches, { recursive: true, force: true })),
);
