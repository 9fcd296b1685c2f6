import { longest } from '../untrusted.ts';
import { groupNumber, type ListRecords, type Target } from './collected.ts';

/** Fields by path below the document's root: local names, `*` for any one element, `@name` for an attribute. */
export type FieldPaths = Readonly<Record<string, Target>>;

/** Elements that begin a new record in one or more lists, by path. */
export type ListPaths = Readonly<Record<string, readonly (keyof ListRecords)[]>>;

/** A layout's fields as one reads them in its documentation. */
export interface FieldTable {
  readonly fields: FieldPaths;
  readonly lists?: ListPaths;
}

/** Where a text goes and how long it may be. */
export interface Leaf {
  /** Number of the section or list. */
  readonly group: number;
  readonly field: string;
  /** Stands for the field among those of its group. */
  readonly bit: number;
  readonly limit: number;
}

/** One element of a layout. Elements that are in no table have none, and are passed over with all they contain. */
export interface FieldNode {
  readonly children: Map<string, FieldNode>;
  readonly attributes: [name: string, leaf: Leaf][];
  any: FieldNode | undefined;
  leaf: Leaf | undefined;
  /** Numbers of the lists in which a record begins here. */
  begins: readonly number[];
}

const limits: Readonly<Record<string, number>> = longest;

const MOST_FIELDS = 32;
const fieldsByGroup = new Map<string, string[]>();

function bitFor(group: string, field: string): number {
  const fields = fieldsByGroup.get(group) ?? [];
  fieldsByGroup.set(group, fields);
  if (!fields.includes(field)) fields.push(field);
  if (fields.length > MOST_FIELDS) throw new Error(`${group} has more than ${MOST_FIELDS} fields`);
  return 1 << fields.indexOf(field);
}

function leafOf(target: Target): Leaf {
  const [group = '', field = ''] = target.split('.');
  const limit = (group === 'notes' ? limits.notes : limits[field]) ?? longest.other;
  return { group: groupNumber(group), field, bit: bitFor(group, field), limit };
}

function emptyNode(): FieldNode {
  return { children: new Map(), attributes: [], any: undefined, leaf: undefined, begins: [] };
}

function childNode(node: FieldNode, name: string): FieldNode {
  if (name === '*') {
    node.any ??= emptyNode();
    return node.any;
  }
  const known = node.children.get(name);
  if (known !== undefined) return known;
  const child = emptyNode();
  node.children.set(name, child);
  return child;
}

function nodeAt(root: FieldNode, path: string): FieldNode {
  return path === '' ? root : path.split('/').reduce(childNode, root);
}

/** Puts a table to work: the node of the document's root. */
export function compileFieldTable({ fields, lists = {} }: FieldTable): FieldNode {
  const root = emptyNode();
  for (const [path, target] of Object.entries(fields)) {
    const at = path.lastIndexOf('@');
    if (at === -1) nodeAt(root, path).leaf = leafOf(target);
    else
      nodeAt(root, path.slice(0, Math.max(at - 1, 0))).attributes.push([path.slice(at + 1), leafOf(target)]);
  }
  for (const [path, begins] of Object.entries(lists)) nodeAt(root, path).begins = begins.map(groupNumber);
  return root;
}

/** The same table below another element. */
export function below(prefix: string, { fields, lists = {} }: FieldTable): FieldTable {
  return { fields: prefixed(prefix, fields), lists: prefixed(prefix, lists) };
}

function prefixed<T>(prefix: string, paths: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, value]) => [path === '' ? prefix : `${prefix}/${path}`, value]),
  );
}

/** Several tables as one. */
export function together(...tables: readonly FieldTable[]): FieldTable {
  return {
    fields: Object.assign({}, ...tables.map((table) => table.fields)),
    lists: Object.assign({}, ...tables.map((table) => table.lists ?? {})),
  };
}
