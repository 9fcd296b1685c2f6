// What a call over HTTP costs beside an SDK server with one tool (bench/sdk-server.ts), with 200 clients at once:
// `npm run bench -- http [seconds a turn] [clients]`. Both ask the same service once per call and answer with the same data.
// The clients are those of forty tenants, since a tenant's calls of a service are held to a rate.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { computedBy, inFolder, memoryOf, program, report, sdkServer, serve } from './measure.ts';

const TURNS = 3;
const TENANTS = 40;
const [seconds = 5, clients = 200] = process.argv.slice(2).map(Number);
const key = '43261119960320000111550010000425221096040112';
const tokenOf = (tenant: number) => `bench-token-of-tenant-${tenant}`;

const service = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ Chave: key, Itens: [{ NCM: '84713012', Classe: 'A' }] }));
});
service.keepAliveTimeout = 600_000;

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const tenants = Array.from({ length: TENANTS }, (_, index) => ({
  id: `tenant-${index}`,
  who: [
    { token_sha256: createHash('sha256').update(tokenOf(index)).digest('hex'), scopes: ['documents:read'] },
  ],
  companies: ['48152036*'],
  settings: { DFE_USER: 'bench', DFE_PASSWORD: 'bench-password', DFE_CNPJ: '48152036000117' },
}));

async function start(tool: string, args: readonly string[], folder: string, portVariable: string) {
  const { PATH, HOME } = process.env;
  const file = join(folder, 'tenants.json');
  writeFileSync(file, JSON.stringify({ tenants }));
  const { url, child } = await serve(args, {
    PATH,
    HOME,
    DFE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    DFE_TENANTS: file,
    DFE_DATA_DIR: folder,
    DFE_CONCURRENCY: '64',
    [portVariable]: '0',
  });
  return { tool, url, child, calls: 0, ms: 0, computed: 0, memory: [] as number[] };
}

type Server = Awaited<ReturnType<typeof start>>;

async function call({ tool, url }: Server, client: number): Promise<void> {
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
    throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`);
  }
}

async function takeTurn(server: Server, isCounted: boolean): Promise<void> {
  const { pid } = server.child;
  const [began, before] = [performance.now(), computedBy(pid)];
  let calls = 0;
  const client = async (_: unknown, number: number) => {
    while (performance.now() < began + seconds * 1000) {
      await call(server, number);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  server.memory.push(memoryOf(pid, 'VmRSS'));
  if (!isCounted) return;
  server.calls += calls;
  server.ms += performance.now() - began;
  server.computed += computedBy(pid) - before;
}

async function main(folder: string): Promise<void> {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  const sdk = await start('ask', [sdkServer], folder, 'BENCH_HTTP_PORT');
  const ours = await start('get_nfe_classifications', [program, 'http'], folder, 'DFE_HTTP_PORT');
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const server of [sdk, ours]) await takeTurn(server, turn > 0);
  }
  const [time, yardstick] = [ours.ms / ours.calls, sdk.ms / sdk.calls];
  const [what, beside] = [`a call, ${clients} clients`, 'SDK server with one tool'];
  report({ what, unit: 'ms', ours: time, yardstick, beside, most: 1.25 * yardstick });
  const computed = { ours: ours.computed / ours.calls, yardstick: sdk.computed / sdk.calls, beside };
  report({ what: 'the same, computed by the main thread', unit: 'ms', ...computed, most: 2 });
  const growth = (ours.memory.at(-1) ?? 0) - (ours.memory[0] ?? 0);
  const grown = { what: `growth of memory in ${ours.calls} calls`, unit: 'MB', ours: Math.max(growth, 0) };
  report({ ...grown, most: 40 });
  process.exit(0);
}

void inFolder(main);
