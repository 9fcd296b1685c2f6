import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readZip } from '../archive/export/read-zip.ts';
import { authorisedNote, keyOf, ourCompany } from '../support/filed-documents.ts';
import { ownFiles } from '../support/own-files.ts';
import { sheetWords } from '../support/sheet-reader.ts';

/** More than go into one file. */
const MANY = 101;

const { ask, put } = ownFiles();

it('sheets of files are one PDF up to a hundred, and a ZIP of more, each named by its key', async () => {
  const notes = Array.from({ length: MANY }, (_, i) => ({
    ...{ number: i + 1, day: i === 0 ? '2026-10-02' : '2026-10-05' },
  }));
  for (const note of notes) put(`${note.number}.xml`, authorisedNote(note));
  const sheets = async (from: string) => {
    const asked = { document: 'nfe', cnpj: ourCompany, from, to: '2026-10-31', format: 'pdf' };
    const { path, rows, rendered } = (await ask('export_documents', asked)).data;
    return { rows, rendered, file: readFileSync(String(path)) };
  };
  const few = await sheets('2026-10-03');
  expect(few).toMatchObject({ rows: MANY - 1, rendered: MANY - 1 });
  const all = sheetWords(few.file);
  for (const note of notes.slice(1)) expect(all).toContain(keyOf(note));
  const many = await sheets('2026-10-01');
  expect(many).toMatchObject({ rows: MANY, rendered: MANY });
  const names = readZip(many.file).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(notes.map((note) => `${keyOf(note)}.pdf`)));
});
