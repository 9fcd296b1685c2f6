import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { Misconfigured, type Problem } from '../../config/configure.ts';
import { readNamedFile } from '../../disk/files.ts';
import { hosts, type Machine } from '../setup/hosts.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;

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
function parsed(text: string, path: string): unknown {
  if (path.endsWith('.toml')) return parseToml(text);
  const errors: ParseError[] = [];
  const json = text.replace('\uFEFF', '').trim();
  // Setup takes an empty file as one without servers.
  if (json === '') return {};
  const whole: unknown = parseJson(json, errors, { allowTrailingComma: true });
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
  const text = await readNamedFile(path, LARGEST_BYTES).catch(({ code = '' }: NodeJS.ErrnoException) =>
    code === 'ENOENT' ? '' : refuse('config.host_file', { host, path, code }),
  );
  let whole: unknown;
  try {
    whole = parsed(text.toString('utf8'), path);
  } catch {
    refuse('config.host_file_broken', { host, path, form: path.endsWith('.toml') ? 'TOML' : 'JSON' });
  }
  const servers = z.looseObject({ [member]: z.record(z.string(), z.unknown()) }).safeParse(whole);
  const own = Object.entries(servers.data?.[member] ?? {}).flatMap(ownEntry);
  const server = own.find(({ name }) => name === 'docfiscal') ?? own[0];
  if (server === undefined) return refuse('config.host_without_server', { host, path });
  if (server.missing !== undefined) return refuse('config.host_program', { host, program: server.missing });
  return { ...server, host, path, others: own.flatMap(({ name }) => (name === server.name ? [] : [name])) };
}
