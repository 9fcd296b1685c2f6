import { expect, it } from 'vitest';
import { createTaxDocumentsClient, type TaxDocumentsClient } from '../../src/clients/documents/client.ts';
import { accessKeys, documentListReply, keyListReply, nfeXml } from '../support/documents.ts';
import { zipOf } from '../support/zip.ts';
import { clientOf, failure, type Handler, type LocalServer, serve } from './http/local-server.ts';

const formats = { date: 'dd/MM/yyyy', time: 'HH:mm:ss' };
const DAYS = { company: '48152036000117', from: '2026-10-14T00:00:00', to: '2026-10-16T23:59:59' };
const PDF = '%PDF-1.4\n%%EOF\n';

const quoted = (url: string) => JSON.stringify(url);

async function service(answers: Readonly<Record<string, Handler>>) {
  const server = await serve((request, response, count) => {
    const handler = Object.entries(answers).find(([path]) => request.url.startsWith(path))?.[1];
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response, count);
  });
  const credentials = async () => ({ user: 'maria', password: 'senha-secreta' });
  const options = { baseUrl: server.origin, credentials, formats };
  return { server, client: createTaxDocumentsClient(clientOf(), options) };
}

const notes = [1, 2].map((number) => nfeXml({ number }));
const listOf = (client: TaxDocumentsClient) =>
  client.list('nfeListByIssue', DAYS, async (documents) => {
    const texts: string[] = [];
    for await (const { xml } of documents) texts.push(xml);
    return texts;
  });

const packed = zipOf(notes.map((xml, i) => ({ name: `${i}.xml`, bytes: Buffer.from(xml) })));
const pdfOf = (client: TaxDocumentsClient) => client.call('nfePdf', { key: '1' });
const noteOf = (client: TaxDocumentsClient) => client.call('nfeXml', { key: '1' });
const keysOf = (client: TaxDocumentsClient) => client.call('nfeKeysByIssue', DAYS);
const secretless = (error: unknown) =>
  expect(JSON.stringify(error) + String(error)).not.toMatch(/segredo|senha/);
const paths = ({ received }: LocalServer) => received.map(({ url }) => url.split('?')[0]).slice(1);

it.each<
  [what: string, ask: (client: TaxDocumentsClient) => Promise<unknown>, file: string | Buffer, found: object]
>([
  ['a list', listOf, documentListReply(notes), { read: notes }],
  ['a list as a zip', listOf, packed, { read: notes }],
  ['keys', keysOf, keyListReply(accessKeys(3)), { keys: accessKeys(3) }],
  ['a PDF', pdfOf, PDF, Buffer.from(PDF)],
])('an expired address is renewed once, and redirected: %s', async (_, ask, file, found) => {
  const { server, client } = await service({
    '/API/ConsumoWS/RetornaNovaUrlSaS': (_, response) => response.end(quoted(`${server.origin}/new?sig=b`)),
    '/API/': (_, response) => response.end(quoted(`${server.origin}/old?sig=a`)),
    '/old': (_, response) => response.writeHead(403).end('<Error><Code>AuthenticationFailed</Code></Error>'),
    '/new': (_, response) => response.writeHead(302, { Location: '/moved?sig=c' }).end(),
    '/moved': (_, response) => response.end(file),
  });
  expect(await ask(client)).toMatchObject(found);
  expect(paths(server)).toEqual(['/old', '/API/ConsumoWS/RetornaNovaUrlSaS', '/new', '/moved']);
});

it('a linked file is fetched without credentials, by one call', async () => {
  const { server, client } = await service({
    '/API/Mercadoria/DownloadPdfNfe': (_, response) =>
      response.end(quoted(`${server.origin}/f.pdf?sv=1&sig=a%2Bb`)),
    '/f.pdf': (_, response) => response.end(PDF),
  });
  expect(Buffer.from(await pdfOf(client)).toString()).toBe(PDF);
  const [, file] = server.received;
  expect(file?.url).toBe('/f.pdf?sv=1&sig=a%2Bb');
  expect(JSON.stringify(file)).not.toMatch(/maria|secreta|authorization|cookie/);
});

