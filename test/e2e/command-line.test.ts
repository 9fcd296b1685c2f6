import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../support/built-program.ts';
import { json, startRecordingUpstream } from '../support/recording-upstream.ts';
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
    for (const part of [
      '--demo',
      'http [--host H] [--port N]',
      'sandbox',
      'doctor',
      'DFE_READ_ONLY, --read-only',
    ]) {
      expect(help.stdout).toContain(part);
    }
    expect(help.stdout).toContain('MCP server for Brazilian electronic fiscal documents');
  });

  it('speak the language of the flag, and Portuguese unless told', async () => {
    expect((await runProgram(['--help'])).stdout).toContain('Servidor MCP para documentos fiscais');
    expect((await runProgram(['--help', '--language', 'en'])).stdout).toContain('MCP server');
  });

  it('name every setting of the README', async () => {
    const { stdout } = await runProgram(['--help']);
    const variables = [
      'URL USER PASSWORD PASSWORD_FILE CNPJ DATE_FORMAT TIME_FORMAT TIME_ZONE EVENT_TEMPLATE ACCOUNT_URL',
      'ACCOUNT_API_KEY ACCOUNT_TOKEN ACCOUNT_OAUTH_TOKEN_URL ACCOUNT_OAUTH_CLIENT_ID ACCOUNT_OAUTH_CLIENT_SECRET',
      'ACCOUNT_OAUTH_SCOPE ACCOUNT_USER ACCOUNT_LICENSE_KEY ACCOUNT_VENDOR ACCOUNT_CLIENT READ_ONLY TOOLSETS',
      'CONFIRMATION DOWNLOAD_DIR DATA_DIR TIMEOUT CONCURRENCY LANGUAGE',
    ];
    for (const name of variables.join(' ').split(' '))
      expect(stdout).toMatch(new RegExp(`\\bDFE_${name}\\b`));
  });
});

