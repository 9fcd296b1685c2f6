import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { readZip } from '../archive/export/read-zip.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';
import { sheetText } from '../support/sheet-reader.ts';

const days = { from: '2026-10-05', to: '2026-10-09' } as const;
const folder = temporaryFolder();
let sandbox: Sandbox;
let connection: Connection;

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  const env = sandboxSettings(sandbox, { DFE_DOWNLOAD_DIR: folder.path });
  connection = await connectInProcess('v2 legacy', { env });
});
afterAll(async () => {
  await connection.close();
  await sandbox.close();
  folder.remove();
});

interface Exported {
  readonly path: string;
  readonly rows: number;
  readonly rendered: number;
  readonly documents: number;
}

/** The PDFs of an export, by their names, and what the answer says. */
async function sheetsOf(document: string, period: object = days) {
  const { isError, text, structured } = await connection.call('export_documents', {
    document,
    ...period,
    format: 'pdf',
  });
  expect(isError, text).toBe(false);
  const { path, rows, rendered, documents } = structured as unknown as Exported;
  const entries = readZip(readFileSync(path));
  const pdfs = entries.filter(({ name }) => name.endsWith('.pdf'));
  expect(path).toMatch(/-pdf\.zip$/);
  expect(pdfs).toHaveLength(rows);
  return { text, rows, rendered, documents, pdfs, manifest: String(entries.at(-1)?.data) };
}

describe('an export of sheets', () => {
  it('is one PDF where all are drawn and few, whose outline has the key of each', async () => {
    const { structured, text } = await connection.call('export_documents', {
      document: 'cte',
      ...days,
      format: 'pdf',
    });
    const { path, rows, rendered, documents } = structured as unknown as Exported;
    expect(path).toMatch(/-pdf\.pdf$/);
    expect([rows, rendered]).toEqual([documents, documents]);
    expect(rows).toBeGreaterThan(2);
    expect(text).toMatch(/drawn from the XML/);
    const all = sheetText(readFileSync(path)).replace(/\s+/g, '');
    const listed = await connection.call('list_documents', { document: 'cte', ...days, limit: 100 });
    const keys = (listed.structured as { documents: { key: string }[] }).documents.map(({ key }) => key);
    expect(keys).toHaveLength(rows);
    for (const key of keys) expect(all).toContain(key);
    // Each sheet begins to count its pages anew.
    expect(all.match(/FOLHA1\//g)).toHaveLength(rows);
  });

  it("takes the service's own of NF-e, and draws them where they don't come, saying why once", async () => {
    const own = await sheetsOf('nfe');
    expect(own.rendered).toBe(0);
    expect(own.rows).toBeGreaterThan(5);
    const fault = { match: 'DownloadPdfNfe', status: 404, times: 1000 };
    const body = JSON.stringify(fault);
    await fetch(`${sandbox.url}/__sandbox/faults`, { method: 'POST', body });
    const drawn = await sheetsOf('nfe', { from: '2026-10-12', to: '2026-10-16' });
    expect(drawn.rows).toBeGreaterThan(5);
    expect(drawn.rendered).toBe(drawn.rows);
    expect(drawn.text.match(/The service's PDF could not be obtained/g)).toHaveLength(1);
    expect(sheetText(drawn.pdfs[0]?.data ?? Buffer.alloc(0))).toContain('DANFE');
    const asked = (await (await fetch(`${sandbox.url}/__sandbox/requests`)).json()) as {
      path?: string;
      target?: string;
    }[];
    const downloads = asked.filter((one) => JSON.stringify(one).includes('DownloadPdfNfe'));
    // Those of the first export, and a few until it was clear that none comes.
    expect(downloads.length - own.rows).toBeLessThan(drawn.rows);
  });
});
