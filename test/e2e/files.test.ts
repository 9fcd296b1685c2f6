import { mkdirSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipOf } from '../../src/sandbox/zip.ts';
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

describe('the user’s own files, with no other setting at all', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let connection: Connection;

  const put = (name: string, content: string | Uint8Array) => {
    const path = join(folder.path, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, new Date('2026-10-20T10:00:00Z'), new Date('2026-10-20T10:00:00Z'));
    return path;
  };
  const call = async (name: string, args: Record<string, unknown>) => {
    const { structured, text, isError } = await connection.call(name, args);
    return { data: structured as Record<string, unknown>, text, isError };
  };

  beforeEach(async () => {
    folder = temporaryFolder();
    connection = await connectInProcess('v1', { env: { DFE_FILES: folder.path, DFE_LANGUAGE: 'en' } });
  });

  afterEach(async () => {
    await connection.close();
    folder.remove();
  });

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
      { company: ourCompany, document: 'nfe', from: '2026-10-05', to: '2026-10-07', documents: 4 },
      expect.objectContaining({ company: supplier, documents: 2 }),
      ...[otherSupplier, '11444777000161']
        .sort()
        .map((owner) => expect.objectContaining({ company: owner, documents: 1 })),
    ]);
    expect(text).toContain('7 files read; 1 part without a fiscal document');
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

  it('ask for the company where two are as likely, and name them', async () => {
    put('1.xml', authorisedNote({ number: 1 }));
    const { text, isError } = await call('query_documents', october);
    expect(isError).toBe(true);
    expect(text).toContain(`${supplier} (1), ${ourCompany} (1)`);
    const holdings = await call('list_documents', {});
    const held = { document: 'nfe', from: '2026-10-05', to: '2026-10-05', documents: 1 };
    expect(holdings.data.holdings).toEqual(
      [supplier, ourCompany].sort().map((owner) => ({ company: owner, ...held })),
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
    unlinkSync(join(folder.path, '3-can.xml'));
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
    await connection.close();
    const missing = join(folder.path, 'not-mounted');
    connection = await connectInProcess('v1', {
      env: { DFE_FILES: [folder.path, missing].join(':'), DFE_LANGUAGE: 'en' },
    });
    const { data, text } = await call('query_documents', { ...october, direction: 'inbound' });
    expect(data).toMatchObject({
      documents: 2,
      complete: false,
      missing: [{ from: '2026-10-01', to: '2026-10-31' }],
    });
    expect(text).toContain('not-mounted" could not be read (ENOENT)');
  });
});

describe('the user’s own files beside the service', () => {
  it('fill what it lacks, and each document says who gave it', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder.path, 'both.xml'), authorisedNote({ number: 1 }));
    writeFileSync(join(folder.path, 'files.xml'), authorisedNote({ number: 2 }));
    const answered = `<retListaXml>${authorisedNote({ number: 1 }).replace(/^<\?xml.*?\?>/, '')}${authorisedNote({ number: 3 }).replace(/^<\?xml.*?\?>/, '')}</retListaXml>`;
    const server = await startConfigured({
      respond: (_, response) => void response.end(answered),
      env: { DFE_FILES: folder.path, DFE_CNPJ: ourCompany },
    });
    try {
      const asked = { ...october, direction: 'inbound' };
      const list = await server.call('list_documents', asked);
      const lines = (list.structured as { documents: { number: string; source: string }[] }).documents;
      expect(lines.map(({ number, source }) => `${number} ${source}`).sort()).toEqual([
        '1 service',
        '2 files',
        '3 service',
      ]);
      const query = await server.call('query_documents', asked);
      expect(query.structured).toMatchObject({ documents: 3, source: 'both', complete: true });
      const sources = (query.structured as { listed: { number: string; source: string }[] }).listed;
      expect(sources.map(({ number, source }) => `${number} ${source}`).sort()).toEqual([
        '1 both',
        '2 files',
        '3 service',
      ]);
    } finally {
      await server.close();
      folder.remove();
    }
  });
});
