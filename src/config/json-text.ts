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

/** Undefined where a text is nested too deeply for the parser. */
function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true, allowEmptyContent: false });
  } catch {
    return undefined;
  }
}

/** Parses a JSON text; a duplicate member is a fault. */
export function readJson(text: string): JsonText {
  const errors: ParseError[] = [];
  const root = treeOf(text, errors);
  const line = (offset = 0): number => text.slice(0, offset).split('\n').length;
  const isBroken = root === undefined || errors.length > 0;
  const repeated = root === undefined ? [] : [...repeatedIn(root)];
  return {
    value: isBroken ? undefined : JSON.parse(text),
    faults: [
      ...(isBroken ? [{ line: line(errors[0]?.offset), twice: undefined }] : []),
      ...repeated.map(({ offset, value }) => ({ line: line(offset), twice: String(value) })),
    ],
    lineOf(path) {
      for (let length = path.length; root !== undefined && length >= 0; length--) {
        const node = findNodeAtLocation(root, path.slice(0, length));
        if (node !== undefined) return line(node.offset);
      }
      return 1;
    },
  };
}
