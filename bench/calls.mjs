// What a call of a tool costs beside the same call of an SDK server that does nothing else (bench/sdk-server.ts).
//
//   npm run build && node bench/calls.mjs          20 blocks of 50 calls each
//   node bench/calls.mjs 40                        more blocks
//
// Both ask the same service on this machine once per call. Blocks take turns, so that a busy machine slows both alike, and
// have a pause between them: ours makes a hundred calls of a service a second in the long run (src/clients/http/fairness.ts).
// Prints the median time of a call and what a call computed, with their ratio; the target is at most 1.5.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { report } from './report.mjs';
import { withSdkServer } from './sdk-server.mjs';
import { initialize, speakTo } from './spoken.mjs';
import { toTheEnd } from './to-the-end.mjs';

const blocks = Number(process.argv[2] ?? 20);
const CALLS_IN_BLOCK = 50;
const PAUSE_MS = CALLS_IN_BLOCK * 10;
const program = fileURLToPath(new URL('../dist/docfiscal-mcp.cjs', import.meta.url));
const key = '43261119960320000111550010000425221096040112';

const reply = JSON.stringify({ Chave: key, Itens: [{ NCM: '84713012', Classe: 'A' }] });
const service = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(reply);
});
// Longer than either of them rests: a connection that ends while it is used anew would be nobody's fault.
service.keepAliveTimeout = 600_000;

const environment = () => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DFE_URL: `http://127.0.0.1:${service.address().port}`,
  DFE_USER: 'bench',
  DFE_PASSWORD: 'bench-password',
  DFE_CNPJ: '48152036000117',
});

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(yardstick) {
  const env = environment();
  const tried = [
    { name: 'SDK server', tool: 'ask', server: speakTo([yardstick], env), times: [], computed: 0 },
    {
      name: 'docfiscal-mcp',
      tool: 'get_nfe_classifications',
      server: speakTo([program], env),
      times: [],
      computed: 0,
    },
  ];
  for (const { server } of tried) {
    await server.ask(initialize);
    server.notify('notifications/initialized');
  }
  // The first block of each is not counted: parts are loaded and code is compiled.
  for (let block = 0; block <= blocks; block++) {
    await pause(PAUSE_MS);
    for (const one of tried) {
      const before = one.server.cpu();
      for (let call = 0; call < CALLS_IN_BLOCK; call++) {
        const started = performance.now();
        const { result } = await one.server.ask({
          method: 'tools/call',
          params: { name: one.tool, arguments: { key } },
        });
        if (result === undefined || result.isError) throw new Error(`${one.name}: ${JSON.stringify(result)}`);
        if (block > 0) one.times.push(performance.now() - started);
      }
      if (block > 0) one.computed += one.server.cpu() - before;
    }
  }
  for (const { server } of tried) await server.end();
  return tried;
}

await toTheEnd(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  try {
    const tried = await withSdkServer(measure);
    console.log(`Node ${process.version}, ${blocks} blocks of ${CALLS_IN_BLOCK} calls (target: at most 1.5)`);
    const [yardstick] = tried;
    for (const { name, times, computed } of tried) {
      const time = median(times);
      const cpu = computed / times.length;
      const beside = (value, other) => `${value.toFixed(2)} ms (${(value / other).toFixed(2)})`;
      console.log(
        [
          name,
          `median ${beside(time, median(yardstick.times))}`,
          `CPU ${beside(cpu, yardstick.computed / yardstick.times.length)}`,
        ].join('  '),
      );
    }
    const [bare, ours] = tried.map(({ times }) => median(times));
    report({ what: 'a call', unit: 'ms', ours, yardstick: bare, beside: 'empty SDK server', times: 1.5 });
  } finally {
    service.close();
    service.closeAllConnections();
  }
});
