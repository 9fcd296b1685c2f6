import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment, program, runProgram, startProgram } from '../support/built-program.ts';
import { connect } from '../support/clients.ts';
import { duringTests, folderOfEachTest } from '../support/during-tests.ts';
import { freePort } from '../support/free-port.ts';
import { daysAgo } from '../support/recent-days.ts';
import { runInProcess } from '../support/run-in-process.ts';

const english = { DFE_LANGUAGE: 'en' };

/** The program's own sandbox on a free port, with the variables that point a server at it, as it prints them. */
async function startSandboxProgram(args: readonly string[] = []) {
  const running = startProgram(['sandbox', '--port', '0', ...args]);
  await running.says('DFE_ACCOUNT_API_KEY=');
  const variables = running.stdout().matchAll(/^(DFE_\w+)=(.*)$/gm);
  const env: Record<string, string> = Object.fromEntries([...variables].map(([, ...pair]) => pair));
  return { ...running, env, url: env.DFE_URL ?? '' };
}

const sandbox = duringTests(startSandboxProgram);
const folder = folderOfEachTest();
const data = () => ({ DFE_DATA_DIR: join(folder.path, 'data') });

const pack = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const overHttp = {
  ...english,
  ...{ DFE_URL: 'http://documents.invalid/path', DFE_USER: 'user', DFE_PASSWORD: 'hush-hush' },
};
const misspelt = /unknown option: --read-onyl; did you mean --read-only\?/;
const noOutput = /^$/;

const plainHttp = /^warning: DFE_URL uses plain http:, so user and password can be read on the network\n$/;
/** The platform's data folder is checked like one that is configured. */
const foreignHome = { ...english, XDG_DATA_HOME: '~maria/data' };
const onLinux = process.platform === 'linux';
const noCache = { XDG_CACHE_HOME: '/dev/null', HOME: '/dev/null', LOCALAPPDATA: '/dev/null' };

/** What the built program says and ends with. */
it.each<[args: string[], env: Record<string, string>, code: number, stdout: RegExp, stderr: RegExp]>([
  [['--version'], {}, 0, new RegExp(`^${pack.version}\n$`), noOutput],
  [['--help'], english, 0, /MCP server for Brazilian electronic fiscal documents/, noOutput],
  [['--read-onyl'], english, 2, noOutput, misspelt],
  // An empty variable counts as unset, and nothing is printed.
  [['--demo'], { DFE_READ_ONLY: '', DFE_URL: '', DFE_CNPJ: '' }, 0, noOutput, noOutput],
  [[], overHttp, 0, noOutput, plainHttp],
  [[], foreignHome, onLinux ? 2 : 0, noOutput, onLinux ? /DFE_DATA_DIR cannot be "~maria\/data/ : noOutput],
  // Compiled code need not be kept.
  [['--version'], noCache, 0, /./, noOutput],
])('%j with %j ends with %i', async (args, env, code, stdout, stderr) => {
  const finished = await runProgram(args, env);
  expect(finished).toMatchObject({
    ...{ code, stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) },
  });
});

it.each<[args: string[], env: Record<string, string>, says: RegExp]>([
  [['--read-onyl'], english, misspelt],
  [['--language', 'en'], { dfe_read_only: '1' }, /did you mean DFE_READ_ONLY\?/],
  [[], { ...english, DFE_URL: 'http://:hush-hush@host' }, /DFE_URL has a value that/],
])('a mistake stops the start: %j %j', async (args, env, says) => {
  const { code, stdout, stderr } = await runInProcess(args, env);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const words of [/^docfiscal-mcp did not start:\n/, says, /See docfiscal-mcp --help\.\n$/])
    expect(stderr).toMatch(words);
  expect(stderr).not.toMatch(/hush-hush|\n\s+at /);
});

it('doctor answers as JSON, and ends with 1 where something that is needed is missing', async () => {
  const good = await runProgram(['doctor', '--json'], { ...sandbox.env, ...data() });
  expect(good).toMatchObject({ code: 0, stderr: '' });
  const report = JSON.parse(good.stdout);
  expect(report).toMatchObject({ verdict: 'ok', documents: { status: 'unclear' }, warnings: [] });
  expect(report.settings).toContainEqual({ variable: 'DFE_PASSWORD', source: 'environment', value: '***' });
  const { code, stdout } = await runProgram(['doctor', '--json'], { ...english, ...data() });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'failed', documents: { status: 'not_configured' } });
});

