import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeCsv } from '../../src/archive/export/table.ts';
import { writeXlsx } from '../../src/archive/export/xlsx.ts';
import { writeZip } from '../../src/archive/export/zip.ts';
import { FileNotWritten, writeNewFile } from '../../src/disk/new-file.ts';
import { manyRows, scratchFolder, summary, tableOf } from '../archive/export/rows.ts';

const folder = scratchFolder();
const table = tableOf({ text: 'text', money: 'money' });
const language = 'pt-BR';

async function* xmlRows(count: number, fail?: Error) {
  for (let i = 0; i < count; i++)
    yield { summary: summary({ number: String(i) }), xml: Buffer.alloc(5000, i) };
  if (fail !== undefined) throw fail;
}

/** Every writer, with as many rows as asked for and then an error. */
const writers = [
  ['csv', (count: number, options: Options, fail?: Error) => writeCsv(manyRows(count, fail), table, options)],
  [
    'xlsx',
    (count: number, options: Options, fail?: Error) => writeXlsx(manyRows(count, fail), table, options),
  ],
  ['zip', (count: number, options: Options, fail?: Error) => writeZip(xmlRows(count, fail), options)],
] as const;

type Options = Parameters<typeof writeZip>[1];

async function emptyFolder(name: string): Promise<string> {
  const path = join(folder.path(), name);
  await mkdir(path);
  return path;
}

async function namesIn(path: string): Promise<string[]> {
  return (await readdir(path)).sort();
}

describe.each(writers)('%s', (ending, write) => {
  it('is never written over a file: the next free name is taken', async () => {
    const path = await emptyFolder(`${ending}-taken`);
    await writeFile(join(path, `export.${ending}`), 'older');
    const options = { folder: path, name: 'export', language } as const;
    const results = await Promise.all([write(10, options), write(10, options), write(10, options)]);
    expect(results.map((result) => result.path).sort()).toEqual(
      [2, 3, 4].map((copy) => join(path, `export (${copy}).${ending}`)),
    );
    expect(await readFile(join(path, `export.${ending}`), 'utf8')).toBe('older');
    expect(await namesIn(path)).toHaveLength(4);
    expect((await readFile(results[0].path)).length).toBe(results[0].bytes);
  });

  it('leaves nothing behind when its rows fail, and passes their error on', async () => {
    const path = await emptyFolder(`${ending}-failed`);
    const failure = new Error('the service went away');
    await expect(write(1000, { folder: path, name: 'export', language }, failure)).rejects.toBe(failure);
    expect(await namesIn(path)).toEqual([]);
  });

  it('leaves nothing behind when it is cancelled, before it begins or in the middle', async () => {
    const path = await emptyFolder(`${ending}-cancelled`);
    const early = AbortSignal.abort();
    await expect(write(10, { folder: path, name: 'export', language, signal: early })).rejects.toBe(
      early.reason,
    );
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const onProgress = () => controller.abort(reason);
    await expect(
      write(5000, { folder: path, name: 'export', language, signal: controller.signal, onProgress }),
    ).rejects.toBe(reason);
    expect(await namesIn(path)).toEqual([]);
  });

  it('asks its source for no more once it has failed', async () => {
    const path = await emptyFolder(`${ending}-closed`);
    let closed = false;
    async function* watched<T>(row: T): AsyncGenerator<T> {
      try {
        for (let i = 0; i < 5000; i++) yield row;
      } finally {
        closed = true;
      }
    }
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const onProgress = () => controller.abort(reason);
    const options = {
      folder: path,
      name: 'export',
      language,
      signal: controller.signal,
      onProgress,
    } as const;
    const running = {
      csv: () => writeCsv(watched({ text: 'x' }), table, options),
      xlsx: () => writeXlsx(watched({ text: 'x' }), table, options),
      zip: () => writeZip(watched({ summary: summary(), xml: Buffer.from('<a/>') }), options),
    }[ending]();
    await expect(running).rejects.toBe(reason);
    expect(closed).toBe(true);
  });

  it('same rows, same bytes', async () => {
    const path = await emptyFolder(`${ending}-same`);
    const one = await write(50, { folder: path, name: 'one', language });
    const two = await write(50, { folder: path, name: 'two', language });
    expect((await readFile(one.path)).equals(await readFile(two.path))).toBe(true);
  });

  it('may have no rows', async () => {
    const path = await emptyFolder(`${ending}-empty`);
    expect(await write(0, { folder: path, name: 'none', language })).toMatchObject({ rows: 0 });
  });
});

describe('what the system refuses', () => {
  it('a file where the folder should be', async () => {
    const path = join(folder.path(), 'file');
    await writeFile(path, '');
    const error = await writeCsv([], table, { folder: path, name: 'export', language }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(FileNotWritten);
    expect(error).toMatchObject({ kind: 'file_not_written', file: 'export.csv', code: 'EEXIST' });
    expect(String(error)).not.toContain(folder.path());
  });

  it.skipIf(process.getuid?.() === 0)('a folder that may not be written', async () => {
    const path = await emptyFolder('closed');
    await chmod(path, 0o500);
    await expect(writeCsv([], table, { folder: path, name: 'export', language })).rejects.toMatchObject({
      kind: 'file_not_written',
      code: 'EACCES',
    });
  });

  it('a name that would leave the folder', async () => {
    const options = { folder: folder.path(), name: '../outside', language } as const;
    await expect(writeCsv([], table, options)).rejects.toMatchObject({
      kind: 'file_not_written',
      code: 'EINVAL',
    });
  });

  it('a folder that is missing is made', async () => {
    const path = join(folder.path(), 'new', 'deep');
    await writeCsv([], table, { folder: path, name: 'export', language });
    expect(await namesIn(path)).toEqual(['export.csv']);
  });

  it('every name is taken', async () => {
    const path = await emptyFolder('full');
    const names = Array.from({ length: 100 }, (_, i) => (i === 0 ? 'a.txt' : `a (${i + 1}).txt`));
    await Promise.all(names.map((name) => writeFile(join(path, name), '')));
    const file = { folder: path, name: 'a', ending: 'txt' };
    await expect(writeNewFile(file, [])).rejects.toMatchObject({ code: 'EEXIST', file: 'a.txt' });
    expect(await namesIn(path)).toHaveLength(100);
  });
});
