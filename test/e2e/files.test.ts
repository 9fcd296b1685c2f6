import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readZip } from '../archive/export/read-zip.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { startConfigured } from '../support/configured-server.ts';
import {
  authorisedNote,
  bareNote,
  eventFile,
  givenUpFile,
  keyOf,
  otherSupplier,
  ourCompany,
  supplier,
} from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { sheetText } from '../support/sheet-reader.ts';
import { zipOf } from '../support/zip.ts';

/** A CNPJ by its number, with its check digits. */
function cnpjOf(number: number): string {
  const digit = (text: string) => {
    const sum = [...text].reverse().reduce((all, one, at) => all + Number(one) * (2 + (at % 8)), 0);
    return sum % 11 < 2 ? '0' : String(11 - (sum % 11));
  };
  const base = `${String(20_000_000 + number)}0001`;
  const first = digit(base);
  return `${base}${first}${digit(base + first)}`;
}

const october = { document: 'nfe', from: '2026-10-01', to: '2026-10-31' } as const;
const kept = { DFE_ARCHIVE: 'file' };
const now = () => Date.parse('2026-11-20T12:00:00-03:00');

let folder: ReturnType<typeof temporaryFolder>;
let connection: Connection;
const open: Connection[] = [];
const notes = () => join(folder.path, 'notas');

const put = (name: string, content: string | Uint8Array, into = notes()) => {
  const path = join(into, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, new Date('2026-10-20T10:00:00Z'), new Date('2026-10-20T10:00:00Z'));
  return path;
};

/** Settings of a server for the files and nothing else. */
const settings = (more: Readonly<Record<string, string>> = {}) => ({
  DFE_FILES: notes(),
  DFE_DOWNLOAD_DIR: join(folder.path, 'saved'),
  DFE_DATA_DIR: join(folder.path, 'data'),
  DFE_LANGUAGE: 'en',
  ...more,
});

async function start(env: Readonly<Record<string, string>>): Promise<Connection> {
  const started = await connectInProcess('v1', { env, now });
  open.push(started);
  return started;
}

const call = async (name: string, args: Record<string, unknown>, by = connection) => {
  const { structured, text, isError, content } = await by.call(name, args);
  return { data: structured as Record<string, unknown>, text, isError, content };
};

beforeEach(async () => {
  folder = temporaryFolder();
  for (const name of ['notas', 'saved']) mkdirSync(join(folder.path, name));
  connection = await start(settings());
});

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  folder.remove();
});

