import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { readZip } from '../archive/export/read-zip.ts';
import { everyPage } from '../support/asked-sandbox.ts';
import { bookKey, c100, efd, filed, putFiled } from '../support/books.ts';
import { authorisedNote, keyOf, otherSupplier, ourCompany, supplier } from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { ownFiles } from '../support/own-files.ts';

interface Answered {
  readonly files: readonly { readonly file: string; readonly notes: string[] }[];
  readonly findings: readonly Readonly<Record<string, string>>[];
  readonly total: number;
  readonly next_cursor?: string;
}

const { own, cancelled, unlisted, bought } = filed;
const october = { from: '2026-10-01', to: '2026-10-31' } as const;

const files = ownFiles();
const { put } = files;
const call = async (args: object) => {
  const { data, text } = await files.ask('reconcile', args);
  return { text, data: data as unknown as Answered };
};
const refused = (args: object) => files.refused('reconcile', args);
const putBook = (name: string, changes: Parameters<typeof efd>[1] = {}, total = '100,00', icms = '0') => {
  const untaxed = { base: '0', icms: '0' };
  const notes = [
    c100({ ...own, ...untaxed, total, icms }),
    c100({ ...cancelled, ...untaxed }),
    c100({ ...bought, moved: '09102026', ...untaxed }),
    c100({ number: 9, issuer: supplier }),
  ];
  put(name, Buffer.from(efd(notes, changes), 'latin1'));
};
const fill = () => {
  putFiled(put);
  putBook('outubro.txt');
};
const file = ['outubro.txt'];

