import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkOwnFile } from '../../disk/regular-file.ts';
import { replaceFile } from '../../disk/replace-file.ts';

/** A password is a line; what is longer is no file of ours. */
const LARGEST_BYTES = 64 * 1024;

/**
 * Writes a password into a file for its owner alone (0600, in a folder of 0700 where that is new), whole or not at all,
 * in the place of the one of before.
 * @throws the system's errors; an error with the code `ENOTREG` or `ENOTOWN` where something else stands there
 */
export async function writePassword(path: string, password: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await checkOwnFile(path, LARGEST_BYTES);
  await replaceFile(path, `${password}\n`, 0o600);
}

/** Whether a password's file has it already; a file that can't be read has not. */
export async function holdsPassword(path: string, password: string): Promise<boolean> {
  return readFile(path, 'utf8').then(
    (text) => text === `${password}\n`,
    () => false,
  );
}