describe('the user’s own files, with no service at all', () => {
  /** Three notes received of two suppliers, one of them cancelled; one issued; junk. */
  const fill = () => {
    put('1-procNFe.xml', authorisedNote({ number: 1, total: '100.00' }));
    put('1-nfe.xml', bareNote({ number: 1, total: '100.00' }));
    put('2026/2.xml', authorisedNote({ number: 2, total: '250.50', day: '2026-10-07' }));
    put(
      'z.zip',
      zipOf([
        {
          name: '3.xml',
          bytes: Buffer.from(authorisedNote({ number: 3, issuer: otherSupplier, total: '40.00' })),
        },
      ]),
    );
    put('3-can.xml', eventFile({ number: 3, issuer: otherSupplier }));
    put(
      'saida.xml',
      authorisedNote({ number: 7, issuer: ourCompany, recipient: '11444777000161', total: '5.00' }),
    );
    put('leia-me.txt', 'olá');
  };

  it('answer sums, lists, keys, documents and their text', async () => {
    fill();
    const sums = await call('query_documents', { ...october, direction: 'inbound', group_by: ['issuer'] });
    expect(sums.data).toMatchObject({
      company: ourCompany,
      documents: 2,
      complete: false,
      source: 'files',
      left_out: [{ reason: 'cancelled', count: 1 }],
      rows: [{ group: { issuer: supplier }, measures: { count: '2', total: '350.50' } }],
    });
    expect(sums.text).toContain('Whether the period is complete cannot be known');
    expect(sums.text).toContain(`Company ${ourCompany}: the one that appears most in the files`);

    const list = await call('list_documents', october);
    expect(list.data).toMatchObject({ operation: 'files', total: 4, complete: false });
    const lines = (list.data.documents as { number: string; status: string; source: string }[]).map(
      ({ number, status, source }) => `${number} ${status} ${source}`,
    );
    expect(lines.sort()).toEqual([
      '1 authorized files',
      '2 authorized files',
      '3 cancelled files',
      '7 authorized files',
    ]);

    const keys = await call('list_document_keys', { ...october, direction: 'outbound' });
    expect(keys.data).toMatchObject({ keys: [keyOf({ number: 7, issuer: ourCompany })], total: 1 });

    const key = keyOf({ number: 3, issuer: otherSupplier });
    const one = await call('get_document', { document: 'nfe', key });
    expect(one.data).toMatchObject({
      source: 'files',
      document: { status: 'cancelled', totals: { total: '40.00' } },
    });
    expect(JSON.stringify(await connection.readResource(`dfe://nfe/${key}/xml`))).toContain(
      '<vNF>40.00</vNF>',
    );
  });

  it('say what there is where a list is asked for without dates', async () => {
    fill();
    const { data, text } = await call('list_documents', {});
    expect(data.holdings).toEqual([
      {
        company: ourCompany,
        name: expect.any(String),
        document: 'nfe',
        from: '2026-10-05',
        to: '2026-10-07',
        documents: 4,
      },
      expect.objectContaining({ company: supplier, documents: 2 }),
      ...[otherSupplier, '11444777000161']
        .sort()
        .map((owner) => expect.objectContaining({ company: owner, documents: 1 })),
    ]);
    expect(text).toContain('7 files read.');
    expect(text).toMatch(/No document: 1 × .*\(.+\)/);
    expect(text).toContain(supplier);
    const alone = await call('list_documents', { document: 'nfe', to: '2026-10-31' });
    expect(alone.text).toContain('from');
    expect(alone.isError).toBe(true);
  });

  it('give an NFS-e by its key of 50 positions, by which no service can be asked', async () => {
    const key = '35503082258716523000119000000000001226011357924683';
    put(
      'nfse.xml',
      `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infNFSe Id="NFS${key}"><nNFSe>12</nNFSe>` +
        '<cStat>100</cStat><dhProc>2026-01-15T10:00:00-03:00</dhProc><emit><CNPJ>58716523000119</CNPJ></emit>' +
        '<valores><vLiq>95.00</vLiq></valores></infNFSe></NFSe>',
    );
    for (const named of [key, `NFS${key}`]) {
      const { data, text } = await call('get_document', { document: 'nfse', key: named });
      expect(data.document, text).toMatchObject({ key, number: '12' });
    }
    const verified = await call('verify_document', { document: 'nfse', key });
    expect(verified.data.content).toMatchObject({ result: 'unknown', reason: 'not_signed' });
    const asNote = await call('get_document', { document: 'nfe', key });
    expect(asNote.text).toContain('The key is for NFS-e, but you asked for NF-e. Call with document "nfse"');
    const other = '33033021211222333000181000000000001026010000010000';
    const unknown = await call('get_document', { document: 'nfse', key: other });
    expect(unknown.text).toContain('None of your files has this document');
    const wrong = await call('get_document', { document: 'nfse', key: `${other.slice(0, -1)}1` });
    expect(wrong.text).toContain('check digit');
  });

  it('are no failed connection: the service is not configured, and answers come from the files', async () => {
    fill();
    const { data, text, isError } = await call('check_connection', {});
    expect(isError).not.toBe(true);
    expect(data.documents).toBeUndefined();
    expect(text).toMatch(
      /^Documents service: not configured \(missing DFE_URL, .*\nAnswers come from your files/,
    );
  });

  it.each([
    ['list_documents', { document: 'nfe', from: '2026-10-01', to: '2026-10-31', by: 'entry' }],
    ['query_documents', { document: 'nfe', from: '2026-10-01', to: '2026-10-31', by: 'entry' }],
    ['list_nfe_summaries', { from: '2026-10-01', to: '2026-10-31' }],
  ])('say what only the service answers: %s', async (tool, args) => {
    fill();
    const { text, isError } = await call(tool, args);
    expect(isError).toBe(true);
    expect(text).toContain('Only the documents service answers this (missing DFE_URL');
  });

  it('are asked about every company at once, a document between two of them once', async () => {
    fill();
    const all = await call('query_documents', { ...october, cnpj: 'all' });
    expect(all.data).toMatchObject({ documents: 3, left_out: [{ reason: 'cancelled', count: 1 }] });
    expect(all.data.sums).toMatchObject([{ measures: { count: '3', total: '355.50' } }]);
    expect(all.text).toContain(ourCompany);
    // The first document of any of them, not of the first company.
    put(
      'cedo.xml',
      authorisedNote({ number: 90, issuer: otherSupplier, recipient: supplier, day: '2026-08-03' }),
    );
    const early = await call('query_documents', {
      ...october,
      from: '2026-07-01',
      cnpj: 'all',
      refresh: true,
    });
    expect(early.data).toMatchObject({ known_from: '2026-08-03', documents: 4 });
    unlinkSync(join(notes(), 'cedo.xml'));
    await call('query_documents', { ...october, cnpj: 'all', refresh: true });
    const saved = await call('export_documents', { ...october, cnpj: ['todas'], format: 'csv' });
    expect(saved.data).toMatchObject({ documents: 4, rows: 4 });
    const checked = await call('check_documents', { ...october, cnpj: ['all'], rule: ['icms_due'] });
    expect(checked.data).toMatchObject({
      documents: 4,
      by_rule: [{ rule: 'icms_due', count: 3, applied_to: 3 }],
      findings: { length: 3 },
    });
    const list = await call('list_documents', { ...october, cnpj: 'all' });
    expect([list.isError, list.text]).toEqual([true, expect.stringContaining('cnpj')]);
  });

  it.each(['csv', 'dossier'])(
    'of many companies are saved as %s under a name that a disk takes',
    async (format) => {
      for (let number = 1; number <= 20; number++)
        put(`${number}.xml`, authorisedNote({ number, recipient: cnpjOf(number) }));
      const { data, text } = await call('export_documents', { ...october, cnpj: ['all'], format });
      expect(data, text).toMatchObject({ documents: 20, rows: 20 });
    },
  );

  it('say which of them are links, which are not followed', async () => {
    const note = put('note.xml', authorisedNote({ number: 1 }), join(folder.path, 'elsewhere'));
    symlinkSync(note, join(notes(), 'note.xml'));
    const told = 'No document: 1 × link, not followed (note.xml)';
    for (const [tool, args] of [
      ['query_documents', october],
      ['list_documents', october],
      ['list_documents', {}],
      ['check_documents', october],
    ] as const) {
      const { text } = await call(tool, { ...args, ...('document' in args && { cnpj: ourCompany }) });
      expect(text, tool).toContain(told);
    }
    fill();
    const answer = () => call('query_documents', { ...october, refresh: true });
    expect((await answer()).text).not.toContain(told);
  });

  it('are read by numbers whose check digits are wrong, where a file has them', async () => {
    const oddCompany = '48152036000199';
    const note = { number: 5, recipient: oddCompany, total: '70.00' };
    const key = keyOf(note);
    const oddKey = `${key.slice(0, 43)}${(Number(key.at(-1)) + 1) % 10}`;
    put('5.xml', authorisedNote(note).replaceAll(key, oddKey));
    const service = await startConfigured({
      respond: (_, response) => {
        response.writeHead(500).end();
      },
      env: { ...settings({ DFE_DATA_DIR: join(folder.path, 'other') }) },
      now,
    });
    open.push(service);
    for (const by of [connection, service]) {
      const asked = { ...october, cnpj: oddCompany };
      expect((await call('query_documents', asked, by)).data).toMatchObject({ documents: 1 });
      expect((await call('list_documents', asked, by)).data).toMatchObject({ total: 1, operation: 'files' });
      const one = await call('get_document', { document: 'nfe', key: oddKey }, by);
      expect(one.data, one.text).toMatchObject({ document: { totals: { total: '70.00' } } });
      const uri = `dfe://nfe/${oddKey}/xml`;
      expect(JSON.stringify(await by.readResource(uri))).toContain('<vNF>70.00</vNF>');
      const verified = await call('verify_document', { document: 'nfe', key: oddKey }, by);
      expect(verified.data, verified.text).toMatchObject({ key: oddKey });
      const entered = await call('query_documents', { ...asked, by: 'entry' }, by);
      expect([entered.isError, entered.text]).toEqual([true, expect.stringContaining('check digits')]);
      for (const [tool, wrong] of [
        ['query_documents', { ...october, cnpj: '48152036000198' }],
        ['list_documents', { ...october, cnpj: '48152036000198' }],
        ['get_document', { document: 'nfe', key: `${key.slice(0, 43)}${(Number(key.at(-1)) + 2) % 10}` }],
        ['get_nfe_event_status', { key: oddKey, event: 'ciencia' }],
        ['manifest_nfe', { key: oddKey, event: 'ciencia' }],
      ] as const) {
        const { isError, text } = await call(tool, wrong, by);
        expect([tool, isError, text]).toEqual([tool, true, expect.stringMatching(/check digit|not exist/)]);
      }
    }
    expect(service.upstream.seen).toEqual([]);
  });

  it('ask for the company where two are as likely, and name them', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    const { text, isError } = await call('query_documents', october);
    expect(isError).toBe(true);
    expect(text).toContain(`${supplier} (1), ${ourCompany} (1)`);
    const holdings = await call('list_documents', {});
    const held = { document: 'nfe', from: '2026-10-05', to: '2026-10-05', documents: 1 };
    expect(holdings.data.holdings).toEqual(
      [supplier, ourCompany].sort().map((owner) => expect.objectContaining({ company: owner, ...held })),
    );
    expect(holdings.text).toContain(`${supplier} (1), ${ourCompany} (1)`);
    const named = await call('query_documents', { ...october, cnpj: supplier });
    expect(named.data).toMatchObject({ company: supplier, documents: 1 });
  });

  it('are told of every company by pages, the same whichever was asked about before', async () => {
    const issuers = Array.from({ length: 15 }, (_, at) => cnpjOf(at + 1));
    for (const [at, issuer] of issuers.entries()) {
      put(`${at}.xml`, authorisedNote({ number: 1, issuer }));
      if (at === 0) put('more.xml', authorisedNote({ number: 2, issuer }));
    }
    const overview = async () => {
      const gathered: { company: string; documents: number }[] = [];
      let cursor: unknown;
      do {
        const { data, text } = await call('list_documents', { limit: 6, ...(cursor ? { cursor } : {}) });
        expect(data.total, text).toBe(16);
        expect(text).toContain('cannot be known');
        gathered.push(...(data.holdings as typeof gathered));
        cursor = data.next_cursor;
      } while (cursor !== undefined);
      return gathered.map(({ company, documents }) => [company, documents]);
    };
    const first = await overview();
    expect(first).toEqual([
      [ourCompany, 16],
      [issuers[0], 2],
      ...issuers
        .slice(1)
        .sort()
        .map((issuer) => [issuer, 1]),
    ]);
    await call('query_documents', { ...october, cnpj: issuers[9] });
    expect(await overview()).toEqual(first);
  });

  it('are followed from one question to the next', async () => {
    fill();
    const asked = { ...october, direction: 'inbound' };
    expect((await call('query_documents', asked)).data).toMatchObject({ documents: 2 });
    put('4.xml', authorisedNote({ number: 4 }));
    unlinkSync(join(notes(), '3-can.xml'));
    const refreshed = await call('query_documents', { ...asked, refresh: true });
    expect(refreshed.data).toMatchObject({ documents: 4, refreshed: true });
  });

  it('explain gaps in the numbers by what was given up', async () => {
    for (const number of [1, 4, 8])
      put(`${number}.xml`, authorisedNote({ number, issuer: ourCompany, recipient: supplier }));
    put('9.xml', authorisedNote({ number: 90, issuer: otherSupplier, recipient: ourCompany }));
    put('inut.xml', givenUpFile(2, 3));
    const { data } = await call('check_documents', { ...october, rule: 'number_gap' });
    expect((data.findings as { message: string }[]).map(({ message }) => message)).toHaveLength(1);
    expect((data.findings as { expected: string; found: string }[])[0]).toMatchObject({
      expected: '5',
      found: '8',
    });
  });

  it('that can’t be looked into are told with what was known', async () => {
    fill();
    const missing = join(folder.path, 'not-mounted');
    connection = await start(settings({ DFE_FILES: [notes(), missing].join(':') }));
    const { data, text } = await call('query_documents', { ...october, direction: 'inbound' });
    expect(data).toMatchObject({
      documents: 2,
      complete: false,
      missing: [{ from: '2026-10-01', to: '2026-10-31' }],
    });
    expect(text).toContain('not-mounted" could not be read (ENOENT)');
  });

  it('names documents of other models among what there is', async () => {
    const key = '35261011222333000181620010000000011000000001';
    put(
      'telefone.xml',
      `<NFCom><infNFCom Id="NFCom${key}"><ide><dhEmi>2026-10-10T10:00:00-03:00</dhEmi></ide>` +
        `<emit><CNPJ>${supplier}</CNPJ></emit><total><vNF>99.90</vNF></total></infNFCom></NFCom>`,
    );
    const { data, text } = await call('list_documents', {});
    expect(data.other_kinds).toEqual([
      { kind: 'NFCom', key, issuer: supplier, date: '2026-10-10', total: '99.90' },
    ]);
    expect(text).toContain(`1 document of another model, in no sum: NFCom ${key}`);
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
    expect((await call('list_documents', {})).text).toContain('No document: 1 × cut off in the middle');
    writeFileSync(path, whole);
    expect((await call('query_documents', asked)).data).toMatchObject({ documents: 2 });
  });

  it('is read before archive info says what there is', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    const { stdout, code } = await runInProcess(['archive', 'info'], settings(kept));
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 file, 1 document and 0 events')]);
    expect(stdout).toMatch(/bytes: 1 document,/);
    renameSync(notes(), `${notes()}-away`);
    const away = await runInProcess(['archive', 'info'], settings(kept));
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
    const env = settings(kept);

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
    connection = await start(withoutFiles);
    const { data } = await call('query_documents', { ...october, cnpj: ourCompany });
    const held = { complete: false, source: 'files' };
    expect(data).toMatchObject({ ...held, documents: 2, left_out: [{ reason: 'cancelled', count: 1 }] });
    expect((await call('list_documents', { ...october, cnpj: ourCompany })).data).toMatchObject({ total: 3 });
    const key = keyOf({ number: 1 });
    expect((await call('get_document', { document: 'nfe', key })).data).toMatchObject({ source: 'files' });
  });

  it('have their sheets without any service, and nothing is said to have failed', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    const key = keyOf({ number: 1 });
    const args = { document: 'nfe', key, format: 'pdf', delivery: 'embed' };
    const { data, text, content } = await call('get_document', args);
    expect(data, text).toMatchObject({ origin: 'rendered', source: 'files' });
    expect(text).toMatch(/No service provides a PDF/);
    expect(text).not.toMatch(/could not be obtained|DFE_URL/);
    const [embedded] = content.filter(({ type }) => type === 'resource') as { resource: { blob: string } }[];
    const sheet = sheetText(Buffer.from(embedded?.resource.blob ?? '', 'base64'));
    expect(sheet.replace(/\s+/g, '')).toContain(key);
  });
});

