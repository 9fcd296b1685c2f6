import { mkdir, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FileLink } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { claimFile, PRIVATE_FILE, PRIVATE_FOLDER, temporaryPath } from '../../disk/claim-file.ts';
import { readOwnFile } from '../../disk/regular-file.ts';
import type { Translator } from '../../messages/index.ts';
import { systemCode } from '../../writes/data-folder.ts';

async function save(folder: string, name: string, ending: string, bytes: Uint8Array): Promise<string> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const target = { folder, name, ending };
  const temporary = temporaryPath(target);
  const isSame = async (path: string) => {
    if (bytes.length === 0) return false;
    try {
      return Buffer.compare(await readOwnFile(path, bytes.length), bytes) === 0;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      // What cannot be read as a file of ours is another thing, and the next name is tried.
      return false;
    }
  };
  try {
    await writeFile(temporary, bytes, { flag: 'wx', mode: PRIVATE_FILE });
    const path = await claimFile(temporary, target, isSame);
    if (path === undefined)
      throw new Unfulfilled('failure.not_saved', { file: `${name}.${ending}`, code: 'EEXIST' });
    return path;
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

/** Where a file can be had, for how long, and by whom. */
export function linkSentence({ url, expiresAt }: FileLink, translator: Translator): string {
  return translator.say('files.link', { url, until: translator.moment(expiresAt) });
}
