import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readZip } from '../archive/export/read-zip.ts';
import { askSandbox, company } from '../support/asked-sandbox.ts';
import { type Asking, askThrough } from '../support/asking.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { authorisedNote, ourCompany } from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import type { PlainDocument } from '../support/independent-documents.ts';
import { requestsAt, sandboxSettings } from '../support/november-sandbox.ts';
import { ownFiles } from '../support/own-files.ts';
import { pdfTexts } from '../support/pdf-text.ts';
import {
  isOutbound,
  money,
  part,
  plain,
  stands,
  textOf,
  textsOf,
  totalOf,
} from '../support/plain-answers.ts';
import { sheetWords } from '../support/sheet-reader.ts';

const august = { from: '2026-08-01', to: '2026-08-31' } as const;
const october = { from: '2026-10-01', to: '2026-10-31' } as const;
const [saved, data] = [temporaryFolder(), temporaryFolder()];
const env = { DFE_DATA_DIR: data.path };
const asked = askSandbox({ env: { ...env, DFE_DOWNLOAD_DIR: saved.path } });
let notes: readonly PlainDocument[];
let freight: readonly PlainDocument[];

beforeAll(async () => {
  notes = await asked.documents('nfe', august);
  freight = await asked.documents('cte', august);
});

/** Exports, and gives the answer with the file. */
async function save(args: object, by: Asking = asked) {
  const answer = await by.ask('export_documents', { document: 'nfe', ...august, ...args });
  const { path, rows, documents, rendered } = answer.data as { path: string } & Record<string, number>;
  expect(dirname(path)).toBe(saved.path);
  const content = readFileSync(path);
  expect(content.length).toBe(answer.data.bytes);
  expect(answer.text).toContain(path);
  return { ...answer, path, rows, documents, rendered, content };
}

/** The same server with other settings. */
async function withSettings<T>(more: Record<string, string>, use: (by: Asking) => Promise<T>) {
  const settings = sandboxSettings(asked.sandbox, { ...env, ...more });
  await using own = await connectInProcess('v1', { env: settings });
  return await use(askThrough(() => own));
}

/** Has the sandbox fail so often for what matches, while something is done. */
async function withFault<T>(match: string, times: number, use: () => Promise<T>): Promise<T> {
  const fault = { match, status: 404, body: '{"Message":"not found"}', times };
  const faults = `${asked.sandbox.url}/__sandbox/faults`;
  await fetch(faults, { method: 'POST', body: JSON.stringify(fault) });
  try {
    return await use();
  } finally {
    await fetch(faults, { method: 'DELETE' });
  }
}

async function requestsOf(operation: string): Promise<number> {
  return (await requestsAt(asked.sandbox)).filter(({ path }) => path.includes(operation)).length;
}

