import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { createTaxDocumentsClient, type TaxDocumentsClient } from '../../src/clients/documents/client.ts';
import { OutcomeUnknown, Refused, Unreachable } from '../../src/clients/errors.ts';
import { isLong } from '../support/depth.ts';
import {
  accessKey,
  accessKeys,
  documentListReply,
  downloadReply,
  keyListReply,
  nfeXml,
  nfseListReply,
  nfseXml,
  pdfBytes,
} from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { standStill, until } from '../support/passing-time.ts';
import { clientOf, listen } from './http/local-server.ts';

const company = '48152036000117';
const days = { company, from: '2026-11-01T00:00:00', to: '2026-11-19T23:59:59' } as const;
const key = accessKey({ number: 1 });
const event = { key, event: '210210' } as const;
const record = { ChaveNFe: key, Evento: '210210', Mensagem: '135 - Evento registrado', Sucesso: 1 };

interface Operation {
  readonly path: string;
  /** What the service answers when nothing is wrong. */
  readonly reply: string;
  readonly call: (client: TaxDocumentsClient) => Promise<unknown>;
}

const operation = (path: string, reply: unknown, call: Operation['call']): Operation => ({
  ...{ path, reply: JSON.stringify(reply), call },
});
const nfse = { number: '1', issue_date: '2026-11-05', issuer_cnpj: '58716523000119' };
const files = 'https://files.example/a';

/** A read for each kind of reply. */
const reads: Readonly<Record<string, Operation>> = {
  text: operation('ConectividadeWS', 'Conectado', (client) => client.call('connectivity', {})),
  integer: operation('Login', '12', (client) => client.call('login', {})),
  url: operation('RetornaNovaUrlSaS', `${files}?sig=abc`, (client) =>
    client.call('renewSasUrl', { oldUrl: files }),
  ),
  record: operation('PesquisarStatusEvento', record, (client) => client.call('nfeEventStatus', event)),
  document: operation('Mercadoria/DownloadXml', downloadReply(nfeXml({ number: 1 })), (client) =>
    client.call('nfeXml', { key }),
  ),
  pdf: operation('DownloadPdfNfe', pdfBytes.toString('base64'), (client) => client.call('nfePdf', { key })),
  service_document: operation('DownloadNfse', nfseXml({ number: 1 }), (client) =>
    client.call('nfseDocument', nfse),
  ),
  access_keys: operation('Mercadoria/RetornaChavesPelaEmissao', keyListReply(accessKeys(9)), (client) =>
    client.call('nfeKeysByIssue', days),
  ),
  service_keys: operation('Servico/RetornaChavesPelaEmissao', nfseListReply([1, 2, 3]), (client) =>
    client.call('nfseKeysByIssue', { ...days, direction: 'inbound' }),
  ),
  documents: operation(
    'Mercadoria/RetornaListaXmlPelaEmissao',
    documentListReply([1, 2, 3].map((number) => nfeXml({ number }))),
    (client) =>
      client.list('nfeListByIssue', days, async (documents) => {
        const keys: unknown[] = [];
        for await (const { summary } of documents) keys.push(summary.key);
        return keys;
      }),
  ),
  undocumented: operation('RetornaCapas', [{ Chave: '1' }, { Chave: '2' }], (client) =>
    client.call('nfeCovers', { ...days, direction: 'inbound', key: '' }),
  ),
};

/** The writes of the documents service. */
const writes: Readonly<Record<string, Operation>> = {
  'write of a record': operation('RealizarManifesto', record, (client) => client.call('manifest', event)),
  'write of records': operation('RealizarLoteManifesto', [record], (client) =>
    client.call('manifestBatch', { events: '[]' }),
  ),
};

const operations = { ...reads, ...writes };

/** What the server does with a connection on which a whole request has arrived; `reply` would be the right one. */
type Fault = (socket: Socket, reply: Buffer) => void;

const head = (headers: readonly string[], status = '200 OK') =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');

/** The bytes that these parts are together. */
const bytesOf = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const chunked = head(['Transfer-Encoding: chunked']);

/** A whole answer with these headers and the body that is made of the right one. */
function answering(headers: readonly string[], body: (reply: Buffer) => Buffer, status?: string): Fault {
  return (socket, reply) => {
    const bytes = body(reply);
    socket.end(bytesOf(head([...headers, `Content-Length: ${bytes.length}`], status), bytes));
  };
}

const asItIs = (reply: Buffer) => reply;
const half = (reply: Buffer) => reply.subarray(0, reply.length >> 1);
const with0xff = (reply: Buffer) => bytesOf(half(reply), Buffer.of(0xff), reply.subarray(reply.length >> 1));
const encoded = (coding: string, body: (reply: Buffer) => Buffer) =>
  answering([`Content-Encoding: ${coding}`], body);
const cut = (pack: (reply: Buffer) => Buffer) => (reply: Buffer) => pack(reply).subarray(0, -9);
const damaged = (pack: (reply: Buffer) => Buffer) => (reply: Buffer) => {
  const bytes = Buffer.from(pack(reply));
  for (let at = bytes.length >> 1; at < bytes.length; at += 3) bytes[at] = ~(bytes[at] ?? 0);
  return bytes;
};
const status = (line: string): Fault => answering([], asItIs, line);

