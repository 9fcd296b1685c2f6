import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { accessKey, nfeXml } from '../support/documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { sheetText } from '../support/sheet-reader.ts';

const folder = temporaryFolder();
let connection: Connection;

beforeAll(async () => {
  writeFileSync(join(folder.path, 'nota.xml'), nfeXml({ number: 1 }));
  connection = await connectInProcess('v2 legacy', { env: { DFE_FILES: folder.path, DFE_LANGUAGE: 'en' } });
});
afterAll(async () => {
  await connection.close();
  folder.remove();
});

it("a note of the user's files has its sheet without any service, and nothing is said to have failed", async () => {
  const key = accessKey({ number: 1 });
  const args = { document: 'nfe', key, format: 'pdf', delivery: 'embed' };
  const { isError, text, structured, content } = await connection.call('get_document', args);
  expect(isError, text).toBe(false);
  expect(structured).toMatchObject({ origin: 'rendered', source: 'files' });
  expect(text).toMatch(/No service provides a PDF/);
  expect(text).not.toMatch(/could not be obtained|DFE_URL/);
  const [embedded] = content.filter(({ type }) => type === 'resource') as { resource: { blob: string } }[];
  const sheet = sheetText(Buffer.from(embedded?.resource.blob ?? '', 'base64'));
  expect(sheet.replace(/\s+/g, '')).toContain(key);
});
