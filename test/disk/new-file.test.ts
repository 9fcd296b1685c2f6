import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileNotWritten, writeNewFile } from '../../src/disk/files.ts';
import { temporaryFolder } from '../support/built-program.ts';

const folder = temporaryFolder();

async function emptyFolder(name: string): Promise<string> {
  const path = join(folder.path, name);
  await mkdir(path);
  return path;
}

it('is never written over a file: the next free name is taken', async () => {
  const path = await emptyFolder('taken');
  await writeFile(join(path, 'export.csv'), 'older');
  const file = { folder: path, name: 'export', ending: 'csv' };
  const saved = await Promise.all([1, 2, 3].map(() => writeNewFile(file, [Buffer.from('newer')])));
  expect(saved.map((one) => one.path).sort()).toEqual([2, 3, 4].map((n) => join(path, `export (${n}).csv`)));
  expect(await readFile(join(path, 'export.csv'), 'utf8')).toBe('older');
  expect(await readdir(path)).toHaveLength(4);
  for (const one of saved) {
    expect(one.bytes).toBe(5);
    expect(await readFile(one.path, 'utf8')).toBe('newer');
  }
});

it('leaves nothing behind when its content fails or it is cancelled, and asks its source for no more', async () => {
  const path = await emptyFolder('failed');
  const file = { folder: path, name: 'export', ending: 'csv' };
  const reason = new Error('no longer wanted');
  const controller = new AbortController();
  let isClosed = false;
  async function* content(then: () => void) {
    try {
      yield Buffer.alloc(300_000);
      then();
      for (;;) yield Buffer.alloc(300_000);
    } finally {
      isClosed = true;
    }
  }
  const failing = content(() => {
    throw reason;
  });
  await expect(writeNewFile(file, failing)).rejects.toBe(reason);
  const cancelled = content(() => controller.abort(reason));
  isClosed = false;
  await expect(writeNewFile(file, cancelled, controller.signal)).rejects.toBe(reason);
  expect(isClosed).toBe(true);
  await expect(writeNewFile(file, [], AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(await readdir(path)).toEqual([]);
});

describe('what the system refuses', () => {
  const refused = (path: string, name = 'export') => writeNewFile({ folder: path, name, ending: 'csv' }, []);

  it('a file where the folder should be', async () => {
    const path = join(folder.path, 'file');
    await writeFile(path, '');
    const error = await refused(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileNotWritten);
    expect(error).toMatchObject({ kind: 'file_not_written', file: 'export.csv', code: 'EEXIST' });
    expect(String(error)).not.toContain(folder.path);
  });

  it.skipIf(process.getuid?.() === 0)('a folder that may not be written', async () => {
    const path = await emptyFolder('closed');
    await chmod(path, 0o500);
    await expect(refused(path)).rejects.toMatchObject({ kind: 'file_not_written', code: 'EACCES' });
  });

  it('a name that would leave the folder', async () => {
    const leaving = refused(folder.path, '../outside');
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
  const path = join(folder.path, 'new', 'deep');
  await writeNewFile({ folder: path, name: 'export', ending: 'csv' }, []);
  expect(await readdir(path)).toEqual(['export.csv']);
});
