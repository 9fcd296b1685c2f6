import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { readZip } from '../archive/export/read-zip.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { fetchPlainly, type PlainDocument } from '../support/independent-documents.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';

const company = '48152036000117';
const august = { from: '2026-08-01', to: '2026-08-31' } as const;

let sandbox: Sandbox;
let env: Record<string, string>;
let connection: Connection;
let downloads: string;
const folders: ReturnType<typeof temporaryFolder>[] = [];
let notes: readonly PlainDocument[];

function newFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.path;
}

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  downloads = newFolder();
  env = sandboxSettings(sandbox, { DFE_DATA_DIR: newFolder() });
  connection = await connectInProcess('v2 legacy', { env: { ...env, DFE_DOWNLOAD_DIR: downloads } });
  notes = await fetchPlainly(sandbox.url, 'nfe', { company, ...august });
});

afterAll(async () => {
  await connection.close();
  await sandbox.close();
  for (const folder of folders) folder.remove();
});

interface Saved {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
}

async function save(args: object, by = connection): Promise<Saved & { content: Buffer; text: string }> {
  const { isError, text, structured } = await by.call('export_documents', {
    document: 'nfe',
    ...august,
    ...args,
  });
  expect(isError, text).toBe(false);
  const saved = structured as unknown as Saved;
  expect(dirname(saved.path)).toBe(downloads);
  const content = readFileSync(saved.path);
  expect(content.length).toBe(saved.bytes);
  return { ...saved, content, text };
}

/** Cells of a CSV with semicolons, by RFC 4180 but for those. */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [];
  for (const line of csv.split('\r\n').slice(0, -1)) {
    const cells = [...line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)];
    rows.push(cells.map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? ''));
  }
  return rows;
}

/** The document itself, without the declaration before it, which the service's reply has its own of. */
const rootOf = ({ xml }: PlainDocument) => xml.replace(/^<\?xml[^>]*\?>/, '');

const money = (amount: bigint | undefined) => {
  const text = String(amount).padStart(3, '0');
  return amount === undefined ? '' : `${text.slice(0, -2)},${text.slice(-2)}`;
};

/** The rows of a CSV by their headings. */
function recordsOf(content: Buffer): Record<string, string>[] {
  const [headings = [], ...lines] = cellsOf(content.toString('utf8').slice(1));
  return lines.map((cells) =>
    Object.fromEntries(headings.map((heading, index) => [heading, cells[index]?.trim() ?? ''])),
  );
}

describe('an export', () => {
  const inside = (xml: string, element: string, name: string) =>
    new RegExp(`<${element}[ >].*?<${name}>([^<]*)<`, 's').exec(xml)?.[1] ?? '';

  it('says of carriage who pays, from where to where, and what is carried', async () => {
    const freight = await fetchPlainly(sandbox.url, 'cte', { company, ...august });
    const byKey = new Map(freight.map((one) => [one.key, one]));
    const { content, text } = await save({ document: 'cte', format: 'csv' });
    const records = recordsOf(content);
    expect(records).toHaveLength(freight.length);
    for (const record of records) {
      const { xml = '' } = byKey.get(record['Access key']) ?? {};
      const payer = inside(xml, 'ide', 'toma') === '0' ? 'rem' : 'dest';
      const id = inside(xml, payer, 'CNPJ') || inside(xml, payer, 'CPF');
      expect(record['Freight payer tax id']).toBe(id);
      expect(record.Origin).toBe(`${inside(xml, 'ide', 'xMunIni')}/${inside(xml, 'ide', 'UFIni')}`);
      expect(record.Destination).toBe(`${inside(xml, 'ide', 'xMunFim')}/${inside(xml, 'ide', 'UFFim')}`);
      const carried = [...xml.matchAll(/<chave>(\w+)</g)].map(([, key]) => key);
      expect(record['Carried keys']).toBe(carried.join(' '));
    }
    expect(text).toContain(`${freight.length} documents`);
  });

  it('by day of entry says the day', async () => {
    const { content } = await save({
      format: 'csv',
      by: 'entry',
      direction: 'inbound',
      from: '2026-08-10',
      to: '2026-08-14',
    });
    const records = recordsOf(content);
    expect(records.length).toBeGreaterThan(0);
    // As a workbook's day or a date of the language: what counts is that it is there and of the month.
    for (const { Entered = '' } of records) expect(Entered).toMatch(/08.*2026|2026-08/);
  });

  it('takes several kinds, and somebody by name; lines of goods are counted as lines', async () => {
    const freight = await fetchPlainly(sandbox.url, 'cte', { company, ...august });
    const both = await save({ document: ['nfe', 'cte'], format: 'csv' });
    expect(both.rows).toBe(notes.length + freight.length);
    const plain = (name = '') => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const named = notes.filter(({ issuer }) => plain(issuer.name).includes('horizonte'));
    const items = await save({ issuer: 'horizonte', format: 'csv', rows: 'items' });
    const goods = named.flatMap(({ lines }) => lines);
    expect(items.rows).toBe(goods.length);
    expect(items.text).toContain(`${named.length} documents in ${goods.length} lines of items`);
  });
});

