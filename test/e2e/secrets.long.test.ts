import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../support/built-program.ts';
import { openClient, type ToolResult, toResult } from '../support/clients.ts';
import { examined } from '../support/examined.ts';
import { serveInProcess } from '../support/in-process.ts';
import { type Call, key, period, quotingReads, setting } from '../support/quoting-calls.ts';
import { startRaw } from '../support/raw-program.ts';
import {
  json,
  type RecordingUpstream,
  type SeenRequest,
  startRecordingUpstream,
} from '../support/recording-upstream.ts';
import { runInProcess } from '../support/run-in-process.ts';

const password = 'Mark1 p&ss/w+rd=ç"';
const apiKey = 'Mark2/api+key=9';
const token = 'Mark3.access/token+9';
const clientSecret = 'Mark4 client/secret&=';
const licenseKey = 'Mark5/license+key=';
/** What the token endpoint gives out is a secret as well. */
const mintedToken = 'Mark6/minted+token=';
const signature = 'Mark7/sign+ature=';
const databasePassword = 'Mark8 data/base+pass=';
const user = 'fiscal-user';

const everySecret = [
  password,
  apiKey,
  token,
  clientSecret,
  licenseKey,
  mintedToken,
  signature,
  databasePassword,
];

/** The ways a text may spell a secret. */
function spellings(secret: string): string[] {
  const base64 = [
    secret,
    `${user}:${secret}`,
    `${encodeURIComponent(user)}:${encodeURIComponent(secret)}`,
  ].map((text) => Buffer.from(text).toString('base64').replace(/=+$/, ''));
  const encoded = encodeURIComponent(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replace(/%../g, (code) => code.toLowerCase()),
    encodeURIComponent(encoded),
    new URLSearchParams({ '': secret }).toString().slice(1),
    secret.replaceAll('&', '&amp;'),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

function expectNoSecret(text: string, where: string): void {
  for (const secret of everySecret) {
    for (const spelling of spellings(secret))
      expect(text.includes(spelling), `${where}: ${spelling}`).toBe(false);
  }
}

const oldUrl = `https://files.example/doc?sv=1&sig=${encodeURIComponent(signature)}`;

const reads: readonly Call[] = [
  ...quotingReads,
  ['list_documents', { document: 'cte', ...period }],
  ['get_document', { document: 'nfe', key, format: 'pdf', delivery: 'file' }],
  ['renew_sas_url', { old_url: oldUrl }],
  ['query_documents', { document: 'nfe', from: '2026-11-20', to: '2026-11-20', group_by: ['issuer'] }],
];

const writes: readonly Call[] = [
  ['manifest_nfe', { key, event: 'ciencia' }],
  ['manifest_nfe_batch', { keys: [key], event: 'ciencia' }],
  ['update_company_setting', setting],
];

/** Everything a request carried, in the words of a service that tells too much. */
function everythingOf({ path, rawQuery, query, headers, body }: SeenRequest): string {
  const authorization = headers.authorization ?? '';
  const [, credentials = ''] = authorization.split(' ');
  const decoded = Buffer.from(credentials, 'base64').toString();
  const values = query.map(([name, value]) => `${name} is ${value}`).join(', ');
  return [
    `${path}?${rawQuery}`,
    values,
    authorization,
    credentials,
    decoded,
    body,
    decodeURIComponent(body),
  ].join(' | ');
}

type Telling = (response: ServerResponse, words: string) => void;

function write(status: number, type: string, body: (words: string) => string): Telling {
  return (response, words) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body(words));
  };
}

