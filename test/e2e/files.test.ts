import { readFileSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readZip } from '../archive/export/read-zip.ts';
import { everyPage } from '../support/asked-sandbox.ts';
import { askThrough } from '../support/asking.ts';
import type { Connection } from '../support/clients.ts';
import { startConfigured } from '../support/configured-server.ts';
import { withOtherDigit } from '../support/documents.ts';
import {
  authorisedNote,
  bareNote,
  eventFile,
  type FiledNote,
  givenUpFile,
  keyOf,
  otherSupplier,
  ourCompany,
  supplier,
} from '../support/filed-documents.ts';
import { ownFiles } from '../support/own-files.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { sheetWords } from '../support/sheet-reader.ts';
import { zipOf } from '../support/zip.ts';

/** A CNPJ by its number, with its check digits. */
function cnpjOf(number: number): string {
  const digit = (text: string) => {
    const sum = [...text].reverse().reduce((all, one, at) => all + Number(one) * (2 + (at % 8)), 0);
    return sum % 11 < 2 ? '0' : String(11 - (sum % 11));
  };
  const base = `${String(20_000_000 + number)}0001`;
  return `${base}${digit(base)}${digit(base + digit(base))}`;
}

const days = { from: '2026-10-01', to: '2026-10-31' } as const;
const october = { document: 'nfe', ...days } as const;
const ofOurs = { ...october, cnpj: ourCompany, refresh: true } as const;
const kept = { DFE_ARCHIVE: 'file' };
const customer = '11444777000161';

const files = ownFiles();
const { ask, call, put, refused, settings } = files;
const putNote = (note: FiledNote) => put(`${note.number}.xml`, authorisedNote(note));
/** Without the declaration before it, for an envelope. */
const rootOf = (xml: string) => xml.replace(/^<\?xml.*?\?>/, '');
const zipped = (...notes: FiledNote[]) =>
  zipOf(notes.map((note) => ({ name: `${note.number}.xml`, bytes: Buffer.from(authorisedNote(note)) })));
const read = async (uri: string, by = files.connection) => JSON.stringify(await by.readResource(uri));
const rename = (name: string, to: string) => renameSync(`${files.path}${name}`, `${files.path}${to}`);

/** Three notes received of two suppliers, one of them cancelled; one issued; junk. */
function fill(): void {
  const third = { number: 3, issuer: otherSupplier, total: '40.00' };
  put('1-procNFe.xml', authorisedNote({ number: 1 }));
  put('1-nfe.xml', bareNote({ number: 1 }));
  put('2026/2.xml', authorisedNote({ number: 2, total: '250.50', day: '2026-10-07' }));
  put('z.zip', zipped(third));
  put('3-can.xml', eventFile(third));
  put('saida.xml', authorisedNote({ number: 7, issuer: ourCompany, recipient: customer, total: '5.00' }));
  put('leia-me.txt', 'olá');
}