describe('reconcile, with the user’s own files', () => {
  it('names the files there are, none of them a document', async () => {
    fill();
    put('apuracao.json', '{"ni":"48152036","apuracao":[]}');
    put('erp.csv', 'Chave;Valor\n;1\n');
    put('notas.txt', 'nada');
    const { data, text } = await call({});
    expect(data.files).toEqual([
      { file: 'apuracao.json', kind: 'cbs_assessment', notes: [] },
      { file: 'erp.csv', kind: 'list', layout: 'csv', notes: [] },
      {
        file: 'outubro.txt',
        kind: 'efd_icms_ipi',
        layout: '020',
        company: ourCompany,
        ...october,
        notes: [],
      },
    ]);
    expect(text).toContain('outubro.txt,EFD ICMS/IPI,020');
  });

  it('compares a SPED file and says what rests on what', async () => {
    fill();
    const { data, text } = await call({ file });
    const one = { count: 1, amount: '100.00' };
    expect(data).toMatchObject({
      ...{ company: ourCompany, complete: false, source: 'files', total: 3 },
      compared: { entries: 4, documents: 4, matched: 3, by_key: 3, by_number: 0, agree: 2 },
      by_finding: [
        { finding: 'cancelled_but_listed', certainty: 'certain', ...one },
        { finding: 'missing_in_file', certainty: 'certain', ...one },
        { finding: 'missing_in_documents', certainty: 'probable', ...one },
      ],
      files: [
        {
          ...{ file: 'outubro.txt', layout: '020', establishment: ourCompany, whole: true },
          sums: { total: '400.00' },
          notes: ['read by the published schema; no real file seen of this layout'],
        },
      ],
    });
    expect(data.findings.map(({ finding, key, line }) => [finding, key, line])).toEqual([
      ['cancelled_but_listed', keyOf(cancelled), 6],
      ['missing_in_file', keyOf(unlisted), undefined],
      ['missing_in_documents', bookKey({ number: 9, issuer: supplier }), 10],
    ]);
    for (const words of [keyOf(unlisted), 'BRL 100.00']) expect(text).toContain(words);
  });

  it('narrows, pages and goes on where it stopped', async () => {
    fill();
    for (const [narrowing, found] of [
      [{ finding: ['missing_in_file'] }, { key: keyOf(unlisted) }],
      [{ certainty: ['probable'] }, { finding: 'missing_in_documents' }],
    ] as const)
      expect((await call({ file, ...narrowing })).data.findings).toMatchObject([found]);
    // All but the purchased note were issued on the 5th.
    const late = await call({ file, from: '2026-10-06', to: '2026-10-31' });
    expect(late.data).toMatchObject({ total: 0, compared: { matched: 1 } });
    const met = await everyPage(async (cursor) => {
      const { data } = await call({ file, limit: 1, ...cursor });
      return { entries: data.findings.map(({ finding }) => finding), next: data.next_cursor };
    });
    expect(met).toEqual(['cancelled_but_listed', 'missing_in_file', 'missing_in_documents']);
    expect(await refused({ file, finding: ['nothing'] })).toContain('value_differs');
    // Of a file that has changed in between, no finding is passed over.
    const { next_cursor: cursor } = (await call({ file, limit: 1 })).data;
    putBook('outubro.txt', {}, '1,00');
    expect(await refused({ file, limit: 1, cursor })).toContain('has changed since the first page');
  });

  it.each([
    ['total', {}, 1],
    ['total', { tolerance_total: '0.04' }, 1],
    ['total', { tolerance_total: '0.05' }, 0],
    ['icms', { tolerance_total: '0.05' }, 1],
    ['icms', { tolerance_total: '0.05', tolerance_tax: '0.05' }, 0],
  ])('finds in %s with %j: %i', async (field, tolerances, count) => {
    fill();
    putBook('outubro.txt', {}, '100,05', '0,05');
    const { data } = await call({ file, finding: ['value_differs'], ...tolerances });
    expect(data.findings.filter((one) => one.field === field)).toHaveLength(count);
  });

  it('takes the replacement of a month, whatever the order, and no other company’s or period’s file', async () => {
    fill();
    putBook('1.txt', {}, '1,00');
    putBook('2.txt', { purpose: '1' });
    for (const [args, told, words] of [
      [{ file: ['1.txt', '2.txt'] }, '1.txt', 'replaced by 2.txt'],
      [{ file: ['2.txt', '1.txt'] }, '1.txt', 'replaced by 2.txt'],
      [
        { file: ['2.txt'], cnpj: otherSupplier },
        '2.txt',
        `is of ${ourCompany}, not of the company asked for`,
      ],
      [{ file: ['2.txt'], from: '2026-11-01', to: '2026-11-15' }, '2.txt', 'its period does not touch'],
      [{ file: ['2.txt'], kind: 'list' }, '2.txt', 'another kind was asked for'],
    ] as const) {
      const { data } = await call(args);
      expect(data.files.find((one) => one.file === told)?.notes[0]).toContain(words);
      if (args.file.length > 1) expect(data.total).toBe(3);
      if ('cnpj' in args) expect(data).toMatchObject({ total: 0, compared: { entries: 0 } });
    }
  });

  it('compares a damaged book that begins in the year 1 from the year 2000 on', async () => {
    putFiled(put);
    put('ano-1.txt', efd([]).replace('|01102026|', '|01010001|'));
    const { data } = await call({ file: ['ano-1.txt'] });
    expect(data).toMatchObject({ from: '2000-01-01', to: '2026-10-31', files: [{ from: '0001-01-01' }] });
  });

  it('saves its findings as a table, and into a dossier', async () => {
    fill();
    const asked = { reconcile_files: file };
    const save = async (args: object, answered: object) => {
      const { data, text } = await files.ask('export_documents', { ...asked, ...args });
      expect(data).toMatchObject(answered);
      return { text, content: readFileSync(String(data.path)) };
    };
    const table = await save({ format: 'csv' }, { rows: 3, total: 3, company: ourCompany });
    const csv = table.content.toString('utf8');
    const rows = csv.trim().split('\r\n').slice(1);
    const { findings } = (await call({ file })).data;
    expect(rows).toHaveLength(findings.length);
    for (const [at, { finding, key, message }] of findings.entries())
      for (const words of [`${finding};`, key, message]) expect(rows[at]).toContain(words);
    await save({ ...october, format: 'xlsx' }, { rows: 3, ...october });
    const dossier = await save({ ...october, cnpj: [ourCompany], format: 'dossier' }, {});
    expect(dossier.text).toContain('Findings of the reconciliation: 3');
    const entries = new Map(readZip(dossier.content).map(({ name, data }) => [name, data.toString()]));
    expect(entries.get('reconcile.csv')).toBe(csv);
    const line = entries
      .get('index.csv')
      ?.split('\r\n')
      .find((one) => one.includes(keyOf(cancelled)));
    expect(line).toContain('Cancelled');
    expect(entries.get('events.csv')).toContain('110111');
    const report = (await save({ ...october, cnpj: [ourCompany], format: 'report' }, {})).content.toString();
    expect(report).toContain('1 certain finding: cancelled but booked.');
    expect(report).not.toContain('finding: document not known');
    for (const [args, words] of [
      [{ ...asked, status: ['cancelled'], cnpj: [ourCompany, otherSupplier] }, '"status"'],
      [{ reconcile_files: ['none.txt'] }, '"none.txt" is not in'],
    ] as const)
      expect(await files.refused('export_documents', { ...args, format: 'csv' })).toContain(words);
  });

  it('reads an assessment and says by when to act on it', async () => {
    fill();
    const at = '2026-10-05T13:00:00Z';
    const debitos = [
      [keyOf(own), 0.9],
      [keyOf(cancelled), 1.1],
    ].map(([chave, apurado]) => ({
      ...{ origem: 0, documento: 55, chave, emissao: at, registro: at, cbs: { apurado } },
    }));
    const apuracao = [{ pa: '10/2026', debitos }];
    put('cbs.json', JSON.stringify({ ni: '48152036', geradoEm: '2026-11-05T09:00:00Z', apuracao }));
    const { data, text } = await call({ file: ['cbs.json'] });
    const told = { kind: 'cbs_assessment', layout: 'v2', company: '48152036' };
    expect(data).toMatchObject({
      deadlines: { presented_by: '2026-11-15', adjust_until: '2026-11-30' },
      files: [{ ...told, generated_at: '2026-11-05T09:00:00.000Z' }],
    });
    expect(data.findings.map(({ finding, ours, theirs }) => [finding, ours, theirs])).toEqual([
      ['cancelled_but_listed', 'cancelled', '1.10'],
      ['value_differs', '0.00', '0.90'],
    ]);
    expect(text).toMatch(/no real file seen.*informative/s);
    expect(text).toMatch(/presented by Nov 15, 2026; adjustments until Nov 30, 2026/);
    // Of a root whose establishments nobody named, nothing was asked: what is missing may exist.
    put('outra.json', JSON.stringify({ ni: '99999999', geradoEm: '2026-11-05T09:00:00Z', apuracao }));
    const { data: both } = await call({ file: ['cbs.json', 'outra.json'] });
    const unasked = expect.stringMatching(/^no documents of 99999999 were asked for/);
    expect(both.files.map(({ notes }) => notes)).toEqual([
      expect.not.arrayContaining([expect.stringContaining('were asked for')]),
      expect.arrayContaining([unasked]),
    ]);
  });

  it('reads a list as the call says where headings do not', async () => {
    fill();
    put('erp.csv', `Doc;Quem;Quanto\n1;${ourCompany};100,50\n`);
    const asked = { file: ['erp.csv'], cnpj: ourCompany };
    expect(await refused(asked)).toContain('say in columns');
    expect(await refused({ ...asked, columns: { Doc: 'document' } })).toContain('icms_base');
    const { data } = await call({ ...asked, columns: { Doc: 'number', Quem: 'issuer', Quanto: 'total' } });
    expect(data).toMatchObject({
      files: [{ layout: 'csv', columns: { number: 'Doc', issuer: 'Quem', total: 'Quanto' } }],
      findings: [{ finding: 'value_differs', field: 'total', ours: '100.00', theirs: '100.50' }],
    });
  });

  it('looks at the files again before it infers whose a list is, where that is asked for', async () => {
    fill();
    const putNotes = (issuer: string, ...numbers: number[]) => {
      for (const number of numbers)
        put(`xml/${number}.xml`, authorisedNote({ number, issuer, recipient: otherSupplier }));
    };
    putNotes(ourCompany, 11, 12);
    put('erp.csv', `Número;CNPJ;Valor\n1;${ourCompany};100,00\n`);
    const companyOf = async (args: object) => (await files.ask('reconcile', args)).data.company;
    const asked = { file: ['erp.csv'], from: october.from, to: october.to };
    expect(await companyOf(asked)).toBe(ourCompany);
    putNotes(supplier, 21, 22, 23, 24, 25);
    // However lately the folders were looked at.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    expect(await companyOf(asked)).toBe(ourCompany);
    expect(await companyOf({ ...asked, refresh: true })).toBe(supplier);
  });

  it('refuses by name what it can’t read, and reads nothing outside of the folders', async () => {
    fill();
    put('page.json', '<html></html>');
    put('status.json', '{"estado":"CONCLUIDA","urlAssinada":"https://storage/x?sig=SECRET"}');
    const text = await refused({ file: ['page.json', 'status.json', '../secret.txt', '/etc/passwd'] });
    expect(text).toMatch(
      /"page.json" is a page.*"status.json" is the answer.*secret.txt" is not in.*passwd" is not in/s,
    );
    expect(text).not.toContain('SECRET');
    const { data } = await call({ file: ['page.json', ...file] });
    expect(data).toMatchObject({ total: 3, files: [{ file: 'page.json' }, { whole: true }] });
  });

  it('says where files go when there is no folder', async () => {
    await using connection = await connectInProcess('v1', { env: { DFE_LANGUAGE: 'en' } });
    const { isError, text } = await connection.call('reconcile', { file: ['a.txt'] });
    expect([isError, text]).toEqual([true, expect.stringContaining('DFE_FILES')]);
  });
});
