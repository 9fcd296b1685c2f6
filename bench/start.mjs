// Start-up: from spawn to the answer to `initialize`, beside a bare Node process that answers one line.
// Run with `npm run bench`. Prints medians of interleaved runs and their ratio; the target is at most 2.2.
import { spawn } from 'node:child_process';

const ROUNDS = Number(process.argv[2] ?? 21);
const bare = `process.stdin.once('data',()=>{process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n')})`;
const request = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})}\n`;

/** Milliseconds from spawn to the first line of output. */
function measure(args) {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.once('error', reject);
    child.stdout.once('data', () => {
      const milliseconds = Number(process.hrtime.bigint() - started) / 1e6;
      child.once('exit', () => resolve(milliseconds));
      child.kill('SIGKILL');
    });
    child.stdin.write(request);
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const times = { bare: [], server: [] };
for (let round = 0; round < ROUNDS; round++) {
  times.bare.push(await measure(['-e', bare]));
  times.server.push(await measure(['dist/docfiscal-mcp.cjs']));
}
const [yardstick, server] = [median(times.bare), median(times.server)];
console.log(`bare Node ${yardstick.toFixed(0)} ms, docfiscal-mcp ${server.toFixed(0)} ms`);
console.log(`ratio ${(server / yardstick).toFixed(2)} (target: at most 2.2)`);