describe('a CSV file', () => {
  it('has every document, keys and money as they are in the XML', async () => {
    const { content, rows, text, path } = await save({ format: 'csv' });
    expect(text).toContain(path);
    const csv = content.toString('utf8');
    expect(csv.startsWith('\ufeff')).toBe(true);
    const [headings = [], ...lines] = cellsOf(csv.slice(1));
    expect(lines).toHaveLength(rows);
    expect(rows).toBe(notes.length);
    const column = (name: string) => headings.indexOf(name);
    expect(headings).toEqual(expect.arrayContaining(['Status', 'ICMS', 'IPI']));
    const byKey = new Map(notes.map((note) => [note.key, note]));
    for (const cells of lines) {
      const key = cells.map((cell) => cell.trim()).find((cell) => /^[0-9A-Z]{44}$/.test(cell));
      const note = byKey.get(key);
      expect(note).toBeDefined();
      expect(cells).toContain(money(note?.amounts.total));
      expect(cells[column('ICMS')]).toBe(money(note?.amounts.icms));
      expect(cells[column('Status')]).toBe(note?.status === 'cancelled' ? 'Cancelled' : 'Authorised');
      expect(cells).toContain(note?.issuer.name);
      expect(cells).toContain(note?.day);
      byKey.delete(key);
    }
    expect(byKey.size).toBe(0);
  });

  it('has every line of goods where items are asked for', async () => {
    const { content, rows } = await save({ format: 'csv', rows: 'items' });
    const [headings = [], ...lines] = cellsOf(content.toString('utf8').slice(1));
    const goods = notes.flatMap(({ lines: all }) => all);
    expect(rows).toBe(goods.length);
    const column = (name: string) => lines.map((cells) => cells[headings.indexOf(name)] ?? '');
    expect(column('CFOP').toSorted()).toEqual(goods.map(({ cfop }) => cfop).toSorted());
    expect(column('Item total').toSorted()).toEqual(
      goods.map(({ amounts }) => money(amounts.products)).toSorted(),
    );
    expect(
      column('NCM')
        .map((cell) => cell.trim())
        .toSorted(),
    ).toEqual(goods.map(({ ncm }) => ncm).toSorted());
  });

  it('has what the filters let in', async () => {
    const outbound = await save({ format: 'csv', direction: 'outbound' });
    const sent = notes.filter(({ issuer, isEntry }) => issuer.id === company && !isEntry);
    expect(outbound.rows).toBe(sent.length);
    const cancelled = await save({ format: 'csv', status: 'cancelled' });
    expect(cancelled.rows).toBe(notes.filter(({ status }) => status === 'cancelled').length);
    const [supplier] = notes.filter(({ issuer }) => issuer.id !== company).map(({ issuer }) => issuer.id);
    const ofOne = await save({ format: 'csv', issuer: supplier });
    expect(ofOne.rows).toBe(notes.filter(({ issuer }) => issuer.id === supplier).length);
  });
});

