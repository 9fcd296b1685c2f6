// What a start of `docfiscal-mcp http` costs with one tenant, with an office's two hundred and with two thousand, each
// with a user, a password file and a token of its own: from spawn to the line that says where it serves.
//
//   npm run build && node bench/tenants.mjs        11 rounds
//   node bench/tenants.mjs 31                      more rounds
//
// The sizes take turns, so that a busy machine slows all alike. Prints the median time, and what the main thread had
// computed by then, beside those of one tenant. After the last start a tenant of the many is asked for its list of tools.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report } from './report.mjs';
import { serve } from './served.mjs';
import { toTheEnd } from './to-the-end.mjs';

const rounds = Number(process.argv[2] ?? 11);
const sizes = [1, 200, 2_000];
const program = fileURLToPath(new URL('../dist/docfiscal-mcp.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));

const tokenOf = (tenant) => `bench-token-of-tenant-${tenant}`;
const tenantsFile = (size) => join(folder, `tenants-${size}.json`);

function writeTenants(size) {
  const tenants = Array.from({ length: size }, (_, index) => ({
    id: `tenant-${index}`,
    who: [
      {
        token_sha256: createHash('sha256').update(tokenOf(index)).digest('hex'),
        scopes: ['documents:read'],
      },
    ],
    companies: ['48152036*'],
    settings: { DFE_USER: `user-${index}`, DFE_PASSWORD_FILE: `secrets/${index}` },
  }));
  writeFileSync(tenantsFile(size), JSON.stringify({ tenants }, null, 2));
}

const start = (size) =>
  serve([program, 'http', '--port', '0'], {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DFE_URL: 'http://127.0.0.1:9',
    DFE_TENANTS: tenantsFile(size),
    DFE_DATA_DIR: folder,
  });

async function askForTools(url, tenant) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${tokenOf(tenant)}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('list_documents')) {
    throw new Error(`answered ${response.status}: ${text.slice(0, 300)}`);
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

async function measure() {
  mkdirSync(join(folder, 'secrets'));
  for (let index = 0; index < Math.max(...sizes); index++) {
    writeFileSync(join(folder, 'secrets', String(index)), `password-${index}\n`, { mode: 0o600 });
  }
  for (const size of sizes) writeTenants(size);
  const found = new Map(sizes.map((size) => [size, { ms: [], cpu: [] }]));
  // The first round is not counted: newer Nodes keep compiled code from it.
  for (let round = 0; round <= rounds; round++) {
    for (const size of sizes) {
      const served = await start(size);
      const cpu = served.cpu();
      if (round === rounds) await askForTools(served.url, size - 1);
      await served.stop();
      if (round === 0) continue;
      found.get(size).ms.push(served.ms);
      found.get(size).cpu.push(cpu);
    }
  }
  const { ms, cpu } = found.get(1);
  for (const size of sizes.slice(1)) {
    const many = found.get(size);
    const beside = 'with one';
    const limit = size === 200 ? { times: 1.15 } : {};
    const what = `start with ${size} tenants`;
    report({ what, unit: 'ms', ours: median(many.ms), yardstick: median(ms), beside, ...limit });
    report({ what: `${what}, computed`, unit: 'ms', ours: median(many.cpu), yardstick: median(cpu), beside });
  }
}

await toTheEnd(() => measure().finally(() => rmSync(folder, { recursive: true, force: true })));
