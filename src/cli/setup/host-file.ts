import { constants, existsSync } from 'node:fs';
import { access, copyFile, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, type ParseError, parse, parseTree } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import * as z from 'zod';
import { Misconfigured, type Problem } from '../../config/configure.ts';
import { readNamedFile, replaceFile } from '../../disk/files.ts';
import { isObject } from '../../documents/untrusted.ts';
import { hosts, type Machine, type ServerEntry } from './hosts.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;
/** Mode of a new file, which may name a person's folders. */
const PRIVATE = 0o600;

/** A file of a person's cannot be read, changed or written. */
export class FileUnusable extends Error {
  readonly path: string;
  /** The system's code, `NOT_UTF8`, `READ_ONLY`, `BROKEN` for JSON that is not understood, or `CHANGED` by somebody else. */
  readonly code: string;
  /** Line of the error, for `BROKEN`. */
  readonly line: number;

  constructor(path: string, code: string, line = 1) {
    super(`${path} (${code})`);
    this.path = path;
    this.code = code;
    this.line = line;
  }
}

/** Works on a file. @throws FileUnusable for the system's errors, too */
export async function onFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileUnusable) throw error;
    throw new FileUnusable(path, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
}

export interface ConfigurationFile {
  /** Links resolved, so that a link is kept. */
  readonly path: string;
  readonly text: string | undefined;
}

/** Reads a host's configuration that is to be changed. @throws FileUnusable */
export function readConfiguration(path: string): Promise<ConfigurationFile> {
  return onFile(path, async () => {
    const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (target === undefined) return { path, text: undefined };
    const bytes = await readNamedFile(target, LARGEST_BYTES);
    // Replacing would work, but the file is read-only on purpose.
    if (((await stat(target)).mode & 0o200) === 0) throw new FileUnusable(path, 'READ_ONLY');
    await access(target, constants.W_OK);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw new FileUnusable(path, 'NOT_UTF8');
    return { path: target, text };
  });
}

/**
 * Adds a server to a host's JSON and keeps everything else, order and indentation included.
 * @returns the new text, and the existing server of that name
 * @throws FileUnusable for invalid JSON or another structure
 */
export function planChange({ path, text = '' }: ConfigurationFile, name: string, entry: ServerEntry) {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before = text.slice(mark.length).trim() === '' ? '{}\n' : text.slice(mark.length);
  const errors: ParseError[] = [];
  const root = parseTree(before, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    throw new FileUnusable(path, 'BROKEN', before.slice(0, error?.offset ?? 0).split('\n').length);
  }
  const members: unknown = JSON.parse(before);
  const servers = isObject(members) ? (members.mcpServers ?? {}) : undefined;
  if (!isObject(members) || !isObject(servers)) throw new FileUnusable(path, 'BROKEN');
  const [, indent = '  '] = /\n([ \t]+)"/.exec(before) ?? [];
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { tabSize: indent.length, insertSpaces: !indent.startsWith('\t'), eol };
  const after = applyEdits(before, modify(before, ['mcpServers', name], entry, { formattingOptions }));
  const meant = { ...members, mcpServers: { ...servers, [name]: entry } };
  // The host may resolve a duplicate name differently.
  if (!isDeepStrictEqual(parse(after), parse(JSON.stringify(meant)))) throw new FileUnusable(path, 'BROKEN');
  return { after: `${mark}${after}`, replaced: servers[name] };
}

/**
 * Replaces a host's configuration atomically after a backup, unless it changed since it was read.
 * @param prepare creates what the new configuration needs, as the last step before the write
 * @returns the backup's path; undefined for a new file
 * @throws FileUnusable
 */
export async function writeConfiguration(
  { path, text }: ConfigurationFile,
  after: string,
  prepare: () => Promise<void>,
): Promise<string | undefined> {
  await onFile(path, () => mkdir(dirname(path), { recursive: true }));
  const current = await readConfiguration(path);
  if (current.text !== text) throw new FileUnusable(path, 'CHANGED');
  await prepare();
  return onFile(path, async () => {
    if (text === undefined) return void (await replaceFile(path, after, PRIVATE));
    const backup = `${path}.${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.backup`;
    await copyFile(path, backup, constants.COPYFILE_EXCL);
    await replaceFile(path, after, (await stat(path)).mode & 0o777);
    return backup;
  });
}

const entrySchema = z.object({
  command: z.string(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});

/** The program by name, version, file or package. */
const program = /(?:^|[\\/])docfiscal-mcp(?:@[^\\/]*|\.cjs|-[^\\/]*\.tgz)?$/;

/** An entry that starts this program, with the options after its name; none for any other. */
function ownEntry([name, value]: [string, unknown]) {
  const entry = entrySchema.safeParse(value).data;
  const words = entry === undefined ? [] : [entry.command, ...entry.args];
  const at = words.findIndex((word) => program.test(word));
  if (entry === undefined || at < 0) return [];
  const rest = words.slice(at + 1);
  // `npx --package FILE docfiscal-mcp` names it twice.
  const args = rest[0] === 'docfiscal-mcp' ? rest.slice(1) : rest;
  const missing = words.slice(0, 2).find((path) => isAbsolute(path) && !existsSync(path));
  return [{ name, args, env: entry.env, missing }];
}

/** @throws SyntaxError, TomlError */
function parsed(text: string, isToml: boolean): unknown {
  if (isToml) return parseToml(text);
  const errors: ParseError[] = [];
  // Setup takes an empty file as one without servers.
  const json = text.replace('\uFEFF', '').trim() || '{}';
  const whole: unknown = parse(json, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new SyntaxError('not JSON');
  return whole;
}

function refuse(key: Problem['key'], values: Problem['values']): never {
  throw new Misconfigured([{ key, values }], 'docfiscal-mcp doctor');
}

/**
 * Reads from an assistant's own configuration how it starts this program: `docfiscal` first, else the first entry, with
 * the names of the others.
 * @throws Misconfigured
 */
export async function serverOfHost(id: string, machine: Machine) {
  const found = hosts.find((one) => one.id === id);
  if (found === undefined) {
    return refuse('config.unknown_host', { name: id, hosts: hosts.map((one) => one.id).join(', ') });
  }
  const { name: host, member } = found;
  const path = found.path(machine);
  const isToml = path.endsWith('.toml');
  const text = await readNamedFile(path, LARGEST_BYTES).catch(({ code = '' }: NodeJS.ErrnoException) =>
    code === 'ENOENT' ? '' : refuse('config.host_file', { host, path, code }),
  );
  let whole: unknown;
  try {
    whole = parsed(text.toString('utf8'), isToml);
  } catch {
    refuse('config.host_file_broken', { host, path, form: isToml ? 'TOML' : 'JSON' });
  }
  const servers = z.looseObject({ [member]: z.record(z.string(), z.unknown()) }).safeParse(whole);
  const own = Object.entries(servers.data?.[member] ?? {}).flatMap(ownEntry);
  const server = own.find(({ name }) => name === 'docfiscal') ?? own[0];
  if (server === undefined) return refuse('config.host_without_server', { host, path });
  if (server.missing !== undefined) return refuse('config.host_program', { host, program: server.missing });
  return { ...server, host, path, others: own.flatMap(({ name }) => (name === server.name ? [] : [name])) };
}
