import { cleanText } from '../../../documents/untrusted.ts';
import type { XmlAttributes } from '../../../documents/xml/xml.ts';

const KEPT_LENGTH = 1000;

/** An element of an answer whose form is not known. */
export interface RecordNode {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: RecordNode[];
  text?: string;
}

type Fields = Record<string, string>;

function repeatsAName(node: RecordNode): boolean {
  return new Set(node.children.map(({ name }) => name)).size < node.children.length;
}

/** The outermost element in which a name repeats, level by level. */
function findList(root: RecordNode): RecordNode | undefined {
  for (let level = [root]; level.length > 0; level = level.flatMap(({ children }) => children)) {
    const list = level.find(repeatsAName);
    if (list !== undefined) return list;
  }
  return undefined;
}

/** Where a single record begins: below the elements that hold nothing but one other. */
function findSingle(root: RecordNode): RecordNode {
  const returned = root.children.find(({ name }) => name === 'retorno');
  const inside = returned ?? (root.children.length === 1 ? root.children[0] : undefined);
  return inside === undefined || inside.children.length === 0 ? root : findSingle(inside);
}

/** Puts the values of an element into flat fields; a repeated name gets its place: `item.2.name`. */
function flattenInto(fields: Fields, node: RecordNode, path: string, except?: RecordNode): void {
  for (const [name, value] of Object.entries(node.attributes)) {
    fields[path === '' ? `@${name}` : `${path}.@${name}`] = cleanText(value, KEPT_LENGTH);
  }
  if (node.text !== undefined) fields[path === '' ? node.name : path] = cleanText(node.text, KEPT_LENGTH);
  const seen = new Map<string, number>();
  for (const child of node.children) {
    if (child === except) continue;
    const place = (seen.get(child.name) ?? 0) + 1;
    seen.set(child.name, place);
    const step = place === 1 ? child.name : `${child.name}.${place}`;
    flattenInto(fields, child, path === '' ? step : `${path}.${step}`, except);
  }
}

function flat(node: RecordNode): Fields {
  const fields: Fields = {};
  flattenInto(fields, node, '');
  return fields;
}

/** What stands outside the records, without attributes: those of a frame are versions and namespaces. */
function flatAround(root: RecordNode, records?: RecordNode): Fields {
  const fields: Fields = {};
  if (root !== records) flattenInto(fields, root, '', records);
  return Object.fromEntries(Object.entries(fields).filter(([path]) => !path.includes('@')));
}

function hasText(node: RecordNode): boolean {
  return node.text !== undefined || node.children.some(hasText);
}

function returnsContent(node: RecordNode): boolean {
  return node.children.some((child) => (child.name === 'retorno' ? hasText(child) : returnsContent(child)));
}

/**
 * The records of an answer, flat: the children of the outermost element in which a name repeats, else the one record
 * there is; none where the envelope says so and returns nothing. `around` is what stands outside of them.
 */
export function recordsOf(root: RecordNode, saysEmpty: boolean): { records: Fields[]; around: Fields } {
  const list = findList(root);
  if (list !== undefined) {
    const records = list.children.map(flat).filter((record) => Object.keys(record).length > 0);
    return { records, around: flatAround(root, list) };
  }
  if (saysEmpty && !returnsContent(root)) return { records: [], around: flatAround(root) };
  const single = findSingle(root);
  return { records: hasText(single) ? [flat(single)] : [], around: flatAround(root, single) };
}
