import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/built-program.ts';
import { accessKey, company } from '../../support/documents.ts';
import { duringTests } from '../../support/during-tests.ts';
import { member, startTestServer, writeTenants } from '../../support/http-server.ts';
import { json, startRecordingUpstream } from '../../support/recording-upstream.ts';

const folder = temporaryFolder();
const classified = { key: accessKey({ number: 1 }) };
const ids = ['right', 'missing', 'folder', 'fifo', 'large'] as const;

const upstream = duringTests(() =>
  startRecordingUpstream((_, response) =>
    json(response, JSON.stringify({ Chave: classified.key, Itens: [{ NCM: '84713012' }] })),
  ),
);
const server = duringTests(async () => {
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
  return startTestServer({ DFE_TENANTS: writeTenants(folder.path, tenants) });
});

afterAll(folder.remove);

async function ask(id: string): Promise<string> {
  const client = await server.connect('v2 modern', { token: id });
  const { text } = await client.call('get_nfe_classifications', classified);
  await client.close();
  return text;
}

it.skipIf(process.platform === 'win32')(
  'a tenant whose password file cannot be read is told so, and no other is troubled',
  async () => {
    const codes = { missing: 'ENOENT', folder: 'EISDIR|ENOTREG', fifo: 'ENOTREG', large: 'EFBIG' };
    for (const [id, code] of Object.entries(codes))
      expect(await ask(id)).toMatch(new RegExp(`DFE_PASSWORD_FILE cannot be read \\((${code})\\)`));
    expect(upstream.seen).toEqual([]);
    expect(await ask('right')).toContain('84713012');
    const found = await server.withoutPassword();
    expect(found).toEqual(
      Object.entries(codes).map(([id, code]) => ({ id, code: expect.stringMatching(new RegExp(code)) })),
    );
    // What is mended needs no new start.
    writeFileSync(join(folder.path, 'missing'), 'another\n', { mode: 0o400 });
    expect((await server.withoutPassword()).map(({ id }) => id)).toEqual(['folder', 'fifo', 'large']);
    expect(await ask('missing')).toContain('84713012');
  },
);
