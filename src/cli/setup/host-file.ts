import { constants } from 'node:fs';
import { access, copyFile, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, type ParseError, parse, parseTree } from 'jsonc-parser';
import { readNamedFile, replaceFile } from '../../disk/files.ts';
import { isObject } from '../../documents/untrusted.ts';
import type { ServerEntry } from './hosts.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;
/** Mode of a new file, which may name a person's folders. */
const PRIVATE = 0o600;

/** A host's configuration cannot be read, changed or written. */
export class ConfigurationUnusable extends Error {
  readonly path: string;
  /** The system's code, `NOT_UTF8`, `READ_ONLY`, `BROKEN` for JSON that is not understood, or `CHANGED` by somebody else. */
  readonly code: string;
  /** Line of the error, for `BROKEN`. */
  readonly line: number;

  constructor(path: string, code: string, line = 1) {
    super(`${path} (${code})`);
    this.name = 'ConfigurationUnusable';
    this.path = path;
    this.code = code;
    this.line = line;
  }
}

export interface ConfigurationFile {
  /** Links resolved, so that a link is kept. */
  readonly path: string;
  readonly text: string | undefined;
}

async function attempt<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ConfigurationUnusable) throw error;
    throw new ConfigurationUnusable(path, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
}

/** Reads a host's configuration. @throws ConfigurationUnusable */
export async function readConfiguration(path: string): Promise<ConfigurationFile> {
  return attempt(path, async () => {
    const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (target === undefined) return { path, text: undefined };
    const bytes = await readNamedFile(target, LARGEST_BYTES);
    // Replacing would work, but the file is read-only on purpose.
    if (((await stat(target)).mode & 0o200) === 0) throw new ConfigurationUnusable(path, 'READ_ONLY');
    await access(target, constants.W_OK);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw new ConfigurationUnusable(path, 'NOT_UTF8');
    return { path: target, text };
  });
}

/**
 * Adds a server to a host's JSON and keeps everything else, order and indentation included.
 * @returns the new text, and the existing server of that name
 * @throws ConfigurationUnusable for invalid JSON or another structure
 */
export function planChange({ path, text = '' }: ConfigurationFile, name: string, entry: ServerEntry) {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before = text.slice(mark.length).trim() === '' ? '{}\n' : text.slice(mark.length);
  const errors: ParseError[] = [];
  const root = parseTree(before, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    throw new ConfigurationUnusable(path, 'BROKEN', before.slice(0, error?.offset ?? 0).split('\n').length);
  }
  const members: unknown = JSON.parse(before);
  const servers = isObject(members) ? (members.mcpServers ?? {}) : undefined;
  if (!isObject(members) || !isObject(servers)) throw new ConfigurationUnusable(path, 'BROKEN');
  const [, indent = '  '] = /\n([ \t]+)"/.exec(before) ?? [];
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { tabSize: indent.length, insertSpaces: !indent.startsWith('\t'), eol };
  const after = applyEdits(before, modify(before, ['mcpServers', name], entry, { formattingOptions }));
  const meant = { ...members, mcpServers: { ...servers, [name]: entry } };
  // The host may resolve a duplicate name differently.
  if (!isDeepStrictEqual(parse(after), parse(JSON.stringify(meant)))) {
    throw new ConfigurationUnusable(path, 'BROKEN');
  }
  return { after: `${mark}${after}`, replaced: servers[name] };
}

/**
 * Replaces a host's configuration atomically after a backup, unless it changed since it was read.
 * @param prepare creates what the new configuration needs, as the last step before the write
 * @returns the backup's path; undefined for a new file
 * @throws ConfigurationUnusable, and the errors of `prepare`
 */
export async function writeConfiguration(
  { path, text }: ConfigurationFile,
  after: string,
  prepare: () => Promise<void>,
): Promise<string | undefined> {
  await attempt(path, () => mkdir(dirname(path), { recursive: true }));
  const current = await readConfiguration(path);
  if (current.text !== text) throw new ConfigurationUnusable(path, 'CHANGED');
  await prepare();
  return attempt(path, async () => {
    if (text === undefined) return void (await replaceFile(path, after, PRIVATE));
    const backup = `${path}.${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.backup`;
    await copyFile(path, backup, constants.COPYFILE_EXCL);
    await replaceFile(path, after, (await stat(path)).mode & 0o777);
    return backup;
  });
}
