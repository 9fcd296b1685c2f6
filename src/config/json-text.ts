import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** Path of a value: member names and list indexes. */
export type Path = readonly (string | number)[];

/** A syntax error, or a duplicate member by its name. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  readonly twice: string | undefined;
}

/** A parsed JSON text that knows the line of each value. */
export interface JsonText {
  /** Undefined for malformed JSON. */
  readonly value: unknown;
  readonly faults: readonly JsonFault[];
  /** The line of a value, or of its nearest existing ancestor. */
  lineOf(path: Path): number;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts the members of a value, nested ones included. */
function membersIn(value: unknown): number {
  let count = 0;
  const waiting = [value];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const parts: unknown[] = Array.isArray(one) ? one : Object.values(one);
    if (parts !== one) count += parts.length;
    for (const part of parts) if (typeof part === 'object') waiting.push(part);
  }
  return count;
}

/** Counts the members written in a JSON text; quotes and colons inside strings may add to it. */
const membersWritten = (text: string): number => text.match(/"\s*:/g)?.length ?? 0;

/** Duplicate members, of which JSON.parse silently keeps the last. */
function* repeatedIn(node: Node): Generator<Node> {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name = child.type === 'property' ? child.children?.[0] : undefined;
    if (name !== undefined && names.has(name.value)) yield name;
    names.add(name?.value);
    yield* repeatedIn(child);
  }
}

/**
 * Parses a JSON text; a duplicate member is a fault. `JSON.parse` is fast and knows no lines, so the slower parser runs
 * only when something is wrong.
 */
export function readJson(text: string): JsonText {
  const errors: ParseError[] = [];
  let looked: Node | undefined;
  const tree = (): Node | undefined => {
    try {
      looked ??= parseTree(text, errors, { disallowComments: true, allowEmptyContent: false });
    } catch {
      // Nested too deeply for the parser.
    }
    return looked;
  };
  const line = (offset = 0): number => text.slice(0, offset).split('\n').length;

  const value = parsed(text);
  const faults = (): JsonFault[] => {
    if (value !== undefined && membersIn(value) === membersWritten(text)) return [];
    const root = tree();
    const repeated = root === undefined ? [] : [...repeatedIn(root)];
    const twice = repeated.map((name) => ({ line: line(name.offset), twice: String(name.value) }));
    return value === undefined ? [{ line: line(errors[0]?.offset), twice: undefined }, ...twice] : twice;
  };

  return {
    value,
    faults: faults(),
    lineOf(path) {
      const root = tree();
      for (let length = path.length; root !== undefined && length >= 0; length--) {
        const node = findNodeAtLocation(root, path.slice(0, length));
        if (node !== undefined) return line(node.offset);
      }
      return 1;
    },
  };
}
