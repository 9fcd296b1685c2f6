import type { Planned } from './planned-change.ts';
import type { ServerEntry } from './server-entry.ts';

/** TOML's basic strings are JSON's, but for the character DEL. */
const quoted = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007F');

/** The tables of a server, as they stand in the file. */
export function tomlTables(name: string, { command, args, env }: ServerEntry): string {
  const variables = Object.entries(env).map(([variable, value]) => `${variable} = ${quoted(value)}`);
  return [
    `[mcp_servers.${name}]`,
    `command = ${quoted(command)}`,
    `args = [${args.map(quoted).join(', ')}]`,
    ...(variables.length > 0 ? ['', `[mcp_servers.${name}.env]`, ...variables] : []),
    '',
  ].join('\n');
}

const TABLE_OF_SERVER = /^\s*\[+\s*["']?mcp_servers["']?\s*\.\s*["']?([\w-]+)["']?\s*[.\]]/;
const SERVERS_OTHERWISE = /^\s*(?:["']?mcp_servers["']?\s*[.=]|\[\[\s*["']?mcp_servers\b)/;
const TABLE_OF_ALL = /^\s*\[\s*["']?mcp_servers["']?\s*\]/;

/** Texts over several lines, of which one without its end would swallow what is added. */
function hasOpenText(text: string): boolean {
  return ['"""', "'''"].some((mark) => text.split(mark).length % 2 === 0);
}

/**
 * Adds a server to a host's TOML, at its end: nothing that stands there is read for more than whether that is safe. A
 * server of that name, or servers written in another form than by tables, are for a person to change.
 */
export function planToml(text: string, name: string, entry: ServerEntry): Planned {
  if (hasOpenText(text)) return { ok: false, reason: 'broken' };
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const lineOf = (isMeant: (line: string) => boolean) => {
    const at = lines.findIndex(isMeant);
    return at < 0 ? undefined : at + 1;
  };
  const own = lineOf((line) => TABLE_OF_SERVER.exec(line)?.[1] === name);
  if (own !== undefined) return { ok: false, reason: 'taken', line: own };
  const elsewhere = lineOf((line) => SERVERS_OTHERWISE.test(line));
  if (elsewhere !== undefined) return { ok: false, reason: 'servers_elsewhere', line: elsewhere };
  const plain = lineOf((line) => TABLE_OF_ALL.test(line));
  if (plain !== undefined) return { ok: false, reason: 'servers_elsewhere', line: plain };
  const before = text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
  const added = tomlTables(name, entry).replaceAll('\n', eol);
  return { ok: true, after: `${before}${before === '' ? '' : eol}${added}`, isReplacing: false };
}
