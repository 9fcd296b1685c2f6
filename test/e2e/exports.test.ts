import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readZip } from '../archive/export/read-zip.ts';
import { askSandbox, company } from '../support/asked-sandbox.ts';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import type { PlainDocument } from '../support/independent-documents.ts';
import { sandboxSettings } from '../support/november-sandbox.ts';
import { sheetText } from '../support/sheet-reader.ts';

const august = { from: '2026-08-01', to: '2026-08-31' } as const;
const [saved, data] = [temporaryFolder(), temporaryFolder()];
const env = { DFE_DATA_DIR: data.path };
const asked = askSandbox({ env: { ...env, DFE_DOWNLOAD_DIR: saved.path } });
let notes: readonly PlainDocument[];
let freight: readonly PlainDocument[];

beforeAll(async () => {
  notes = await asked.documents('nfe', august);
  freight = await asked.documents('cte', august);
});
afterAll(() => {
  saved.remove();
  data.remove();
});

interface Saved {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly documents: number;
  readonly rendered: number;
}

async function save(args: object, by: Pick<Connection, 'call'> = asked.connection) {
  const asking = { document: 'nfe', ...august, ...args };
  const { isError, text, structured } = await by.call('export_documents', asking);
  expect(isError, text).toBe(false);
  const file = structured as unknown as Saved;
  expect(dirname(file.path)).toBe(saved.path);
  const content = readFileSync(file.path);
  expect(content.length).toBe(file.bytes);
  expect(text).toContain(file.path);
  return { ...file, content, text, structured: structured as Record<string, unknown> };
}

/** The same server with other settings. */
async function withSettings<T>(more: Record<string, string>, use: (connection: Connection) => Promise<T>) {
  await using own = await connectInProcess('v1', {
    env: sandboxSettings(asked.sandbox, { ...env, ...more }),
  });
  return await use(own);
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
  const requests = await (await fetch(`${asked.sandbox.url}/__sandbox/requests`)).json();
  return (requests as { path: string }[]).filter(({ path }) => path.includes(operation)).length;
}

/** The rows of a CSV with semicolons, by RFC 4180 but for those, by their headings. */
function recordsOf(content: Buffer): Record<string, string>[] {
  const text = content.toString('utf8');
  expect(text.startsWith('\ufeff')).toBe(true);
  const [headings = [], ...lines] = text
    .slice(1)
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(([, quoted, bare]) =>
        (quoted?.replaceAll('""', '"') ?? bare ?? '').trim(),
      ),
    );
  return lines.map((cells) => Object.fromEntries(headings.map((heading, i) => [heading, cells[i] ?? ''])));
}

/** The document itself, without the declaration before it, which the service's reply has its own of. */
const rootOf = ({ xml }: PlainDocument) => xml.replace(/^<\?xml[^>]*\?>/, '');
const money = (amount: bigint | undefined) => {
  const text = String(amount).padStart(3, '0');
  return amount === undefined ? '' : `${text.slice(0, -2)},${text.slice(-2)}`;
};

