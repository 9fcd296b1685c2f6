import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { parseAst } from 'vitest/node';
import { filesBelow } from './source-files.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** A regular expression of the program. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** Its files, relative to `src`. */
  readonly places: readonly string[];
}

interface Node {
  readonly type: string;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) yield value;
  for (const part of Object.values(value)) yield* nodesIn(part);
}

/** Every pattern that is written as one, and the files that make patterns of strings. */
export function patternsOfProgram(): {
  readonly written: readonly Pattern[];
  readonly making: readonly string[];
} {
  const written = new Map<string, { source: string; flags: string; places: string[] }>();
  const making = new Set<string>();
  for (const { name, text } of filesBelow(source)) {
    const { code } = transformSync(text, { loader: 'ts', target: 'esnext' });
    for (const { regex, callee } of nodesIn(parseAst(code))) {
      if (callee?.name === 'RegExp') making.add(name);
      if (regex === undefined) continue;
      const { pattern, flags } = regex;
      const known = written.get(`/${pattern}/${flags}`) ?? { source: pattern, flags, places: [] };
      written.set(`/${pattern}/${flags}`, { ...known, places: [...known.places, name] });
    }
  }
  return { written: [...written.values()], making: [...making].sort() };
}
