import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startDeadline } from '../../../src/company/deadline.ts';
import { exportDocuments } from '../../../src/tools/export.ts';
import { readZip } from '../../archive/export/read-zip.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { authorisedNote, ourCompany } from '../../support/filed-documents.ts';
import { prepareContext } from '../../support/tool-context.ts';

it('a table cut by time says so, and the next one continues, unless documents were added', async () => {
  const folder = temporaryFolder();
  for (const number of [1, 2, 3])
    writeFileSync(join(folder.path, `${number}.xml`), authorisedNote({ number }));
  const settings = { DFE_FILES: folder.path, DFE_CNPJ: ourCompany, DFE_DOWNLOAD_DIR: folder.path };
  const prepared = prepareContext(settings);
  const archive = await prepared.context.company.archive();
  // Reading one document takes twenty-five seconds.
  const slow = {
    ...archive,
    async *read(...args: Parameters<typeof archive.read>) {
      for await (const document of archive.read(...args)) {
        yield document;
        vi.setSystemTime(Date.now() + 25_000);
      }
    },
  };
  const company = { ...prepared.context.company, archive: async () => slow };
  const save = async (more: object, of: typeof prepared.context.company = company) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const deadline = startDeadline();
    const asked = { format: 'xlsx', document: ['nfe'], from: '2026-10-01', to: '2026-10-31', ...more };
    const { structured, text } = await exportDocuments.run(exportDocuments.input().parse(asked), {
      ...prepared.context,
      company: of,
      deadline,
    });
    deadline.end();
    vi.useRealTimers();
    const { path = '', rows, documents, next_cursor } = structured as Record<string, string | number>;
    const sheets = readZip(readFileSync(String(path))).map(({ data }) => data.toString('utf8'));
    return {
      ...{ counts: [rows, documents], cursor: next_cursor, text: text.join('\n'), sheets: sheets.join('') },
      suffix: /a-partir-de-\d/.exec(basename(String(path)))?.[0],
    };
  };
  const first = await save({});
  expect(first).toMatchObject({ counts: [2, 3], suffix: undefined, cursor: expect.any(String) });
  expect(first.text).toContain('PARTIAL: up to document 2 of 3');
  expect(first.sheets).toContain('A part only: documents 1 to 2 of 3');
  const last = await save({ cursor: first.cursor });
  expect(last).toMatchObject({ counts: [1, 3], suffix: 'a-partir-de-3', cursor: undefined });
  expect(last.text).not.toContain('PARTIAL');
  expect(last.sheets).toContain('A part only: documents 3 to 3 of 3');
  writeFileSync(join(folder.path, '4.xml'), authorisedNote({ number: 4 }));
  const later = prepareContext(settings);
  const { company: changed } = later.context;
  await expect(save({ cursor: first.cursor }, changed)).rejects.toThrow('list_changed');
});
