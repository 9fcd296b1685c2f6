import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askThrough } from '../support/asking.ts';
import { runProgram } from '../support/built-program.ts';
import { openClient, type ToolResult, toResult } from '../support/clients.ts';
import { startConfigured, startConfiguredProgram } from '../support/configured-server.ts';
import { duringEachTest, folderOfEachTest } from '../support/during-tests.ts';
import { examined } from '../support/examined.ts';
import { serveInProcess } from '../support/in-process.ts';
import { startRaw } from '../support/raw-program.ts';
import {
  json,
  type Responder,
  type SeenRequest,
  startRecordingUpstream,
} from '../support/recording-upstream.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { saying } from '../support/served.ts';
import { spellings } from '../support/spellings.ts';

const password = 'Mark1 p&ss/w+rd=ç"\'';
const apiKey = 'Mark2/ap1+k3y="9&';
const token = 'Mark3.acc3ss/t0k3n+9';
const clientSecret = 'Mark4 cl1ent/s3cret&=';
const licenseKey = 'Mark5/lic&nse+key=';
/** What the token endpoint gives out is a secret as well. */
const mintedToken = 'Mark6/m1nted+t0ken=&';
const signature = 'Mark7/sign+ature=';
const databasePassword = 'Mark8 data/b&se+pass=';
const user = 'fiscal-user';
const secrets = [password, apiKey, token, clientSecret, licenseKey, mintedToken, signature, databasePassword];

function expectNoSecret(text: string, where: string): void {
  for (const secret of secrets)
    for (const [encoding, spell] of Object.entries(spellings))
      expect(text.includes(spell(secret).replace(/=+$/, '')), `${where}: ${secret} ${encoding}`).toBe(false);
}

type Call = readonly [tool: string, args: object];
const key = '43261119960320000111550010000425221096040112';
const period = { from: '2026-11-01', to: '2026-11-20' };
const setting = { company_id: 1, id: 1, set: 'X-A', name: 'a', value: 'b' };
const oldUrl = `https://files.example/doc?sv=1&sig=${encodeURIComponent(signature)}`;
const pdfFile = { document: 'nfe', key, format: 'pdf', delivery: 'file' };

/** Calls whose answers quote what a service says. */
const reads: readonly Call[] = [
  ['check_connection', {}],
  ['get_nfe_classifications', { key }],
  ['get_nfe_event_status', { key, event: 'ciencia' }],
  ['list_document_keys', { document: 'nfe', ...period }],
  ['list_nfe_summaries', period],
  ['get_document', { document: 'nfe', key }],
  ['list_nfe_covers', { ...period, direction: 'inbound' }],
  ['list_documents', { document: 'cte', ...period }],
  ['get_document', pdfFile],
  ['renew_sas_url', { old_url: oldUrl }],
  ['query_documents', { document: 'nfe', from: '2026-11-20', to: '2026-11-20', group_by: ['issuer'] }],
];
const writes: readonly Call[] = [
  ['manifest_nfe', { key, event: 'ciencia' }],
  ['manifest_nfe_batch', { keys: [key], event: 'ciencia' }],
  ['update_company_setting', setting],
];

type Telling = (response: ServerResponse, words: string) => void;
const write =
  (status: number, type: string, body: (words: string) => unknown): Telling =>
  (response, words) => {
    const said = body(words);
    response.writeHead(status, { 'content-type': type });
    response.end(typeof said === 'string' ? said : JSON.stringify(said));
  };
const asJson = 'application/json; charset=utf-8';