describe('several programs with folders of their own on one archive', () => {
  const [mine, theirs, later] = [1, 2, 3].map((number) => authorisedNote({ number })) as [
    string,
    string,
    string,
  ];
  const [first, second, third] = [1, 2, 3].map((number) => keyOf({ number })) as [string, string, string];
  const startWith = (...names: string[]) =>
    start(settings({ ...kept, DFE_FILES: names.map((name) => join(notes(), name)).join(':') }));
  /** The keys it lists, after having looked at its folders. */
  const listed = async (by: Connection) => {
    const { data } = await call('list_documents', { ...october, cnpj: ourCompany, refresh: true }, by);
    return (data.documents as { key: string }[]).map(({ key }) => key).sort();
  };

  beforeEach(() => {
    put('mine/1.xml', mine);
    put('theirs/2.xml', theirs);
  });

  it('do not undo each other’s reading, and each still follows what is in its own', async () => {
    const [one, other] = [await startWith('mine'), await startWith('theirs')];
    expect(await listed(one)).toEqual([first]);
    for (const each of [other, one, other]) expect(await listed(each)).toEqual([first, second].sort());
    put('theirs/3.xml', later);
    for (const each of [other, one]) expect(await listed(each)).toEqual([first, second, third].sort());
  });

  it('and what only one of them had goes once it has ended; a folder that both have stays', async () => {
    const [one, other] = [await startWith('mine', 'theirs'), await startWith('theirs')];
    for (const each of [one, other]) expect(await listed(each)).toHaveLength(2);
    await one.close();
    expect(await listed(other)).toEqual([second]);
  });
});