/** How a service can tell what it should not. */
const tellings: Readonly<Record<string, Telling>> = {
  'a JSON message': write(400, 'application/json', (words) => JSON.stringify({ Message: words })),
  'an exception': write(500, 'application/json', (words) =>
    JSON.stringify({ Message: 'An error has occurred.', ExceptionMessage: words, StackTrace: words }),
  ),
  'a page': write(404, 'text/html', (words) => `<html><body><h1>Not found</h1><p>${words}</p></body></html>`),
  'plain text': write(403, 'text/plain', (words) => words),
  'an OAuth error': write(401, 'application/json', (words) =>
    JSON.stringify({ error: 'invalid_client', error_description: words }),
  ),
  'an account error': write(400, 'application/json', (words) =>
    JSON.stringify({ error: { code: 'ValueConflictError', message: words, details: [{ message: words }] } }),
  ),
  'a reply that is no reply': write(200, 'application/json', (words) => JSON.stringify(words)),
  'an envelope with an error': write(200, 'application/json', (words) =>
    JSON.stringify(
      `<retChavesNfe><erro><codigo>9</codigo><mensagem>${words}</mensagem></erro></retChavesNfe>`,
    ),
  ),
  'event results': write(200, 'application/json', (words) =>
    JSON.stringify({ ChaveNFe: key, Sucesso: 0, Mensagem: words }),
  ),
};

const accountWays: Readonly<Record<string, (url: string) => Record<string, string>>> = {
  'an API key': () => ({ DFE_ACCOUNT_API_KEY: apiKey }),
  'a token': () => ({ DFE_ACCOUNT_TOKEN: token }),
  'client credentials': (url) => ({
    DFE_ACCOUNT_OAUTH_TOKEN_URL: `${url}/token`,
    DFE_ACCOUNT_OAUTH_CLIENT_ID: user,
    DFE_ACCOUNT_OAUTH_CLIENT_SECRET: clientSecret,
  }),
  'a license key': () => ({ DFE_ACCOUNT_USER: user, DFE_ACCOUNT_LICENSE_KEY: licenseKey }),
};

let folder: ReturnType<typeof temporaryFolder>;
let upstream: RecordingUpstream;
let heard: Heard | undefined;

beforeEach(async () => {
  folder = temporaryFolder();
  upstream = await startRecordingUpstream((_request, response) => json(response, 'Conectado'));
});

afterEach(async () => {
  await heard?.close();
  heard = undefined;
  await upstream.close();
  folder.remove();
});

function environment(way: Record<string, string> = { DFE_ACCOUNT_API_KEY: apiKey }): Record<string, string> {
  return {
    DFE_URL: upstream.url,
    DFE_USER: user,
    DFE_PASSWORD: password,
    DFE_CNPJ: '48152036000117',
    DFE_ACCOUNT_URL: upstream.url,
    DFE_DATA_DIR: join(folder.path, 'data'),
    DFE_DOWNLOAD_DIR: join(folder.path, 'downloads'),
    DFE_LANGUAGE: 'en',
    ...way,
  };
}

function expectNoSecretOnDisk(): void {
  for (const entry of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
    expectNoSecret(entry.name, 'a file name');
    if (entry.isFile()) {
      expectNoSecret(readFileSync(join(entry.parentPath, entry.name), 'latin1'), entry.name);
      expectNoSecret(readFileSync(join(entry.parentPath, entry.name), 'utf8'), entry.name);
    }
  }
}

/** A server with all that it says, to whomever. */
interface Heard {
  call(tool: string, args: object): Promise<ToolResult>;
  stdout(): string;
  stderr(): string;
  close(): Promise<void>;
}

async function listen(env: Record<string, string>): Promise<Heard> {
  const server = serveInProcess({ env });
  const client = await openClient('v1', server.transport);
  return {
    call: (tool, args) => client.call(tool, { ...args }),
    stdout: server.stdout,
    stderr: server.stderr,
    async close() {
      await client.close();
      await server.close();
    },
  };
}

/** The same with the built program. */
async function listenToProgram(env: Record<string, string>): Promise<Heard> {
  const raw = startRaw([], env);
  await raw.initialize();
  let lastId = 0;
  return {
    async call(name, args) {
      lastId += 1;
      raw.send({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params: { name, arguments: args } });
      const { result } = await raw.answerTo(lastId);
      return toResult(result);
    },
    stdout: raw.stdout,
    stderr: raw.stderr,
    close: raw.close,
  };
}

