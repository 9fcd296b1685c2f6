import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipOf } from '../../src/sandbox/zip.ts';
import { readZip } from '../archive/export/read-zip.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import {
  authorisedNote,
  bareNote,
  eventFile,
  keyOf,
  otherSupplier,
  ourCompany,
  supplier,
} from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { sheetText } from '../support/sheet-reader.ts';

const october = { document: 'nfe', from: '2026-10-01', to: '2026-10-31' } as const;

describe('a folder of files and no service at all', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let connection: Connection;
  const notes = () => join(folder.path, 'notas');

  const put = (name: string, content: string | Uint8Array) => {
    const path = join(notes(), name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, new Date('2026-10-20T10:00:00Z'), new Date('2026-10-20T10:00:00Z'));
    return path;
  };
  const settings = () => ({
    DFE_FILES: notes(),
    DFE_DOWNLOAD_DIR: join(folder.path, 'saved'),
    DFE_DATA_DIR: join(folder.path, 'data'),
    DFE_ARCHIVE: 'file',
    DFE_LANGUAGE: 'en',
  });
  const call = async (name: string, args: Record<string, unknown>) => {
    const { structured, text, isError } = await connection.call(name, args);
    return { data: structured as Record<string, unknown>, text, isError };
  };

  beforeEach(async () => {
    folder = temporaryFolder();
    for (const name of ['notas', 'saved']) mkdirSync(join(folder.path, name));
    const now = () => Date.parse('2026-11-20T12:00:00-03:00');
    connection = await connectInProcess('v1', { env: settings(), now });
  });

  afterEach(async () => {
    await connection.close();
    folder.remove();
  });

  it('is exported as a table, as XML and as sheets', async () => {
    put('1.xml', authorisedNote({ number: 1, total: '100.00' }));
    put('2.xml', authorisedNote({ number: 2, total: '250.50', issuer: otherSupplier }));
    put('2-can.xml', eventFile({ number: 2, issuer: otherSupplier }));
    const keys = [keyOf({ number: 1 }), keyOf({ number: 2, issuer: otherSupplier })];
    const exported = async (format: string) => {
      const { data, text, isError } = await call('export_documents', {
        ...october,
        format,
        status: ['authorized', 'cancelled'],
      });
      expect(isError, text).toBe(false);
      expect(data).toMatchObject({ rows: 2, complete: false });
      return readFileSync(String(data.path));
    };
    const table = String(await exported('csv'));
    expect(keys.filter((key) => !table.includes(key))).toEqual([]);
    expect(table).toMatch(/250[.,]50/);

    const entries = readZip(await exported('zip'));
    const xml = entries.filter(({ name }) => name.endsWith('.xml')).map(({ data }) => String(data));
    expect(keys.filter((key) => !xml.some((text) => text.includes(`Id="NFe${key}"`)))).toEqual([]);

    const sheets = sheetText(await exported('pdf')).replace(/\s+/g, '');
    expect(keys.filter((key) => !sheets.includes(key))).toEqual([]);
    expect(sheets).toContain('CANCELAD');
  });

  it('tells which notes wait for a manifestation, by the events that lie beside them', async () => {
    const day = '2026-11-15';
    for (const number of [1, 2, 3, 4]) put(`${number}.xml`, authorisedNote({ number, day }));
    put('4-issued.xml', authorisedNote({ number: 9, day, issuer: ourCompany, recipient: supplier }));
    const own = (number: number, code: string) =>
      eventFile({ number, day }, code).replace(`<CNPJ>${supplier}</CNPJ>`, `<CNPJ>${ourCompany}</CNPJ>`);
    put('2-ciencia.xml', own(2, '210210'));
    put('3-confirmada.xml', own(3, '210200'));
    put('4-can.xml', eventFile({ number: 4, day }));
    const { data, text, isError } = await call('list_pending_manifestations', { cnpj: ourCompany });
    expect(isError, text).toBe(false);
    const pending = (data.pending as { key: string; status: string }[]).map(({ key, status }) => [
      key,
      status,
    ]);
    expect(pending.sort()).toEqual(
      [
        [keyOf({ number: 1, day }), 'open'],
        [keyOf({ number: 2, day }), 'acknowledged'],
      ].sort(),
    );
    expect(data).toMatchObject({ total: 2, complete: false });
    expect(text).toContain('cannot be known');
  });

  it('that goes away and comes back between two questions is told, and nothing of it is lost', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    put('2.xml', authorisedNote({ number: 2 }));
    const asked = { ...october, cnpj: ourCompany, refresh: true };
    expect((await call('query_documents', asked)).data).toMatchObject({ documents: 2 });
    renameSync(notes(), `${notes()}-away`);
    const away = await call('query_documents', asked);
    expect(away.data).toMatchObject({ documents: 2, complete: false });
    expect(away.text).toContain('could not be read (ENOENT)');
    const gone = await call('get_document', { document: 'nfe', key: keyOf({ number: 1 }), format: 'xml' });
    expect(gone.isError, gone.text).toBe(true);
    renameSync(`${notes()}-away`, notes());
    const back = await call('query_documents', asked);
    expect(back.data).toMatchObject({ documents: 2 });
    expect(back.text).not.toContain('ENOENT');
  });

  it.each(['csv', 'xlsx'])(
    'keeps in a %s what questions leave out, marked, and out of its totals',
    async (format) => {
      const test = authorisedNote({ number: 3, total: '3.00' }).replace(
        '<tpAmb>1</tpAmb>',
        '<tpAmb>2</tpAmb>',
      );
      put('1.xml', authorisedNote({ number: 1, total: '100.00' }));
      put('2.xml', authorisedNote({ number: 2, total: '20.00' }));
      put('2-can.xml', eventFile({ number: 2 }));
      put('3.xml', test);
      const { data, text } = await call('export_documents', { ...october, cnpj: ourCompany, format });
      expect(data, text).toMatchObject({ rows: 3 });
      expect(data.left_out).toEqual(
        expect.arrayContaining([
          { reason: 'cancelled', count: 1 },
          { reason: 'test', count: 1 },
        ]),
      );
      expect(text).toMatch(/In the table and outside its totals.*"Left out of totals": .*1 cancelled/);
      expect(text).toMatch(/NF-e: 1 document.*100\.00/);
      const bytes = readFileSync(String(data.path));
      const table =
        format === 'csv'
          ? bytes.toString()
          : String(readZip(bytes).find(({ name }) => name.includes('sheet1'))?.data);
      for (const mark of ['Left out of totals', 'Cancelled', 'Test environment'])
        expect(table).toContain(mark);
      const chosen = await call('export_documents', {
        ...october,
        cnpj: ourCompany,
        format,
        status: ['authorized'],
      });
      expect(chosen.data).toMatchObject({ rows: 2, left_out: [{ reason: 'test', count: 1 }] });
    },
  );

  it.each([
    { known: 'nothing', files: [] },
    { known: 'documents', files: [1, 2] },
  ])(
    'that is empty, as of a disk that is not mounted, is told where $known was known of it',
    async ({ files }) => {
      const paths = files.map((number) => put(`${number}.xml`, authorisedNote({ number })));
      const asked = { ...october, cnpj: ourCompany, refresh: true };
      expect((await call('query_documents', asked)).data).toMatchObject({ documents: files.length });
      for (const path of paths) rmSync(path);
      for (const tool of ['query_documents', 'list_documents']) {
        const { data, text } = await call(tool, asked);
        expect(data, text).toMatchObject({
          complete: false,
          missing: [
            {
              document: 'nfe',
              from: '2026-10-01',
              to: '2026-10-31',
              reason: expect.stringContaining('is empty'),
            },
          ],
        });
        expect(text).toMatch(/⚠.*notas" is empty.*mounted/);
      }
      put('3.xml', authorisedNote({ number: 3 }));
      const { data, text } = await call('query_documents', asked);
      expect(data).toMatchObject({ documents: 1 });
      expect(text).not.toContain('is empty');
    },
  );

  it('gives no link to what it has only as a summary, which only the service has whole', async () => {
    const key = keyOf({ number: 5 });
    put(
      'resumo.xml',
      `<resNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01"><chNFe>${key}</chNFe><CNPJ>${supplier}</CNPJ>` +
        '<xNome>Fornecedor 11</xNome><IE>1</IE><dhEmi>2026-10-05T10:00:00-03:00</dhEmi><tpNF>1</tpNF><vNF>100.00</vNF>' +
        '<dhRecbto>2026-10-05T10:00:05-03:00</dhRecbto><nProt>135260000000001</nProt><cSitNFe>1</cSitNFe></resNFe>',
    );
    put('1.xml', authorisedNote({ number: 1 }));
    const { data, text } = await call('list_documents', { ...october, cnpj: supplier });
    const documents = data.documents as { key: string; kind: string; uri?: string }[];
    expect(documents.map(({ kind }) => kind).sort(), text).toEqual(['nfe', 'summary']);
    for (const { uri, kind } of documents) {
      if (kind === 'summary') expect(uri).toBeUndefined();
      else expect(uri).toBeDefined();
    }
  });

  it('has a file that is still being written read again once it is whole', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    const whole = authorisedNote({ number: 2 });
    const path = join(notes(), '2.xml');
    writeFileSync(path, whole.slice(0, whole.length / 2));
    const asked = { ...october, cnpj: ourCompany, refresh: true };
    expect((await call('query_documents', asked)).data).toMatchObject({ documents: 1 });
    expect((await call('list_documents', {})).text).toContain('1 part without a fiscal document');
    writeFileSync(path, whole);
    expect((await call('query_documents', asked)).data).toMatchObject({ documents: 2 });
  });

  it('is read before archive info says what there is', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    const { stdout, code } = await runInProcess(['archive', 'info'], settings());
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 file, 1 document and 0 events')]);
    expect(stdout).toMatch(/bytes: 1 document,/);
    renameSync(notes(), `${notes()}-away`);
    const away = await runInProcess(['archive', 'info'], settings());
    expect([away.code, away.stdout]).toEqual([1, expect.stringMatching(/✗ .*could not be read \(ENOENT\)/)]);
  });

  it('is told by doctor and archive info, and taken over for good although it is known already', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    put(
      'lote.zip',
      zipOf(
        [2, 3].map((number) => ({
          name: `${number}.xml`,
          bytes: Buffer.from(authorisedNote({ number, issuer: otherSupplier })),
        })),
      ),
    );
    put('3-can.xml', eventFile({ number: 3, issuer: otherSupplier }));
    put('cut.xml', bareNote({ number: 5 }).slice(0, 300));
    put('leia-me.txt', 'ol\u00e1');
    writeFileSync(Buffer.from(`${notes()}/n\xba 9.xml`, 'latin1'), authorisedNote({ number: 9 }));
    const env = settings();

    const doctor = await runInProcess(['doctor'], env);
    const said = [
      '5 files, 3 documents and 1 event',
      `${ourCompany}`,
      'cut.xml',
      'leia-me.txt',
      'could not be opened ("n\uFFFD 9.xml")',
    ];
    expect(
      said.filter((words) => !doctor.stdout.includes(words)),
      doctor.stdout,
    ).toEqual([]);

    const info = await runInProcess(['archive', 'info'], env);
    expect(
      said.slice(0, 4).filter((words) => !info.stdout.includes(words)),
      info.stdout,
    ).toEqual([]);

    const { DFE_FILES, ...withoutFiles } = env;
    const taken = await runInProcess(['archive', 'import', DFE_FILES], withoutFiles);
    expect(taken.stdout).toContain('n\uFFFD 9.xml');
    expect(taken.code).toBe(1);
    renameSync(notes(), `${notes()}-away`);
    await connection.close();
    connection = await connectInProcess('v1', { env: withoutFiles });
    const { data } = await call('query_documents', { ...october, cnpj: ourCompany });
    const held = { complete: false, source: 'files' };
    expect(data).toMatchObject({ ...held, documents: 2, left_out: [{ reason: 'cancelled', count: 1 }] });
    expect((await call('list_documents', { ...october, cnpj: ourCompany })).data).toMatchObject({ total: 3 });
    const key = keyOf({ number: 1 });
    expect((await call('get_document', { document: 'nfe', key })).data).toMatchObject({ source: 'files' });
  });
});
