// Files and functions of `src` that the first call of a new server executes: `list_documents` over five documents,
// by V8's coverage. The sandbox that answers as the service is left out.
//
//   npm run coverage:call              the totals
//   npm run coverage:call -- --files   every file with its functions
import { Session } from 'node:inspector/promises';
import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { compileSources } from './compiled-sources.mjs';

/** At most. */
const limits = { files: 90, functions: 500 };
const documents = 5;
const days = { from: '2026-11-11', to: '2026-11-13' };
const clock = () => Date.parse('2026-11-20T12:00:00-03:00');

const folder = await compileSources();
const load = (path) => import(pathToFileURL(`${folder}/${path}`).href);

/** A client after the handshake. */
async function connectTo(url) {
  const [{ configure }, { createServer }, { singleCompany }, { createCompany }] = await Promise.all([
    load('config/configure.mjs'),
    load('server/server.mjs'),
    load('company/company-resolver.mjs'),
    load('company/company.mjs'),
  ]);
  const service = { DFE_URL: url, DFE_USER: 'demo', DFE_PASSWORD: 'demo', DFE_CNPJ: '48152036000117' };
  const { settings } = configure(new Map(), { ...service, DFE_DATA_DIR: folder, DFE_ARCHIVE: 'memory' });
  const company = createCompany(settings, { now: clock });
  const [transport, ofServer] = InMemoryTransport.createLinkedPair();
  serveStdio(() => createServer(singleCompany(company)), { transport: ofServer });
  const client = new Client({ name: 'coverage', version: '1' });
  await client.connect(transport);
  return { client, close: () => Promise.all([client.close(), company.close()]) };
}

/** The functions that `work` executes, by their file of `src`. */
async function executedBy(work) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const executed = new Map();
  for (const { url, functions } of result) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    if (!path.startsWith(folder + sep)) continue;
    const file = path.slice(folder.length + 1).replace(/\.mjs$/, '.ts');
    // A module's body begins at 0; it is missing if the module was loaded before.
    const names = functions
      .filter(({ ranges: [{ startOffset }] }) => startOffset > 0)
      .flatMap(({ functionName, ranges: [{ count }] }) => (count > 0 ? [functionName] : []));
    if (names.length > 0 && !file.startsWith('sandbox/')) executed.set(file, names);
  }
  return executed;
}

const { startSandbox } = await load('sandbox/index.mjs');
const sandbox = await startSandbox({ now: () => new Date(clock()) });
const { client, close } = await connectTo(sandbox.url);
const call = { name: 'list_documents', arguments: { document: 'nfe', ...days, direction: 'inbound' } };
let answer;
const executed = await executedBy(async () => {
  answer = await client.callTool(call);
});
await close();
await sandbox.close();

if (answer.structuredContent?.total !== documents) {
  throw new Error(`the days have other documents than ${documents}: ${JSON.stringify(answer).slice(0, 500)}`);
}
if (process.argv.includes('--files')) {
  for (const [file, names] of executed)
    console.log(`${file}\n  ${names.map((name) => name || '()').join(' ')}`);
}
const functions = [...executed.values()].reduce((sum, names) => sum + names.length, 0);
console.log(`list_documents of ${documents}: ${executed.size} files, ${functions} functions`);
console.log(`limit: ${limits.files} files, ${limits.functions} functions`);
process.exitCode = executed.size > limits.files || functions > limits.functions ? 1 : 0;