it('a linked file may be redirected once, not twice', async () => {
  const { server, client } = await service({
    '/API/': (_, response) => response.end(quoted(`${server.origin}/a`)),
    '/a': (_, response) => response.writeHead(302, { Location: '/b?sig=segredo' }).end(),
    '/b': (_, response) => response.writeHead(307, { Location: '/c?sig=segredo' }).end(),
    '/c': (_, response) => response.end(PDF),
  });
  const error = await failure(pdfOf(client));
  expect(error).toMatchObject({ name: 'Refused', refusal: { code: 'address' } });
  secretless(error);
  expect(server.received.some(({ url }) => url.startsWith('/c'))).toBe(false);
});

it('a linked file that holds another address is not understood', async () => {
  const { server, client } = await service({
    '/API/': (_, response) => response.end(quoted(`${server.origin}/a?sig=segredo`)),
    '/a': (_, response) => response.end(quoted(`${server.origin}/b?sig=segredo`)),
  });
  for (const ask of [pdfOf, keysOf]) {
    const error = await failure(ask(client));
    expect(error).toMatchObject({ name: 'NotUnderstood', reason: 'another address instead of the file' });
    secretless(error);
  }
  expect(server.received.filter(({ url }) => url.startsWith('/b'))).toHaveLength(0);
});

it('an expired address is renewed no more than once', async () => {
  const expired: Handler = (_, response) =>
    response.writeHead(403).end('<Error><Code>AuthenticationFailed</Code><Message>segredo</Message></Error>');
  const { server, client } = await service({
    '/API/ConsumoWS/RetornaNovaUrlSaS': (_, response) =>
      response.end(quoted(`${server.origin}/new?sig=segredo`)),
    '/API/': (_, response) => response.end(quoted(`${server.origin}/old?sig=segredo`)),
    '/old': expired,
    '/new': expired,
  });
  const error = await failure(noteOf(client));
  expect(error).toMatchObject({ name: 'Refused', refusal: { status: 403, code: 'AuthenticationFailed' } });
  secretless(error);
  expect(paths(server)).toEqual(['/old', '/API/ConsumoWS/RetornaNovaUrlSaS', '/new']);
});

it('an address that was refused for another reason is not renewed', async () => {
  const { server, client } = await service({
    '/API/': (_, response) => response.end(quoted(`${server.origin}/a?sig=segredo`)),
    '/a': (_, response) => response.writeHead(403).end('<html><body>Forbidden</body></html>'),
  });
  expect(await failure(noteOf(client))).toMatchObject({ refusal: { status: 403 } });
  expect(server.received).toHaveLength(2);
});

it.each([
  'http://10.0.0.1/a?sig=segredo',
  'http://169.254.169.254/latest/meta-data?sig=segredo',
  'http://[::1]/a?sig=segredo',
  'http://127.0.0.2/a?sig=segredo',
  'http://localhost:1/a?sig=segredo',
  'http://127.0.0.1:1/a?sig=segredo',
  'https://127.0.0.1:1/a?sig=segredo',
  'http://127.0.0.1.:1/a?sig=segredo',
  'http://maria:segredo@127.0.0.1/a',
  'https://192.168.0.1/a?sig=segredo',
])('a linked file is not fetched from %s', async (url) => {
  const { client } = await service({ '/API/': (_, response) => response.end(quoted(url)) });
  for (const ask of [pdfOf, noteOf, listOf]) {
    const error = await failure(ask(client));
    expect(error).toMatchObject({ name: 'Refused', refusal: { code: 'address' } });
    secretless(error);
  }
});

it('a linked file is not fetched from a private address that the service’s own host redirects to', async () => {
  const { client, server } = await service({
    '/API/': (_, response) => response.end(quoted(`${server.origin}/a`)),
    '/a': (_, response) => response.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
  });
  expect(await failure(pdfOf(client))).toMatchObject({ refusal: { code: 'address' } });
});

it('an address beside other values is not followed', async () => {
  const { server, client } = await service({
    '/API/Mercadoria/RetornaResumos': (_, response) =>
      response.end(JSON.stringify([{ Url: `${server.origin}/a`, Numero: '7' }])),
    '/API/ConsumoWS/ConectividadeWS': (_, response) => response.end(quoted(`${server.origin}/a`)),
  });
  const summaries = await client.call('nfeSummaries', { ...DAYS, page: 1 });
  expect(summaries).toMatchObject({ records: [{ Url: `${server.origin}/a`, Numero: '7' }] });
  expect(await client.call('connectivity', {})).toBe(`${server.origin}/a`);
  expect(server.received).toHaveLength(2);
});
