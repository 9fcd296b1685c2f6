import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { zipOf, zipped as zippedBytes } from '../../../src/archive/export/zip.ts';
import type { DocumentSummary } from '../../../src/documents/summary/summary.ts';
import { isLong } from '../../support/depth.ts';
import { summaryOf } from '../../support/summaries.ts';
import { readZip } from './read-zip.ts';
import { bytesOf } from './rows.ts';

const key = '35170458716523000119550010000000121000123458';

async function zipped(documents: readonly DocumentSummary[]) {
  const rows = documents.map((document, i) => ({ summary: document, xml: Buffer.from(`<NFe nº="${i}"/>`) }));
  return readZip(await bytesOf(zipOf(rows, 'pt-BR')));
}

describe('a ZIP of XML files', () => {
  it('names each file by its key, dates it by its document, and lists it with its hash', async () => {
    const document = summaryOf({
      key,
      number: '12',
      issued_at: '2017-04-03T10:20:30-03:00',
      issuer: { id: '58716523000119' },
    });
    const [file, manifest, ...others] = await zipped([document]);
    expect(others).toEqual([]);
    expect(file?.name).toBe(`${key}.xml`);
    expect(file?.modified).toBe('2017-04-03T10:20:30');
    expect(file?.data.toString()).toBe('<NFe nº="0"/>');
    const sha256 = createHash('sha256').update('<NFe nº="0"/>').digest('hex');
    expect(manifest?.name).toBe('manifest.csv');
    expect(manifest?.data.toString()).toBe(
      '\ufeffArquivo;Chave de acesso;Documento;CNPJ/CPF do emitente;Número;Emissão;Situação;SHA-256;Bytes;Observação\r\n' +
        `${key}.xml;"\t${key}";NF-e;"\t58716523000119";12;2017-04-03;Autorizado;${sha256};14;\r\n`,
    );
  });

  it('finds names for what has no key, for events and for what comes twice', async () => {
    const issued = { number: '77', issued_at: '2026-11-05T08:00:00', issuer: { id: '58716523000119' } };
    const names: (readonly [Partial<DocumentSummary>, string])[] = [
      [{ kind: 'nfse', ...issued }, '58716523000119-77-2026-11-05.xml'],
      [{ kind: 'event', key, event: { code: '110111', sequence: '1' } }, `${key}-110111-1.xml`],
      [{ key }, `${key}.xml`],
      [{ key }, `${key}_2.xml`],
      [{ key: '../../etc/passwd' }, '______etc_passwd.xml'],
      [{}, 'nfe.xml'],
      [{ kind: 'event' }, 'event.xml'],
    ];
    const entries = await zipped(names.map(([parts]) => summaryOf(parts)));
    expect(entries.map(({ name }) => name)).toEqual([...names.map(([, name]) => name), 'manifest.csv']);
  });

  it.each(isLong ? ['more than 65,535'] : [])('holds %s files', async () => {
    async function* rows() {
      const xml = Buffer.from('<NFe/>');
      for (let i = 0; i < 66_000; i++) yield { summary: summaryOf({ key: String(i) }), xml };
    }
    const entries = readZip(await bytesOf(zipOf(rows(), 'en')));
    expect(entries).toHaveLength(66_001);
    expect(new Set(entries.map(({ name }) => name)).size).toBe(66_001);
    expect(entries[65_999]?.name).toBe('65999.xml');
  });
});

it('the directory of a ZIP has 64-bit offsets beyond 4 GiB', async () => {
  const start = 5 * 1024 ** 3;
  const bytes = await bytesOf(zippedBytes([{ name: 'a.xml', content: Buffer.from('<a/>') }], start));
  const record = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  expect(bytes.readUInt32LE(record + 42)).toBe(0xffffffff);
  const extra = record + 46 + 'a.xml'.length;
  expect([bytes.readUInt16LE(extra), bytes.readUInt16LE(extra + 2)]).toEqual([1, 8]);
  expect(bytes.readBigUInt64LE(extra + 4)).toBe(BigInt(start));
  const end64 = bytes.indexOf(Buffer.from([0x50, 0x4b, 6, 6]));
  expect(bytes.readBigUInt64LE(end64 + 48)).toBe(BigInt(start + record));
  const locator = bytes.indexOf(Buffer.from([0x50, 0x4b, 6, 7]));
  expect(bytes.readBigUInt64LE(locator + 8)).toBe(BigInt(start + end64));
});

it.each([
  [undefined, '1980-01-01T00:00:00'],
  ['1979-12-31', '1980-01-01T00:00:00'],
  ['yesterday', '1980-01-01T00:00:00'],
  ['2026-11-05', '2026-11-05T00:00:00'],
  ['2026-11-05T23:59:59-03:00', '2026-11-05T23:59:58'],
])('an entry of a ZIP is dated by its document, as written: %s', async (issued_at, modified) => {
  const [file] = await zipped([summaryOf({ key, ...(issued_at && { issued_at }) })]);
  expect(file?.modified).toBe(modified);
});
