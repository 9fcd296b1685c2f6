import { cleanText } from '../untrusted.ts';
import type { TextPool } from '../xml/text-pool.ts';
import type { XmlAttributes, XmlEvents } from '../xml/xml.ts';
import { type Collected, firstList, nothingCollected, type Texts } from './collected.ts';
import type { FieldNode, Leaf } from './field-table.ts';

/** Characters of one text that are looked at; every field is cut far below. */
const LONGEST_READ = 20_000;

/** Takes out of one document what a table names. */
export interface Collector extends XmlEvents {
  readonly collected: Collected;
  /** The root has been closed. */
  readonly complete: boolean;
  readonly wantsText: boolean;
}

/**
 * A collector for a document whose root has this node; the first event is the root's `open`. Where a field stands
 * twice outside a list, the first counts.
 */
export function createCollector(root: FieldNode, pool: TextPool): Collector {
  const collected = nothingCollected();
  const current: Texts<string>[] = Object.values(collected.sections);
  const lists: Texts<string>[][] = Object.values(collected.lists);
  /** The bits of the fields that each current record has: to ask a record for a field it lacks takes long. */
  const found: number[] = current.map(() => 0);
  const path: FieldNode[] = [];
  let node: FieldNode | undefined;
  let skipping = 0;
  let text = '';

  function store({ group, field, bit, limit }: Leaf, text: string): void {
    const record = current[group];
    const before = found[group] ?? 0;
    if (record === undefined || (before & bit) !== 0) return;
    const value = cleanText(text, limit);
    if (value === '') return;
    found[group] = before | bit;
    record[field] = pool(value);
  }

  function begin(group: number): void {
    const record = {};
    current[group] = record;
    found[group] = 0;
    lists[group - firstList]?.push(record);
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

  function leave(): void {
    if (node?.leaf !== undefined && text !== '') store(node.leaf, text);
    text = '';
    node = path.pop();
    collector.complete = node === undefined;
  }

  const collector = {
    collected,
    complete: false,
    wantsText: false,
    open(name: string, attributes: XmlAttributes): void {
      const next = node === undefined ? root : (node.children.get(name) ?? node.any);
      if (skipping > 0 || next === undefined) skipping++;
      else enter(next, attributes);
      collector.wantsText = skipping === 0 && next?.leaf !== undefined;
    },
    text(piece: string): void {
      if (!collector.wantsText) return;
      if (text === '') text = piece;
      else if (text.length < LONGEST_READ) text += piece;
    },
    close(): void {
      if (skipping > 0) skipping--;
      else leave();
      collector.wantsText = skipping === 0 && node?.leaf !== undefined;
    },
  };
  return collector;
}
