import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDossier, type DossierFile, verifyDossier } from '../../../src/archive/export/dossier.ts';
import { type ZipEntry, zipped } from '../../../src/archive/export/zip.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { readZip } from './read-zip.ts';
import { bytesOf } from './rows.ts';

const folder = temporaryFolder();
const texts = { 'xml/1.xml': '<NFe>ação</NFe>', 'xml/2.xml': '<NFe>2</NFe>', 'index.csv': 'a;b\r\n' };
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
let made = 0;

async function dossier() {
  async function* files(): AsyncGenerator<DossierFile> {
    for (const [name, text] of Object.entries(texts)) yield { name, content: Buffer.from(text) };
  }
  const { bytes, written } = createDossier(files(), () => ({ from: '2026-10-01' }));
  const file = await bytesOf(bytes);
  return { file, manifestSha256: written.manifestSha256, entries: readZip(file) };
}

const entry = (name: string, data: Uint8Array | string): ZipEntry => ({ name, content: Buffer.from(data) });

const packed = (entries: readonly ZipEntry[]) => bytesOf(zipped(entries));

async function verified(bytes: Uint8Array) {
  made++;
  const path = join(folder.path, `${made}.zip`);
  await writeFile(path, bytes);
  try {
    const { differences, ...rest } = await verifyDossier(path);
    return { ...rest, differences: differences.map(({ what, file }) => `${what} ${file}`) };
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

/** The dossier as ZIP entries, some of them changed. */
async function changed(change: (entries: ZipEntry[]) => ZipEntry[]): Promise<Buffer> {
  const { entries } = await dossier();
  return packed(change(entries.map(({ name, data }) => entry(name, data))));
}

const other = (name: string, data: string) => (entries: ZipEntry[]) =>
  entries.map((one) => (one.name === name ? entry(name, data) : one));
const manifestOf = (form: unknown) => other('manifest.json', JSON.stringify(form));

it.each<readonly [what: string, change: (entries: ZipEntry[]) => ZipEntry[], differences: unknown]>([
  ['packed again, with folders', (all) => [entry('xml/', ''), ...all.toReversed()], []],
  ['one character changed', other('xml/2.xml', '<NFe>3</NFe>'), ['changed xml/2.xml']],
  ['longer', other('xml/2.xml', '<NFe>23</NFe>'), ['changed xml/2.xml']],
  ['one removed', (all) => all.filter(({ name }) => name !== 'xml/1.xml'), ['removed xml/1.xml']],
  [
    'one renamed',
    (all) => all.map((one) => (one.name === 'index.csv' ? { ...one, name: 'Index.csv' } : one)),
    ['removed index.csv', 'added Index.csv'],
  ],
  ['one added', (all) => [...all, entry('xml/3.xml', '<NFe/>')], ['added xml/3.xml']],
  ['one added outside', (all) => [entry('../../etc/x\u001b[2J', 'x'), ...all], ['added ../../etc/x [2J']],
  ['one twice', (all) => [...all, entry('xml/1.xml', '<NFe>other</NFe>')], ['twice xml/1.xml']],
  ['two manifests', (all) => [...all, entry('manifest.json', '{}')], 'manifest_twice'],
  ['no manifest', (all) => all.slice(0, -1), 'no_manifest'],
  ['no JSON', other('manifest.json', '{"form":'), 'manifest_unreadable'],
  ['another form', manifestOf({ form: 'docfiscal-dossier/2', files: [] }), 'other_form'],
  ['nothing in it', manifestOf(null), 'other_form'],
  ['no files', manifestOf({ form: 'docfiscal-dossier/1' }), 'manifest_unreadable'],
  ['no file names', manifestOf({ form: 'docfiscal-dossier/1', files: [{ name: 1 }] }), 'manifest_unreadable'],
  [
    'an emptied list',
    manifestOf({ form: 'docfiscal-dossier/1', files: [] }),
    ['added xml/1.xml', 'added xml/2.xml', 'added index.csv'],
  ],
])('verifying a dossier: %s', async (_, change, differences) => {
  const result = await verified(await changed(change));
  expect(typeof result === 'object' ? (result as { differences: unknown }).differences : result).toEqual(
    differences,
  );
});

it('a dossier with a forged manifest has another digest', async () => {
  const { entries, manifestSha256 } = await dossier();
  const forged = '<NFe>forged</NFe>';
  const bytes = await packed(
    entries.map(({ name, data }) => {
      if (name === 'xml/1.xml') return entry(name, forged);
      if (name !== 'manifest.json') return entry(name, data);
      const text = data.toString().replace(sha256(texts['xml/1.xml']), sha256(forged));
      return entry(name, text.replace('"bytes": 17', `"bytes": ${forged.length}`));
    }),
  );
  const result = await verified(bytes);
  expect(result).toMatchObject({ differences: [], files: 3 });
  expect((result as { manifestSha256: string }).manifestSha256).not.toBe(manifestSha256);
});

it('a dossier is refused if it is truncated, damaged, no ZIP or a bomb', async () => {
  const { file: bytes } = await dossier();
  for (const length of [0, 10, bytes.length >> 1, bytes.length - 1])
    expect(await verified(bytes.subarray(0, length)), String(length)).toBe('not_a_zip');
  expect(await verified(Buffer.from('no ZIP at all, but long enough for one'))).toBe('not_a_zip');
  await expect(verifyDossier(join(folder.path, 'none.zip'))).rejects.toThrow('not_found');
  await expect(verifyDossier(folder.path)).rejects.toThrow('not_a_zip');
  const damaged = Buffer.from(bytes);
  damaged.fill(0xff, 39, 42);
  expect(await verified(damaged)).toMatchObject({ differences: ['damaged xml/1.xml'] });
  // All entries of the directory at the place of the first one.
  const overlapping = Buffer.from(bytes);
  for (
    let at = overlapping.indexOf('PK\u0001\u0002');
    at !== -1;
    at = overlapping.indexOf('PK\u0001\u0002', at + 1)
  )
    overlapping.writeUInt32LE(0, at + 42);
  expect(await verified(overlapping)).toBe('too_large');
  const huge = Buffer.from(bytes);
  huge.writeUInt32LE(0xfffffff0, huge.indexOf('PK\u0001\u0002') + 24);
  expect(await verified(huge)).toBe('too_large');
});
