import { beforeAll, describe, expect, it } from 'vitest';
import { askSandbox, company } from '../support/asked-sandbox.ts';
import type { PlainDocument } from '../support/independent-documents.ts';

const { ask, refused, documents } = askSandbox();
let note: PlainDocument;

beforeAll(async () => {
  const notes = await documents('nfse', { from: '2026-09-01', to: '2026-09-30' });
  const keyed = notes.find(({ key, issuer }) => key !== undefined && issuer.id !== company);
  if (keyed === undefined) throw new Error('no national NFS-e');
  note = keyed;
});

describe('a national NFS-e by its key', () => {
  it('is found without its day, before any list was asked for, and again', async () => {
    const expected = { document: { key: note.key, number: note.number, issuer: { id: note.issuer.id } } };
    for (const key of [note.key, `NFS${note.key}`])
      expect((await ask('get_document', { document: 'nfse', key })).data).toMatchObject(expected);
    const verified = await ask('verify_document', { document: 'nfse', key: note.key });
    expect(verified.text).toContain(String(note.key));
  });

  it.each<[what: string, args: () => object, words: RegExp]>([
    [
      'is told of by number and month where it is not among the company’s',
      () => ({ key: '43149022226263261000198000000000000225120787292537' }),
      /NFS-e 2 .*2025-12/,
    ],
    ['of another length', () => ({ key: note.key?.slice(1) }), /49 positions and should have 50/],
    ['with other names of it', () => ({ key: note.key, number: note.number }), /issue_date/],
    ['of another kind of document', () => ({ document: 'nfe', key: note.key }), /NFS-e/],
    ['of goods', () => ({ key: '35170458716523000119550010000000121000123458' }), /50 positions/],
  ])('%s, is refused', async (_, args, words) => {
    expect(await refused('get_document', { document: 'nfse', ...args() })).toMatch(words);
  });
});
