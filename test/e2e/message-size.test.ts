import { statSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { accessKey } from '../support/documents.ts';
import type { Responder } from '../support/recording-upstream.ts';

/** Hosts close the connection at 10 MB: docs/hosts.md, Results. */
const PROMISED_BYTES = 8_000_000;

let server: ConfiguredServer;
afterEach(() => server.close());

async function startAnswering(respond: Responder): Promise<void> {
  server = await startConfigured({ respond });
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const key = accessKey({ number: 1 });

describe('an answer larger than a message may be', () => {
  const pdf = Buffer.concat([
    Buffer.from('%PDF-1.4\n'),
    Buffer.alloc(7_000_000, '% filler\n'),
    Buffer.from('\n%%EOF\n'),
  ]);
  const sendPdf: Responder = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf);

  it('is refused for a resource, with the way to have it', async () => {
    await startAnswering(sendPdf);
    const failure = await server
      .readResource(`dfe://nfe/${key}/pdf`)
      .catch((error: unknown) => String(error));
    expect(failure).toMatch(/exceed 8 MB.*delivery file/);
  });

  it('is refused where it is to be embedded, and saved where it is to be a file', async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    server = await startConfigured({ respond: sendPdf, envAt: () => ({ DFE_DOWNLOAD_DIR: folder.path }) });
    const asked = { document: 'nfe', key, format: 'pdf' };
    const embedded = await server.call('get_document', { ...asked, delivery: 'embed' });
    expect(embedded).toMatchObject({ isError: true, text: expect.stringMatching(/delivery file/) });
    const saved = await server.call('get_document', { ...asked, delivery: 'file' });
    expect(statSync(String(saved.structured?.path)).size).toBe(pdf.length);
    expect(bytesOf(saved)).toBeLessThan(PROMISED_BYTES);
  });

  it.each([
    ['covers in XML', (many: number) => `<r>${`<c><Chave>${'1'.repeat(60)}</Chave></c>`.repeat(many)}</r>`],
    [
      'covers in JSON',
      (many: number) => JSON.stringify(Array.from({ length: many }, () => ({ Chave: '1'.repeat(60) }))),
    ],
  ])('shows the first of too many %s, and how to have the others', async (_, covers) => {
    const many = 20_000;
    await startAnswering((_request, response) => void response.end(covers(many)));
    const period = { from: '2026-11-01', to: '2026-11-20', direction: 'inbound' };
    const list = await server.call('list_nfe_covers', period);
    const { records, shown, total } = list.structured as { records: unknown[]; shown: number; total: number };
    expect([total, records.length, shown < many]).toEqual([many, shown, true]);
    expect(bytesOf(list)).toBeLessThan(PROMISED_BYTES);
    expect(list.text).toContain(`here are ${shown} of ${many} records; ask for a shorter period`);
  });
});
