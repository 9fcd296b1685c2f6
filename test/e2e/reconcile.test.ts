import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readZip } from '../archive/export/read-zip.ts';
import { bookKey, c100, efd } from '../support/books.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import {
  authorisedNote,
  eventFile,
  keyOf,
  otherSupplier,
  ourCompany,
  supplier,
} from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { zipOf } from '../support/zip.ts';

interface Answered {
  readonly isError: boolean;
  readonly text: string;
  readonly data: {
    readonly files: { readonly file: string; readonly notes: string[]; readonly whole?: boolean }[];
    readonly findings: Readonly<Record<string, string>>[];
    readonly total: number;
    readonly next_cursor?: string;
  } & Readonly<Record<string, unknown>>;
}

const own = { number: 1, issuer: ourCompany, recipient: supplier };
const cancelled = { ...own, number: 2 };
const unlisted = { ...own, number: 3 };
const bought = { number: 7 };

describe('reconcile, with the user’s own files', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let saved: ReturnType<typeof temporaryFolder>;
  let connection: Connection;

  const put = (name: string, content: string | Uint8Array) => {
    const path = join(folder.path, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  };
  const call = async (args: Readonly<Record<string, unknown>>): Promise<Answered> => {
    const { isError, text, structured } = await connection.call('reconcile', args);
    return { isError, text, data: structured as Answered['data'] };
  };
  const book = (changes: Parameters<typeof efd>[1] = {}, total = '100,00') =>
    efd(
      [
        c100({ ...own, key: keyOf(own), base: '0', icms: '0', total }),
        c100({ ...cancelled, key: keyOf(cancelled), base: '0', icms: '0' }),
        c100({ number: 7, issuer: supplier, key: keyOf(bought), moved: '09102026', base: '0', icms: '0' }),
        c100({ number: 9, issuer: supplier, key: bookKey({ number: 9, issuer: supplier }) }),
      ],
      changes,
    );

  beforeEach(async () => {
    folder = temporaryFolder();
    for (const note of [own, cancelled, unlisted, bought])
      put(`xml/${note.number}.xml`, Buffer.from(authorisedNote(note)));
    put('xml/cancelled.xml', eventFile(cancelled));
    saved = temporaryFolder();
    const env = { DFE_FILES: folder.path, DFE_DOWNLOAD_DIR: saved.path, DFE_LANGUAGE: 'en' };
    connection = await connectInProcess('v1', { env });
  });

  afterEach(async () => {
    await connection.close();
    folder.remove();
    saved.remove();
  });

  it('names the files there are, none of them a document', async () => {
    put('livros/outubro.txt', book());
    put('apuracao.json', '{"ni":"48152036","apuracao":[]}');
    put('erp.csv', 'Chave;Valor\n;1\n');
    put('notas.txt', 'nada');
    const { data, text } = await call({});
    expect(data.files.map(({ file, ...rest }) => [file, rest])).toEqual([
      ['apuracao.json', { kind: 'cbs_assessment', notes: [] }],
      ['erp.csv', { kind: 'list', layout: 'csv', notes: [] }],
      [
        'livros/outubro.txt',
        {
          kind: 'efd_icms_ipi',
          layout: '020',
          company: ourCompany,
          from: '2026-10-01',
          to: '2026-10-31',
          notes: [],
        },
      ],
    ]);
    expect(text).toContain('livros/outubro.txt,EFD ICMS/IPI,020');
  });

  it('compares a SPED file and says what rests on what', async () => {
    put('outubro.txt', book());
    const { data, text } = await call({ file: ['outubro.txt'] });
    expect(data).toMatchObject({
      company: ourCompany,
      complete: false,
      source: 'files',
      compared: { entries: 4, documents: 4, matched: 3, by_key: 3, by_number: 0, agree: 2 },
      by_finding: [
        { finding: 'cancelled_but_listed', certainty: 'certain', count: 1, amount: '100.00' },
        { finding: 'missing_in_file', certainty: 'certain', count: 1, amount: '100.00' },
        { finding: 'missing_in_documents', certainty: 'probable', count: 1, amount: '100.00' },
      ],
      total: 3,
    });
    expect(data.files).toMatchObject([
      {
        file: 'outubro.txt',
        layout: '020',
        establishment: ourCompany,
        whole: true,
        sums: { total: '400.00' },
      },
    ]);
    expect(data.files[0]?.notes).toEqual(['read by the published schema; no real file seen of this layout']);
    expect(data.findings.map(({ finding, key, line }) => [finding, key, line])).toEqual([
      ['cancelled_but_listed', keyOf(cancelled), 6],
      ['missing_in_file', keyOf(unlisted), undefined],
      ['missing_in_documents', bookKey({ number: 9, issuer: supplier }), 10],
    ]);
    expect(text).toContain(keyOf(unlisted));
    expect(text).toContain('BRL 100.00');
  });

  it('narrows, pages and goes on where it stopped', async () => {
    put('outubro.txt', book());
    const only = await call({ file: ['outubro.txt'], finding: ['missing_in_file'] });
    expect(only.data.findings).toMatchObject([{ key: keyOf(unlisted) }]);
    const probable = await call({ file: ['outubro.txt'], certainty: ['probable'] });
    expect(probable.data.findings).toMatchObject([{ finding: 'missing_in_documents' }]);
    const met: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await call({ file: ['outubro.txt'], limit: 1, ...(cursor && { cursor }) });
      met.push(...data.findings.map(({ finding }) => finding));
      cursor = data.next_cursor;
    } while (cursor !== undefined);
    expect(met).toEqual(['cancelled_but_listed', 'missing_in_file', 'missing_in_documents']);
    const other = await call({ file: ['outubro.txt'], finding: ['nothing'] });
    expect([other.isError, other.text]).toEqual([true, expect.stringContaining('value_differs')]);
  });

  it('takes the replacement of a month, whatever the order, and no other company’s or period’s file', async () => {
    put('1.txt', book({}, '1,00'));
    put('2.txt', book({ purpose: '1' }));
    for (const file of [
      ['1.txt', '2.txt'],
      ['2.txt', '1.txt'],
    ]) {
      const { data } = await call({ file });
      expect(data.total).toBe(3);
      expect(data.files.find(({ file: name }) => name === '1.txt')?.notes[0]).toContain('replaced by 2.txt');
    }
    const other = await call({ file: ['2.txt'], cnpj: otherSupplier });
    expect(other.data).toMatchObject({ total: 0, compared: { entries: 0 } });
    expect(other.data.files[0]?.notes[0]).toContain(`is of ${ourCompany}, not of the company asked for`);
    const later = await call({ file: ['2.txt'], from: '2026-11-01', to: '2026-11-15' });
    expect(later.data.files[0]?.notes[0]).toContain('its period does not touch');
    const kind = await call({ file: ['2.txt'], kind: 'list' });
    expect(kind.data.files[0]?.notes[0]).toContain('another kind was asked for');
  });

  it('saves its findings as a table, and into a dossier', async () => {
    put('outubro.txt', book());
    const { data } = await call({ file: ['outubro.txt'] });
    const asked = { reconcile_files: ['outubro.txt'] };
    const table = await connection.call('export_documents', { ...asked, format: 'csv' });
    expect(table.structured).toMatchObject({ rows: 3, total: 3, company: ourCompany });
    const csv = readFileSync(String(table.structured?.path), 'utf8');
    const rows = csv.trim().split('\r\n').slice(1);
    expect(rows).toHaveLength(3);
    for (const [at, { finding, key, message }] of data.findings.entries()) {
      expect(rows[at]).toContain(`${finding};`);
      expect(rows[at]).toContain(String(key));
      expect(rows[at]).toContain(message);
    }
    const october = { from: '2026-10-01', to: '2026-10-31' };
    const sheet = await connection.call('export_documents', { ...asked, ...october, format: 'xlsx' });
    expect(sheet.structured).toMatchObject({ rows: 3, ...october });
    const whole = { ...asked, ...october, cnpj: [ourCompany] };
    const dossier = await connection.call('export_documents', { ...whole, format: 'dossier' });
    expect(dossier.text).toContain('Findings of the reconciliation: 3');
    const entries = readZip(readFileSync(String(dossier.structured?.path)));
    expect(entries.find(({ name }) => name === 'reconcile.csv')?.data.toString()).toBe(csv);
    const cancelledRow = entries
      .find(({ name }) => name === 'index.csv')
      ?.data.toString()
      .split('\r\n')
      .find((line) => line.includes(keyOf(cancelled)));
    expect(cancelledRow).toContain('Cancelled');
    expect(entries.find(({ name }) => name === 'events.csv')?.data.toString()).toContain('110111');
    const refused = await connection.call('export_documents', {
      ...{ ...asked, format: 'csv', status: ['cancelled'], cnpj: [ourCompany, otherSupplier] },
    });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('"status"')]);
    const none = await connection.call('export_documents', { reconcile_files: ['none.txt'], format: 'csv' });
    expect([none.isError, none.text]).toEqual([true, expect.stringContaining('"none.txt" is not in')]);
  });

  it('reads an assessment and says by when to act on it', async () => {
    const record = (key: string, cbs: string) =>
      `{"origem":0,"documento":55,"chave":"${key}","emissao":"2026-10-05T13:00:00Z","registro":"2026-10-05T13:00:00Z","cbs":{"apurado":${cbs}}}`;
    const list = [record(keyOf(own), '0.9'), record(keyOf(cancelled), '1.10')].join(',');
    put(
      'cbs.json',
      `{"ni":"48152036","geradoEm":"2026-11-05T09:00:00Z","apuracao":[{"pa":"10/2026","debitos":[${list}]}]}`,
    );
    const { data, text } = await call({ file: ['cbs.json'] });
    expect(data).toMatchObject({
      deadlines: { presented_by: '2026-11-15', adjust_until: '2026-11-30' },
      files: [
        {
          kind: 'cbs_assessment',
          layout: 'v2',
          company: '48152036',
          generated_at: '2026-11-05T09:00:00.000Z',
        },
      ],
    });
    expect(data.findings.map(({ finding, ours, theirs }) => [finding, ours, theirs])).toEqual([
      ['cancelled_but_listed', 'cancelled', '1.10'],
      ['value_differs', '0.00', '0.90'],
    ]);
    expect(text).toMatch(/no real file seen.*informative/s);
  });

  it('reads a list from a spreadsheet, as the call says where headings do not', async () => {
    const cells = [
      ['Doc', 'Quem', 'Quanto'],
      ['1', ourCompany, '100,50'],
    ].map(
      (row, at) =>
        `<row r="${at + 1}">${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`,
    );
    const part = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });
    put(
      'erp.xlsx',
      zipOf([
        part(
          'xl/workbook.xml',
          '<workbook xmlns:r="x"><sheets><sheet name="a" sheetId="1" r:id="rId9"/></sheets></workbook>',
        ),
        part(
          'xl/_rels/workbook.xml.rels',
          '<Relationships><Relationship Id="rId9" Target="worksheets/a.xml"/></Relationships>',
        ),
        part('xl/worksheets/a.xml', `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>`),
      ]),
    );
    const unclear = await call({ file: ['erp.xlsx'], cnpj: ourCompany });
    expect([unclear.isError, unclear.text]).toEqual([true, expect.stringContaining('say in columns')]);
    const columns = { Doc: 'number', Quem: 'issuer', Quanto: 'total' };
    const { data } = await call({ file: ['erp.xlsx'], cnpj: ourCompany, columns });
    expect(data.files).toMatchObject([
      { layout: 'xlsx', columns: { number: 'Doc', issuer: 'Quem', total: 'Quanto' } },
    ]);
    expect(data.findings).toMatchObject([
      { finding: 'value_differs', field: 'total', ours: '100.00', theirs: '100.50' },
    ]);
    const wrong = await call({ file: ['erp.xlsx'], columns: { Doc: 'document' } });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('icms_base')]);
  });

  it('refuses by name what it can’t read, and reads nothing outside of the folders', async () => {
    put('page.json', '<html></html>');
    put('status.json', '{"estado":"CONCLUIDA","urlAssinada":"https://storage/x?sig=SECRET"}');
    const { isError, text } = await call({
      file: ['page.json', 'status.json', '../secret.txt', '/etc/passwd'],
    });
    expect(isError).toBe(true);
    expect(text).toMatch(
      /"page.json" is a page.*"status.json" is the answer.*secret.txt" is not in.*passwd" is not in/s,
    );
    expect(text).not.toContain('SECRET');
    put('outubro.txt', book());
    const { data } = await call({ file: ['page.json', 'outubro.txt'] });
    expect(data).toMatchObject({ total: 3, files: [{ file: 'page.json' }, { whole: true }] });
  });
});

it('reconcile says where files go when there is no folder', async () => {
  const connection = await connectInProcess('v1', { env: { DFE_LANGUAGE: 'en' } });
  const { isError, text } = await connection.call('reconcile', { file: ['a.txt'] });
  expect([isError, text]).toEqual([true, expect.stringContaining('DFE_FILES')]);
  await connection.close();
});