describe('a workbook', () => {
  it('has every document, keys as text and money as numbers', async () => {
    const { content, rows } = await save({ format: 'xlsx' });
    const entries = new Map(readZip(content).map(({ name, data }) => [name, data.toString('utf8')]));
    const sheet = entries.get('xl/worksheets/sheet1.xml') ?? '';
    const lines = [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, line = '']) => line);
    expect(lines).toHaveLength(rows + 1);
    const shared = [
      ...(entries.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>.*?<t[^>]*>(.*?)<\/t>.*?<\/si>/gs),
    ];
    const texts = sheet + shared.map(([, text]) => text).join('\n');
    const numbers = new Set([...sheet.matchAll(/<v>(\d+(?:\.\d+)?)<\/v>/g)].map(([, text]) => Number(text)));
    for (const { key = '', amounts } of notes) {
      expect(texts).toContain(key);
      expect(numbers).toContain(Number(amounts.total) / 100);
    }
  });
});

describe('a ZIP', () => {
  it('has every XML to the byte, and a list with their checksums', async () => {
    const few = { from: '2026-08-03', to: '2026-08-05' };
    const { content, rows } = await save({ format: 'zip', ...few });
    const wanted = notes.filter(({ day }) => day >= few.from && day <= few.to);
    expect(rows).toBe(wanted.length);
    const entries = readZip(content);
    const files = entries.filter(({ name }) => name.endsWith('.xml'));
    expect(files.map(({ data }) => data.toString('utf8')).toSorted()).toEqual(wanted.map(rootOf).toSorted());
    const list = entries.find(({ name }) => !name.endsWith('.xml'))?.data.toString('utf8') ?? '';
    for (const { name, data } of files) {
      const line = list.split(/\r?\n/).find((one) => one.includes(name.split('/').at(-1) ?? name));
      expect(line).toContain(createHash('sha256').update(data).digest('hex'));
    }
  });

  it('has all but the one that the service no longer has, which is named', async () => {
    const days = { from: '2026-08-10', to: '2026-08-12' };
    const wanted = notes.filter(({ day }) => day >= days.from && day <= days.to);
    const [gone] = wanted;
    expect(wanted.length).toBeGreaterThan(2);
    const fault = { match: `${gone?.key}`, status: 404, body: '{"Message":"not found"}', times: 9 };
    await fetch(`${sandbox.url}/__sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) });
    try {
      const saved = await save({ format: 'zip', ...days });
      expect(saved.rows).toBe(wanted.length - 1);
      expect(saved).toMatchObject({
        documents: wanted.length,
        without_xml: [{ key: gone?.key }],
      });
      expect(saved.text).toContain(`${gone?.key}`);
      const entries = readZip(saved.content);
      expect(entries).toHaveLength(wanted.length);
      const list = entries.at(-1)?.data.toString('utf8') ?? '';
      for (const { key } of wanted) expect(list).toContain(key);
    } finally {
      await fetch(`${sandbox.url}/__sandbox/faults`, { method: 'DELETE' });
    }
  });

  it('comes from the archive alone where it keeps the XML', async () => {
    const downloaded = async () => {
      const requests = await (await fetch(`${sandbox.url}/__sandbox/requests`)).json();
      return (requests as { path: string }[]).filter(({ path }) => path.includes('DownloadXml')).length;
    };
    const before = await downloaded();
    const own = await connectInProcess('v1', {
      env: { ...env, DFE_DOWNLOAD_DIR: downloads, DFE_ARCHIVE_XML: '1' },
    });
    try {
      const { rows, content } = await save({ format: 'zip' }, own);
      expect(rows).toBe(notes.length);
      const xml = readZip(content).filter(({ name }) => name.endsWith('.xml'));
      expect(xml.map(({ data }) => data.toString('utf8')).toSorted()).toEqual(notes.map(rootOf).toSorted());
    } finally {
      await own.close();
    }
    expect(await downloaded()).toBe(before);
  });
});

describe('a file', () => {
  it('never takes the place of another', async () => {
    const [one, other] = [await save({ format: 'csv' }), await save({ format: 'csv' })];
    expect(one.path).not.toBe(other.path);
    expect(one.content.equals(other.content)).toBe(true);
  });

  it('is not written where no folder is set, and nothing is fetched for it', async () => {
    const own = await connectInProcess('v1', { env });
    try {
      const before = readdirSync(downloads);
      const args = { document: 'cte', ...august, format: 'csv' };
      const { isError, text } = await own.call('export_documents', args);
      expect(isError).toBe(true);
      expect(text).toContain('DFE_DOWNLOAD_DIR');
      expect(readdirSync(downloads)).toEqual(before);
    } finally {
      await own.close();
    }
  });
});
