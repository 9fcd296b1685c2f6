import { open, rename, rm } from 'node:fs/promises';

/**
 * Puts a text into the place of what is there, whole or not at all.
 * @param mode the rights of the file, e.g. 0o600
 * @throws the system's errors
 */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.${process.pid}.${crypto.randomUUID()}.part`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