/** Outcome of a write: certainly refused, never sent, or unknown. Never done. */
type Write = 'Refused' | 'not sent' | 'unknown';

const broken = { name: 'Unreachable', code: 'ECONNRESET' };
const notUnderstood = { name: 'NotUnderstood' };
const because = (reason: string) => ({ ...notUnderstood, reason });
const ending =
  (...parts: (string | Buffer)[]): Fault =>
  (socket) =>
    void socket.end(bytesOf(...parts));
const bytes = (text: string | Buffer) => answering([], () => Buffer.from(text));
/** Its length in a header and the right reply behind it. */
const ofLength =
  (length: (reply: Buffer) => string): Fault =>
  (socket, reply) =>
    void socket.end(bytesOf(head([`Content-Length: ${length(reply)}`, 'Connection: close']), reply));

const packings = Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync });

/** Faults, and the error that every read ends with; the outcome of every write is unknown then. */
const faults: readonly (readonly [name: string, fault: Fault, read: object])[] = [
  ['a reset', (socket) => socket.resetAndDestroy(), broken],
  ['the end of the connection', ending(), broken],
  ['half a head', ending('HTTP/1.1 200 O'), broken],
  ['another protocol', ending('SSH-2.0-x\r\n'), because('not HTTP')],
  ['a head of 40 KB', answering([`X-Big: ${'x'.repeat(40_000)}`], asItIs), because('head too large')],
  ['less than its length', ofLength(() => '999999'), broken],
  ['more than its length', ofLength((reply) => `${reply.length >> 1}`), notUnderstood],
  ['two lengths', ofLength((reply) => `${reply.length}\r\nContent-Length: 1`), broken],
  [
    'chunks without an end',
    (socket, reply) => socket.end(bytesOf(`${chunked}${reply.length.toString(16)}\r\n`, reply, '\r\n')),
    broken,
  ],
  ['a chunk of no size', ending(`${chunked}zz\r\n`), because('not HTTP')],
  ['half a body', answering([], half), notUnderstood],
  ['no body', bytes(''), because('empty')],
  ['blanks', bytes(' \r\n'), because('empty')],
  ['zeros', answering([], (reply) => Buffer.alloc(reply.length)), notUnderstood],
  ['bytes that are no UTF-8', answering([], with0xff), notUnderstood],
  ['an unknown charset', answering(['Content-Type: a/b; charset=klingon'], asItIs), notUnderstood],
  ['a page', bytes('<!DOCTYPE html><html><body>Entrar</body></html>'), because('html page')],
  ['a declared entity', bytes('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), because('doctype')],
  ['an unknown content encoding', encoded('zstd', asItIs), because('unknown content encoding')],
  ['plain text called gzip', encoded('gzip', asItIs), because('broken content encoding')],
  ['gzip called deflate', encoded('deflate', gzipSync), because('broken content encoding')],
  ['raw deflate', encoded('deflate', deflateRawSync), because('broken content encoding')],
  ...packings.flatMap(
    ([coding, pack]) =>
      [
        [`${coding} cut`, encoded(coding, cut(pack)), because('truncated')],
        [`${coding} damaged`, encoded(coding, damaged(pack)), notUnderstood],
      ] as const,
  ),
  ['gzip cut in the body', answering([], cut(gzipSync)), notUnderstood],
];

/** Replies that are right, however they come. */
const soundReplies: readonly (readonly [string, Fault])[] = [
  ['as it is', answering([], asItIs)],
  ['UTF-8 that is called UTF-16', answering(['Content-Type: a/b; charset=utf-16'], asItIs)],
  ['201', answering([], asItIs, '201 Created')],
  [
    'in chunks',
    (socket, reply) => {
      const rest = (reply.length - 1).toString(16);
      const [first, others] = [reply.subarray(0, 1), reply.subarray(1)];
      socket.end(bytesOf(`${chunked}1\r\n`, first, `\r\n${rest}\r\n`, others, '\r\n0\r\n\r\n'));
    },
  ],
  [
    'to the end of the connection',
    (socket, reply) => socket.end(bytesOf(head(['Connection: close']), reply)),
  ],
  ['gzip', encoded('gzip', gzipSync)],
  ['x-gzip', encoded('x-gzip', gzipSync)],
  ['deflate', encoded('deflate', deflateSync)],
  ['br', encoded('br', brotliCompressSync)],
  ['twice', encoded('gzip, br', (reply) => brotliCompressSync(gzipSync(reply)))],
  ['identity', encoded('identity', asItIs)],
  ['undeclared gzip', answering([], gzipSync)],
  ['UTF-16', answering([], (reply) => Buffer.from(`\ufeff${reply}`, 'utf16le'))],
  [
    'declared Latin-1',
    answering(['Content-Type: a/b; charset=iso-8859-1'], (reply) => Buffer.from(reply.toString(), 'latin1')),
  ],
];

let fault: Fault;
const requests: string[] = [];

async function serve(): Promise<string> {
  const port = await listen(
    createServer((socket) => {
      socket.on('data', (data) => {
        const path = /^[A-Z]+ ([^?\s]+)/.exec(data.toString('latin1'))?.[1] ?? '';
        const asked = Object.values(operations).find((operation) => path.endsWith(operation.path));
        requests.push(path);
        fault(socket, Buffer.from(asked?.reply ?? ''));
      });
    }),
  );
  return `http://127.0.0.1:${port}`;
}

function clientAt(baseUrl: string): TaxDocumentsClient {
  const http = clientOf({ concurrency: 20, timeoutSeconds: 30 });
  const credentials = async () => ({ user: 'fiscal', password: 'segredo' });
  const formats = { date: 'dd/MM/yyyy', time: 'HH:mm:ss' };
  return createTaxDocumentsClient(http, { baseUrl, credentials, formats });
}

/** The outcome of each operation, by name. */
async function all(client: TaxDocumentsClient, some = operations): Promise<Record<string, unknown>> {
  const entries = Object.entries(some).map(async ([name, { call }]) => {
    const outcome = await call(client).catch((error: unknown) => error);
    return [name, outcome] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The number of requests received for an operation. */
function sent(name: string): number {
  return requests.filter((path) => path.endsWith(operations[name]?.path ?? '?')).length;
}

function isWorthRepeating(outcome: unknown): boolean {
  if (outcome instanceof Unreachable) return true;
  return outcome instanceof Refused && [408, 429, 502, 503, 504].includes(outcome.refusal.status ?? 0);
}

function writeOutcome(outcome: unknown): string {
  if (outcome instanceof OutcomeUnknown) return 'unknown';
  if (!(outcome instanceof Error)) return 'done';
  return outcome.name === 'Refused' ? 'Refused' : 'not sent';
}

function check(outcomes: Record<string, unknown>, read: object, write: Write): void {
  for (const name of Object.keys(reads)) {
    expect.soft(outcomes[name], name).toMatchObject(read);
    if (write !== 'not sent') expect.soft(sent(name), name).toBe(isWorthRepeating(outcomes[name]) ? 3 : 1);
  }
  for (const name of Object.keys(writes)) {
    expect.soft(writeOutcome(outcomes[name]), name).toBe(write);
    expect.soft(sent(name), name).toBe(write === 'not sent' ? 0 : 1);
  }
  for (const outcome of Object.values(outcomes))
    expect.soft(JSON.stringify(outcome) + String(outcome)).not.toContain('segredo');
}

beforeEach(() => {
  requests.length = 0;
});

it('a sound reply is understood in every encoding', async () => {
  const client = clientAt(await serve());
  const outcomes: unknown[] = [];
  for (const [name, how] of soundReplies) {
    fault = how;
    const outcome = await all(client);
    for (const [operation, one] of Object.entries(outcome))
      expect.soft(one, `${name}: ${operation}`).not.toBeInstanceOf(Error);
    outcomes.push(JSON.stringify(outcome).replaceAll('"gzip",', ''));
  }
  expect(new Set(outcomes).size).toBe(1);
});

const rows = faults.map(([name, how, read]) => ({ name, how, read }));
it.each(rows)('$name is an error of every read, and leaves a write unknown', async ({ how, read }) => {
  const client = clientAt(await serve());
  fault = how;
  check(await all(client), read, 'unknown');
});

it('every status but 2xx refuses reads, and refuses a write only if it was not performed', async () => {
  const client = clientAt(await serve());
  const notPerformed = /^(?:30[178]|4(?!08)..)$/;
  const all300 = Array.from({ length: 700 }, (_, i) => 300 + i).filter((code) => isLong || code % 9 === 3);
  for (const code of [206, 301, 302, 303, 304, 307, 308, 400, 408, 429, 500, 503, 999, ...all300]) {
    requests.length = 0;
    fault = status(`${code} Words`);
    const write = notPerformed.test(`${code}`) ? 'Refused' : 'unknown';
    check(await all(client), { name: 'Refused', refusal: { status: code } }, write);
  }
});

it('a refused connection is an error of every read, and leaves writes unsent', async () => {
  const client = clientAt(`http://127.0.0.1:${await freePort()}`);
  check(await all(client), { name: 'Unreachable', code: 'ECONNREFUSED' }, 'not sent');
});

it.each<readonly [string, Fault]>([
  ['silence', () => {}],
  ['half a head that goes no further', (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-')],
  [
    'half a body that goes no further',
    (socket, reply) => void socket.write(bytesOf(head([`Content-Length: ${reply.length}`]), half(reply))),
  ],
  [
    'a reply of one blank a second',
    (socket) => {
      socket.write(chunked);
      const dripping = setInterval(() => socket.write('1\r\n \r\n'), 1000);
      socket.on('close', () => clearInterval(dripping));
    },
  ],
])('%s times out every read, and leaves a write unknown', async (_, how) => {
  const client = clientAt(await serve());
  fault = how;
  using time = standStill();
  const outcomes = all(client);
  await until(() => requests.length === Object.keys(operations).length);
  await time.pass(30_000);
  check(await outcomes, { name: 'TimedOut' }, 'unknown');
});
