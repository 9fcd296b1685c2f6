import { type Collected, nothingCollected, type Texts } from './collected.ts';
import type { FieldNode, Leaf } from './field-table.ts';
import { cleanText } from './untrusted.ts';
import type { XmlAttributes, XmlEvents } from './xml.ts';

/** Characters of one text that are looked at; every field is cut far below. */
const LONGEST_READ = 20_000;

/** Takes out of one document what a table names. */
export interface Collector extends XmlEvents {
  readonly collected: Collected;
  /** The root has been closed. */
  readonly complete: boolean;
}

/**
 * A collector for a document whose root has this node; the first event is the root's `open`. Where a field stands
 * twice outside a list, the first counts.
 */
export function createCollector(root: FieldNode): Collector {
  const collected = nothingCollected();
  const current: Record<string, Texts<string>> = { ...collected.sections };
  const lists: Record<string, Texts<string>[]> = collected.lists;
  const path: FieldNode[] = [];
  let node: FieldNode | undefined;
  let skipping = 0;
  let text = '';

  function store({ group, field, limit }: Leaf, found: string): void {
    const record = current[group];
    if (record === undefined || record[field] !== undefined) return;
    const value = cleanText(found, limit);
    if (value !== '') record[field] = value;
  }

  function begin(group: string): void {
    const record = {};
    current[group] = record;
    lists[group]?.push(record);
  }

  function storeAttributes({ attributes: leaves }: FieldNode, attributes: XmlAttributes): void {
    for (const [name, leaf] of leaves) {
      const value = attributes[name];
      if (value !== undefined) store(leaf, value);
    }
  }

  function enter(next: FieldNode, attributes: XmlAttributes): void {
    if (node !== undefined) path.push(node);
    node = next;
    text = '';
    if (next.begins.length > 0) next.begins.forEach(begin);
    if (next.attributes.length > 0) storeAttributes(next, attributes);
  }

  return {
    collected,
    get complete() {
      return node === undefined;
    },
    open(name, attributes) {
      if (skipping > 0) {
        skipping++;
        return;
      }
      const next = node === undefined ? root : (node.children.get(name) ?? node.any);
      if (next === undefined) skipping = 1;
      else enter(next, attributes);
    },
    text(piece) {
      if (skipping === 0 && node?.leaf !== undefined && text.length < LONGEST_READ) text += piece;
    },
    close() {
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (node?.leaf !== undefined && text !== '') store(node.leaf, text);
      text = '';
      node = path.pop();
    },
  };
}