/** How a service can tell what it should not. */
const tellings: Readonly<Record<string, Telling>> = {
  'a JSON message': write(400, asJson, (words) => ({ Message: `Erro: ${words}` })),
  'an exception': write(500, asJson, (words) => ({
    ...{ Message: 'An error has occurred.', ExceptionMessage: words, StackTrace: words },
  })),
  'a page': write(404, 'text/html', (words) => `<html><body><h1>Not found</h1><p>${words}</p></body></html>`),
  'plain text': write(403, 'text/plain; charset=utf-8', (words) => words),
  'an OAuth error': write(401, asJson, (words) => ({ error: 'invalid_client', error_description: words })),
  'an account error': write(400, asJson, (words) => ({
    error: { code: words, message: words, details: [{ message: words }] },
  })),
  'a reply that is no reply': write(200, asJson, (words) => JSON.stringify(words)),
  'a record': write(200, asJson, (words) => ({ Nome: 'a', [words]: words, Texto: words })),
  'an envelope with an error': write(200, asJson, (words) =>
    JSON.stringify(
      `<retChavesNfe><erro><codigo>9</codigo><mensagem>${words}</mensagem></erro></retChavesNfe>`,
    ),
  ),
  'an envelope in JSON': write(200, asJson, (words) => ({ retorno: { cStat: '215', xMotivo: words } })),
  'event results': write(200, asJson, (words) => ({ ChaveNFe: key, Sucesso: 0, Mensagem: words })),
  'a list of keys': write(200, asJson, (words) => [key, words]),
};

/** Ways to authenticate to the account service, and their secrets. */
const accounts: Readonly<
  Record<string, [settings: (url: string) => Record<string, string>, ...secrets: string[]]>
> = {
  'an API key': [() => ({ DFE_ACCOUNT_API_KEY: apiKey }), apiKey],
  'a token': [() => ({ DFE_ACCOUNT_TOKEN: token }), token],
  'client credentials': [
    (url) => ({
      DFE_ACCOUNT_OAUTH_TOKEN_URL: `${url}/token`,
      DFE_ACCOUNT_OAUTH_CLIENT_ID: user,
      DFE_ACCOUNT_OAUTH_CLIENT_SECRET: clientSecret,
    }),
    ...[clientSecret, mintedToken],
  ],
  'a licence key': [() => ({ DFE_ACCOUNT_USER: user, DFE_ACCOUNT_LICENSE_KEY: licenseKey }), licenseKey],
};
const ways = Object.keys(accounts);
const settingsOf = (way: string, url: string) => accounts[way]?.[0](url) ?? {};
const minting = { access_token: mintedToken, token_type: 'Bearer' };

/** Everything a request carried, in the words of a service that tells too much. */
function everythingOf({ path, rawQuery, query, headers, body }: SeenRequest): string {
  const { authorization = '' } = headers;
  const [, credentials = ''] = authorization.split(' ');
  const values = query.map(([name, value]) => `${name} is ${value}`).join(', ');
  const decoded = Buffer.from(credentials, 'base64').toString();
  const said = [`${path}?${rawQuery}`, values, authorization, credentials, decoded, body];
  return [...said, decodeURIComponent(body)].join(' | ');
}

/** A server with all that it says, to whomever. */
interface Heard {
  call(tool: string, args: object): Promise<ToolResult>;
  stdout(): string;
  stderr(): string;
}

async function listen(env: Record<string, string>): Promise<Heard> {
  const server = serveInProcess({ env });
  const client = await openClient('v1', server.transport);
  return {
    call: (tool, args) => client.call(tool, { ...args }),
    stdout: server.stdout,
    stderr: server.stderr,
  };
}

/** The same with the built program. */
async function listenToProgram(env: Record<string, string>): Promise<Heard> {
  const raw = startRaw([], env);
  await raw.initialize();
  let id = 0;
  return {
    async call(name, args) {
      id += 1;
      raw.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
      return toResult((await raw.answerTo(id)).result);
    },
    stdout: raw.stdout,
    stderr: raw.stderr,
  };
}

const folder = folderOfEachTest();
const upstream = duringEachTest(() => startRecordingUpstream(saying('Conectado')));

const environment = (way = 'an API key'): Record<string, string> => ({
  ...{ DFE_URL: upstream.url, DFE_USER: user, DFE_PASSWORD: password, DFE_CNPJ: '48152036000117' },
  ...{ DFE_ACCOUNT_URL: upstream.url, DFE_LANGUAGE: 'en' },
  DFE_DATA_DIR: join(folder.path, 'data'),
  DFE_DOWNLOAD_DIR: join(folder.path, 'downloads'),
  ...settingsOf(way, upstream.url),
});

/** Previews and confirms. */
async function confirm({ call }: Heard, name: string, args: object): Promise<ToolResult> {
  const { structured } = await call(name, args);
  return call(name, { ...args, confirmation_token: structured?.confirmation_token });
}

