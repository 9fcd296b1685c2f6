import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readZip } from '../archive/export/read-zip.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { authorisedNote, keyOf, ourCompany } from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { sheetText } from '../support/sheet-reader.ts';

/** More than go into one file. */
const MANY = 101;

it('sheets of files are one PDF up to a hundred, and a ZIP of more, each named by its key', async () => {
  const [files, saved] = [temporaryFolder(), temporaryFolder()];
  onTestFinished(() => {
    files.remove();
    saved.remove();
  });
  const notes = Array.from({ length: MANY }, (_, i) => ({
    number: i + 1,
    day: i === 0 ? '2026-10-02' : '2026-10-05',
  }));
  for (const note of notes) writeFileSync(join(files.path, `${note.number}.xml`), authorisedNote(note));
  const env = { DFE_FILES: files.path, DFE_DOWNLOAD_DIR: saved.path, DFE_LANGUAGE: 'en' };
  const connection = await connectInProcess('v1', { env });
  onTestFinished(() => connection.close());
  const sheets = async (from: string) => {
    const asked = { document: 'nfe', cnpj: ourCompany, from, to: '2026-10-31', format: 'pdf' };
    const { structured, text } = await connection.call('export_documents', asked);
    expect(structured, text).toBeDefined();
    return structured as { path: string; rows: number; rendered: number };
  };

  const few = await sheets('2026-10-03');
  expect(few).toMatchObject({ rows: MANY - 1, rendered: MANY - 1 });
  const all = sheetText(readFileSync(few.path)).replace(/\s+/g, '');
  for (const note of notes.slice(1)) expect(all).toContain(keyOf(note));
  expect((await sheets('2026-10-03')).path).not.toBe(few.path);

  const many = await sheets('2026-10-01');
  expect(many).toMatchObject({ rows: MANY, rendered: MANY });
  const names = readZip(readFileSync(many.path)).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(notes.map((note) => `${keyOf(note)}.pdf`)));
});
