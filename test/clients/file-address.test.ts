import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTaxDocumentsClient, type TaxDocumentsClient } from '../../src/clients/documents/client.ts';
import { createHttpClient } from '../../src/clients/http/client.ts';
import { type ReplyForm, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Handler, serve } from './http/local-server.ts';

const formats = { date: 'dd/MM/yyyy', time: 'HH:mm:ss' };
const DAYS = {
  company: '48152036000117',
  from: { date: '2026-10-14', time: '00:00:00' },
  to: { date: '2026-10-16', time: '23:59:59' },
};
const PDF = '%PDF-1.4\n%%EOF\n';

function documentsAt(baseUrl: string, credentials = { user: 'demo', password: 'demo' }): TaxDocumentsClient {
  const http = createHttpClient({
    timeoutSeconds: 20,
    concurrency: 1,
    userAgent: 'docfiscal-mcp/test',
    env: {},
  });
  onTestFinished(() => http.close());
  return createTaxDocumentsClient(http, { baseUrl, credentials: async () => credentials, formats });
}

/** Everything that a test compares, whatever the form of the replies. */
async function answersOf(client: TaxDocumentsClient) {
  const list = async (name: 'nfeListByIssue' | 'nfseListByIssue' | 'cteListByIssue') => {
    const { read, list } = await client.list(name, DAYS, async (documents) => {
      const texts: string[] = [];
      for await (const { xml } of documents) texts.push(xml);
      return texts;
    });
    return { count: list.count, texts: read, unreadable: list.unreadable };
  };
  const lists = [await list('nfeListByIssue'), await list('nfseListByIssue'), await list('cteListByIssue')];
  const { keys } = await client.call('nfeKeysByIssue', DAYS);
  const key = keys[0] ?? '';
  const [nfse] = (await client.call('nfseKeysByIssue', { ...DAYS, direction: 'inbound' })).identifiers;
  const { xml, summary } = await client.call('nfeXml', { key });
  const asked = {
    number: nfse?.number ?? '',
    issueDate: nfse?.issue_date ?? '',
    issuer: nfse?.issuer_cnpj ?? '',
  };
  const { document } = await client.call('nfseDocument', asked);
  const classifications = await client.call('nfeClassifications', { key });
  return {
    lists,
    keys,
    xml,
    key: summary.key,
    nfse: document?.xml,
    classifications: 'records' in classifications && classifications.records,
  };
}

describe('whatever the form of its replies, the service says the same', () => {
  let sandbox: Sandbox;
  let plain: Awaited<ReturnType<typeof answersOf>>;

  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  async function use(form: Partial<ReplyForm>): Promise<void> {
    const body = JSON.stringify({
      form: 'json',
      links: 'valid',
      login: 'number',
      records: 'plain',
      strange: false,
      ...form,
    });
    const { status } = await fetch(`${sandbox.url}/__sandbox/reply-form`, { method: 'PUT', body });
    expect(status).toBe(200);
  }

  async function requestsOf(operation: string): Promise<number> {
    const log = (await (await fetch(`${sandbox.url}/__sandbox/requests`)).json()) as { path: string }[];
    return log.filter(({ path }) => path.includes(operation)).length;
  }

  it('in JSON, which the others are compared with', async () => {
    plain = await answersOf(documentsAt(sandbox.url));
    expect(plain.lists.map(({ count }) => count).every((count) => count > 1)).toBe(true);
    expect(plain.key).toBe(plain.keys[0]);
    expect(plain.nfse).toContain('<');
  });

  it.each<Partial<ReplyForm>>([
    { form: 'json-twice' },
    { form: 'string-xml' },
    { form: 'bare' },
    { form: 'side-by-side' },
    { form: 'json-array' },
    { form: 'zip' },
    { form: 'url' },
    { form: 'url-zip' },
    { form: 'url', links: 'moved' },
    { form: 'url', links: 'expired' },
    { form: 'url-zip', links: 'expired' },
  ])('as %j', async (form) => {
    await use(form);
    expect(await answersOf(documentsAt(sandbox.url))).toEqual(plain);
  });

  it('an address that has expired is renewed once', async () => {
    await use({ form: 'url', links: 'expired' });
    const before = await requestsOf('RetornaNovaUrlSaS');
    const { keys } = await documentsAt(sandbox.url).call('nfeKeysByIssue', DAYS);
    expect(keys).toEqual(plain.keys);
    expect((await requestsOf('RetornaNovaUrlSaS')) - before).toBe(1);
  });

  it.each<Partial<ReplyForm>>([
    { pdf: 'url' },
    { pdf: 'url', links: 'moved' },
    { pdf: 'url', links: 'expired' },
  ])('a PDF as %j', async (form) => {
    await use({ pdf: 'base64' });
    const client = documentsAt(sandbox.url);
    const key = plain.keys[0] ?? '';
    const expected = await client.call('nfePdf', { key });
    await use(form);
    expect(await client.call('nfePdf', { key })).toEqual(expected);
  });

  it('documents of no known layout and broken ones are told, in every form', async () => {
    for (const form of ['json', 'string-xml', 'side-by-side', 'json-array', 'url'] as const) {
      await use({ form, strange: true });
      const { lists } = await answersOf(documentsAt(sandbox.url));
      for (const [i, { texts, unreadable }] of lists.entries()) {
        expect(texts).toEqual(plain.lists[i]?.texts);
        expect(unreadable).toEqual([
          { place: '2', root: 'NotaDeOutraCidade', reason: 'unknown_layout' },
          { place: '3', root: 'nfeProc', reason: 'malformed' },
        ]);
      }
    }
    await use({ form: 'url-zip', strange: true });
    const { lists } = await answersOf(documentsAt(sandbox.url));
    expect(lists[0]?.texts).toEqual(plain.lists[0]?.texts);
    expect(lists[0]?.unreadable.map(({ place }) => place)).toEqual(['00002.xml', '00003.xml']);
  });

  it('a login of nothing, records that lack what may be missing, and records in value', async () => {
    await use({ login: 'null', records: 'sparse' });
    const client = documentsAt(sandbox.url);
    expect(await client.call('login', {})).toBeUndefined();
    const event = JSON.stringify({ ChaveNFe: plain.keys[0], TipoEvento: '210210', Motivo: '' });
    const sparse = await client.call('nfeEventStatus', { event });
    expect(sparse.success).toBeUndefined();
    await use({ records: 'value' });
    const full = await client.call('nfeEventStatus', { event });
    expect(full).toMatchObject({ key: plain.keys[0], message: sparse.message, success: 1 });
  });
});

