// Shared by scripts that talk to the program: a client of the built program, and texts as rows of a screen.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const program = join(import.meta.dirname, '..', 'dist', 'docfiscal-mcp.cjs');

/** The environment without settings of one's own. */
export function cleanEnv(more = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:DFE_|XDG_|npm_)/.test(name));
  return { ...Object.fromEntries(inherited), ...more };
}

/** A client of the program, started with these arguments and settings. */
export async function connect(args, env) {
  const client = new Client({ name: 'docfiscal-walk', version: '1.0.0' });
  const server = { command: process.execPath, args: [program, ...args], env: cleanEnv(env) };
  await client.connect(new StdioClientTransport(server));
  return client;
}

/** The text of a tool's answer. */
export function textOf({ content }) {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** A text as rows: broken at blanks and commas, tokens and cursors shortened, and at most so many of them. */
export function rowsOf(text, width, most = Number.POSITIVE_INFINITY) {
  const rows = text
    .replace(/[\w-]{51,}/g, (token) => `${token.slice(0, 12)}…`)
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${width}}(?:\\s|,|$)|.{${width}}`, 'g')) ?? [''])
    .map((row) => row.trimEnd());
  return rows.length > most ? [...rows.slice(0, most), '…'] : rows;
}

/** Puts a text between the markers of a name. */
export function fillIn(page, name, text, file) {
  const between = new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`);
  if (!between.test(page)) throw new Error(`${file} has no markers for ${name}`);
  return page.replace(between, (_whole, opening, closing) => `${opening}\n${text}\n${closing}`);
}