it.skipIf(!('enableCompileCache' in module))('compiled code is kept with the person’s caches', async () => {
  const env = { XDG_CACHE_HOME: folder.path, TMPDIR: join(folder.path, 'none') };
  expect(await runProgram(['--version'], env)).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(join(folder.path, 'docfiscal-mcp', 'compiled'))).not.toEqual([]);
  expect(existsSync(env.TMPDIR)).toBe(false);
});

it('the demo lists keys, reads a note and its DANFE', async () => {
  await using connection = await connect('v2 modern', { args: ['--demo'] });
  const days = { from: daysAgo(20), to: daysAgo(1) };
  const listed = await connection.call('list_document_keys', { document: 'nfe', ...days });
  const [key] = (listed.structured?.keys ?? []) as string[];
  const note = await connection.call('get_document', { document: 'nfe', key });
  expect(note.structured).toMatchObject({ document: { key, kind: 'nfe' }, uri: `dfe://nfe/${key}/summary` });
  const [pdf] = await connection.readResource(`dfe://nfe/${key}/pdf`);
  expect(pdf).toMatchObject({ mimeType: 'application/pdf' });
  expect(Buffer.from(String(pdf?.blob), 'base64').subarray(0, 5).toString()).toBe('%PDF-');
});

/** What a program says in a terminal of its own, until it says what is waited for or ends. */
async function inTerminal(
  args: readonly string[],
  awaited: RegExp,
  typed: readonly (readonly [question: RegExp, answer: string])[] = [],
): Promise<string> {
  const command = [process.execPath, program, ...args].map((part) => `'${part}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: cleanEnvironment() });
  const exit = once(child, 'close');
  let said = '';
  let answered = 0;
  const rest = [...typed];
  for await (const chunk of child.stdout) {
    said += chunk;
    const [question, answer] = rest[0] ?? [];
    if (question?.test(said.slice(answered)) && answer !== undefined) {
      child.stdin.write(answer);
      answered = said.length;
      rest.shift();
    }
    if (rest.length === 0 && awaited.test(said)) break;
  }
  child.kill('SIGTERM');
  await exit;
  return said;
}

// Only there does the system bring a program that lends a terminal, and always under the same options.
describe.runIf(process.platform === 'linux')('in a terminal', () => {
  it.each([
    [['--language', 'en'], /is an MCP server.*doctor.*Ctrl\+C ends it/s],
    [['--demo'], /simulador, com dados inventados.*doctor --demo.*Ctrl\+C encerra/s],
  ])('%j says what it is and what to type', async (args, words) => {
    expect(await inTerminal(args, words)).toMatch(words);
  });

  it('sets up with a password that is never shown, and Ctrl+C leaves it', async () => {
    const said = await inTerminal(['setup', '--language', 'en'], /Nothing was written/, [
      [/> \[2\]/, '\r'],
      [/> \[1\]/, '\r'],
      [/Address/, 'https://documents.example\r'],
      [/User/, 'fiscal\r'],
      [/Password/, 'hush-hush\r'],
      [/CNPJ/, '\u0003'],
    ]);
    expect(said).toContain('https://documents.example');
    expect(said).not.toMatch(/hush-hush|Warning|\n\s+at /);
  });
});

describe('sandbox', () => {
  it('tells its address and what to set, in the language asked for', () => {
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(sandbox.stdout()).toContain(`Simulador dos dois serviços em ${sandbox.url}`);
    const service = ['DFE_URL', 'DFE_USER', 'DFE_PASSWORD', 'DFE_CNPJ'];
    expect(Object.keys(sandbox.env)).toEqual([...service, 'DFE_ACCOUNT_URL', 'DFE_ACCOUNT_API_KEY']);
  });

  it('stops on SIGTERM', async () => {
    const another = await startSandboxProgram(['--language', 'en']);
    expect(another.stdout()).toContain(`Sandbox of both services at ${another.url}`);
    expect((await fetch(`${another.url}/API/ConsumoWS/ConectividadeWS`)).status).toBe(200);
    another.signal('SIGTERM');
    expect(await another.ended()).toBe(0);
  });

  it('says where its port is taken', async () => {
    const { port } = new URL(sandbox.url);
    const { code, stdout, stderr } = await runProgram(['sandbox', '--port', port], english);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`Could not open 127.0.0.1:${port} (EADDRINUSE)`);
  });
});

describe('http', () => {
  /** Starts the program and waits until it listens. */
  async function startHttp(args: readonly string[], env: Readonly<Record<string, string>>) {
    const running = startProgram(['http', ...args], { ...english, ...env });
    await running.says('/mcp');
    return running;
  }
  const path = () => join(folder.path, 'tenants.json');
  const wrongTenants =
    '{"tenants": [\n{"id": "a", "companies": ["48152036*"], "who": [],\n"settings": {"DFE_READONLY": "1"}}]}';

  const issuer = { DFE_AUTH_ISSUER: 'https://id.example', DFE_HTTP_URL: 'http://fiscal.example' };

  it.each<[what: string, args: string[], env: Record<string, string>, words: RegExp]>([
    ['for others without identity', [], { DFE_HTTP_URL: 'https://fiscal.example' }, /DFE_HTTP_URL/],
    ['for others by its host', ['--host', '0.0.0.0'], { DFE_HTTP_INSECURE: '1' }, /DFE_HTTP_HOST/],
    ['where tokens would go in clear', ['--host', '0.0.0.0'], issuer, /https/],
    ['with a tenants file that is not there', [], { DFE_TENANTS: '/none/tenants.json' }, /DFE_TENANTS/],
    ['with a tenants file that is wrong, whose line it names', [], {}, /line 3.*DFE_READ_ONLY/s],
    ['with an invalid origin', [], { DFE_HTTP_ORIGINS: 'https://app.example/path' }, /DFE_HTTP_ORIGINS/],
  ])('does not start %s', async (what, args, env, words) => {
    writeFileSync(path(), wrongTenants);
    const tenants = what.includes('line') && { DFE_TENANTS: path() };
    const settings = { ...english, ...env, ...tenants };
    const { code, stderr } = await runInProcess(['http', '--port', '0', ...args], settings);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) });
  });

  it('serves until SIGTERM, its metrics on a port of their own', async () => {
    const [port, metrics] = [await freePort(), await freePort()];
    const running = await startHttp(['--port', String(port)], { DFE_METRICS_PORT: String(metrics) });
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    const counted = await fetch(`http://127.0.0.1:${metrics}/metrics`);
    expect(await counted.text()).toContain('docfiscal_breaker_open{service="documents"} 0');
    running.signal('SIGTERM');
    expect(await running.ended()).toBe(0);
  });

  it.skipIf(process.platform === 'win32')(
    'says behind its start whose password cannot be read, and keeps its tenants where the file is broken',
    async () => {
      const hash = createHash('sha256').update('t').digest('hex');
      const tenant = (id: string, who = [{ token_sha256: hash, scopes: ['documents:read'] }]) => ({
        ...{ id, who, companies: ['48152036*'], settings: { DFE_PASSWORD_FILE: 'nothing' } },
      });
      const write = (...tenants: object[]) => writeFileSync(path(), JSON.stringify({ tenants }));
      write(tenant('horizonte'));
      const running = await startHttp(['--port', '0'], { DFE_TENANTS: path() });
      await running.says('horizonte (ENOENT)');
      write(tenant('horizonte'), tenant('aurora', []));
      running.signal('SIGHUP');
      await running.says('reloaded: 2 tenants');
      await running.says('aurora (ENOENT)');
      writeFileSync(path(), '{"tenants": [');
      running.signal('SIGHUP');
      await running.says('stays in force');
      running.signal('SIGTERM');
      expect(await running.ended()).toBe(0);
      expect(running.stderr().match(/DFE_PASSWORD_FILE of .*/g)).toEqual([
        'DFE_PASSWORD_FILE of 1 tenant cannot be read, and its calls alone fail: horizonte (ENOENT)',
        'DFE_PASSWORD_FILE of 2 tenants cannot be read, and their calls alone fail: horizonte (ENOENT), aurora (ENOENT)',
      ]);
    },
  );

  it('token shows a token and the hash that stands in the file', async () => {
    const { code, stdout } = await runProgram(['token'], english);
    const [token = ''] = /dfe_[\w-]{43}/.exec(stdout) ?? [];
    const [, hash] = /"token_sha256": "([0-9a-f]{64})"/.exec(stdout) ?? [];
    expect([code, hash]).toEqual([0, createHash('sha256').update(token).digest('hex')]);
  });
});
