import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Translator } from '../../messages/index.ts';

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}

/**
 * Checks whether a folder is writable; for a missing one, whether it could be created.
 * @returns the system's code if not, e.g. `EACCES`, `ENOTDIR`, `EROFS`
 */
export async function whyUnwritable(folder: string): Promise<string | undefined> {
  const path = resolve(folder);
  try {
    if (!(await stat(path)).isDirectory()) return 'ENOTDIR';
    await access(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === 'ENOENT' && dirname(path) !== path ? whyUnwritable(dirname(path)) : code;
  }
}

const OTHERS_READ = 0o055;

/** The mode of a path that others can read, e.g. `755`; undefined on Windows. */
export async function modeOpenToOthers(path: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    const { mode } = await stat(path);
    return (mode & OTHERS_READ) === 0 ? undefined : (mode & 0o777).toString(8);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Warnings about secret files that others can read. */
export async function secretFileWarnings(
  files: Readonly<Record<string, string | undefined>>,
  { say }: Translator,
): Promise<string[]> {
  const warnings: string[] = [];
  for (const [variable, path] of Object.entries(files)) {
    const mode = path === undefined ? undefined : await modeOpenToOthers(path);
    if (path !== undefined && mode !== undefined) {
      warnings.push(say('doctor.secret_file_open', { variable, path, mode }));
    }
  }
  return warnings;
}
