// What the demo and the transcripts share: a client of the built program, and texts as rows of a screen.
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

/** Breaks a line at spaces and commas, and anywhere where there are none. */
function wrap(line, width) {
  const parts = [];
  let rest = line;
  while (rest.length > width) {
    // A comma in an amount is no place to break, while there is a blank.
    const places = [rest.lastIndexOf(' ', width), rest.lastIndexOf(',', width - 1) + 1];
    const at = places.find((place) => place > width / 2) ?? width;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return [...parts, rest];
}

/** A text as rows: wrapped, tokens and cursors shortened, and at most so many of them. */
export function rowsOf(text, width, most = Number.POSITIVE_INFINITY) {
  const rows = text
    .replace(/[\w-]{51,}/g, (token) => `${token.slice(0, 12)}…`)
    .split('\n')
    .flatMap((line) => wrap(line, width));
  return rows.length > most ? [...rows.slice(0, most), '…'] : rows;
}