describe('a mistake', () => {
  const mistakes: readonly {
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly says: RegExp;
  }[] = [
    { args: ['--read-onyl'], says: /unknown option: --read-onyl; the nearest is --read-only/ },
    { args: ['--dmeo'], says: /unknown option: --dmeo; the nearest is --demo/ },
    { args: ['-r'], says: /unknown option: -r/ },
    { args: ['docter'], says: /unknown command: docter; the nearest is doctor/ },
    { args: ['doctor', 'sandbox'], says: /unknown command: doctor sandbox/ },
    { args: ['--password', 'hush-hush'], says: /--password is no option.*DFE_PASSWORD/ },
    { args: ['--account-api-key=hush-hush'], says: /--account-api-key is no option.*DFE_ACCOUNT_API_KEY/ },
    { args: ['--acount-api-key', 'hush-hush'], says: /unknown option: --acount-api-key; the nearest is/ },
    {
      env: { DFE_URL: 'https://user:hush-hush@host/?token=hush-hush' },
      says: /DFE_URL cannot be "https:\/\/\*\*\*@host/,
    },
    { args: ['--cnpj'], says: /--cnpj needs a value/ },
    { args: ['--cnpj', '--read-only'], says: /--cnpj needs a value/ },
    { args: ['--cnpj', '48152036000117', '--cnpj', '48152036000117'], says: /--cnpj is given twice/ },
    { args: ['--json'], says: /unknown option: --json/ },
    { args: ['sandbox', '--port', 'x'], says: /--port must be a number from 0 to 65535, not "x"/ },
    { args: ['sandbox', '--port', '65536'], says: /--port must be/ },
    { env: { DFE_READONLY: 'true' }, says: /unknown variable: DFE_READONLY; the nearest is DFE_READ_ONLY/ },
    { env: { DFE_READ_ONLY: 'ture' }, says: /DFE_READ_ONLY cannot be "ture": must be true or false/ },
    {
      env: { DFE_CNPJ: '48152036000118' },
      says: /DFE_CNPJ cannot be "48152036000118": must be a valid CNPJ/,
    },
    { env: { DFE_URL: 'ftp://x' }, says: /DFE_URL cannot be "ftp:\/\/x": must be an http\(s\) address/ },
    { env: { DFE_TIMEOUT: '0' }, says: /DFE_TIMEOUT cannot be "0": must be a whole number/ },
    {
      env: { DFE_TOOLSETS: 'documents,fiscal' },
      says: /DFE_TOOLSETS cannot be "documents,fiscal": can be: documents/,
    },
    { env: { DFE_TIME_ZONE: 'Brasilia' }, says: /DFE_TIME_ZONE cannot be "Brasilia": must be a zone/ },
    { env: { DFE_CONFIRMATION: 'never' }, says: /DFE_CONFIRMATION cannot be "never"/ },
    { env: { DFE_USER: '$' + '{user_config.user}' }, says: /DFE_USER arrived unfilled/ },
    {
      env: { DFE_ACCOUNT_API_KEY: 'hush-hush', DFE_ACCOUNT_TOKEN: 'hush-hush' },
      says: /DFE_ACCOUNT_API_KEY and DFE_ACCOUNT_TOKEN exclude each other/,
    },
    {
      env: { DFE_PASSWORD: 'hush-hush', DFE_PASSWORD_FILE: '/nowhere' },
      says: /DFE_PASSWORD and DFE_PASSWORD_FILE exclude each other/,
    },
  ];

  it.each(mistakes)('stops the start: $args $env', async ({ args = [], env = {}, says }) => {
    const { code, stdout, stderr } = await runProgram(args, { ...english, ...env });
    expect(stderr).toMatch(/^docfiscal-mcp did not start:\n/);
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/See docfiscal-mcp --help\.\n$/);
    expect(stderr).not.toContain('hush-hush');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('is told in Portuguese unless asked otherwise, all mistakes at once', async () => {
    const { code, stderr } = await runProgram([], { DFE_READONLY: '1', DFE_CNPJ: '1' });
    expect(code).toBe(2);
    expect(stderr).toContain('docfiscal-mcp não iniciou:');
    expect(stderr).toContain('variável desconhecida: DFE_READONLY; a mais parecida é DFE_READ_ONLY');
    expect(stderr).toContain('DFE_CNPJ não pode ser "1": deve ser um CNPJ válido');
  });
});

describe('settings', () => {
  it('take an empty variable for an unset one', async () => {
    expect((await runProgram([], { DFE_READ_ONLY: '', DFE_URL: '', DFE_CNPJ: '' })).code).toBe(0);
  });

  it('give a flag the last word over its variable', async () => {
    const { stdout } = await runProgram(['doctor', '--json', '--timeout', '7', '--read-only'], {
      DFE_TIMEOUT: '9',
    });
    expect(JSON.parse(stdout).settings).toContainEqual({
      variable: 'DFE_TIMEOUT',
      source: 'flag',
      value: '7',
    });
  });
});

interface Report {
  readonly documents: { status: string; message: string };
  readonly account: { status: string; message: string };
  readonly writes: { status: string; message: string };
  readonly event_template: { status: string; message: string };
  readonly settings: readonly { variable: string; source: string; value: string | null }[];
  readonly warnings: readonly string[];
}

describe('doctor', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function examine(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
    const data = { DFE_DATA_DIR: join(folder.path, 'data'), ...english };
    const { code, stdout, stderr } = await runProgram(['doctor', '--json', ...args], { ...data, ...env });
    return { code, stderr, report: JSON.parse(stdout) as Report, stdout };
  }

  it('finds a working configuration well', async () => {
    const { code, stderr, report } = await examine(sandbox.env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(report).toMatchObject({
      documents: { status: 'ok', message: expect.stringContaining('Conectado') },
      account: { status: 'ok' },
      writes: { status: 'ok' },
      event_template: { status: 'ok' },
      warnings: [],
    });
    expect(report.settings).toContainEqual({ variable: 'DFE_PASSWORD', source: 'environment', value: '***' });
    expect(report.settings).toContainEqual({
      variable: 'DFE_URL',
      source: 'environment',
      value: sandbox.url,
    });
  });

  it('says the same as text, in both languages', async () => {
    const data = { DFE_DATA_DIR: join(folder.path, 'data') };
    const portuguese = await runProgram(['doctor'], { ...sandbox.env, ...data });
    expect(portuguese).toMatchObject({ code: 0, stderr: '' });
    expect(portuguese.stdout).toMatch(/^DFE_PASSWORD +ambiente +\*\*\*$/m);
    expect(portuguese.stdout).toMatch(/^✓ Serviço de documentos: responde/m);
    const spoken = await runProgram(['doctor'], { ...sandbox.env, ...data, ...english });
    expect(spoken.stdout).toMatch(/^DFE_PASSWORD +environment +\*\*\*$/m);
    expect(spoken.stdout).toMatch(/^✓ Documents service: it answers/m);
  });

  it('is no failure where nothing is configured, and says what to set', async () => {
    const { code, report } = await examine({});
    expect(code).toBe(0);
    expect(report.documents).toMatchObject({
      status: 'not_configured',
      message: expect.stringContaining('DFE_URL, DFE_USER, DFE_PASSWORD'),
    });
    expect(report.account).toMatchObject({
      status: 'not_configured',
      message: expect.stringContaining('DFE_ACCOUNT_URL'),
    });
  });

  it('passes on what Login answers, the meaning of which nobody documents', async () => {
    expect((await examine(sandbox.env)).report.documents.message).toContain('Login answered 1;');
    const wrong = await examine({ ...sandbox.env, DFE_PASSWORD: 'hush-hush' });
    expect(wrong.report.documents.message).toContain(
      'Login answered 0; what that number means is not documented',
    );
    expect(wrong.stdout).not.toContain('hush-hush');
  });

  it('tells credentials that are refused, without repeating them', async () => {
    const upstream = await startRecordingUpstream((request, response) => {
      if (request.path.endsWith('Login')) json(response, { Message: `No ${request.rawQuery}` }, 401);
      else json(response, 'Conectado');
    });
    try {
      const { code, report, stdout } = await examine({
        DFE_URL: upstream.url,
        DFE_USER: 'user',
        DFE_PASSWORD: 'hush-hush',
      });
      expect(code).toBe(1);
      expect(report.documents).toMatchObject({
        status: 'failed',
        message: expect.stringContaining('Check DFE_USER and DFE_PASSWORD'),
      });
      expect(stdout).not.toContain('hush-hush');
    } finally {
      await upstream.close();
    }
  });

  it('tells a port where nobody answers', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    server.close();
    await once(server, 'close');
    const { code, report } = await examine({ ...sandbox.env, DFE_URL: `http://127.0.0.1:${port}` });
    expect(code).toBe(1);
    expect(report.documents.status).toBe('failed');
    expect(report.documents.message).not.toMatch(/usuario|senha|\?/);
    expect(report.account.status).toBe('ok');
  });

  it('tells an event template that fits nothing', async () => {
    const { code, report } = await examine({ ...sandbox.env, DFE_EVENT_TEMPLATE: 'no key in here' });
    expect(code).toBe(1);
    expect(report.event_template).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('DFE_EVENT_TEMPLATE'),
    });
  });

  it('tells a password file that is not there, and reads one that is', async () => {
    const { DFE_PASSWORD: password = '', ...env } = sandbox.env;
    const file = join(folder.path, 'password');
    const absent = await examine({ ...env, DFE_PASSWORD_FILE: file });
    expect(absent.code).toBe(1);
    expect(absent.report.documents.message).toContain('ENOENT');
    writeFileSync(file, `${password}\n`);
    expect((await examine({ ...env, DFE_PASSWORD_FILE: file })).report.documents.status).toBe('ok');
  });

  it('tells a data folder that cannot be one', async () => {
    const file = join(folder.path, 'a-file');
    writeFileSync(file, '');
    const { code, report } = await examine({ ...sandbox.env, DFE_DATA_DIR: join(file, 'data') });
    expect(code).toBe(1);
    expect(report.writes.status).toBe('failed');
  });

  it('does not look for the journal in read-only', async () => {
    const { code, report } = await examine(sandbox.env, ['--read-only']);
    expect(code).toBe(0);
    expect(report.writes.message).toContain('Read-only');
  });

  it('looks at the demo too', async () => {
    const { code, report } = await examine({}, ['--demo']);
    expect(code).toBe(0);
    expect(report.documents.status).toBe('ok');
    expect(report.settings).toContainEqual({ variable: 'DFE_PASSWORD', source: 'demo', value: '***' });
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

  it('to this machine, and https, are not', async () => {
    for (const url of [
      'http://localhost:1',
      'http://127.0.0.1:1',
      'http://[::1]:1',
      'https://documents.invalid',
    ]) {
      expect((await runProgram([], { DFE_URL: url, DFE_ACCOUNT_URL: url })).stderr).toBe('');
    }
  });
});

describe('http', () => {
  it('says that it is not there yet', async () => {
    const { code, stdout, stderr } = await runProgram(['http'], english);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('does not serve MCP over HTTP yet');
  });
});
