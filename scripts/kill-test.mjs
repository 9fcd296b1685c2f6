// Kills the built program at random moments while it writes to the sandbox, starts it again, and checks that the journal
// names every write that arrived there and that none arrived twice: `npm run kill-test [-- --kills 60 --seed 1]`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { toTheEnd } from '../bench/to-the-end.mjs';

const program = fileURLToPath(new URL('../dist/docfiscal-mcp.cjs', import.meta.url));
const options = { kills: { type: 'string', default: '60' }, seed: { type: 'string' } };
const { values } = parseArgs({ options });
const kills = Number(values.kills);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

/** Numbers from 0 to 1 that are the same for a seed. Source: the generator "mulberry32". */
function createRandom(from) {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The access key of a note of November 2026 by its number. Source: docs/fiscal/keys.md. */
function keyOf(number) {
  const first43 = `35261158716523000119550010${String(number).padStart(8, '0')}1${String(number).padStart(8, '0')}`;
  const sum = [...first43].reverse().reduce((total, digit, i) => total + Number(digit) * (2 + (i % 8)), 0);
  return first43 + (sum % 11 < 2 ? 0 : 11 - (sum % 11));
}

/** A program that speaks JSON-RPC over its standard streams. */
async function start(env) {
  const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close');
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let lastId = 0;
  const ask = (method, params) => {
    lastId += 1;
    const id = lastId;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const gone = ended.then(() => Promise.reject(new Error('the program ended by itself')));
    gone.catch(() => undefined);
    return Promise.race([new Promise((resolve) => waiting.set(id, resolve)), gone]);
  };
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'kill-test', version: '1' },
  });
  return {
    call: async (name, args) => (await ask('tools/call', { name, arguments: args })).result,
    /** Sends a call and does not look at what becomes of it. */
    post: (name, args) => void ask('tools/call', { name, arguments: args }).catch(() => undefined),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The sandbox as a server of its own, and the settings it says. */
async function startSandbox() {
  const child = spawn(process.execPath, [program, 'sandbox'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const settings = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, value] = /^(DFE_[A-Z_]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) settings[name] = value;
    if (name === 'DFE_ACCOUNT_API_KEY') break;
  }
  return { settings, stop: () => child.kill('SIGTERM') };
}

/** The writes that arrived, as the sandbox wrote them down: keys of notes, and values of settings. */
async function arrivals(url) {
  const requests = await (await fetch(`${url}/__sandbox/requests`)).json();
  return requests.flatMap(({ method, query, body }) => {
    if (method === 'PUT') return [JSON.parse(body).value];
    if (method !== 'POST') return [];
    return [...(query.evento ?? query.eventos ?? '').matchAll(/"ChaveNFe":"(\d{44})"/g)].map(
      ([, key]) => key,
    );
  });
}

async function journalOf(folder) {
  const text = await readFile(join(folder, 'journal.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

const tools = ['manifest_nfe', 'manifest_nfe_batch', 'update_company_setting'];

/** A write that no other round makes; `names` is what it is known by where it arrives. */
function writeOf(round) {
  const tool = tools[round % tools.length];
  if (tool === 'update_company_setting') {
    const value = `v${seed}-${round}`;
    return { tool, names: [value], args: { company_id: 1001, id: 501, set: 'X-kill', name: 'test', value } };
  }
  const count = tool === 'manifest_nfe' ? 1 : 12;
  const keys = Array.from({ length: count }, (_, i) => keyOf(1 + round * 12 + i));
  const justification = `Mercadoria recusada: ${'motivo '.repeat(28)}`.trim();
  const told = { event: 'nao_realizada', justification };
  return { tool, names: keys, args: tool === 'manifest_nfe' ? { key: keys[0], ...told } : { keys, ...told } };
}

/** What is wrong after a kill, one line each. */
async function problemsOf({ tool, names }, before, { folder, url }) {
  const arrived = (await arrivals(url)).filter((name) => names.includes(name));
  const intents = (await journalOf(folder)).filter(({ line }) => line === 'intent');
  const named = new Set(intents.flatMap(({ keys = [] }) => keys));
  const isNamed = (name) =>
    tool === 'update_company_setting' ? intents.length > before.length : named.has(name);
  return {
    arrived: arrived.length,
    problems: [
      ...arrived.filter((name) => !isNamed(name)).map((name) => `${tool} ${name} arrived and is not named`),
      ...arrived
        .filter((name, i) => arrived.indexOf(name) !== i)
        .map((name) => `${tool} ${name} arrived twice`),
    ],
  };
}

/** Asks for a write and gives what says yes to it. */
async function previewed(running, { tool, args }) {
  const preview = await running.call(tool, args);
  const token = preview?.structuredContent?.confirmation_token;
  if (token === undefined) throw new Error(`no preview: ${JSON.stringify(preview).slice(0, 500)}`);
  return { ...args, confirmation_token: token };
}

/** Milliseconds that the longest of the writes takes here and now, from the yes to its answer. */
async function longestWrite(env) {
  let longest = 0;
  for (const [i] of tools.entries()) {
    const write = writeOf(kills + i);
    const running = await start(env);
    const confirmed = await previewed(running, write);
    const began = performance.now();
    await running.call(write.tool, confirmed);
    longest = Math.max(longest, performance.now() - began);
    await running.kill();
  }
  return longest;
}

async function main() {
  console.log(`kill-test: ${kills} kills, seed ${seed}`);
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'docfiscal-kill-'));
  const sandbox = await startSandbox();
  const url = sandbox.settings.DFE_URL;
  const env = { PATH: process.env.PATH, ...sandbox.settings, DFE_DATA_DIR: folder, DFE_LANGUAGE: 'en' };
  const problems = [];
  let arrivedInAll = 0;
  let killedBefore = 0;
  try {
    // A kill comes at any moment of a write, however busy the machine is.
    const latestKill = await longestWrite(env);
    for (let round = 0; round < kills; round += 1) {
      const write = writeOf(round);
      const before = (await journalOf(folder)).filter(({ line }) => line === 'intent');
      const running = await start(env);
      const confirmed = await previewed(running, write);
      running.post(write.tool, confirmed);
      await sleep(random() * latestKill);
      await running.kill();
      // The token was spent or not; either way the same yes must not send a second time what has arrived.
      const again = await start(env);
      const sentBefore = (await arrivals(url)).filter((name) => write.names.includes(name));
      if (sentBefore.length > 0) await again.call(write.tool, confirmed);
      await again.call('check_connection', {});
      await again.kill();
      const found = await problemsOf(write, before, { folder, url });
      problems.push(...found.problems.map((problem) => `round ${round}: ${problem}`));
      arrivedInAll += found.arrived;
      if (found.arrived < write.names.length) killedBefore += 1;
    }
  } finally {
    sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`${arrivedInAll} writes arrived, ${killedBefore} kills came before all of a call had`);
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? 'every write that arrived is named, none arrived twice' : 'FAILED');
  process.exitCode = problems.length === 0 && arrivedInAll > 0 ? 0 : 1;
}

await toTheEnd(main);