/** Previews and confirms. */
async function previewAndConfirm(program: Heard, name: string, args: object): Promise<ToolResult> {
  const { structured } = await program.call(name, args);
  return program.call(name, { ...args, confirmation_token: structured?.confirmation_token });
}

async function callAll(program: Heard, kind: string): Promise<void> {
  upstream.respond((request, response) => tellings[kind]?.(response, everythingOf(request)));
  for (const [tool, args] of reads) await program.call(tool, args);
  for (const [tool, args] of writes) await previewAndConfirm(program, tool, args);
}

function expectNothingTold({ stdout, stderr }: Heard): void {
  expectNoSecret(stdout(), 'standard output');
  expectNoSecret(stderr(), 'standard error');
  expectNoSecretOnDisk();
}

describe('a service that repeats what it was sent', () => {
  it.each(Object.keys(tellings))('in %s makes no answer tell a secret', async (kind) => {
    heard = await listen(environment());
    await callAll(heard, kind);
    const sent = upstream.seen.map(everythingOf).join('\n');
    for (const secret of [password, apiKey]) expect(sent).toContain(secret);
    expect(existsSync(join(folder.path, 'data'))).toBe(true);
    expectNothingTold(heard);
  });

  it('makes the built program tell nothing on any of its streams', async () => {
    heard = await listenToProgram(environment());
    // Each was said to a server within this process.
    const kinds = Object.keys(tellings).filter((_, at) => at % 3 === 0);
    for (const kind of kinds) await callAll(heard, kind);
    expect(kinds.length).toBeGreaterThan(2);
    expect(heard.stdout().split('\n').length).toBeGreaterThan(
      kinds.length * (reads.length + 2 * writes.length) - 6,
    );
    expectNothingTold(heard);
  });

  it.each(Object.keys(accountWays))('tells nothing of %s for the account', async (way) => {
    heard = await listen(environment(accountWays[way]?.(upstream.url)));
    for (const telling of Object.values(tellings)) {
      upstream.respond((request, response) => telling(response, everythingOf(request)));
      await previewAndConfirm(heard, 'update_company_setting', setting);
      upstream.respond((request, response) => {
        if (request.path === '/token') json(response, { access_token: mintedToken, token_type: 'Bearer' });
        else telling(response, everythingOf(request));
      });
      await previewAndConfirm(heard, 'update_company_setting', setting);
    }
    expect(upstream.seen.filter(({ method }) => method === 'PUT').length).toBeGreaterThan(0);
    expectNothingTold(heard);
  });

  function settingsForDoctor(way = 'an API key'): Record<string, string> {
    const file = join(folder.path, 'password');
    writeFileSync(file, password);
    const { DFE_PASSWORD: _password, ...others } = environment(accountWays[way]?.(upstream.url));
    upstream.respond((request, response) => tellings['an exception']?.(response, everythingOf(request)));
    return { ...others, DFE_PASSWORD_FILE: file };
  }

  it.each(Object.keys(accountWays))('tells nothing to doctor, with %s', async (way) => {
    const { report, text, stderr } = await examined(settingsForDoctor(way));
    expect(report.verdict).toBe('failed');
    expectNoSecret(JSON.stringify(report), 'its report');
    expectNoSecret(text, 'standard output');
    expectNoSecret(stderr, 'standard error');
  });

  it('tells nothing to the built program’s doctor', async () => {
    const settings = settingsForDoctor();
    for (const args of [['doctor'], ['doctor', '--json']]) {
      const { code, stdout, stderr } = await runProgram(args, settings);
      expect(code).toBe(1);
      expectNoSecret(stdout, 'standard output');
      expectNoSecret(stderr, 'standard error');
    }
  });
});

describe('a lost connection', () => {
  it('tells no secret', async () => {
    heard = await listen(environment());
    upstream.respond((_request, response) => void response.destroy());
    await heard.call('get_nfe_classifications', { key });
    for (const [tool, args] of writes) await previewAndConfirm(heard, tool, args);
    await upstream.close();
    await heard.call('get_document', { document: 'nfe', key });
    expectNothingTold(heard);
  });
});

