import { constants } from 'node:fs';
import { copyFile, link } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a finished file should be. */
export interface FileName {
  readonly folder: string;
  /** Without its ending. */
  readonly name: string;
  readonly ending: string;
}

/** What is saved holds a company's documents: it is for its owner alone, as is a folder that is made for it. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** How many names are tried when files of that name are there. */
const NAMES_TRIED = 100;

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

/** A hidden name in the same folder for a file that is being written, unlike that of any other process. */
export function temporaryPath({ folder, name }: FileName): string {
  return join(folder, `.${name}.${process.pid}.${crypto.randomUUID()}.part`);
}

/** Gives a finished file a second name, unless something has it. */
async function claim(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path).catch(async (error: unknown) => {
      if (isTaken(error)) throw error;
      // File systems without hard links; copying refuses to overwrite as well.
      await copyFile(temporary, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

/**
 * Gives a finished file its name, or `name (2)` and so on where that is taken: never over another file, whoever makes
 * one in the same moment. The temporary name stays, for the caller to remove.
 * @param isSame whether what has a name already is this very file; then it is left and named
 * @returns the path, or undefined where a hundred names are taken
 */
export async function claimFile(
  temporary: string,
  { folder, name, ending }: FileName,
  isSame: (path: string) => Promise<boolean> = async () => false,
): Promise<string | undefined> {
  for (let attempt = 1; attempt <= NAMES_TRIED; attempt++) {
    const path = join(folder, attempt === 1 ? `${name}.${ending}` : `${name} (${attempt}).${ending}`);
    if ((await claim(temporary, path)) || (await isSame(path))) return path;
  }
  return undefined;
}
