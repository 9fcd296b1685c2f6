import { expect, it } from 'vitest';
import { documentTable } from '../../../src/archive/export/document-tables.ts';
import { csvOf, type Rows } from '../../../src/archive/export/table.ts';
import { xlsxOf } from '../../../src/archive/export/xlsx.ts';
import { type XmlRow, zipOf } from '../../../src/archive/export/zip.ts';
import type { DocumentSummary } from '../../../src/documents/summary/summary.ts';
import { summaryOf } from '../../support/summaries.ts';
import { bytesOf } from './rows.ts';

type Source = Rows<DocumentSummary & XmlRow>;

it.each([
  ['CSV file', (rows: Source) => csvOf(rows, documentTable(), 'en')],
  ['workbook', (rows: Source) => xlsxOf(rows, documentTable(), 'en')],
  ['ZIP', (rows: Source) => zipOf(rows, 'en')],
])('a %s may have no rows, fails with its source, and closes it early', async (_, contentOf) => {
  expect(await bytesOf(contentOf([]))).not.toHaveLength(0);
  const failure = new Error('the service went away');
  const state = { isOpen: false };
  async function* source(fail: boolean) {
    const document = summaryOf({ key: '1' });
    state.isOpen = true;
    try {
      for (let i = 0; i < 3; i++) yield { ...document, summary: document, xml: Buffer.from('<NFe/>') };
      if (fail) throw failure;
    } finally {
      state.isOpen = false;
    }
  }
  await expect(bytesOf(contentOf(source(true)))).rejects.toBe(failure);
  for await (const _chunk of contentOf(source(false))) if (state.isOpen) break;
  expect(state.isOpen).toBe(false);
});
