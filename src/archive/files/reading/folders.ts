import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { LeftOutPart } from './left-out.ts';
import { codeOf } from './read-file.ts';
import { isOfSystem } from './zip.ts';

/** A file as the system lists it. */
export interface ListedFile {
  readonly name: string;
  readonly size: number;
  /** Microseconds since 1970. */
  readonly changed: number;
}

/** A folder with its own files, or what of it could not be listed. */
export interface ListedFolder {
  /** One of those configured. */
  readonly root: string;
  readonly path: string;
  readonly files: readonly ListedFile[];
  /** What stands in it and is no file, by name. */
  readonly leftOut: readonly LeftOutPart[];
  /** Where it can't be looked into: the system's code. What was known of it stays. */
  readonly failure?: string;
}

/** Folders in folders that are followed. */
const DEEPEST = 64;
/** Looked at without letting others run. */
const STRIDE = 500;

/** Whether a name is not of UTF-8, as old programs leave them when they unpack: no file is found by what is left of it. */
const isMisspelt = (name: string): boolean => name.includes('\uFFFD');

function listedFile(name: string, { size, mtimeMs }: Stats): ListedFile {
  return { name, size, changed: Math.round(mtimeMs * 1000) };
}

async function* below(root: string, path: string, depth: number): AsyncGenerator<ListedFolder> {
  const leftOut: LeftOutPart[] = [];
  const files: ListedFile[] = [];
  const folders: string[] = [];
  let names: string[];
  try {
    names = readdirSync(path).sort();
  } catch (error) {
    yield { root, path, files, leftOut, failure: codeOf(error) ?? 'UNKNOWN' };
    return;
  }
  const separator = path.endsWith(sep) ? '' : sep;
  let looked = 0;
  for (const name of names) {
    if (++looked % STRIDE === 0) await letOthersRun();
    // Joining normalises, which takes longer than the look itself.
    const place = path + separator + name;
    try {
      const facts = lstatSync(place);
      const isFolder = facts.isDirectory();
      if (isOfSystem(isFolder ? `${name}/` : name)) continue;
      if (facts.isFile()) files.push(listedFile(name, facts));
      else if (isFolder) folders.push(place);
      else leftOut.push({ reason: facts.isSymbolicLink() ? 'link' : 'special', place: name });
    } catch (error) {
      // It went away since the folder was listed, or can't be looked at.
      const code = isMisspelt(name) ? 'EILSEQ' : codeOf(error);
      if (code !== 'ENOENT') leftOut.push({ reason: 'unreadable', place: name, code });
    }
  }
  yield { root, path, files, leftOut };
  for (const folder of folders) {
    if (depth < DEEPEST) yield* below(root, folder, depth + 1);
    else
      yield {
        root,
        path: folder,
        files: [],
        leftOut: [{ reason: 'too_deep', place: folder }],
        failure: 'ELOOP',
      };
  }
}

/** A root as it is known by: absolute, with links followed where it is there. */
export function rootPath(given: string): string {
  try {
    return realpathSync(given);
  } catch {
    return resolve(given);
  }
}

/**
 * The folders of a root with their files, the root itself first; a root that is a file is a folder with that one. Links
 * inside are told and not followed, so that nothing is met twice and nothing outside is read.
 */
export async function* foldersOf(root: string): AsyncGenerator<ListedFolder> {
  try {
    const facts = statSync(root);
    if (facts.isDirectory()) {
      yield* below(root, root, 0);
      return;
    }
    const name = basename(root);
    const path = dirname(root);
    if (facts.isFile()) yield { root, path, files: [listedFile(name, facts)], leftOut: [] };
    else yield { root, path, files: [], leftOut: [{ reason: 'special', place: name }] };
  } catch (error) {
    yield { root, path: root, files: [], leftOut: [], failure: codeOf(error) ?? 'UNKNOWN' };
  }
}