describe('whom an answer names, by what it names them', () => {
  /** Buyers by what stands in `dest`, each with a note of its own amount. */
  const buyers: readonly (readonly [dest: string, total: string])[] = [
    ['<idEstrangeiro>9144030067</idEstrangeiro><xNome>ACME HONG KONG</xNome>', '1.00'],
    ['<idEstrangeiro>US-998877</idEstrangeiro><xNome>ACME INC</xNome>', '2.00'],
    ['<CNPJ>11222333000181</CNPJ><xNome>3M DO BRASIL LTDA</xNome>', '8.00'],
    ['<CNPJ>27865757000102</CNPJ><xNome>99 TECNOLOGIA LTDA</xNome>', '32.00'],
    ['<idEstrangeiro></idEstrangeiro><xNome>ZETA GMBH</xNome>', '64.00'],
    ['<CNPJ>00776574000156</CNPJ><xNome>B2W DIGITAL</xNome>', '128.00'],
    ['<CNPJ>33041260065290</CNPJ><xNome>1001</xNome>', '256.00'],
    // As long as a CPF, a CNPJ and a root; a CUIT of Argentina has eleven digits.
    ['<idEstrangeiro>30712345679</idEstrangeiro><xNome>ACEROS DEL SUR</xNome>', '512.00'],
    ['<idEstrangeiro>30712345679001</idEstrangeiro><xNome>ACEROS DEL ESTE</xNome>', '1024.00'],
    ['<CNPJ>27865757000109</CNPJ><xNome>DÍGITO ERRADO LTDA</xNome>', '2048.00'],
  ];
  const query = (party: object) =>
    call('query_documents', { ...october, cnpj: ourCompany, direction: 'outbound', ...party });

  beforeEach(() => {
    const party = `<CNPJ>${supplier}</CNPJ><xNome>Compradora ção</xNome>`;
    for (const [i, [dest, total]] of buyers.entries())
      put(
        `${i}.xml`,
        authorisedNote({ number: i + 1, issuer: ourCompany, recipient: supplier, total })
          .replace(party, dest)
          // The second is no city of the table.
          .replace('<enderDest>', `<enderDest><cMun>${i % 2 === 0 ? '3550308' : '3599999'}</cMun>`),
      );
  });

  it('finds them by name or id, and refuses what nobody has', async () => {
    for (const [recipient, total] of [
      ['9144030067', '1.00'],
      [9144030067, '1.00'],
      ['US-998877', '2.00'],
      ['3M', '8.00'],
      ['99', '32.00'],
      ['B2W', '128.00'],
      ['1001', '256.00'],
      ['30712345679', '512.00'],
      ['30712345679001', '1024.00'],
      ['27865757000109', '2048.00'],
      ['27.865.757/0001-09', '2048.00'],
    ]) {
      const { data, text } = await query({ recipient });
      expect(data, text).toMatchObject({ documents: 1, listed: [{ totals: { total } }] });
    }
    for (const recipient of ['123', '11222333000182', '9144030068', '30712345670', '27.865.757/0001-08'])
      expect(await query({ recipient })).toMatchObject({
        isError: true,
        text: expect.stringContaining('recipient'),
      });
  });

  it.each([
    ...['recipient', 'counterparty', 'recipient_root', 'issuer', 'city', 'state', 'status', 'nature'],
    ...['cfop', 'ncm', 'cst', 'unit', 'purpose', 'regime', 'event'],
  ])('takes every value of %s back as a filter', async (grouping) => {
    const filter = grouping.replace('_root', '');
    const { data } = await query({ group_by: [grouping], measures: ['count'] });
    expect(data.rows).not.toEqual([]);
    for (const { group, measures } of data.rows as { group: Record<string, string>; measures: object }[]) {
      const value = group[grouping];
      if (value === undefined) continue;
      const narrowed = await query({ [filter]: [value], group_by: [grouping], measures: ['count'] });
      expect(narrowed.data?.rows, narrowed.text).toEqual([{ group, measures }]);
    }
  });

  it('does not say that nothing was asked of what is refused after documents were read', async () => {
    const { isError, text } = await query({ issuer: '9144030067' });
    expect(isError).toBe(true);
    expect(text).not.toContain('Nothing was asked');
    expect(text).toContain('Nothing was changed at the service; correct them and call again.');
  });

  it('does not deny a name that documents give without an id', async () => {
    const { text } = await query({ recipient: 'Zeta' });
    expect(text).toContain('no name with "Zeta" among the parties identified');
  });
});