describe('the user’s own files, with no service at all', () => {
  it('answer sums, lists, keys, documents and their text', async () => {
    fill();
    const sums = await ask('query_documents', { ...october, direction: 'inbound', group_by: ['issuer'] });
    expect(sums.data).toMatchObject({
      ...{ company: ourCompany, documents: 2, complete: false, source: 'files' },
      left_out: [{ reason: 'cancelled', count: 1 }],
      rows: [{ group: { issuer: supplier }, measures: { count: '2', total: '350.50' } }],
    });
    expect(sums.text).toContain('Whether the period is complete cannot be known');
    expect(sums.text).toContain(`Company ${ourCompany}: the one that appears most in the files`);
    const { data } = await ask('list_documents', october);
    expect(data).toMatchObject({ operation: 'files', total: 4, complete: false });
    const lines = data.documents as Record<'number' | 'status' | 'source', string>[];
    expect(lines.map(({ number, status, source }) => `${number} ${status} ${source}`).sort()).toEqual([
      ...['1 authorized files', '2 authorized files', '3 cancelled files', '7 authorized files'],
    ]);
    const keys = await ask('list_document_keys', { ...october, direction: 'outbound' });
    expect(keys.data).toMatchObject({ keys: [keyOf({ number: 7, issuer: ourCompany })], total: 1 });
    const key = keyOf({ number: 3, issuer: otherSupplier });
    const document = { status: 'cancelled', totals: { total: '40.00' } };
    expect((await ask('get_document', { document: 'nfe', key })).data).toMatchObject({
      source: 'files',
      document,
    });
    expect(await read(`dfe://nfe/${key}/xml`)).toContain('<vNF>40.00</vNF>');
  });

  it('are looked at again before a company is inferred from them, where that is asked for', async () => {
    fill();
    expect((await ask('query_documents', october)).data.company).toBe(ourCompany);
    for (const number of [21, 22, 23, 24, 25]) putNote({ number, issuer: supplier, recipient: customer });
    // However lately the folders were looked at.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    expect((await ask('query_documents', october)).data.company).toBe(ourCompany);
    expect((await ask('query_documents', { ...october, refresh: true })).data.company).toBe(supplier);
  });

  it('say what there is where a list is asked for without dates', async () => {
    fill();
    const { data, text } = await ask('list_documents', {});
    const held = { document: 'nfe', from: '2026-10-05', to: '2026-10-07' };
    expect(data.holdings).toMatchObject([
      { company: ourCompany, name: expect.any(String), ...held, documents: 4 },
      { company: supplier, documents: 2 },
      ...[otherSupplier, customer].sort().map((company) => ({ company, documents: 1 })),
    ]);
    for (const words of ['7 files read.', /No document: 1 × .*\(.+\)/, supplier]) expect(text).toMatch(words);
    expect(await refused('list_documents', { document: 'nfe', to: '2026-10-31' })).toContain('from');
  });

  it('give an NFS-e by its key of 50 positions, by which no service can be asked', async () => {
    const key = '35503082258716523000119000000000001226011357924683';
    const other = '33033021211222333000181000000000001026010000010000';
    put(
      'nfse.xml',
      `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infNFSe Id="NFS${key}"><nNFSe>12</nNFSe>` +
        '<cStat>100</cStat><dhProc>2026-01-15T10:00:00-03:00</dhProc><emit><CNPJ>58716523000119</CNPJ></emit>' +
        '<valores><vLiq>95.00</vLiq></valores></infNFSe></NFSe>',
    );
    for (const named of [key, `NFS${key}`]) {
      const { data } = await ask('get_document', { document: 'nfse', key: named });
      expect(data.document).toMatchObject({ key, number: '12' });
    }
    const verified = await ask('verify_document', { document: 'nfse', key });
    expect(verified.data.content).toMatchObject({ result: 'unknown', reason: 'not_signed' });
    for (const [document, asked, words] of [
      ['nfe', key, 'The key is for NFS-e, but you asked for NF-e. Call with document "nfse"'],
      ['nfse', other, 'None of your files has this document'],
      ['nfse', `${other.slice(0, -1)}1`, 'check digit'],
    ] as const)
      expect((await call('get_document', { document, key: asked })).text).toContain(words);
  });

  it('are no failed connection: the service is not configured, and answers come from the files', async () => {
    fill();
    const { data, text } = await ask('check_connection', {});
    expect(data.documents).toBeUndefined();
    expect(text).toMatch(
      /^Documents service: not configured \(missing DFE_URL, .*\nAnswers come from your files/,
    );
  });

  it.each([
    ['list_documents', { ...october, by: 'entry' }],
    ['query_documents', { ...october, by: 'entry' }],
    ['list_nfe_summaries', days],
  ])('say what only the service answers: %s', async (tool, args) => {
    fill();
    expect(await refused(tool, args)).toContain('Only the documents service answers this (missing DFE_URL');
  });

  it('are asked about every company at once, a document between two of them once', async () => {
    fill();
    const all = await ask('query_documents', { ...october, cnpj: 'all' });
    expect(all.data).toMatchObject({
      ...{ documents: 3, left_out: [{ reason: 'cancelled', count: 1 }] },
      sums: [{ measures: { count: '3', total: '355.50' } }],
    });
    expect(all.text).toContain(ourCompany);
    const checked = await ask('check_documents', { ...october, cnpj: ['all'], rule: ['icms_due'] });
    expect(checked.data).toMatchObject({
      ...{ documents: 4, findings: { length: 3 } },
      by_rule: [{ rule: 'icms_due', count: 3, applied_to: 3 }],
    });
    const saved = await ask('export_documents', { ...october, cnpj: ['todas'], format: 'csv' });
    expect(saved.data).toMatchObject({ documents: 4, rows: 4 });
    expect(await refused('list_documents', { ...october, cnpj: 'all' })).toContain('cnpj');
    // The first document of any of them, not of the first company.
    put(
      'cedo.xml',
      authorisedNote({ number: 90, issuer: otherSupplier, recipient: supplier, day: '2026-08-03' }),
    );
    const early = { ...october, from: '2026-07-01', cnpj: 'all', refresh: true };
    expect((await ask('query_documents', early)).data).toMatchObject({
      known_from: '2026-08-03',
      documents: 4,
    });
  });

  it.each(['csv', 'dossier'])(
    'of many companies are saved as %s under a name that a disk takes',
    async (format) => {
      for (let number = 1; number <= 20; number++) putNote({ number, recipient: cnpjOf(number) });
      const { data } = await ask('export_documents', { ...october, cnpj: ['all'], format });
      expect(data).toMatchObject({ documents: 20, rows: 20 });
    },
  );

  it('say which of them are links, which are not followed', async () => {
    const note = put('../elsewhere/note.xml', authorisedNote({ number: 1 }));
    symlinkSync(note, join(files.path, 'note.xml'));
    const told = 'No document: 1 × link, not followed (note.xml)';
    const ours = { ...october, cnpj: ourCompany };
    for (const [tool, args] of [
      ['query_documents', ours],
      ['list_documents', ours],
      ['list_documents', {}],
      ['check_documents', ours],
    ] as const)
      expect((await call(tool, args)).text, tool).toContain(told);
    fill();
    expect((await ask('query_documents', { ...october, refresh: true })).text).not.toContain(told);
  });

  it('are read by numbers whose check digits are wrong, where a file has them', async () => {
    const oddCompany = '48152036000199';
    const note = { number: 5, recipient: oddCompany, total: '70.00' };
    const key = keyOf(note);
    const oddKey = withOtherDigit(key);
    put('5.xml', authorisedNote(note).replaceAll(key, oddKey));
    await using service = await startConfigured({
      respond: (_, response) => void response.writeHead(500).end(),
      env: settings({ DFE_DATA_DIR: `${files.path}-other` }),
      now: () => Date.parse('2026-11-20T12:00:00-03:00'),
    });
    for (const connection of [files.connection, service]) {
      const by = askThrough(() => connection);
      const asked = { ...october, cnpj: oddCompany };
      for (const [tool, args, answered] of [
        ['query_documents', asked, { documents: 1 }],
        ['list_documents', asked, { total: 1, operation: 'files' }],
        ['get_document', { document: 'nfe', key: oddKey }, { document: { totals: { total: '70.00' } } }],
        ['verify_document', { document: 'nfe', key: oddKey }, { key: oddKey }],
      ] as const)
        expect((await by.ask(tool, args)).data).toMatchObject(answered);
      expect(await read(`dfe://nfe/${oddKey}/xml`, connection)).toContain('<vNF>70.00</vNF>');
      for (const [tool, wrong] of [
        ['query_documents', { ...asked, by: 'entry' }],
        ['query_documents', { ...october, cnpj: '48152036000198' }],
        ['list_documents', { ...october, cnpj: '48152036000198' }],
        ['get_document', { document: 'nfe', key: withOtherDigit(key, 2) }],
        ['get_nfe_event_status', { key: oddKey, event: 'ciencia' }],
        ['manifest_nfe', { key: oddKey, event: 'ciencia' }],
      ] as const)
        expect(await by.refused(tool, wrong), tool).toMatch(/check digit|not exist/);
    }
    expect(service.upstream.seen).toEqual([]);
  });

  it('ask for the company where two are as likely, and name them', async () => {
    putNote({ number: 1 });
    const both = `${supplier} (1), ${ourCompany} (1)`;
    expect(await refused('query_documents', october)).toContain(both);
    const { data, text } = await ask('list_documents', {});
    const held = { document: 'nfe', from: '2026-10-05', to: '2026-10-05', documents: 1 };
    expect(data.holdings).toMatchObject(
      [supplier, ourCompany].sort().map((company) => ({ company, ...held })),
    );
    expect(text).toContain(both);
    const named = await ask('query_documents', { ...october, cnpj: supplier });
    expect(named.data).toMatchObject({ company: supplier, documents: 1 });
  });

  it('are counted by company in pages, the same whichever was asked about before', async () => {
    const [first = '', ...issuers] = Array.from({ length: 15 }, (_, at) => cnpjOf(at + 1));
    for (const [at, issuer] of [first, first, ...issuers].entries())
      put(`${at}.xml`, authorisedNote({ number: at + 1, issuer }));
    const overview = () =>
      everyPage(async (cursor) => {
        const { data, text } = await ask('list_documents', { limit: 6, ...cursor });
        expect(data.total).toBe(16);
        expect(text).toContain('cannot be known');
        const holdings = data.holdings as { company: string; documents: number }[];
        return {
          entries: holdings.map(({ company, documents }) => [company, documents]),
          next: data.next_cursor,
        };
      });
    const before = await overview();
    expect(before).toEqual([[ourCompany, 16], [first, 2], ...issuers.sort().map((issuer) => [issuer, 1])]);
    await ask('query_documents', { ...october, cnpj: issuers[9] });
    expect(await overview()).toEqual(before);
  });

  it('refuse a cursor of companies whose order changed between two pages', async () => {
    const [first, second] = [1, 2].map(cnpjOf).sort();
    put('1.xml', authorisedNote({ number: 1, issuer: first }));
    put('2.xml', authorisedNote({ number: 2, issuer: second }));
    const { data } = await ask('list_documents', { limit: 2 });
    expect(data).toMatchObject({ total: 3, holdings: [{ company: ourCompany }, { company: first }] });
    for (const number of [3, 4]) put(`${number}.xml`, authorisedNote({ number, issuer: second }));
    const next = { limit: 2, cursor: data.next_cursor, refresh: true };
    expect(await refused('list_documents', next)).toMatch(/changed/);
  });

  it('are followed from one question to the next', async () => {
    fill();
    const asked = { ...october, direction: 'inbound' };
    expect((await ask('query_documents', asked)).data).toMatchObject({ documents: 2 });
    putNote({ number: 4 });
    unlinkSync(join(files.path, '3-can.xml'));
    const { data } = await ask('query_documents', { ...asked, refresh: true });
    expect(data).toMatchObject({ documents: 4, refreshed: true });
  });

  it.each(['list_documents', 'list_document_keys', 'query_documents'])(
    'refuse a cursor if a file disappeared between two pages of %s',
    async (tool) => {
      for (const number of [1, 2, 3]) putNote({ number });
      const asked = { ...october, cnpj: ourCompany };
      const page = { ...asked, limit: 1 };
      const { data } = await ask(tool, page);
      expect(data).toMatchObject({ total: 3 });
      unlinkSync(join(files.path, '1.xml'));
      await ask('query_documents', { ...asked, refresh: true });
      expect(await refused(tool, { ...page, cursor: data.next_cursor })).toMatch(/changed/);
    },
  );

  it('explain gaps in the numbers by cancelled ranges (inutilização)', async () => {
    for (const number of [1, 4, 8]) putNote({ number, issuer: ourCompany, recipient: supplier });
    putNote({ number: 90, issuer: otherSupplier });
    put('inut.xml', givenUpFile(2, 3));
    // Refused by the authority.
    put('inut-recusada.xml', givenUpFile(5, 7, ourCompany, '241'));
    const { data } = await ask('check_documents', { ...october, rule: 'number_gap' });
    expect(data.findings).toMatchObject([{ expected: '5', found: '8' }]);
  });

  it('name documents of other models among what there is', async () => {
    const key = '35261011222333000181620010000000011000000001';
    put(
      'telefone.xml',
      `<NFCom><infNFCom Id="NFCom${key}"><ide><dhEmi>2026-10-10T10:00:00-03:00</dhEmi></ide>` +
        `<emit><CNPJ>${supplier}</CNPJ></emit><total><vNF>99.90</vNF></total></infNFCom></NFCom>`,
    );
    const { data, text } = await ask('list_documents', {});
    const told = { kind: 'NFCom', key, issuer: supplier, date: '2026-10-10', total: '99.90' };
    expect(data.other_kinds).toEqual([told]);
    expect(text).toContain(`1 document of another model, in no sum: NFCom ${key}`);
  });

  it('are exported as a table, as XML and as sheets', async () => {
    const cancelled = { number: 2, total: '250.50', issuer: otherSupplier };
    for (const note of [{ number: 1 }, cancelled]) putNote(note);
    put('2-can.xml', eventFile(cancelled));
    const keys = [keyOf({ number: 1 }), keyOf(cancelled)];
    const exported = async (format: string) => {
      const asked = { ...october, format, status: ['authorized', 'cancelled'] };
      const { data } = await ask('export_documents', asked);
      expect(data).toMatchObject({ rows: 2, complete: false });
      return readFileSync(String(data.path));
    };
    const table = String(await exported('csv'));
    expect(table).toMatch(/250[.,]50/);
    const xml = readZip(await exported('zip'))
      .map(({ data }) => String(data))
      .join();
    const sheets = sheetWords(await exported('pdf'));
    expect(sheets).toContain('CANCELAD');
    for (const key of keys)
      expect([table.includes(key), xml.includes(`Id="NFe${key}"`), sheets.includes(key)]).toEqual([
        true,
        true,
        true,
      ]);
  });

  it('tell which notes wait for a manifestation, by the events that lie beside them', async () => {
    const day = '2026-11-15';
    for (const number of [1, 2, 3, 4]) putNote({ number, day });
    putNote({ number: 9, day, issuer: ourCompany, recipient: supplier });
    const own = (number: number, code: string) =>
      eventFile({ number, day }, code).replace(`<CNPJ>${supplier}</CNPJ>`, `<CNPJ>${ourCompany}</CNPJ>`);
    put('2-ciencia.xml', own(2, '210210'));
    put('3-confirmada.xml', own(3, '210200'));
    put('4-can.xml', eventFile({ number: 4, day }));
    const { data, text } = await ask('list_pending_manifestations', { cnpj: ourCompany });
    const pending = data.pending as { key: string; status: string }[];
    expect(Object.fromEntries(pending.map(({ key, status }) => [key, status]))).toEqual({
      [keyOf({ number: 1, day })]: 'open',
      [keyOf({ number: 2, day })]: 'acknowledged',
    });
    expect(data).toMatchObject({ total: 2, complete: false });
    expect(text).toContain('cannot be known');
  });

  it('that go away and come back between two questions are reported, and nothing is lost', async () => {
    for (const number of [1, 2]) putNote({ number });
    expect((await ask('query_documents', ofOurs)).data).toMatchObject({ documents: 2 });
    rename('', '-away');
    const away = await ask('query_documents', ofOurs);
    expect(away.data).toMatchObject({ documents: 2, complete: false });
    expect(away.text).toContain('could not be read (ENOENT)');
    await refused('get_document', { document: 'nfe', key: keyOf({ number: 1 }), format: 'xml' });
    rename('-away', '');
    const back = await ask('query_documents', ofOurs);
    expect(back.data).toMatchObject({ documents: 2 });
    expect(back.text).not.toContain('ENOENT');
  });

  it.each(['csv', 'xlsx'])(
    'keep in a %s what questions leave out, marked, and out of its totals',
    async (format) => {
      putNote({ number: 1 });
      putNote({ number: 2, total: '20.00' });
      put('2-can.xml', eventFile({ number: 2 }));
      put('3.xml', authorisedNote({ number: 3 }).replace('<tpAmb>1</tpAmb>', '<tpAmb>2</tpAmb>'));
      const asked = { ...october, cnpj: ourCompany, format };
      const { data, text } = await ask('export_documents', asked);
      expect(data).toMatchObject({ rows: 3, left_out: { length: 2 } });
      for (const reason of ['cancelled', 'test']) expect(data.left_out).toContainEqual({ reason, count: 1 });
      expect(text).toMatch(/In the table and outside its totals.*"Left out of totals": .*1 cancelled/);
      expect(text).toMatch(/NF-e: 1 document.*100\.00/);
      const bytes = readFileSync(String(data.path));
      const sheet = () => readZip(bytes).find(({ name }) => name.includes('sheet1'))?.data;
      const table = String(format === 'csv' ? bytes : sheet());
      for (const mark of ['Left out of totals', 'Cancelled', 'Test environment'])
        expect(table).toContain(mark);
      const chosen = await ask('export_documents', { ...asked, status: ['authorized'] });
      expect(chosen.data).toMatchObject({ rows: 2, left_out: [{ reason: 'test', count: 1 }] });
    },
  );

  it.each([
    ['nothing', []],
    ['documents', [1, 2]],
  ])(
    'in an empty folder, as of a disk that is not mounted, are reported where %s was known of them',
    async (_, numbers) => {
      const paths = numbers.map((number) => putNote({ number }));
      expect((await ask('query_documents', ofOurs)).data).toMatchObject({ documents: numbers.length });
      for (const path of paths) rmSync(path);
      for (const tool of ['query_documents', 'list_documents']) {
        const { data, text } = await ask(tool, ofOurs);
        const missing = [{ ...october, reason: expect.stringContaining('is empty') }];
        expect(data).toMatchObject({ complete: false, missing });
        expect(text).toMatch(/⚠.*notas" is empty.*mounted/);
      }
      putNote({ number: 3 });
      const { data, text } = await ask('query_documents', ofOurs);
      expect(data).toMatchObject({ documents: 1 });
      expect(text).not.toContain('is empty');
    },
  );

  it('give no link to what they have only as a summary, which only the service has whole', async () => {
    put(
      'resumo.xml',
      `<resNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01"><chNFe>${keyOf({ number: 5 })}</chNFe><CNPJ>${supplier}</CNPJ>` +
        '<xNome>Fornecedor 11</xNome><IE>1</IE><dhEmi>2026-10-05T10:00:00-03:00</dhEmi><tpNF>1</tpNF><vNF>100.00</vNF>' +
        '<dhRecbto>2026-10-05T10:00:05-03:00</dhRecbto><nProt>135260000000001</nProt><cSitNFe>1</cSitNFe></resNFe>',
    );
    putNote({ number: 1 });
    const { data } = await ask('list_documents', { ...october, cnpj: supplier });
    const documents = data.documents as { kind: string; uri?: string }[];
    expect(Object.fromEntries(documents.map(({ kind, uri }) => [kind, uri !== undefined]))).toEqual({
      nfe: true,
      summary: false,
    });
  });

  it('have a file that is still being written read again once it is whole', async () => {
    putNote({ number: 1 });
    const whole = authorisedNote({ number: 2 });
    const path = join(files.path, '2.xml');
    writeFileSync(path, whole.slice(0, whole.length / 2));
    expect((await ask('query_documents', ofOurs)).data).toMatchObject({ documents: 1 });
    expect((await ask('list_documents', {})).text).toContain('No document: 1 × cut off in the middle');
    writeFileSync(path, whole);
    expect((await ask('query_documents', ofOurs)).data).toMatchObject({ documents: 2 });
  });

  it('are read before archive info says what there is', async () => {
    putNote({ number: 1 });
    const { stdout, code } = await runInProcess(['archive', 'info'], settings(kept));
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 file read, 1 document and 0 events')]);
    expect(stdout).toMatch(/bytes: 1 document,/);
    rename('', '-away');
    const away = await runInProcess(['archive', 'info'], settings(kept));
    expect([away.code, away.stdout]).toEqual([1, expect.stringMatching(/✗ .*could not be read \(ENOENT\)/)]);
  });

  it('are listed by doctor and archive info, and imported although they are known already', async () => {
    putNote({ number: 1 });
    put('lote.zip', zipped({ number: 2, issuer: otherSupplier }, { number: 3, issuer: otherSupplier }));
    put('3-can.xml', eventFile({ number: 3, issuer: otherSupplier }));
    put('cut.xml', bareNote({ number: 5 }).slice(0, 300));
    put('leia-me.txt', 'ol\u00e1');
    writeFileSync(Buffer.from(`${files.path}/n\xba 9.xml`, 'latin1'), authorisedNote({ number: 9 }));
    const { DFE_FILES: path = '', ...withoutFiles } = settings(kept);
    const unnamable = 'could not be opened ("n\uFFFD 9.xml")';
    const said = ['5 files read, 3 documents and 1 event', ourCompany, 'cut.xml', 'leia-me.txt'];
    for (const [args, words] of [
      [['doctor'], [...said, unnamable]],
      [['archive', 'info'], said],
    ] as const) {
      const { stdout } = await runInProcess(args, settings(kept));
      for (const one of words) expect(stdout).toContain(one);
    }
    const taken = await runInProcess(['archive', 'import', path], withoutFiles);
    expect(taken).toMatchObject({ code: 1, stdout: expect.stringContaining('n\uFFFD 9.xml') });
    rename('', '-away');
    await files.connection.close();
    files.use(await files.start(withoutFiles));
    const asked = { ...october, cnpj: ourCompany };
    const held = { documents: 2, left_out: [{ reason: 'cancelled', count: 1 }] };
    const { data } = await ask('query_documents', asked);
    expect(data).toMatchObject({ complete: false, source: 'files', ...held });
    expect((await ask('list_documents', asked)).data).toMatchObject({ total: 3 });
    const one = await ask('get_document', { document: 'nfe', key: keyOf({ number: 1 }) });
    expect(one.data).toMatchObject({ source: 'files' });
  });

  it('have their sheets without any service, and nothing is said to have failed', async () => {
    putNote({ number: 1 });
    const key = keyOf({ number: 1 });
    const asked = { document: 'nfe', key, format: 'pdf', delivery: 'embed' };
    const { data, text, content } = await ask('get_document', asked);
    expect(data).toMatchObject({ origin: 'rendered', source: 'files' });
    expect(text).toMatch(/No service provides a PDF/);
    expect(text).not.toMatch(/could not be obtained|DFE_URL/);
    const [embedded] = content.filter(({ type }) => type === 'resource') as { resource: { blob: string } }[];
    expect(sheetWords(Buffer.from(embedded?.resource.blob ?? '', 'base64'))).toContain(key);
  });
});

describe('several programs with folders of their own on one archive', () => {
  const [first = '', second = '', third = ''] = [1, 2, 3].map((number) => keyOf({ number }));
  const startWith = (...names: string[]) =>
    files.start(settings({ ...kept, DFE_FILES: names.map((name) => join(files.path, name)).join(':') }));
  /** The keys it lists, after having looked at its folders. */
  const listed = async (by: Connection) => {
    const { structured } = await by.call('list_documents', ofOurs);
    return ((structured?.documents ?? []) as { key: string }[]).map(({ key }) => key).sort();
  };
  beforeEach(() => {
    put('mine/1.xml', authorisedNote({ number: 1 }));
    put('theirs/2.xml', authorisedNote({ number: 2 }));
  });

  it('do not undo each other’s reading, and each still follows what is in its own', async () => {
    const [one, other] = [await startWith('mine'), await startWith('theirs')];
    expect(await listed(one)).toEqual([first]);
    for (const each of [other, one, other]) expect(await listed(each)).toEqual([first, second].sort());
    put('theirs/3.xml', authorisedNote({ number: 3 }));
    for (const each of [other, one]) expect(await listed(each)).toEqual([first, second, third].sort());
  });

  it('and what only one of them had goes once it has ended; a folder that both have stays', async () => {
    const [one, other] = [await startWith('mine', 'theirs'), await startWith('theirs')];
    for (const each of [one, other]) expect(await listed(each)).toHaveLength(2);
    await one.close();
    expect(await listed(other)).toEqual([second]);
  });
});

describe('a second file of one key', () => {
  type Second = readonly [what: string, change: (note: string, number: number) => string, differs: boolean];
  const seconds: readonly Second[] = [
    ['another text of an item', (note) => note.replace('Parafuso', 'Parafuso M8'), true],
    ['another quantity', (note) => note.replace('<qCom>1.0000', '<qCom>2.0000'), true],
    ['another name of the recipient', (note) => note.replace('Compradora', 'Vendedora'), true],
    ['the same before its authorisation', (_, number) => bareNote({ number }), false],
    ['the same in other lines', (note) => note.replaceAll('><', '>\n<'), false],
    [
      'the same with its cancellation',
      (note, number) => `<doc>${rootOf(note)}${rootOf(eventFile({ number }))}</doc>`,
      false,
    ],
  ];
  const notes = seconds.map(([what, change, differs], at) => {
    const [number, key] = [at + 1, keyOf({ number: at + 1 })];
    const first = authorisedNote({ number });
    return { what, differs, number, key, first, second: change(first, number) };
  });
  const putAll = (which: 'first' | 'second', name: string) => {
    for (const note of notes) put(`${name}/${note.number}.xml`, note[which]);
  };

  /** Expects that every tool names those keys, and no others, that came with two contents. */
  async function expectNamed(connection: Connection): Promise<void> {
    const by = askThrough(() => connection);
    const keysIn = (text: string) => [...new Set(text.match(/\d{44}/g))].sort();
    const list = await by.ask('list_documents', october);
    const query = await by.ask('query_documents', october);
    const check = await by.ask('check_documents', { ...october, rule: 'contents_differ' });
    const named = notes.filter(({ differs }) => differs).map(({ key }) => key);
    for (const text of [String(list.data.warnings), JSON.stringify(check.data.findings)])
      expect(keysIn(text)).toEqual(named.toSorted());
    for (const { text } of [list, query])
      expect(text).toMatch(new RegExp(`${named.length} .*different contents under one key`));
    for (const { what, key, differs } of notes) {
      const { data, text } = await by.ask('get_document', { document: 'nfe', key });
      expect([data.contents, text.includes('2 different contents')], what).toEqual(
        differs ? [2, true] : [undefined, false],
      );
    }
  }

  it.each([
    ['after', 'z'],
    ['before', 'a'],
  ])('is named, or is the same, whether read %s the first', async (_when, name) => {
    putAll('first', 'm');
    putAll('second', name);
    await expectNamed(await files.start(settings({ DFE_CNPJ: ourCompany })));
  });

  it('is named, or is the same, also in a later question and beside the service', async () => {
    await using server = await beside(...notes.map(({ first }) => rootOf(first)));
    await server.call('list_documents', october);
    putAll('second', 'later');
    await server.call('list_documents', { ...october, refresh: true });
    await expectNamed(server);
  });
});

/** A server of the files and of a service that has these documents. */
const beside = (...documents: string[]) =>
  startConfigured({
    respond: (_, response) => void response.end(`<retListaXml>${documents.join('')}</retListaXml>`),
    env: { DFE_FILES: files.path, DFE_CNPJ: ourCompany },
  });

it('files fill what the service lacks, and each document says who gave it', async () => {
  for (const number of [1, 2]) putNote({ number });
  await using server = await beside(...[1, 3].map((number) => rootOf(authorisedNote({ number }))));
  const asked = { ...october, direction: 'inbound' };
  const list = await server.call('list_documents', asked);
  const query = await server.call('query_documents', asked);
  expect(query.structured).toMatchObject({ documents: 3, source: 'both', complete: true });
  for (const lines of [list.structured?.documents, query.structured?.listed] as Record<string, string>[][])
    expect(lines.map(({ number, source }) => `${number} ${source}`).sort()).toEqual([
      ...['1 both', '2 files', '3 service'],
    ]);
});