describe('a CSV file', () => {
  it('has every document, keys and money as they are in the XML', async () => {
    const { content, rows } = await save({ format: 'csv' });
    const records = recordsOf(content);
    expect([records.length, rows]).toEqual([notes.length, notes.length]);
    const byKey = new Map(notes.map((note) => [note.key, note]));
    for (const record of records) {
      const note = byKey.get(record['Access key']);
      expect(record).toMatchObject({
        ICMS: money(note?.amounts.icms),
        Status: note?.status === 'cancelled' ? 'Cancelled' : 'Authorised',
      });
      const cells = Object.values(record);
      for (const value of [money(note?.amounts.total), note?.issuer.name, note?.day])
        expect(cells).toContain(value);
      byKey.delete(record['Access key']);
    }
    expect(byKey.size).toBe(0);
  });

  it('has every line of goods where items are asked for, and counts lines as lines', async () => {
    const { content, rows } = await save({ format: 'csv', rows: 'items' });
    const records = recordsOf(content);
    const goods = notes.flatMap(({ lines }) => lines);
    const column = (name: string) => records.map((record) => record[name]).toSorted();
    expect(rows).toBe(goods.length);
    expect(column('CFOP')).toEqual(goods.map(({ cfop }) => cfop).toSorted());
    expect(column('NCM')).toEqual(goods.map(({ ncm }) => ncm).toSorted());
    expect(column('Item total')).toEqual(goods.map(({ amounts }) => money(amounts.products)).toSorted());
    const plain = (name = '') => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const named = notes.filter(({ issuer }) => plain(issuer.name).includes('horizonte'));
    const lines = named.flatMap((note) => note.lines).length;
    const items = await save({ issuer: 'horizonte', format: 'csv', rows: 'items' });
    expect(items.rows).toBe(lines);
    expect(items.text).toContain(`${named.length} documents in ${lines} lines of items`);
  });

  it('has what the filters let in, and several kinds together', async () => {
    const supplier = notes.find(({ issuer }) => issuer.id !== company)?.issuer.id;
    const cases: [object, (note: PlainDocument) => boolean][] = [
      [{ direction: 'outbound' }, ({ issuer, isEntry }) => issuer.id === company && !isEntry],
      [{ status: 'cancelled' }, ({ status }) => status === 'cancelled'],
      [{ issuer: supplier }, ({ issuer }) => issuer.id === supplier],
    ];
    for (const [args, isIn] of cases)
      expect((await save({ format: 'csv', ...args })).rows).toBe(notes.filter(isIn).length);
    const both = await save({ document: ['nfe', 'cte'], format: 'csv' });
    expect(both.rows).toBe(notes.length + freight.length);
  });

  it('says of carriage who pays, from where to where, and what is carried', async () => {
    const inside = (xml: string, element: string, name: string) =>
      new RegExp(`<${element}[ >].*?<${name}>([^<]*)<`, 's').exec(xml)?.[1] ?? '';
    const byKey = new Map(freight.map((one) => [one.key, one]));
    const records = recordsOf((await save({ document: 'cte', format: 'csv' })).content);
    expect(records).toHaveLength(freight.length);
    for (const record of records) {
      const { xml = '' } = byKey.get(record['Access key']) ?? {};
      const payer = inside(xml, 'ide', 'toma') === '0' ? 'rem' : 'dest';
      expect(record).toMatchObject({
        'Freight payer tax id': inside(xml, payer, 'CNPJ') || inside(xml, payer, 'CPF'),
        Origin: `${inside(xml, 'ide', 'xMunIni')}/${inside(xml, 'ide', 'UFIni')}`,
        Destination: `${inside(xml, 'ide', 'xMunFim')}/${inside(xml, 'ide', 'UFFim')}`,
        'Carried keys': [...xml.matchAll(/<chave>(\w+)</g)].map(([, key]) => key).join(' '),
      });
    }
  });

  it('by day of entry says the day', async () => {
    const days = { from: '2026-08-10', to: '2026-08-14' };
    const { content } = await save({ format: 'csv', by: 'entry', direction: 'inbound', ...days });
    const records = recordsOf(content);
    expect(records.length).toBeGreaterThan(0);
    for (const { Entered = '' } of records) expect(Entered).toMatch(/08.*2026|2026-08/);
  });
});