async function callAll(program: Heard, kind: string): Promise<void> {
  upstream.respond((request, response) => tellings[kind]?.(response, everythingOf(request)));
  for (const [tool, args] of reads) await program.call(tool, args);
  for (const [tool, args] of writes) await confirm(program, tool, args);
}

function expectNothingTold({ stdout, stderr }: Pick<Heard, 'stdout' | 'stderr'>): void {
  expectNoSecret(stdout(), 'standard output');
  expectNoSecret(stderr(), 'standard error');
  for (const entry of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
    expectNoSecret(entry.name, 'a file name');
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.endsWith('password')) continue;
    for (const encoding of ['latin1', 'utf8'] as const)
      expectNoSecret(readFileSync(path, encoding), entry.name);
  }
}

describe('a service that repeats what it was sent', () => {
  it.each(Object.keys(tellings))('in %s makes no answer tell a secret', async (kind) => {
    const heard = await listen(environment());
    await callAll(heard, kind);
    const sent = upstream.seen.map(everythingOf).join('\n');
    for (const secret of [password, apiKey]) expect(sent).toContain(secret);
    expect(existsSync(join(folder.path, 'data'))).toBe(true);
    expectNothingTold(heard);
  });

  it('makes the built program tell nothing on any of its streams', async () => {
    const heard = await listenToProgram(environment());
    // Each was said to a server within this process.
    const kinds = Object.keys(tellings).filter((_, at) => at % 4 === 0);
    for (const kind of kinds) await callAll(heard, kind);
    const calls = kinds.length * (reads.length + 2 * writes.length);
    expect(heard.stdout().split('\n').length).toBeGreaterThan(calls - 6);
    expectNothingTold(heard);
  });

  it.each(ways)('tells nothing of %s for the account', async (way) => {
    const heard = await listen(environment(way));
    for (const telling of Object.values(tellings))
      for (const mints of [false, true]) {
        upstream.respond((request, response) =>
          mints && request.path === '/token'
            ? json(response, minting)
            : telling(response, everythingOf(request)),
        );
        await confirm(heard, 'update_company_setting', setting);
      }
    expect(upstream.seen.some(({ method }) => method === 'PUT')).toBe(true);
    expectNothingTold(heard);
  });

  it.each([...ways, 'the built program'])('tells nothing to doctor, with %s', async (way) => {
    const file = join(folder.path, 'password');
    writeFileSync(file, password);
    const isBuilt = way === 'the built program';
    const { DFE_PASSWORD: _password, ...others } = environment(isBuilt ? undefined : way);
    const settings = { ...others, DFE_PASSWORD_FILE: file };
    upstream.respond((request, response) => tellings['an exception']?.(response, everythingOf(request)));
    if (!isBuilt) {
      const { report, text, stderr } = await examined(settings);
      expect(report.verdict).toBe('failed');
      return expectNothingTold({ stdout: () => JSON.stringify(report) + text, stderr: () => stderr });
    }
    for (const args of [['doctor'], ['doctor', '--json']]) {
      const { code, stdout, stderr } = await runProgram(args, settings);
      expect(code).toBe(1);
      expectNothingTold({ stdout: () => stdout, stderr: () => stderr });
    }
  });

  it('or loses its connection tells no secret', async () => {
    const heard = await listen(environment());
    upstream.respond((_request, response) => void response.destroy());
    await heard.call('get_nfe_classifications', { key });
    for (const [tool, args] of writes) await confirm(heard, tool, args);
    await upstream.close();
    await heard.call('get_document', { document: 'nfe', key });
    expectNothingTold(heard);
  });
});

