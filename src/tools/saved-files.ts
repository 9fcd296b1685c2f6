import { constants } from 'node:fs';
import { copyFile, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemCode } from '../writes/data-folder.ts';
import { Unfulfilled } from './failure.ts';

/** How many names are tried when files of that name are there with other content. */
const NAMES_TRIED = 100;

/** Gives a finished file its name, unless something has it. */
async function claim(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path).catch(async (error: unknown) => {
      if (systemCode(error) === 'EEXIST') throw error;
      // File systems without hard links; copying refuses to overwrite as well.
      await copyFile(temporary, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function save(folder: string, name: string, ending: string, bytes: Uint8Array): Promise<string> {
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${name}.${process.pid}.${Date.now()}.part`);
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    for (let attempt = 1; attempt <= NAMES_TRIED; attempt++) {
      const path = join(folder, attempt === 1 ? `${name}.${ending}` : `${name} (${attempt}).${ending}`);
      if (await claim(temporary, path)) return path;
      if (bytes.length > 0 && Buffer.compare(await readFile(path), bytes) === 0) return path;
    }
    throw new Unfulfilled('failure.not_saved', { file: `${name}.${ending}`, code: 'EEXIST' });
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Saves a file under the download folder: written to a temporary name first, never over another file. A file that is
 * already there with the same content is left and named.
 * @returns the absolute path
 * @throws Unfulfilled where no folder is configured or the system refuses
 */
export async function saveFile(
  folder: string | undefined,
  name: string,
  ending: string,
  bytes: Uint8Array,
): Promise<string> {
  if (folder === undefined) throw new Unfulfilled('failure.download_dir');
  try {
    return await save(resolve(folder), name, ending, bytes);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new Unfulfilled('failure.not_saved', { file: `${name}.${ending}`, code });
  }
}