describe('a file whose address a reply is', () => {
  const quoted = (url: string) => JSON.stringify(url);

  async function service(answers: Readonly<Record<string, Handler>>) {
    const server = await serve((request, response, count) => {
      const handler = Object.entries(answers).find(([path]) => request.url.startsWith(path))?.[1];
      if (handler === undefined) response.writeHead(404).end();
      else handler(request, response, count);
    });
    return { server, client: documentsAt(server.origin, { user: 'maria', password: 'senha-secreta' }) };
  }

  it('is fetched without credentials, by one call', async () => {
    const { server, client } = await service({
      '/API/Mercadoria/DownloadPdfNfe': (_, response) =>
        response.end(quoted(`${server.origin}/f.pdf?sv=1&sig=a%2Bb`)),
      '/f.pdf': (_, response) => response.end(PDF),
    });
    expect(await client.call('nfePdf', { key: '1' })).toMatchObject({ kind: 'bytes' });
    const [, file] = server.received;
    expect(file?.url).toBe('/f.pdf?sv=1&sig=a%2Bb');
    expect(JSON.stringify(file)).not.toMatch(/maria|secreta|authorization|cookie/);
  });

  it('is followed over one redirect, and not over two', async () => {
    const { server, client } = await service({
      '/API/': (_, response) => response.end(quoted(`${server.origin}/a`)),
      '/a': (_, response) => response.writeHead(302, { Location: '/b?sig=segredo' }).end(),
      '/b': (_, response) => response.writeHead(307, { Location: '/c?sig=segredo' }).end(),
      '/c': (_, response) => response.end(PDF),
    });
    const error = await client.call('nfePdf', { key: '1' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'Refused', refusal: { code: 'address' } });
    expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
    expect(server.received.some(({ url }) => url.startsWith('/c'))).toBe(false);
  });

  it('that holds another address is not understood', async () => {
    const { server, client } = await service({
      '/API/': (_, response) => response.end(quoted(`${server.origin}/a?sig=segredo`)),
      '/a': (_, response) => response.end(quoted(`${server.origin}/b?sig=segredo`)),
    });
    for (const call of [
      () => client.call('nfePdf', { key: '1' }),
      () => client.call('nfeKeysByIssue', DAYS),
    ]) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'NotUnderstood', reason: 'another address instead of the file' });
      expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
    }
    expect(server.received.filter(({ url }) => url.startsWith('/b'))).toHaveLength(0);
  });

  it('is asked for anew no more than once', async () => {
    const expired: Handler = (_, response) =>
      response
        .writeHead(403)
        .end('<Error><Code>AuthenticationFailed</Code><Message>segredo</Message></Error>');
    const { server, client } = await service({
      '/API/ConsumoWS/RetornaNovaUrlSaS': (_, response) =>
        response.end(quoted(`${server.origin}/new?sig=segredo`)),
      '/API/': (_, response) => response.end(quoted(`${server.origin}/old?sig=segredo`)),
      '/old': expired,
      '/new': expired,
    });
    const error = await client.call('nfeXml', { key: '1' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'Refused', refusal: { status: 403, code: 'AuthenticationFailed' } });
    expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
    expect(server.received.map(({ url }) => url.split('?')[0])).toEqual([
      '/API/Mercadoria/DownloadXml',
      '/old',
      '/API/ConsumoWS/RetornaNovaUrlSaS',
      '/new',
    ]);
  });

  it('is not asked for anew where it was refused for another reason', async () => {
    const { server, client } = await service({
      '/API/': (_, response) => response.end(quoted(`${server.origin}/a?sig=segredo`)),
      '/a': (_, response) => response.writeHead(403).end('<html><body>Forbidden</body></html>'),
    });
    await expect(client.call('nfeXml', { key: '1' })).rejects.toMatchObject({ refusal: { status: 403 } });
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
  ])('is not fetched from %s', async (url) => {
    const { client } = await service({ '/API/': (_, response) => response.end(quoted(url)) });
    for (const call of [
      () => client.call('nfePdf', { key: '1' }),
      () => client.call('nfeXml', { key: '1' }),
      () =>
        client.list('nfeListByIssue', DAYS, async (documents) => {
          for await (const _ of documents);
        }),
    ]) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'Refused', refusal: { code: 'address' } });
      expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
    }
  });

  it('nor from a private address that the service’s own host redirects to', async () => {
    const { client, server } = await service({
      '/API/': (_, response) => response.end(quoted(`${server.origin}/a`)),
      '/a': (_, response) => response.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
    });
    await expect(client.call('nfePdf', { key: '1' })).rejects.toMatchObject({ refusal: { code: 'address' } });
  });

  it('is not looked for where other things stand beside the address', async () => {
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
});
