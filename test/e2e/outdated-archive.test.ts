import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/archive/store/engines/sqlite.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { connectInProcess } from '../support/in-process.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';

const now = () => Date.parse('2026-11-20T12:00:00-03:00');
const question = {
  document: 'nfe',
  from: '2026-10-01',
  to: '2026-10-10',
  group_by: ['cfop'],
  measures: ['count', 'total', 'freight', 'icms_credit'],
};

interface Answer {
  readonly rows: readonly object[];
  readonly complete: boolean;
  readonly documents: number;
  readonly left_out?: readonly { reason: string; count: number }[];
}

describe.each([
  ['that keeps the XML', { DFE_ARCHIVE_XML: 'true' }, true],
  ['that keeps no XML', {}, false],
] as const)('an archive %s', (_, kept, keepsXml) => {
  const folder = temporaryFolder();
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startNovemberSandbox();
  });
  afterAll(async () => {
    await sandbox?.close();
    folder.remove();
  });

  async function ask(url: string): Promise<{ text: string; answer: Answer }> {
    const connection = await connectInProcess('v2 modern', {
      now,
      env: sandboxSettings({ url }, { DFE_DATA_DIR: folder.path, DFE_ARCHIVE: 'file', ...kept }),
    });
    try {
      const { text, structured } = await connection.call('query_documents', question, { timeout: 60_000 });
      return { text, answer: structured as unknown as Answer };
    } finally {
      await connection.close();
    }
  }

  /** As a version of the program left it that took less out of documents. */
  async function makeOld(): Promise<number> {
    const sqlite = await openSqlite(join(folder.path, 'archive.db'));
    const noCredit = 'icms_credit = 0, icms_credit_given = 0';
    for (const change of [
      'update documents set reading = 0, icms_credit = null',
      'update items set freight = null, icms_credit = null, total = products',
      `update item_rollup set ${noCredit}, freight = 0, freight_given = 0, total = products`,
      `update document_rollup set ${noCredit}`,
    ]) {
      sqlite.run(change, []);
    }
    const [row = {}] = sqlite.run(
      `select count(*) as held from documents where issued_at < '2026-10-11'`,
      [],
    );
    sqlite.close();
    return Number(Object.values(row)[0]);
  }

  it('of an earlier version answers as a new one would, or leaves out what it can’t know', async () => {
    const first = await ask(sandbox.url);
    expect(first.answer).toMatchObject({ complete: true });
    expect(first.answer.rows.length).toBeGreaterThan(3);
    const held = await makeOld();
    const away = await ask('http://127.0.0.1:9');
    if (keepsXml) {
      expect(away.answer).toMatchObject({ rows: first.answer.rows, complete: true });
    } else {
      expect(away.answer).toMatchObject({ rows: [], documents: 0, complete: false });
      expect(away.answer.left_out).toContainEqual({ reason: 'outdated', count: held });
      expect(away.text).toContain(`${held} kept by an earlier version and not read again yet`);
    }
    const again = await ask(sandbox.url);
    expect(again.answer).toMatchObject({ rows: first.answer.rows, complete: true });
    expect(again.answer.left_out ?? []).toEqual(first.answer.left_out ?? []);
  });
});