describe('a shared-access address in place of a PDF', () => {
  const address = (base: string) => `${base}/files/danfe.pdf?sv=2024&sig=${encodeURIComponent(signature)}`;

  it.each([
    [
      'is refused by the store',
      (response: ServerResponse, words: string) => write(403, 'text/plain', () => words)(response, ''),
    ],
    [
      'is not a PDF',
      (response: ServerResponse, words: string) => write(200, 'text/html', () => words)(response, ''),
    ],
    ['breaks off', (response: ServerResponse) => void response.destroy()],
  ])('that %s tells no signature', async (_what, fail) => {
    heard = await listen(environment());
    upstream.respond((request, response) => {
      if (request.path.startsWith('/files/')) fail(response, everythingOf(request));
      else json(response, address(upstream.url));
    });
    const answer = await heard.call('get_document', {
      document: 'nfe',
      key,
      format: 'pdf',
      delivery: 'file',
    });
    expect(answer.isError).toBe(true);
    expect(upstream.seen.some(({ path }) => path.startsWith('/files/'))).toBe(true);
    expectNothingTold(heard);
  });

  it('of a foreign host over plain http is not fetched, and not told', async () => {
    heard = await listen(environment());
    upstream.respond((_request, response) => json(response, address('http://files.invalid')));
    const answer = await heard.call('get_document', { document: 'nfe', key, format: 'pdf' });
    expect(answer.isError).toBe(true);
    expectNoSecret(heard.stdout(), 'standard output');
    expectNoSecret(heard.stderr(), 'standard error');
  });

  it('that works gives the PDF, and neither address nor signature', async () => {
    heard = await listen(environment());
    upstream.respond((request, response) => {
      if (!request.path.startsWith('/files/')) return json(response, address(upstream.url));
      response.writeHead(200, { 'content-type': 'application/pdf' });
      response.end('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n');
    });
    const answer = await heard.call('get_document', {
      document: 'nfe',
      key,
      format: 'pdf',
      delivery: 'file',
    });
    expect(answer).toMatchObject({ structured: { format: 'pdf' } });
    expectNoSecret(heard.stdout(), 'standard output');
    expectNoSecretOnDisk();
  });
});

describe('the address of a database', () => {
  /** Asks for the password in clear, as an old or a false database does, and then repeats it. */
  async function startTalkativeDatabase() {
    const seen: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        if (data[0] !== 0x70) return void socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
        const words = data.subarray(5, -1).toString();
        seen.push(words);
        const fields = Buffer.from(`SFATAL\0C28P01\0Mno entry for ${user} with ${words}\0D${words}\0\0`);
        const head = Buffer.from([0x45, 0, 0, 0, 0]);
        head.writeInt32BE(fields.length + 4, 1);
        socket.end(Buffer.concat([head, fields]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const address = `postgres://${user}:${encodeURIComponent(databasePassword)}@127.0.0.1:${port}/fiscal`;
    return {
      address,
      seen,
      close: () => new Promise<void>((resolve) => server.close(() => resolve())),
    };
  }

  const question = {
    document: 'nfe',
    from: '2026-11-20',
    to: '2026-11-20',
    group_by: ['issuer'],
  };

  it('is told to nobody, not even when the database repeats it', async () => {
    const database = await startTalkativeDatabase();
    try {
      const settings = environment({ DFE_DATABASE_URL: database.address });
      heard = await listen(settings);
      expect((await heard.call('query_documents', question)).isError).toBe(true);
      expect(database.seen).toContain(databasePassword);
      expectNoSecret(heard.stdout(), 'standard output');
      expectNoSecret(heard.stderr(), 'standard error');
      expectNoSecretOnDisk();
      for (const args of [['doctor'], ['doctor', '--json'], ['archive', 'info'], ['archive', 'verify']]) {
        const { stdout, stderr } = await (args.length === 1 ? runProgram : runInProcess)(args, settings);
        expectNoSecret(stdout, args.join(' '));
        expectNoSecret(stderr, args.join(' '));
      }
    } finally {
      await database.close();
    }
  });
});