/** The rows of a CSV with semicolons, by RFC 4180 but for those, by their headings. */
function recordsOf(content: Buffer): Record<string, string>[] {
  const text = content.toString('utf8');
  expect(text.startsWith('\ufeff')).toBe(true);
  const cellsOf = (line: string) =>
    [...line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(([, quoted, bare]) =>
      (quoted?.replaceAll('""', '"') ?? bare ?? '').trim(),
    );
  const [headings = [], ...lines] = text.slice(1).split('\r\n').slice(0, -1).map(cellsOf);
  return lines.map((cells) => Object.fromEntries(headings.map((heading, i) => [heading, cells[i] ?? ''])));
}

/** The document itself, without the declaration before it, which the service's reply has its own of. */
const rootOf = ({ xml }: PlainDocument) => xml.replace(/^<\?xml[^>]*\?>/, '');
const written = (cents: bigint | undefined) => (cents === undefined ? '' : money(cents).replace('.', ','));
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const isOn = (from: string, to: string) => (one: PlainDocument) => one.day >= from && one.day <= to;

describe('a CSV file', () => {
  it('has every document, keys and money as they are in the XML', async () => {
    const { content, rows } = await save({ format: 'csv' });
    const records = recordsOf(content);
    expect([records.length, rows]).toEqual([notes.length, notes.length]);
    const byKey = new Map(records.map((record) => [record['Access key'], record]));
    for (const note of notes) {
      const record = byKey.get(note.key ?? '');
      expect(record).toMatchObject({
        ICMS: written(note.amounts.icms),
        Status: stands(note) ? 'Authorised' : 'Cancelled',
      });
      for (const value of [written(note.amounts.total), note.issuer.name, note.day])
        expect(Object.values(record ?? {})).toContain(value);
    }
  });

  it('has every line of goods where items are asked for, and counts lines as lines', async () => {
    const { content, rows } = await save({ format: 'csv', rows: 'items' });
    const records = recordsOf(content);
    const goods = notes.flatMap(({ lines }) => lines);
    expect(rows).toBe(goods.length);
    const linesOf = (values: readonly unknown[]) => values.map((one) => JSON.stringify(one)).sort();
    expect(linesOf(records.map(({ CFOP, NCM, 'Item total': total }) => [CFOP, NCM, total]))).toEqual(
      linesOf(goods.map(({ cfop, ncm, amounts }) => [cfop, ncm, written(amounts.products)])),
    );
    const named = notes.filter(({ issuer }) => plain(issuer.name).includes('horizonte'));
    const lines = named.flatMap((note) => note.lines).length;
    const items = await save({ issuer: 'horizonte', format: 'csv', rows: 'items' });
    expect(items.rows).toBe(lines);
    expect(items.text).toContain(`${lines} rows written`);
  });

  it('has what the filters let in, and several kinds together', async () => {
    const supplier = notes.find(({ issuer }) => issuer.id !== company)?.issuer.id;
    for (const [args, isIn] of [
      [{ direction: 'outbound' }, isOutbound],
      [{ status: 'cancelled' }, (note: PlainDocument) => !stands(note)],
      [{ issuer: supplier }, ({ issuer }: PlainDocument) => issuer.id === supplier],
    ] as const)
      expect((await save({ format: 'csv', ...args })).rows).toBe(notes.filter(isIn).length);
    const both = await save({ document: ['nfe', 'cte'], format: 'csv' });
    expect(both.rows).toBe(notes.length + freight.length);
  });

  it('says of carriage who pays, from where to where, and what is carried', async () => {
    const records = recordsOf((await save({ document: 'cte', format: 'csv' })).content);
    expect(records).toHaveLength(freight.length);
    for (const record of records) {
      const { xml = '' } = freight.find(({ key }) => key === record['Access key']) ?? {};
      const payer = part(xml, textOf(xml, 'toma') === '0' ? 'rem' : 'dest');
      expect(record).toMatchObject({
        'Freight payer tax id': textOf(payer, 'CNPJ', 'CPF'),
        Origin: `${textOf(xml, 'xMunIni')}/${textOf(xml, 'UFIni')}`,
        Destination: `${textOf(xml, 'xMunFim')}/${textOf(xml, 'UFFim')}`,
        'Carried keys': textsOf(xml, 'chave').join(' '),
      });
    }
  });

  it('by day of entry says the day', async () => {
    const days = { from: '2026-08-10', to: '2026-08-14' };
    const args = { format: 'csv', by: 'entry', direction: 'inbound', ...days };
    const records = recordsOf((await save(args)).content);
    expect(records.length).toBeGreaterThan(0);
    for (const { Entered = '' } of records) expect(Entered).toMatch(/08.*2026|2026-08/);
  });

  it('is not written where no folder is set', async () => {
    const before = readdirSync(saved.path);
    const args = { document: 'cte', ...august, format: 'csv' };
    const words = await withSettings({}, (by) => by.refused('export_documents', args));
    expect(words).toContain('DFE_DOWNLOAD_DIR');
    expect(readdirSync(saved.path)).toEqual(before);
  });
});

describe('a workbook', () => {
  /** The cells of each row of a sheet, by their columns; numbers as they are written. */
  function rowsOf(content: Buffer, place: number): Map<string, string>[] {
    const sheet = readZip(content).find(({ name }) => name === `xl/worksheets/sheet${place}.xml`);
    const cell = /<c r="([A-Z]+)\d+"[^>]*?(?:\/>|>(.*?)<\/c>)/gs;
    return [...(sheet?.data.toString('utf8') ?? '').matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(
      ([, cells = '']) =>
        new Map(
          [...cells.matchAll(cell)].map(([, column = '', inside = '']) => [
            column,
            inside.replace(/<[^>]*>/g, ''),
          ]),
        ),
    );
  }
  const cents = (text = '') => BigInt(text.replace('.', ''));
  const wordsIn = (content: Buffer) =>
    rowsOf(content, 2)
      .map((row) => [...row.values()].join(': '))
      .join('\n');

  it('has every document and, apart, the exact total of what counts', async () => {
    const { content, rows = 0 } = await save({ format: 'xlsx', document: ['nfe', 'cte'] });
    const [headings = new Map<string, string>(), ...all] = rowsOf(content, 1);
    const column = (heading: string) => [...headings].find(([, text]) => text === heading)?.[0] ?? '';
    const values = all.slice(0, rows);
    expect(values.map((row) => row.get(column('Access key'))).toSorted()).toEqual(
      [...notes, ...freight].map(({ key }) => key).toSorted(),
    );
    for (const [kind, documents, start] of [
      ['NF-e', notes, 'NF'],
      ['CT-e', freight, 'CT'],
    ] as const) {
      const counted = documents.filter(stands);
      const marked = values.filter((row) => row.get(column('Document'))?.startsWith(start));
      const sum = marked
        .filter((row) => (row.get(column('Left out of totals')) ?? '') === '')
        .reduce((amount, row) => amount + cents(row.get(column('Total'))), 0n);
      const total = all.slice(rows).find((row) => row.get('A') === `Total ${kind} (${counted.length})`);
      const overview = rowsOf(content, 2).find((row) => row.get('A') === `Total ${kind}`);
      expect(overview?.get('C')).toBe(String(counted.length));
      for (const amount of [sum, cents(total?.get(column('Total'))), cents(overview?.get('D'))])
        expect(amount).toBe(totalOf(counted));
    }
    for (const words of [company.replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5'), 'Cancelled'])
      expect(wordsIn(content)).toContain(words);
  });

  it('says that it is a part of the period, and which, where filters narrow it', async () => {
    const whole = await save({ format: 'xlsx' });
    expect(wordsIn(whole.content)).not.toContain('Only a part');
    expect(whole.path).not.toContain('filtrado');
    const filters = { direction: 'outbound', status: ['cancelled', 'denied'], issuer: 'horizonte' };
    for (const rows of ['documents', 'items']) {
      const { content, text, path } = await save({ format: 'xlsx', rows, ...filters });
      const said = 'Only a part of the period: outbound only; issuer horizonte; status cancelled, denied';
      for (const words of [wordsIn(content), text]) expect(words).toContain(said);
      expect(path).toContain('-filtrado');
    }
  });

  it.each([[['cancelled']], [['cancelled', 'authorized']]])(
    'counts documents that are %s where they were asked for, as the answer does',
    async (status) => {
      const wanted = notes.filter((note) => status.includes(note.status));
      expect(wanted.some((note) => !stands(note))).toBe(true);
      const { content, text, data: answer } = await save({ format: 'xlsx', status });
      expect(answer.left_out).toBeUndefined();
      const total = rowsOf(content, 1).map((row) => row.get('A'));
      expect(total).toContain(`Total NF-e (${wanted.length})`);
      expect(cents(rowsOf(content, 2).at(-1)?.get('D'))).toBe(totalOf(wanted));
      expect(text.replace(/\D/g, '')).toContain(String(totalOf(wanted)));
      const records = recordsOf((await save({ format: 'csv', status })).content);
      expect(records.map((record) => record['Left out of totals'])).toEqual(wanted.map(() => ''));
    },
  );
});

describe('a ZIP', () => {
  const xmlIn = (content: Buffer) => readZip(content).filter(({ name }) => name.endsWith('.xml'));
  const textsIn = (content: Buffer) =>
    xmlIn(content)
      .map((entry) => entry.data.toString('utf8'))
      .toSorted();

  it('has every XML to the byte', async () => {
    const days = ['2026-08-03', '2026-08-05'] as const;
    const { content, rows } = await save({ format: 'zip', from: days[0], to: days[1] });
    const wanted = notes.filter(isOn(...days));
    expect(rows).toBe(wanted.length);
    expect(textsIn(content)).toEqual(wanted.map(rootOf).toSorted());
  });

  it('has all but the one that the service no longer has, which is named', async () => {
    const days = ['2026-08-10', '2026-08-12'] as const;
    const wanted = notes.filter(isOn(...days));
    const gone = wanted[0]?.key ?? '';
    const file = await withFault(gone, 9, () => save({ format: 'zip', from: days[0], to: days[1] }));
    expect([file.rows, file.documents]).toEqual([wanted.length - 1, wanted.length]);
    expect(file.text).toContain(gone);
    const entries = readZip(file.content);
    expect(entries).toHaveLength(wanted.length);
    for (const { key } of wanted) expect(entries.at(-1)?.data.toString('utf8')).toContain(key);
  });

  it('comes from the archive alone where it keeps the XML', async () => {
    const before = await requestsOf('DownloadXml');
    const kept = { DFE_DOWNLOAD_DIR: saved.path, DFE_ARCHIVE_XML: '1' };
    const { content } = await withSettings(kept, (by) => save({ format: 'zip' }, by));
    expect(textsIn(content)).toEqual(notes.map(rootOf).toSorted());
    expect(await requestsOf('DownloadXml')).toBe(before);
  });
});

describe('sheets', () => {
  it('are one PDF where all are drawn and few, whose outline has the key of each', async () => {
    const days = { from: '2026-10-05', to: '2026-10-09' };
    const file = await save({ document: 'cte', ...days, format: 'pdf' });
    expect(file.path).toMatch(/-pdf\.pdf$/);
    expect([file.rows, file.rendered]).toEqual([file.documents, file.documents]);
    expect(file.text).toMatch(/drawn from the XML/);
    const keys = (await asked.documents('cte', days)).map(({ key = '' }) => key);
    expect(keys).toHaveLength(file.rows ?? 0);
    const all = sheetWords(file.content);
    for (const key of keys) expect(all).toContain(key);
    // Each sheet begins to count its pages anew.
    expect(all.match(/FOLHA1\//g)).toHaveLength(keys.length);
  });

  it("of NF-e are the service's own, and drawn where they don't come, saying why once", async () => {
    const own = await save({ from: '2026-10-05', to: '2026-10-09', format: 'pdf' });
    expect(own.rendered).toBe(0);
    const before = await requestsOf('DownloadPdfNfe');
    const days = { from: '2026-10-12', to: '2026-10-16' };
    const drawn = await withFault('DownloadPdfNfe', 1000, () => save({ ...days, format: 'pdf' }));
    expect(drawn.rows).toBeGreaterThan(5);
    expect(drawn.rendered).toBe(drawn.rows);
    expect(drawn.text.match(/The service's PDF could not be obtained/g)).toHaveLength(1);
    // A few until it was clear that none comes.
    expect((await requestsOf('DownloadPdfNfe')) - before).toBeLessThan(drawn.rows ?? 0);
    for (const { content, path, rows } of [own, drawn]) {
      expect(path).toMatch(/-pdf\.(?:zip|pdf)$/);
      if (path.endsWith('.zip'))
        expect(readZip(content).filter(({ name }) => name.endsWith('.pdf'))).toHaveLength(rows ?? 0);
    }
  });
});

describe('a dossier', () => {
  const days = { from: '2026-08-01', to: '2026-08-10' } as const;

  it('holds what was received, what became of it, and a manifest whose hash the answer has', async () => {
    const file = await save({ document: ['nfe', 'cte'], ...days, format: 'dossier' });
    const entries = new Map(readZip(file.content).map(({ name, data: bytes }) => [name, bytes]));
    const received = [...notes, ...freight].filter(isOn(days.from, days.to));
    const manifest_sha256 = sha256(entries.get('manifest.json') ?? '');
    expect(file.data).toMatchObject({ documents: received.length, rows: received.length, manifest_sha256 });
    expect(file.text).toContain(manifest_sha256);
    const index = entries.get('index.csv')?.toString() ?? '';
    for (const document of received) {
      const name = `xml/${document.key}.xml`;
      expect(entries.get(name)?.toString() === rootOf(document), name).toBe(true);
      for (const words of [`${name};`, sha256(rootOf(document))]) expect(index).toContain(words);
    }
    const check = await asked.ask('check_documents', { document: ['nfe', 'cte'], ...days });
    const checks = entries.get('checks.csv')?.toString().trim().split('\r\n');
    expect(checks).toHaveLength(1 + Number(check.data.total));
    expect([...entries.keys()].filter((name) => !name.startsWith('xml/'))).toEqual([
      ...['index.html', 'index.csv', 'events.csv', 'checks.csv', 'journal.csv', 'manifest.json'],
    ]);
    const page = entries.get('index.html')?.toString() ?? '';
    expect(page).not.toMatch(/<script|http:/);
    for (const document of received) {
      const words = [`xml/${document.key}.xml`, sha256(rootOf(document)), document.issuer.name];
      for (const word of words) expect(textIn(page)).toContain(word);
    }
    // The page formats IDs and times; the table has them raw.
    expect(textIn(page)).not.toMatch(/ \d{14} |\d{2}:\d{2}:\d{2}/);
  });

  it.each<[args: object, words: RegExp]>([
    [{ ...days, format: 'dossier', issuer: [company], by: 'entry' }, /"issuer".*"by"/s],
    [{ format: 'dossier' }, /"from"/],
    [{ document: 'nfe', ...days, format: 'zip', reconcile_files: ['a.txt'] }, /"reconcile_files"/],
  ])('is of whole periods: %j is refused', async (args, words) => {
    expect(await asked.refused('export_documents', args)).toMatch(words);
  });
});

/** What a person reads of a page, with one blank between its parts. */
function textIn(html: string): string {
  const body = html.slice(html.indexOf('<body>')).replace(/<[^>]*>/g, ' ');
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return body.replace(/&\w+;/g, (entity) => entities[entity] ?? entity).replace(/\s+/g, ' ');
}

describe('the month closing', () => {
  let month: readonly PlainDocument[];
  let closing: Awaited<ReturnType<typeof page>>;
  beforeAll(async () => {
    month = (await asked.documents('nfe', october)).filter(stands);
    closing = await page(october);
  });
  const report = async (args: object) => {
    const { data: answer, text } = await asked.ask('export_documents', { format: 'report', ...args });
    const path = String(answer.path);
    expect(text).toContain(path);
    return { path, file: readFileSync(path) };
  };
  const page = async (args: object) => {
    const { path, file } = await report(args);
    expect(path).toMatch(/\.html$/);
    const html = file.toString('utf8');
    return { html, text: textIn(html) };
  };
  const isInbound = (note: PlainDocument) => !isOutbound(note);
  /** Cents as an English reader writes them. */
  const inEnglish = (cents: bigint) =>
    `${(cents / 100n).toLocaleString('en')}.${String(cents % 100n).padStart(2, '0')}`;

  it('says what another reader adds up, and what the tools answer', async () => {
    const { text } = closing;
    for (const some of [month.filter(isInbound), month.filter(isOutbound)]) {
      expect(text).toContain(`${inEnglish(totalOf(some))} ${some.length} NF-e`);
      expect(text).toContain(`Total ${some.length} ${inEnglish(totalOf(some))} 100%`);
    }
    const amounts = async (document: string, direction: string, args: object) => {
      const question = { document, direction, cnpj: company, ...october, ...args };
      const { sums } = (await asked.ask('query_documents', question)).data as {
        sums: [{ measures: Record<string, string> }];
      };
      return Object.values(sums[0].measures).map((amount) => inEnglish(BigInt(amount.replace('.', ''))));
    };
    const services = await amounts('nfse', 'inbound', { measures: ['services', 'total', 'irrf'] });
    const paid = await amounts('cte', 'inbound', { payer: [company], measures: ['total'] });
    for (const amount of [...services, ...paid]) expect(text).toContain(amount);
    const [out] = await amounts('nfe', 'outbound', { measures: ['icms'] });
    const [inward] = await amounts('nfe', 'inbound', { measures: ['icms'] });
    expect(text).toContain(`ICMS NF-e ${out} ${inward}`);
    const pending = await asked.ask('list_pending_manifestations', {});
    expect(text).toContain(`${pending.data.total} notes without a conclusive event`);
    const checks = await asked.ask('check_documents', { document: ['nfe', 'nfse', 'cte'], ...october });
    expect(text).toContain(`${checks.data.total} findings`);
  });

  it('compares with the month before, where both are over and complete', async () => {
    const september = await asked.documents('nfe', { from: '2026-09-01', to: '2026-09-30' });
    const { text } = closing;
    const [now, then] = [month, september.filter(stands)].map((some) =>
      Number(totalOf(some.filter(isInbound))),
    );
    const change = ((now ?? 0) / (then ?? 1) - 1) * 100;
    expect(text).toContain(`${change < 0 ? '\u2212' : '+'}${Math.abs(change).toFixed(1)}% on September`);
    for (const [period, ...words] of [
      [{ from: '2026-11' }, /under way until Nov 20, 2026/, /^(?!.*% on October)/],
      [{ from: '2026-11-01', to: '2026-12-10' }, /under way until Nov 20, 2026/, /goes beyond today/],
      [
        { from: '2024-03', document: ['nfe', 'cte'] },
        /No document that counts in totals in the period.*By supplier: no document in the period/,
        /^(?!.*NFS-e).*No CT-e that the company pays in the period/,
        /No tax shown in the period/,
      ],
    ] as const) {
      const { text: said } = await page(period);
      for (const one of words) expect(said).toMatch(one);
    }
  });

  it('says the same as a PDF', async () => {
    const { text } = closing;
    const { path, file } = await report({ ...october, pdf: true });
    expect(path).toMatch(/\.pdf$/);
    const drawn = pdfTexts(file).join(' ').replace(/\s+/g, ' ');
    for (const title of ['Purchases', 'Sales', 'Taxes and credits', 'What is incomplete', 'Prepared by'])
      for (const one of [text, drawn]) expect(one).toContain(title);
    for (const some of [month.filter(isInbound), month.filter(isOutbound)])
      expect(drawn).toContain(inEnglish(totalOf(some)));
    for (const { issuer } of month.filter(isInbound))
      expect(drawn).toContain((issuer.name ?? '').slice(0, 20));
  });

  it('has no script and no address, so that it reads the same anywhere', async () => {
    const { html } = closing;
    expect(html).not.toMatch(/<script|<link|<img|<iframe|javascript:|https?:|url\(|@import|\son\w+=|\ssrc=/i);
    expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none';`);
  });

  it('says of missing days that its amounts are a minimum, and compares nothing', async () => {
    await asked.ask('query_documents', { document: 'nfe', from: '2026-06-20', to: '2026-06-30' });
    const { text } = await withFault('Mercadoria', 40, () => page({ from: '2026-06' }));
    for (const words of ['Days of NF-e are missing', 'Read the missing days before using the totals'])
      expect(text).toContain(words);
    expect(text).toMatch(/What is incomplete Period: INCOMPLETE: could not get/);
    expect(text).not.toMatch(/NF-e, .?\d+\.\d% on May/);
  });

  it.each<[args: object, words: RegExp]>([
    [{ direction: 'inbound' }, /direction: the report is of the whole period/],
    [{ issuer: ['horizonte'], status: ['cancelled'] }, /issuer: .*status: /s],
    [{ rows: 'items' }, /rows: /],
    [{ from: '2026-12-01', to: '2026-12-31' }, /from: the period has not begun/],
    [{ cnpj: [company, '11222333000181'] }, /a report is of one company/],
    [{ format: 'csv', document: 'nfe', pdf: true }, /pdf goes with format: "report" only|pdf: /],
    [{ format: 'csv' }, /document/],
  ])('takes no filter that would make a part look like the whole: %j', async (args, words) => {
    expect(await asked.refused('export_documents', { format: 'report', ...october, ...args })).toMatch(words);
  });
});

describe('a report of the user’s files', () => {
  const { ask, put } = ownFiles();

  it('shows names for what they are, on the page, in its foot and as a PDF', async () => {
    for (const [at, text] of [
      '</style><script>alert(1)</script>',
      '"; } @import "//evil.example/x"; a { b: "',
      '<img src=x onerror=alert(2)>',
      '{count} \\22 &quot;',
    ].entries()) {
      const name = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      const issuer = ['11222333000181', '58716523000119'][at % 2];
      const note = authorisedNote({ number: at + 1, issuer });
      put(`${at}.xml`, note.replace(/Fornecedor \d+/, name).replace('Compradora ção', name));
    }
    const save = async (pdf: boolean) => {
      const { data: answer } = await ask('export_documents', { format: 'report', ...october, pdf });
      return readFileSync(String(answer.path)).toString('latin1');
    };
    expect((await save(true)).slice(0, 5)).toBe('%PDF-');
    const html = await save(false);
    expect(html.match(/<\/?style>/g)).toEqual(['<style>', '</style>']);
    expect(html).not.toMatch(/<script|<img/);
    const style = html.slice(html.indexOf('<style>') + 7, html.indexOf('</style>'));
    expect(style).not.toMatch(/@import|evil\.example|<|script/);
    for (const words of [
      ...['Only the given files were read', 'at least 400.00'],
      ourCompany.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5'),
    ])
      expect(textIn(html)).toContain(words);
  });
});
