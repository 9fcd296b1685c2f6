import { afterEach, expect, it } from 'vitest';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { accessKey, accessKeys, emptyReply } from '../support/documents.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

/** Hosts close the connection at 10 MB: docs/hosts.md, Results. */
const PROMISED_BYTES = 8_000_000;

let server: ConfiguredServer;
afterEach(() => server.close());

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const key = accessKey({ number: 1 });

it('an answer names a hundred of two hundred thousand wrong keys, and says how many there are', async () => {
  const wrong = Array.from({ length: 200_000 }, (_, i) => String(i).padStart(44, '3'));
  server = await startConfigured({
    respond: (_request, response) => json(response, [key, ...wrong].join(';')),
  });
  const period = { from: '2026-11-01', to: '2026-11-20' };
  const list = await server.call('list_document_keys', { document: 'nfe', ...period });
  expect(list.structured).toMatchObject({ keys: [key] });
  expect(bytesOf(list)).toBeLessThan(PROMISED_BYTES);
  expect(list.structured?.warnings).toHaveLength(101);
  expect(list.text).toMatch(/200000/);
});

it('a batch of writes answers for every key, however much the service says of each', async () => {
  const keys = accessKeys(400);
  const said = 'Evento registrado e vinculado a NF-e '.repeat(6).trim();
  const respond: Responder = ({ path, query }, response) => {
    if (!path.endsWith('RealizarLoteManifesto')) return json(response, emptyReply);
    const events = JSON.parse(query.at(-1)?.[1] ?? '[]') as { ChaveNFe: string }[];
    const records = events.map(({ ChaveNFe }) => ({ ChaveNFe, Mensagem: `135 - ${said}`, Sucesso: 1 }));
    json(response, records);
  };
  server = await startConfigured({ respond });
  const args = { keys, event: 'ciencia' };
  const preview = await server.call('manifest_nfe_batch', args);
  const token = preview.structured?.confirmation_token;
  const done = await server.call('manifest_nfe_batch', { ...args, confirmation_token: token });
  expect(done.structured).toMatchObject({ status: 'done' });
  expect(done.structured?.results).toMatchObject(keys.map((one) => ({ key: one, status: 'done' })));
  expect(done.text).toContain(keys[0]);
});
