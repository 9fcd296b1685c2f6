import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cleanEnvironment,
  type Finished,
  program,
  runProgram,
  temporaryFolder,
} from '../support/built-program.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { type SandboxProgram, startSandboxProgram } from '../support/sandbox-program.ts';

const english = { DFE_LANGUAGE: 'en' };

let sandbox: SandboxProgram;
beforeAll(async () => {
  sandbox = await startSandboxProgram();
});
afterAll(() => sandbox.close());

describe('--help and --version', () => {
  it('answer on standard output and end', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await runProgram(['--version'])).toEqual({
      code: 0,
      signal: null,
      stdout: `${version}\n`,
      stderr: '',
    });
    const help = await runProgram(['--help'], english);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('MCP server for Brazilian electronic fiscal documents');
    const archive = await runInProcess(['archive', '--help', '--language', 'en'], {});
    expect(archive).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('purge [--yes]') });
  });
});

describe('a mistake', () => {
  type Mistake = [args: string[], env: Record<string, string>, says: RegExp];
  const misspelt: Mistake = [
    ['--read-onyl'],
    english,
    /unknown option: --read-onyl; did you mean --read-only\?/,
  ];

  function expectStopped({ code, stdout, stderr }: Finished, says: RegExp): void {
    expect(stderr).toMatch(/^docfiscal-mcp did not start:\n/);
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/See docfiscal-mcp --help\.\n$/);
    expect(stderr).not.toContain('hush-hush');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }

  it('stops the start of the program', async () => {
    const [args, env, says] = misspelt;
    expectStopped(await runProgram(args, env), says);
  });

  it.each<Mistake>([
    misspelt,
    [['--language', 'en'], { dfe_read_only: '1' }, /did you mean DFE_READ_ONLY\?/],
    [[], { ...english, DFE_URL: 'http://:hush-hush@host' }, /DFE_URL has a value that/],
  ])('stops the start: %j %j', async (args, env, says) => {
    expectStopped(await runInProcess(args, env), says);
  });
});

describe('settings', () => {
  it('take an empty variable for an unset one', async () => {
    expect((await runProgram([], { DFE_READ_ONLY: '', DFE_URL: '', DFE_CNPJ: '' })).code).toBe(0);
  });
});

describe('doctor', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const data = () => ({ DFE_DATA_DIR: join(folder.path, 'data') });

  it('answers as JSON, and ends well', async () => {
    const { code, stdout, stderr } = await runProgram(['doctor', '--json'], { ...sandbox.env, ...data() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ verdict: 'ok', documents: { status: 'unclear' }, warnings: [] });
    expect(report.settings).toContainEqual({ variable: 'DFE_PASSWORD', source: 'environment', value: '***' });
  });

  it('ends with 1 where something that is needed is missing', async () => {
    const { code, stdout } = await runProgram(['doctor', '--json'], { ...english, ...data() });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'failed', documents: { status: 'not_configured' } });
  });
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
    expect(said).not.toContain('hush-hush');
    expect(said).not.toMatch(/Warning|\n\s+at /);
  });

  it('says nothing to a host', async () => {
    expect(await runProgram(['--demo'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});

describe('sandbox', () => {
  it('tells its address and what to set, in the language asked for', () => {
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(sandbox.stdout).toContain(`Simulador dos dois serviços em ${sandbox.url}`);
    expect(Object.keys(sandbox.env)).toEqual([
      'DFE_URL',
      'DFE_USER',
      'DFE_PASSWORD',
      'DFE_CNPJ',
      'DFE_ACCOUNT_URL',
      'DFE_ACCOUNT_API_KEY',
    ]);
  });

  it('stops on SIGTERM', async () => {
    const another = await startSandboxProgram(['--language', 'en']);
    try {
      expect(another.stdout).toContain(`Sandbox of both services at ${another.url}`);
      expect((await fetch(`${another.url}/API/ConsumoWS/ConectividadeWS`)).status).toBe(200);
      const exit = once(another.child, 'close');
      another.child.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
    } finally {
      await another.close();
    }
  });

  it('says where its port is taken', async () => {
    const port = new URL(sandbox.url).port;
    const { code, stdout, stderr } = await runProgram(['sandbox', '--port', port], english);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`could not open port ${port} (EADDRINUSE)`);
  });
});

describe('plain http', () => {
  it('to another machine is warned about once, on standard error', async () => {
    const env = {
      ...english,
      DFE_URL: 'http://documents.invalid/path',
      DFE_USER: 'user',
      DFE_PASSWORD: 'hush-hush',
    };
    const { code, stdout, stderr } = await runProgram([], env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe(
      'warning: DFE_URL uses plain http:, so user and password can be read on the network\n',
    );
  });
});
