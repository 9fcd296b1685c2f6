import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/built-program.ts';
import { accessKey, company } from '../../support/documents.ts';
import { member, startTestServer, type TestServer, writeTenants } from '../../support/http-server.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../../support/recording-upstream.ts';

const folder = temporaryFolder();
const classified = { key: accessKey({ number: 1 }) };
const ids = ['right', 'missing', 'folder', 'fifo', 'large'] as const;

let upstream: RecordingUpstream;
let server: TestServer;

beforeAll(async () => {
  upstream = await startRecordingUpstream((_, response) =>
    json(response, JSON.stringify({ Chave: classified.key, Itens: [{ NCM: '84713012' }] })),
  );
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at('right'), 'the password\n');
  mkdirSync(at('folder'));
  writeFileSync(at('large'), 'x'.repeat(100_000));
  if (process.platform !== 'win32') execFileSync('mkfifo', [at('fifo')]);
  const tenants = ids.map((id) => ({
    id,
    who: [member(id)],
    companies: [company],
    settings: { DFE_URL: upstream.url, DFE_USER: id, DFE_PASSWORD_FILE: id },
  }));
  server = await startTestServer({ DFE_TENANTS: writeTenants(folder.path, tenants) });
});

afterAll(async () => {
  await server.close();
  await upstream.close();
  folder.remove();
});

it.skipIf(process.platform === 'win32')(
  'a tenant whose password file cannot be read is told so, and no other is troubled',
  async () => {
    const codes = { missing: 'ENOENT', folder: 'EISDIR|ENOTREG', fifo: 'ENOTREG', large: 'EFBIG' };
    for (const id of ids) {
      const client = await server.connect('v2 modern', { token: id });
      const before = upstream.seen.length;
      const { isError, text } = await client.call('get_nfe_classifications', classified);
      if (id === 'right') {
        expect(text).toContain('84713012');
        expect(upstream.seen.length).toBeGreaterThan(before);
      } else {
        expect(isError).toBe(true);
        expect(text).toMatch(new RegExp(`DFE_PASSWORD_FILE cannot be read \\((${codes[id]})\\)`));
        expect(upstream.seen).toHaveLength(before);
      }
      await client.close();
    }
    const found = await server.withoutPassword();
    expect(found.map(({ id }) => id)).toEqual(['missing', 'folder', 'fifo', 'large']);
    for (const { id, code } of found) expect(code).toMatch(new RegExp(codes[id as keyof typeof codes]));

    // What is mended needs no new start.
    writeFileSync(join(folder.path, 'missing'), 'another\n');
    chmodSync(join(folder.path, 'missing'), 0o400);
    expect((await server.withoutPassword()).map(({ id }) => id)).toEqual(['folder', 'fifo', 'large']);
    const client = await server.connect('v2 modern', { token: 'missing' });
    expect((await client.call('get_nfe_classifications', classified)).text).toContain('84713012');
    await client.close();
  },
);
