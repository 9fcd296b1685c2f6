import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../../disk/new-file.ts';
import { checkOwnFile } from '../../disk/regular-file.ts';

/** Larger than any password file of ours. */
const LARGEST_BYTES = 64 * 1024;

/**
 * Writes a password file atomically with mode 0600, in a folder of 0700 where that is new.
 * @throws the system's errors; an error with the code `ENOTREG` or `ENOTOWN` where something else stands there
 */
export async function writePassword(path: string, password: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await checkOwnFile(path, LARGEST_BYTES);
  await replaceFile(path, `${password}\n`, 0o600);
}

/** Whether the file holds this password already. */
export async function holdsPassword(path: string, password: string): Promise<boolean> {
  return readFile(path, 'utf8').then(
    (text) => text === `${password}\n`,
    () => false,
  );
}
