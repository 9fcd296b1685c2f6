import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import type { Problem } from '../../config/configure.ts';
import { readNamedFile } from '../../disk/regular-file.ts';
import { type Host, hosts, type Machine } from '../setup/hosts.ts';

const LARGEST_BYTES = 64 * 1024 * 1024;

/** How an assistant starts this program. */
export interface HostServer {
  readonly host: string;
  readonly name: string;
  readonly path: string;
  /** Options after the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Other entries that start this program. */
  readonly others: readonly string[];
}

export type FoundServer =
  | { readonly ok: true; readonly server: HostServer }
  | { readonly ok: false; readonly problem: Problem };

const entrySchema = z.object({
  command: z.string(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});

type Entry = z.infer<typeof entrySchema>;

/** The program by name, version, file or package. */
const program = /(?:^|[\\/])docfiscal-mcp(?:@[^\\/]*|\.cjs|-[^\\/]*\.tgz)?$/;

/** The options of an entry that starts this program; undefined for any other entry. */
function ownOptions({ command, args }: Entry): readonly string[] | undefined {
  const words = [command, ...args];
  const at = words.findIndex((word) => program.test(word));
  if (at < 0) return undefined;
  const rest = words.slice(at + 1);
  // `npx --package FILE docfiscal-mcp` names it twice.
  return rest[0] === 'docfiscal-mcp' ? rest.slice(1) : rest;
}

/** The first file that an entry needs and that is gone. */
function missingProgram({ command, args }: Entry): string | undefined {
  return [command, ...args.slice(0, 1)].find((path) => isAbsolute(path) && !existsSync(path));
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

function entriesIn(text: string, path: string, member: Host['member']): [name: string, entry: Entry][] {
  const whole = parsed(text, path);
  const servers = z.looseObject({ [member]: z.record(z.string(), z.unknown()) }).safeParse(whole);
  return Object.entries(servers.data?.[member] ?? {}).flatMap(([name, value]) => {
    const entry = entrySchema.safeParse(value);
    return entry.success ? [[name, entry.data] as [string, Entry]] : [];
  });
}

/** Reads from an assistant's own configuration how it starts this program; `docfiscal` first, else the first entry. */
export async function serverOfHost(id: string, machine: Machine): Promise<FoundServer> {
  const failed = (key: Problem['key'], values: Problem['values']): FoundServer => ({
    ok: false,
    problem: { key, values },
  });
  const host = hosts.find((one) => one.id === id);
  if (host === undefined) {
    return failed('config.unknown_host', { name: id, hosts: hosts.map((one) => one.id).join(', ') });
  }
  const path = host.path(machine);
  let entries: [name: string, entry: Entry][];
  try {
    entries = entriesIn((await readNamedFile(path, LARGEST_BYTES)).toString('utf8'), path, host.member);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const form = path.endsWith('.toml') ? 'TOML' : 'JSON';
    if (code === undefined) return failed('config.host_file_broken', { host: host.name, path, form });
    if (code !== 'ENOENT') return failed('config.host_file', { host: host.name, path, code });
    entries = [];
  }
  const own = entries.filter(([, entry]) => ownOptions(entry) !== undefined);
  const [name, entry] = own.find(([one]) => one === 'docfiscal') ?? own[0] ?? [];
  if (name === undefined || entry === undefined) {
    return failed('config.host_without_server', { host: host.name, path });
  }
  const missing = missingProgram(entry);
  if (missing !== undefined) return failed('config.host_program', { host: host.name, program: missing });
  const others = own.flatMap(([one]) => (one === name ? [] : [one]));
  return {
    ok: true,
    server: { host: host.name, name, path, args: ownOptions(entry) ?? [], env: entry.env, others },
  };
}
