import { expect, it } from 'vitest';
import { listReply } from '../clients/replies/list-reply.ts';
import { connect, type ToolResult } from '../support/clients.ts';
import { company } from '../support/documents.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';

/** All of them together are 44 MB of text. */
const DOCUMENTS = 2_000;

it('a list of 2,000 documents paged to its end costs one download', async () => {
  const upstream = await startRecordingUpstream(async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    for (const piece of listReply('json', DOCUMENTS)) {
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  });
  const service = { DFE_URL: upstream.url, DFE_USER: 'ana', DFE_PASSWORD: 'segredo', DFE_TIMEOUT: '3600' };
  await using program = await connect('v1', { env: { ...service, DFE_CNPJ: company, DFE_LANGUAGE: 'en' } });
  const keys = new Set<string>();
  const question = { document: 'nfe', from: '2026-09-01', to: '2026-09-01', limit: 200 };
  let cursor: unknown;
  do {
    let page: ToolResult;
    do page = await program.call('list_documents', { ...question, ...(cursor ? { cursor } : {}) });
    while (page.isError && page.text.includes('Call again with the same arguments'));
    const { isError, structured = {}, text } = page;
    expect(isError, text).toBe(false);
    expect(structured).toMatchObject({ total: DOCUMENTS, complete: true });
    for (const { key } of structured.documents as { key: string }[]) keys.add(key);
    cursor = structured.next_cursor;
  } while (cursor !== undefined);
  expect(keys.size).toBe(DOCUMENTS);
  expect(upstream.seen).toHaveLength(1);
});