/** What every tool says of a note whose key came with two contents, or with one. */
async function saysOfContents(by: Connection): Promise<Record<string, boolean>> {
  const words = 'different contents';
  const [list, query, check, one] = [
    await call('list_documents', october, by),
    await call('query_documents', october, by),
    await call('check_documents', { ...october, rule: 'contents_differ' }, by),
    await call('get_document', { document: 'nfe', key: keyOf({ number: 1 }) }, by),
  ];
  const [warning = ''] = (list.data.warnings ?? []) as string[];
  return {
    list: list.text.includes(words) && warning.includes(keyOf({ number: 1 })),
    query: query.text.includes(`${words} under one key`),
    check: check.data.total === 1,
    get: one.text.includes(`2 ${words}`) && one.data.contents === 2,
  };
}

describe.each([
  ['another text of an item', authorisedNote({ number: 1 }).replace('Parafuso', 'Parafuso M8'), true],
  ['another quantity', authorisedNote({ number: 1 }).replace('<qCom>1.0000', '<qCom>2.0000'), true],
  ['another name of the recipient', authorisedNote({ number: 1 }).replace('Compradora', 'Vendedora'), true],
  ['the same before its authorisation', bareNote({ number: 1 }), false],
  ['the same in other lines', authorisedNote({ number: 1 }).replaceAll('><', '>\n<'), false],
  [
    'the same with its cancellation',
    `<doc>${authorisedNote({ number: 1 }).replace(/^<\?xml.*?\?>/, '')}${eventFile({ number: 1 }).replace(/^<\?xml.*?\?>/, '')}</doc>`,
    false,
  ],
])('a second file of one key with %s', (_, second, differs) => {
  const expected = { list: differs, query: differs, check: differs, get: differs };

  it.each([
    ['after', '2.xml'],
    ['before', '0.xml'],
  ])('is named, or is the same, whether read %s the first', async (_when, name) => {
    put('1.xml', authorisedNote({ number: 1 }));
    put(name, second);
    expect(await saysOfContents(await start(settings({ DFE_CNPJ: ourCompany })))).toEqual(expected);
  });

  it('is named, or is the same, also in a later question and beside the service', async () => {
    const served = authorisedNote({ number: 1 }).replace(/^<\?xml.*?\?>/, '');
    await using server = await startConfigured({
      respond: (_request, response) => void response.end(`<retListaXml>${served}</retListaXml>`),
      env: { DFE_FILES: notes(), DFE_CNPJ: ourCompany },
    });
    await server.call('list_documents', october);
    put('2.xml', second);
    await server.call('list_documents', { ...october, refresh: true });
    expect(await saysOfContents(server)).toEqual(expected);
  });
});

describe('the user’s own files beside the service', () => {
  it('fill what it lacks, and each document says who gave it', async () => {
    put('both.xml', authorisedNote({ number: 1 }));
    put('files.xml', authorisedNote({ number: 2 }));
    const answered = `<retListaXml>${authorisedNote({ number: 1 }).replace(/^<\?xml.*?\?>/, '')}${authorisedNote({ number: 3 }).replace(/^<\?xml.*?\?>/, '')}</retListaXml>`;
    await using server = await startConfigured({
      respond: (_, response) => void response.end(answered),
      env: { DFE_FILES: notes(), DFE_CNPJ: ourCompany },
    });
    const asked = { ...october, direction: 'inbound' };
    const list = await server.call('list_documents', asked);
    const query = await server.call('query_documents', asked);
    expect(query.structured).toMatchObject({ documents: 3, source: 'both', complete: true });
    type Lines = readonly { readonly number: string; readonly source: string }[];
    for (const lines of [list.structured?.documents, query.structured?.listed] as Lines[])
      expect(lines.map(({ number, source }) => `${number} ${source}`).sort()).toEqual([
        '1 both',
        '2 files',
        '3 service',
      ]);
  });
});