describe('a workbook', () => {
  /** The cells of each row of a sheet, by their columns; numbers as they are written. */
  function rowsOf(content: Buffer, place: number): Map<string, string>[] {
    const sheet = readZip(content).find(({ name }) => name === `xl/worksheets/sheet${place}.xml`);
    return [...(sheet?.data.toString('utf8') ?? '').matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(
      ([, cells = '']) =>
        new Map(
          [...cells.matchAll(/<c r="([A-Z]+)\d+"[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(
            ([, column = '', inside = '']) => [column, inside.replace(/<[^>]*>/g, '')],
          ),
        ),
    );
  }
  const cents = (text = '') => BigInt(text.replace('.', ''));

  it('has every document and, apart, the exact total of what counts', async () => {
    const { content, rows } = await save({ format: 'xlsx', document: ['nfe', 'cte'] });
    const [headings = new Map<string, string>(), ...all] = rowsOf(content, 1);
    const column = (heading: string) => [...headings].find(([, text]) => text === heading)?.[0] ?? '';
    const values = all.slice(0, rows);
    const totals = all.slice(rows);
    expect(values.map((row) => row.get(column('Access key'))).toSorted()).toEqual(
      [...notes, ...freight].map(({ key }) => key).toSorted(),
    );
    const kinds: [string, readonly PlainDocument[], (kind: string) => boolean][] = [
      ['NF-e', notes, (kind) => kind.startsWith('NF')],
      ['CT-e', freight, (kind) => kind.startsWith('CT')],
    ];
    for (const [kind, documents, isKind] of kinds) {
      const counted = documents.filter(({ status }) => status !== 'cancelled');
      const expected = counted.reduce((sum, { amounts }) => sum + (amounts.total ?? 0n), 0n);
      const marked = values.filter((row) => isKind(row.get(column('Document')) ?? ''));
      const sum = marked
        .filter((row) => (row.get(column('Left out of totals')) ?? '') === '')
        .reduce((amount, row) => amount + cents(row.get(column('Total'))), 0n);
      expect(sum).toBe(expected);
      const total = totals.find((row) => row.get('A') === `Total ${kind} (${counted.length})`);
      expect(cents(total?.get(column('Total')))).toBe(expected);
      const overview = rowsOf(content, 2).find((row) => row.get('A') === `Total ${kind}`);
      expect([overview?.get('C'), cents(overview?.get('D'))]).toEqual([String(counted.length), expected]);
    }
    const words = rowsOf(content, 2)
      .flatMap((row) => [...row.values()])
      .join('\n');
    expect(words).toContain(company.replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5'));
    expect(words).toContain('Cancelled');
  });

  it('says that it is a part of the period, and which, where filters narrow it', async () => {
    const words = (content: Buffer) =>
      rowsOf(content, 2)
        .flatMap((row) => [...row.values()].join(': '))
        .join('\n');
    const whole = await save({ format: 'xlsx' });
    expect(words(whole.content)).not.toContain('Only a part');
    expect(whole.path).not.toContain('filtrado');
    const part = { direction: 'outbound', status: ['cancelled', 'denied'], issuer: 'horizonte' };
    for (const rows of ['documents', 'items']) {
      const { content, text, path } = await save({ format: 'xlsx', rows, ...part });
      const said = 'Only a part of the period: outbound; issuer horizonte; status cancelled, denied';
      expect(words(content)).toContain(said);
      expect(text).toContain(said);
      expect(path).toContain('-filtrado');
    }
  });

  it('counts the cancelled documents where they were asked for, as the answer does', async () => {
    const cancelled = notes.filter(({ status }) => status === 'cancelled');
    expect(cancelled.length).toBeGreaterThan(0);
    for (const status of [['cancelled'], ['cancelled', 'authorized']]) {
      const { content, text, structured } = await save({ format: 'xlsx', status });
      expect(structured.left_out).toBeUndefined();
      const wanted = notes.filter((note) => status.includes(note.status));
      const total = wanted.reduce((sum, { amounts }) => sum + (amounts.total ?? 0n), 0n);
      expect(rowsOf(content, 1).some((row) => row.get('A') === `Total NF-e (${wanted.length})`)).toBe(true);
      expect(cents(rowsOf(content, 2).at(-1)?.get('D'))).toBe(total);
      expect(text.replace(/\D/g, '')).toContain(String(total));
      const records = recordsOf((await save({ format: 'csv', status })).content);
      expect(records.map((record) => record['Left out of totals'])).toEqual(wanted.map(() => ''));
    }
  });
});

describe('a ZIP', () => {
  const xmlIn = (content: Buffer) => readZip(content).filter(({ name }) => name.endsWith('.xml'));

  it('has every XML to the byte, and a list with their checksums', async () => {
    const { content, rows } = await save({ format: 'zip', from: '2026-08-03', to: '2026-08-05' });
    const wanted = notes.filter(({ day }) => day >= '2026-08-03' && day <= '2026-08-05');
    const files = xmlIn(content);
    expect(rows).toBe(wanted.length);
    expect(files.map(({ data: xml }) => xml.toString('utf8')).toSorted()).toEqual(
      wanted.map(rootOf).toSorted(),
    );
    const list =
      readZip(content)
        .find(({ name }) => !name.endsWith('.xml'))
        ?.data.toString('utf8') ?? '';
    for (const { name, data: xml } of files) {
      const line = list.split(/\r?\n/).find((one) => one.includes(name.split('/').at(-1) ?? name));
      expect(line).toContain(createHash('sha256').update(xml).digest('hex'));
    }
  });

  it('has all but the one that the service no longer has, which is named', async () => {
    const wanted = notes.filter(({ day }) => day >= '2026-08-10' && day <= '2026-08-12');
    const gone = wanted[0]?.key ?? '';
    const file = await withFault(gone, 9, () =>
      save({ format: 'zip', from: '2026-08-10', to: '2026-08-12' }),
    );
    expect(file).toMatchObject({
      rows: wanted.length - 1,
      documents: wanted.length,
      text: expect.stringContaining(gone),
    });
    const entries = readZip(file.content);
    expect(entries).toHaveLength(wanted.length);
    for (const { key } of wanted) expect(entries.at(-1)?.data.toString('utf8')).toContain(key);
  });

  it('comes from the archive alone where it keeps the XML', async () => {
    const before = await requestsOf('DownloadXml');
    const kept = { DFE_DOWNLOAD_DIR: saved.path, DFE_ARCHIVE_XML: '1' };
    const { content } = await withSettings(kept, (own) => save({ format: 'zip' }, own));
    expect(
      xmlIn(content)
        .map((entry) => entry.data.toString('utf8'))
        .toSorted(),
    ).toEqual(notes.map(rootOf).toSorted());
    expect(await requestsOf('DownloadXml')).toBe(before);
  });
});

describe('sheets', () => {
  const squeezed = (pdf: Uint8Array) => sheetText(pdf).replace(/\s+/g, '');

  it('are one PDF where all are drawn and few, whose outline has the key of each', async () => {
    const days = { from: '2026-10-05', to: '2026-10-09' };
    const { content, path, rows, rendered, documents, text } = await save({
      document: 'cte',
      ...days,
      format: 'pdf',
    });
    expect(path).toMatch(/-pdf\.pdf$/);
    expect([rows, rendered]).toEqual([documents, documents]);
    expect(text).toMatch(/drawn from the XML/);
    const keys = (await asked.documents('cte', days)).map(({ key = '' }) => key);
    expect(keys).toHaveLength(rows);
    const all = squeezed(content);
    for (const key of keys) expect(all).toContain(key);
    // Each sheet begins to count its pages anew.
    expect(all.match(/FOLHA1\//g)).toHaveLength(rows);
  });

  it("of NF-e are the service's own, and drawn where they don't come, saying why once", async () => {
    const own = await save({ from: '2026-10-05', to: '2026-10-09', format: 'pdf' });
    expect(own.rendered).toBe(0);
    const before = await requestsOf('DownloadPdfNfe');
    const drawn = await withFault('DownloadPdfNfe', 1000, () =>
      save({ from: '2026-10-12', to: '2026-10-16', format: 'pdf' }),
    );
    expect(drawn.rows).toBeGreaterThan(5);
    expect(drawn.rendered).toBe(drawn.rows);
    expect(drawn.text.match(/The service's PDF could not be obtained/g)).toHaveLength(1);
    // A few until it was clear that none comes.
    expect((await requestsOf('DownloadPdfNfe')) - before).toBeLessThan(drawn.rows);
    for (const { content, path, rows } of [own, drawn]) {
      expect(path).toMatch(/-pdf\.(?:zip|pdf)$/);
      if (path.endsWith('.zip'))
        expect(readZip(content).filter(({ name }) => name.endsWith('.pdf'))).toHaveLength(rows);
    }
  });
});

describe('a file', () => {
  it('never takes the place of another', async () => {
    const [one, other] = [await save({ format: 'csv' }), await save({ format: 'csv' })];
    expect(one.path).not.toBe(other.path);
    expect(one.content.equals(other.content)).toBe(true);
  });

  it('is not written where no folder is set', async () => {
    const before = readdirSync(saved.path);
    const args = { document: 'cte', ...august, format: 'csv' };
    const { isError, text } = await withSettings({}, (own) => own.call('export_documents', args));
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('DFE_DOWNLOAD_DIR') });
    expect(readdirSync(saved.path)).toEqual(before);
  });
});

describe('a dossier', () => {
  const days = { from: '2026-08-01', to: '2026-08-10' } as const;
  const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

  it('holds what was received, what became of it, and a manifest whose hash is told', async () => {
    const file = await save({ document: ['nfe', 'cte'], ...days, format: 'dossier' });
    const entries = new Map(readZip(file.content).map(({ name, data: bytes }) => [name, bytes]));
    const received = [...notes, ...freight].filter(({ day }) => day >= days.from && day <= days.to);
    const manifest = JSON.parse(entries.get('manifest.json')?.toString() ?? '');
    expect(file.structured).toMatchObject({
      documents: received.length,
      rows: received.length,
      manifest_sha256: sha256(entries.get('manifest.json') ?? ''),
    });
    expect(file.text).toContain(file.structured.manifest_sha256);
    expect(new Map(manifest.files.map((one: Record<string, string>) => [one.name, one.sha256]))).toEqual(
      new Map(
        [...entries]
          .filter(([name]) => name !== 'manifest.json')
          .map(([name, bytes]) => [name, sha256(bytes)]),
      ),
    );
    const index = entries.get('index.csv')?.toString() ?? '';
    for (const document of received) {
      const { key = '' } = document;
      const own = rootOf(document);
      expect(entries.get(`xml/${key}.xml`)?.toString() === own, key).toBe(true);
      expect(index).toContain(`xml/${key}.xml;`);
      expect(index).toContain(sha256(own));
    }
    const check = await asked.ask('check_documents', { document: ['nfe', 'cte'], ...days });
    expect(entries.get('checks.csv')?.toString().trim().split('\r\n')).toHaveLength(
      1 + Number(check.data.total),
    );
    expect([...entries.keys()].filter((name) => !name.startsWith('xml/'))).toEqual([
      'index.html',
      'index.csv',
      'events.csv',
      'checks.csv',
      'journal.csv',
      'manifest.json',
    ]);
    expect(entries.get('index.html')?.toString()).not.toMatch(/<script|http:/);
  });

  it('is of whole periods: what would leave documents out is refused', async () => {
    const words = await asked.refused('export_documents', {
      ...{ ...days, format: 'dossier', issuer: [company], by: 'entry' },
    });
    expect(words).toMatch(/"issuer".*"by"/s);
    expect(await asked.refused('export_documents', { format: 'dossier' })).toContain('"from"');
    const files = { document: 'nfe', ...days, format: 'zip', reconcile_files: ['a.txt'] };
    expect(await asked.refused('export_documents', files)).toContain('"reconcile_files"');
  });
});
