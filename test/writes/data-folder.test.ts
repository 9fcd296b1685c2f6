import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder, DataFolderUnusable } from '../../src/writes/data-folder.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'docfiscal-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('createDataFolder', () => {
  it('touches nothing before the first write, not even to read', async () => {
    const path = join(root, 'deep', 'data');
    const folder = createDataFolder(path);
    expect(await folder.read((found) => readFile(join(found, 'file')))).toBeUndefined();
    expect(existsSync(join(root, 'deep'))).toBe(false);
  });

  it('makes the folder, and a folder inside it, for its owner only', async () => {
    const path = join(root, 'deep', 'data');
    const inside = await createDataFolder(path).write(async (target) => target, 'inside');
    expect(inside).toBe(join(path, 'inside'));
    for (const made of [path, inside]) expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it('says why it cannot be written and names its last part only', async () => {
    await writeFile(join(root, 'data'), 'a file');
    const folder = createDataFolder(join(root, 'data'));
    const attempts = await Promise.allSettled([
      folder.write(async () => 'never'),
      folder.write(async () => 'never', 'inside'),
      folder.read((path) => readFile(join(path, 'file'))),
    ]);
    const errors = attempts.map((attempt) => (attempt.status === 'rejected' ? attempt.reason : undefined));
    expect(errors.map((error) => error?.code)).toEqual(['EEXIST', 'ENOTDIR', 'ENOTDIR']);
    for (const error of errors) {
      expect(error).toBeInstanceOf(DataFolderUnusable);
      expect(error).toMatchObject({ kind: 'data_folder_unusable', folder: 'data' });
      expect(String(error)).not.toContain(root);
    }
    expect(await readFile(join(root, 'data'), 'utf8')).toBe('a file');
  });

  it('leaves errors of the work that are not the system’s alone', async () => {
    const mistake = new RangeError('mine');
    const attempt = createDataFolder(root).write(() => Promise.reject(mistake));
    await expect(attempt).rejects.toBe(mistake);
  });
});
