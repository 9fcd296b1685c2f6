// Start-up: from spawn to the answer to `initialize`, beside a bare Node process that answers one line.
//
//   npm run bench                             21 rounds
//   node bench/start.mjs 41 ../other/dist/docfiscal-mcp.cjs   more rounds, and another build beside this one
//
// Everything runs in turns, so that a busy machine slows all alike. Prints, per program, median and least of the time
// and, on Linux, of what the main thread computed meanwhile, each with its ratio to bare Node; the target is at most
// 2.2. The first round is not counted: newer Nodes keep compiled code from it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const [rounds = '21', ...others] = process.argv.slice(2);
const program = fileURLToPath(new URL('../dist/docfiscal-mcp.cjs', import.meta.url));
const bare = `
  process.stdin.once('data', () => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n'));
  process.stdin.once('end', () => process.exit(0));`;
const request = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})}\n`;

/** Milliseconds that the main thread of a process has computed; undefined where the system does not tell. */
function computed(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

/** Milliseconds from spawn to the first line of output. */
function measure(args) {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.once('error', reject);
    child.stdout.once('data', () => {
      const elapsed = Number(process.hrtime.bigint() - started) / 1e6;
      const cpu = computed(child.pid);
      child.once('exit', () => resolve({ elapsed, cpu }));
      child.stdin.end();
    });
    child.stdin.write(request);
  });
}

const programs = new Map([
  ['bare Node', ['-e', bare]],
  ['docfiscal-mcp', [program]],
  ...others.map((path) => [`${basename(dirname(dirname(path)))} (${path})`, [path]]),
]);
const runs = new Map([...programs.keys()].map((name) => [name, []]));
for (let round = 0; round <= Number(rounds); round++) {
  for (const [name, args] of programs) {
    const run = await measure(args);
    if (round > 0) runs.get(name).push(run);
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const least = (values) => Math.min(...values);
const figures = [
  ['median', median, 'elapsed'],
  ['least', least, 'elapsed'],
  ['CPU median', median, 'cpu'],
  ['CPU least', least, 'cpu'],
];
console.log(
  `Node ${process.version}, ${rounds} rounds; milliseconds and ratio to bare Node (target: at most 2.2)`,
);
for (const [name, measured] of runs) {
  const cells = figures.map(([title, pick, what]) => {
    const of = (all) => pick(all.map((run) => run[what]).filter((value) => value !== undefined));
    const [value, yardstick] = [of(measured), of(runs.get('bare Node'))];
    return Number.isFinite(value) ? `${title} ${value.toFixed(0)} (${(value / yardstick).toFixed(2)})` : '';
  });
  console.log([name, ...cells].filter(Boolean).join('  '));
}
