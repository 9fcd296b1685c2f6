import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ReplyForm, type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Called, call, list, operation, period, stringOf, text } from './calls.ts';

let sandbox: Sandbox;
let now: Date;
let plain: string;
let chaveNfe: string;
let pdf: Buffer;

const DAY = period('14/10/2026', '14/10/2026', '');
const KEYS = 'Mercadoria/RetornaChaves';
const PDF = 'Mercadoria/DownloadPdfNfe';

beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00-03:00');
  sandbox = await startSandbox({ now: () => now });
  plain = stringOf(await operation(sandbox, KEYS, DAY));
  const [document = ''] = await list(sandbox, 'Mercadoria/RetornaListaXml', DAY);
  chaveNfe = text(document, 'chNFe');
  pdf = Buffer.from(stringOf(await operation(sandbox, PDF, { chaveNfe })), 'base64');
});
afterEach(() => sandbox.close());

async function use(form: Partial<ReplyForm>): Promise<Called> {
  return call(sandbox, '/__sandbox/reply-form', { method: 'PUT', body: JSON.stringify(form) });
}

describe('a string goes', () => {
  it('in JSON quotes by default', async () => {
    const called = await operation(sandbox, KEYS, DAY);
    expect(called.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(called.text).toMatch(/^"<xml version=\\"1\.0\\">.*"$/);
  });

  it('in JSON quotes twice', async () => {
    await use({ form: 'json-twice' });
    const once: unknown = JSON.parse((await operation(sandbox, KEYS, DAY)).text);
    expect(JSON.parse(String(once))).toBe(plain);
  });

  it('as the text of a string element', async () => {
    await use({ form: 'string-xml' });
    const called = await operation(sandbox, KEYS, DAY);
    expect(called.headers.get('content-type')).toContain('application/xml');
    const open = '<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">';
    expect(called.text.startsWith(open)).toBe(true);
    expect(called.text.slice(open.length)).toMatch(/^&lt;xml version=&quot;1.0&quot;&gt;&lt;retChavesNfe/);
  });

  it('bare', async () => {
    await use({ form: 'bare' });
    expect((await operation(sandbox, KEYS, DAY)).text).toBe(plain);
  });
});

describe('a PDF goes', () => {
  const body = () => operation(sandbox, PDF, { chaveNfe });

  it('as bytes', async () => {
    await use({ pdf: 'raw' });
    const query = new URLSearchParams({ usuario: 'demo', senha: 'demo', chaveNfe });
    const response = await fetch(`${sandbox.url}/API/${PDF}?${query}`);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(Buffer.from(await response.arrayBuffer()).equals(pdf)).toBe(true);
  });

  it('in hexadecimal, as JSON numbers, compressed', async () => {
    await use({ pdf: 'hex' });
    expect(Buffer.from(stringOf(await body()), 'hex').equals(pdf)).toBe(true);
    await use({ pdf: 'json-bytes' });
    expect(Buffer.from(JSON.parse((await body()).text)).equals(pdf)).toBe(true);
    await use({ pdf: 'gzip-base64' });
    expect(gunzipSync(Buffer.from(stringOf(await body()), 'base64')).equals(pdf)).toBe(true);
  });

  it('as a shared-access URL that ends after an hour and is renewed', async () => {
    await use({ pdf: 'url' });
    const url = stringOf(await body());
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/blob\/nfe\/[0-9A-Z]{44}\.pdf\?.*&sig=/);
    const first = await fetch(url);
    expect(first.status).toBe(200);
    expect(Buffer.from(await first.arrayBuffer()).equals(pdf)).toBe(true);

    now = new Date(now.getTime() + 3_601_000);
    expect((await fetch(url)).status).toBe(403);
    const renewed = stringOf(await operation(sandbox, 'ConsumoWS/RetornaNovaUrlSaS', { oldUrl: url }));
    expect(renewed).not.toBe(url);
    expect((await fetch(renewed)).status).toBe(200);
  });
});
