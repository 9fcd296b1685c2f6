import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import type { Connection } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { fetchPlainly, type PlainDocument } from '../support/independent-documents.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';

const company = '48152036000117';
let sandbox: Sandbox;
let connection: Connection;
let note: PlainDocument;

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  connection = await connectInProcess('v2 modern', {
    env: sandboxSettings(sandbox),
    now: () => Date.parse('2026-11-20T12:00:00-03:00'),
  });
  const notes = await fetchPlainly(sandbox.url, 'nfse', { company, from: '2026-09-01', to: '2026-09-30' });
  const keyed = notes.find(({ key, issuer }) => key !== undefined && issuer.id !== company);
  if (keyed === undefined) throw new Error('no national NFS-e');
  note = keyed;
});
afterAll(async () => {
  await connection?.close();
  await sandbox?.close();
});

const get = (args: object, tool = 'get_document') => connection.call(tool, { document: 'nfse', ...args });

describe('a national NFS-e by its key', () => {
  it('is found without its day, before any list was asked for, and again', async () => {
    const expected = { document: { key: note.key, number: note.number, issuer: { id: note.issuer.id } } };
    for (const key of [note.key, `NFS${note.key}`]) {
      const { isError, text, structured } = await get({ key });
      expect(isError, text).toBe(false);
      expect(structured).toMatchObject(expected);
    }
    const verified = await get({ key: note.key }, 'verify_document');
    expect(verified.isError, verified.text).toBe(false);
    expect(verified.text).toContain(String(note.key));
  });

  it('is told of by number and month where it is not among the company’s', async () => {
    const { isError, text } = await get({ key: '43149022226263261000198000000000000225120787292537' });
    expect(isError).toBe(true);
    expect(text).toMatch(/NFS-e 2 .*2025-12/);
  });

  it('of another length, with other names of it, or of another kind of document is refused', async () => {
    expect((await get({ key: note.key?.slice(1) })).text).toMatch(/49 positions and should have 50/);
    expect((await get({ key: note.key, number: note.number })).text).toContain('issue_date');
    expect((await get({ document: 'nfe', key: note.key })).text).toContain('NFS-e');
    expect((await get({ key: '35170458716523000119550010000000121000123458' })).text).toContain(
      '50 positions',
    );
  });
});