describe('a shared-access address in place of a PDF', () => {
  const address = (base: string) => `${base}/files/danfe.pdf?sv=2024&sig=${encodeURIComponent(signature)}`;
  const pdf = '%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n';

  it.each<[what: string, isFailing: boolean, give: Responder]>([
    [
      'is refused by the store',
      true,
      (asked, response) => write(403, 'text/plain', String)(response, everythingOf(asked)),
    ],
    [
      'is not a PDF',
      true,
      (asked, response) => write(200, 'text/html', String)(response, everythingOf(asked)),
    ],
    ['breaks off', true, (_, response) => void response.destroy()],
    ['works', false, (_, response) => write(200, 'application/pdf', String)(response, pdf)],
  ])('that %s tells neither address nor signature', async (_what, isFailing, give) => {
    const heard = await listen(environment());
    upstream.respond((request, response, count) =>
      request.path.startsWith('/files/')
        ? give(request, response, count)
        : json(response, address(upstream.url)),
    );
    expect((await heard.call('get_document', pdfFile)).isError).toBe(isFailing);
    expect(upstream.seen.some(({ path }) => path.startsWith('/files/'))).toBe(true);
    expectNothingTold(heard);
  });

  it('of a foreign host over plain http is neither fetched nor shown', async () => {
    const heard = await listen(environment());
    upstream.respond(saying(address('http://files.invalid')));
    expect((await heard.call('get_document', pdfFile)).isError).toBe(true);
    expectNothingTold(heard);
  });
});

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
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { address, seen, [Symbol.asyncDispose]: close };
}

it('the address of a database is never shown, not even when the database repeats it', async () => {
  await using database = await startTalkativeDatabase();
  const settings = { ...environment(), DFE_DATABASE_URL: database.address };
  const heard = await listen(settings);
  expect(
    (
      await heard.call('query_documents', {
        document: 'nfe',
        from: '2026-11-20',
        to: '2026-11-20',
        group_by: ['issuer'],
      })
    ).isError,
  ).toBe(true);
  expect(database.seen).toContain(databasePassword);
  expectNothingTold(heard);
  for (const args of [['doctor'], ['doctor', '--json'], ['archive', 'info'], ['archive', 'verify']]) {
    const { stdout, stderr } = await (args.length === 1 ? runProgram : runInProcess)(args, settings);
    expectNothingTold({ stdout: () => stdout, stderr: () => stderr });
  }
});

it.each(['undici', 'fetch', 'http,https,net,tls', '*'])(
  'the built program tells no secret where NODE_DEBUG=%s asks what it does',
  async (debugged) => {
    const program = await startConfiguredProgram({
      respond: ({ path }, response) => json(response, path === '/token' ? minting : 'Conectado'),
      env: { NODE_DEBUG: debugged, DFE_PASSWORD: password },
      envAt: (url) => ({ DFE_ACCOUNT_URL: url, ...settingsOf('client credentials', url) }),
    });
    await program.call('check_connection', {});
    await askThrough(() => program).confirmed('update_company_setting', setting);
    await program.close();
    const sent = program.upstream.seen.map(everythingOf).join(' ');
    for (const secret of [password, `Bearer ${mintedToken}`]) expect(sent).toContain(secret);
    expectNothingTold({ stdout: () => '', stderr: program.stderr });
    expect(program.stderr()).not.toMatch(/API\/|\/token/);
    // Node's own words are still written.
    if (debugged === '*') expect(program.stderr()).toMatch(/^NET \d+:/m);
  },
);

it('a document that holds what is also a password keeps it in all its fields', async () => {
  const name = 'Comercial Horizonte';
  const remark = `ver https://site.example/a?b=c senha=livre ${name}`;
  const note = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe Id="NFe${key}" versao="4.00"><ide><cUF>43</cUF><natOp>VENDA</natOp><mod>55</mod><serie>1</serie><nNF>42522</nNF><dhEmi>2026-11-10T12:15:33-03:00</dhEmi><tpNF>1</tpNF></ide><emit><CNPJ>19960320000111</CNPJ><xNome>${name}</xNome></emit><dest><CNPJ>48152036000117</CNPJ><xNome>x</xNome></dest><total><ICMSTot><vNF>10.00</vNF></ICMSTot></total><infAdic><infCpl>${remark}</infCpl></infAdic></infNFe></NFe></nfeProc>`;
  await using connection = await startConfigured({ respond: saying(note), env: { DFE_PASSWORD: name } });
  const { structured } = await connection.call('get_document', { document: 'nfe', key });
  expect(structured?.document).toMatchObject({ issuer: { name }, notes: remark });
});
