import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** Where a value stands: names of members and places in lists, from the outermost. */
export type Path = readonly (string | number)[];

/** Why a text is not read: it is no JSON, or it has a member `twice`, whose name this is. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  readonly twice: string | undefined;
}

/** What a JSON text says, and on which of its lines. */
export interface JsonText {
  /** Undefined where the text is no JSON. */
  readonly value: unknown;
  readonly faults: readonly JsonFault[];
  /** The line of a value, or of the nearest around it that is there. */
  lineOf(path: Path): number;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How many members a value has, those of its members included. */
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

/** How many members are written in a text that is JSON, at least: a text with a quote and a colon in it looks like one. */
const membersWritten = (text: string): number => text.match(/"\s*:/g)?.length ?? 0;

/** A member that occurs twice would silently be the last one. */
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
 * Reads a JSON text; a member that occurs twice is a fault. The platform's own reader is fast and says nothing of lines,
 * so that where each value stands is looked up only when something is wrong.
 */
export function readJson(text: string): JsonText {
  const errors: ParseError[] = [];
  let looked: Node | undefined;
  const tree = (): Node | undefined => {
    try {
      looked ??= parseTree(text, errors, { disallowComments: true, allowEmptyContent: false });
    } catch {
      // Nested deeper than anyone writes: wrong as a whole, wherever.
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
