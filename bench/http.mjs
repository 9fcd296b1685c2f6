// What serving a call over HTTP costs beside an SDK server with one tool (bench/sdk-server.ts), with many clients at once.
//
//   npm run build && node bench/http.mjs           200 clients, three turns of 5 seconds for each server
//   node bench/http.mjs 60 200                     turns of a minute, with so many clients
//
// Both ask the same service on this machine once per call, over connections that are kept, and answer with the same data.
// Ours asks who calls, too: the clients are those of forty tenants, since a tenant's calls of a service are held to a rate
// (src/clients/http/fairness.ts) that one alone would reach. Turns alternate, so that a busy machine slows both alike.
// Prints time and processor time per call and how memory grew, from the end of the first turn to that of the last, each
// time after what nobody holds was given back; any answer that is an error ends it.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report } from './report.mjs';
import { withSdkServer } from './sdk-server.mjs';
import { serve } from './served.mjs';
import { toTheEnd } from './to-the-end.mjs';

const [seconds = 5, clients = 200] = process.argv.slice(2).map(Number);
const TURNS = 3;
const MB = 1024 ** 2;
const TENANTS = 40;
const program = fileURLToPath(new URL('../dist/docfiscal-mcp.cjs', import.meta.url));
const key = '43261119960320000111550010000425221096040112';
const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));

const service = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ Chave: key, Itens: [{ NCM: '84713012', Classe: 'A' }] }));
});
// Longer than either of them rests: a connection that ends while it is used anew would be nobody's fault.
service.keepAliveTimeout = 600_000;

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const tokenOf = (tenant) => `bench-token-of-tenant-${tenant}`;
const tenantsFile = join(folder, 'tenants.json');
const tenants = Array.from({ length: TENANTS }, (_, index) => ({
  id: `tenant-${index}`,
  who: [
    {
      token_sha256: createHash('sha256').update(tokenOf(index)).digest('hex'),
      scopes: ['documents:read'],
    },
  ],
  companies: ['48152036*'],
  settings: { DFE_USER: 'bench', DFE_PASSWORD: 'bench-password', DFE_CNPJ: '48152036000117' },
}));
writeFileSync(tenantsFile, JSON.stringify({ tenants }));

const inside = fileURLToPath(new URL('settled-memory.cjs', import.meta.url));

async function startServer(name, tool, args, portVariable) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DFE_URL: `http://127.0.0.1:${service.address().port}`,
    DFE_TENANTS: tenantsFile,
    DFE_DATA_DIR: folder,
    DFE_CONCURRENCY: '64',
    [portVariable]: '0',
  };
  const served = await serve(['--expose-gc', '-r', inside, ...args], env, true);
  return { name, tool, served, url: served.url, calls: 0, ms: 0, cpu: 0, memory: [] };
}

async function call({ name, tool, url }, client) {
  const params = { name: tool, arguments: { key }, _meta: envelope };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': tool,
      authorization: `Bearer ${tokenOf(client % TENANTS)}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('84713012')) {
    throw new Error(`${name} answered ${response.status}: ${text.slice(0, 300)}`);
  }
}

async function takeTurn(server) {
  const { served } = server;
  const [began, before] = [performance.now(), served.cpu()];
  const end = began + seconds * 1000;
  let calls = 0;
  const client = async (_, number) => {
    while (performance.now() < end) {
      await call(server, number);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const [ms, cpu] = [performance.now() - began, served.cpu() - before];
  server.memory.push(await served.tell('settle'));
  return { calls, ms, cpu };
}

async function measure(yardstick) {
  const bare = await startServer('SDK server', 'ask', [yardstick], 'BENCH_HTTP_PORT');
  const ours = await startServer(
    'docfiscal-mcp',
    'get_nfe_classifications',
    [program, 'http'],
    'DFE_HTTP_PORT',
  );
  // The first turn of each is not counted: parts are loaded and code is compiled.
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const one of [bare, ours]) {
      const { calls, ms, cpu } = await one.served.during(() => takeTurn(one));
      if (turn === 0) continue;
      one.calls += calls;
      one.ms += ms;
      one.cpu += cpu;
    }
  }
  for (const { served } of [bare, ours]) await served.stop();
  const per = ({ calls }, value) => value / calls;
  const beside = 'SDK server with one tool';
  const what = `a call, ${clients} clients`;
  const [time, yardsticks] = [per(ours, ours.ms), per(bare, bare.ms)];
  report({ what, unit: 'ms', ours: time, yardstick: yardsticks, beside, times: 1.25 });
  const computed = { what: 'processor time of a call', unit: 'ms', ours: per(ours, ours.cpu) };
  report({ ...computed, yardstick: per(bare, bare.cpu), beside });
  report({ ...computed, most: 2 });
  for (const { name, memory } of [bare, ours]) {
    const turns = memory.map(
      ({ rss, heapUsed }) => `${(rss / MB).toFixed(0)} (${(heapUsed / MB).toFixed(1)})`,
    );
    console.log(`${name}, memory after each turn, MB (of it JavaScript's heap in use): ${turns.join(', ')}`);
  }
  const grown = (ours.memory.at(-1).rss - ours.memory[0].rss) / MB;
  report({ what: `memory grown in ${ours.calls} calls`, unit: 'MB', ours: Math.max(grown, 0), most: 40 });
}

await toTheEnd(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  try {
    await withSdkServer(measure);
  } finally {
    service.close();
    service.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
});
