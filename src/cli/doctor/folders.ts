import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Translator } from '../../messages/index.ts';

/** The code of a system error, e.g. `EACCES`; undefined for every other error. */
function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}

async function nearestThatExists(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    const parent = dirname(path);
    if (systemCode(error) !== 'ENOENT' || parent === path) throw error;
    return nearestThatExists(parent);
  }
}

/**
 * Checks by writing a file whether a folder is writable; a missing folder is not created, only checked for whether it
 * could be.
 * @returns the system's code where it can't, e.g. `EACCES`, `ENOTDIR`, `EROFS`
 */
export async function whyUnwritable(folder: string): Promise<string | undefined> {
  try {
    const path = resolve(folder);
    const existing = await nearestThatExists(path);
    if (!(await stat(existing)).isDirectory()) return 'ENOTDIR';
    if (existing !== path) {
      await access(existing, constants.W_OK | constants.X_OK);
      return undefined;
    }
    const probe = join(path, `.docfiscal-mcp-${randomUUID()}`);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe, { force: true });
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code;
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
