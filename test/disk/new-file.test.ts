import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeCsv } from '../../src/archive/export/table.ts';
import { writeXlsx } from '../../src/archive/export/xlsx.ts';
import { writeZip } from '../../src/archive/export/zip.ts';
import { FileNotWritten, writeNewFile } from '../../src/disk/files.ts';
import { type Row, scratchFolder, summary, tableOf } from '../archive/export/rows.ts';

const folder = scratchFolder();
const table = tableOf({ text: 'text', money: 'money' });
const language = 'pt-BR';

type Options = Parameters<typeof writeZip>[1];

/** Rows of every writer's kind, and what becomes of their source. */
function source(count: number, fail?: Error) {
  const state = { isClosed: false };
  async function* rowsOf<T>(row: (index: number) => T): AsyncGenerator<T> {
    try {
      for (let index = 1; index <= count; index++) yield row(index);
      if (fail !== undefined) throw fail;
    } finally {
      state.isClosed = true;
    }
  }
  const cells = () => rowsOf((index): Row => ({ text: `row ${index}`, money: `${index}.50` }));
  const documents = () =>
    rowsOf((index) => ({ summary: summary({ number: String(index) }), xml: Buffer.alloc(5000, index) }));
  return { state, cells, documents };
}

type Source = ReturnType<typeof source>;

const writers = [
  ['csv', ({ cells }: Source, options: Options) => writeCsv(cells(), table, options)],
  ['xlsx', ({ cells }: Source, options: Options) => writeXlsx(cells(), table, options)],
  ['zip', ({ documents }: Source, options: Options) => writeZip(documents(), options)],
] as const;

async function emptyFolder(name: string): Promise<string> {
  const path = join(folder.path(), name);
  await mkdir(path);
  return path;
}

describe.each(writers)('%s', (ending, write) => {
  it('is never written over a file: the next free name is taken', async () => {
    const path = await emptyFolder(`${ending}-taken`);
    await writeFile(join(path, `export.${ending}`), 'older');
    const options = { folder: path, name: 'export', language } as const;
    const results = await Promise.all([1, 2, 3].map(() => write(source(10), options)));
    expect(results.map((result) => result.path).sort()).toEqual(
      [2, 3, 4].map((copy) => join(path, `export (${copy}).${ending}`)),
    );
    expect(await readFile(join(path, `export.${ending}`), 'utf8')).toBe('older');
    expect(await readdir(path)).toHaveLength(4);
    const contents = await Promise.all(results.map((result) => readFile(result.path)));
    for (const content of contents) {
      expect(content).toHaveLength(results[0]?.bytes ?? 0);
      expect(content.equals(contents[0] ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it('leaves nothing behind when its rows fail or it is cancelled, and asks its source for no more', async () => {
    const path = await emptyFolder(`${ending}-failed`);
    const options = { folder: path, name: 'export', language } as const;
    const failure = new Error('the service went away');
    await expect(write(source(1000, failure), options)).rejects.toBe(failure);
    const signal = AbortSignal.abort();
    await expect(write(source(10), { ...options, signal })).rejects.toBe(signal.reason);
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const onProgress = () => controller.abort(reason);
    const cancelled = source(5000);
    const writing = write(cancelled, { ...options, signal: controller.signal, onProgress });
    await expect(writing).rejects.toBe(reason);
    expect(cancelled.state.isClosed).toBe(true);
    expect(await readdir(path)).toEqual([]);
  });

  it('may have no rows', async () => {
    const path = await emptyFolder(`${ending}-empty`);
    expect(await write(source(0), { folder: path, name: 'none', language })).toMatchObject({ rows: 0 });
  });
});

describe('what the system refuses', () => {
  const refused = (path: string, name = 'export') => writeNewFile({ folder: path, name, ending: 'csv' }, []);

  it('a file where the folder should be', async () => {
    const path = join(folder.path(), 'file');
    await writeFile(path, '');
    const error = await refused(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileNotWritten);
    expect(error).toMatchObject({ kind: 'file_not_written', file: 'export.csv', code: 'EEXIST' });
    expect(String(error)).not.toContain(folder.path());
  });

  it.skipIf(process.getuid?.() === 0)('a folder that may not be written', async () => {
    const path = await emptyFolder('closed');
    await chmod(path, 0o500);
    await expect(refused(path)).rejects.toMatchObject({ kind: 'file_not_written', code: 'EACCES' });
  });

  it('a name that would leave the folder', async () => {
    const leaving = refused(folder.path(), '../outside');
    await expect(leaving).rejects.toMatchObject({ kind: 'file_not_written', code: 'EINVAL' });
  });

  it('a hundred names that are taken', async () => {
    const path = await emptyFolder('full');
    const names = Array.from({ length: 100 }, (_, i) => (i === 0 ? 'a.csv' : `a (${i + 1}).csv`));
    await Promise.all(names.map((name) => writeFile(join(path, name), '')));
    await expect(refused(path, 'a')).rejects.toMatchObject({ code: 'EEXIST', file: 'a.csv' });
    expect(await readdir(path)).toHaveLength(100);
  });
});

it('a folder that is missing is made', async () => {
  const path = join(folder.path(), 'new', 'deep');
  await writeNewFile({ folder: path, name: 'export', ending: 'csv' }, []);
  expect(await readdir(path)).toEqual(['export.csv']);
});
