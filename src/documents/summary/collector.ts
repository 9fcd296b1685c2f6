import { isPlainBetween } from '../plain.ts';
import { cleanText } from '../untrusted.ts';
import type { TextPool } from '../xml/text.ts';
import {
  copyBetween,
  type ElementName,
  nobody,
  type Taker,
  type TextWindow,
  type XmlAttributes,
  XmlError,
  type XmlEvents,
} from '../xml/xml.ts';
import {
  type Collected,
  type FieldNode,
  firstList,
  type Leaf,
  nothingCollected,
  type Texts,
} from './fields.ts';

/** Characters of one text that are looked at; every field is cut far below. */
const LONGEST_READ = 20_000;

/** Records of one list in a document: an NF-e has 990 items at most, and work on many more would hold up all else. */
const MOST_RECORDS = 8_000;

/** Takes out of one document what a table names. @throws XmlError `too_long` for more records than any has */
export interface Collector extends XmlEvents {
  readonly collected: Collected;
  /** The root has been closed. */
  readonly complete: boolean;
  readonly wantsText: boolean;
}

/** What `cleanText` gives for what stands between two places. */
function cleanBetween(window: TextWindow, from: number, to: number, limit: number): string {
  const isClean = to - from <= limit && isPlainBetween(window.units, from, to);
  return isClean ? copyBetween(window, from, to) : cleanText(window.text.slice(from, to), limit);
}

/** The first event is the root's `open`. Outside of lists the first of two same fields counts. */
export function createCollector(root: FieldNode, pool: TextPool): Collector {
  const collected = nothingCollected();
  const current: Texts<string>[] = Object.values(collected.sections);
  const lists: Texts<string>[][] = Object.values(collected.lists);
  /** The bits of the fields that each current record has: to ask a record for a field it lacks takes long. */
  const taken: number[] = current.map(() => 0);
  const path: FieldNode[] = [];
  let node: FieldNode | undefined;
  /** The element that was opened last is in no table. */
  let isPassedOver = false;
  let text = '';

  /** Whether the current record has this field already; so it is of a record that never began. */
  function isTaken({ group, bit }: Leaf): boolean {
    return ((taken[group] ?? -1) & bit) !== 0;
  }

  function store({ group, field, bit }: Leaf, value: string): void {
    const record = current[group];
    if (record === undefined || value === '') return;
    taken[group] = (taken[group] ?? 0) | bit;
    record[field] = pool(value);
  }

  function begin(group: number): void {
    const record = {};
    current[group] = record;
    taken[group] = 0;
    const list = lists[group - firstList];
    if (list === undefined) return;
    if (list.length === MOST_RECORDS) throw new XmlError('too_long', 0, 'records');
    list.push(record);
  }

  function storeAttributes({ attributes: leaves }: FieldNode, attributes: XmlAttributes): void {
    for (const [name, leaf] of leaves) {
      const value = attributes[name];
      if (value !== undefined && !isTaken(leaf)) store(leaf, cleanText(value, leaf.limit));
    }
  }

  /** What the table has for the next element, the root at first. */
  function childNamed(name: string): FieldNode | undefined {
    return node === undefined ? root : (node.children.get(name) ?? node.any);
  }

  /** The same, remembered with the name. */
  function childCalled({ local, last }: ElementName): FieldNode | undefined {
    if (last.in !== node || node === undefined) {
      last.in = node;
      last.found = childNamed(local);
    }
    return last.found as FieldNode | undefined;
  }

  function enter(next: FieldNode, attributes: XmlAttributes): void {
    if (node !== undefined) path.push(node);
    node = next;
    collector.wantsText = next.leaf !== undefined;
    text = '';
    if (next.begins.length > 0) next.begins.forEach(begin);
    if (next.attributes.length > 0) storeAttributes(next, attributes);
  }

  function leave(): void {
    const leaf = node?.leaf;
    if (leaf !== undefined && text !== '' && !isTaken(leaf)) store(leaf, cleanText(text, leaf.limit));
    text = '';
    node = path.pop();
    collector.wantsText = node?.leaf !== undefined;
    collector.complete = node === undefined;
  }

  const collector = {
    collected,
    complete: false,
    wantsText: false,
    open(name: string, attributes: XmlAttributes): Taker {
      const next = childNamed(name);
      if (next === undefined) {
        isPassedOver = true;
        return nobody;
      }
      enter(next, attributes);
      return undefined;
    },
    text(piece: string): void {
      if (text === '') text = piece;
      else if (text.length < LONGEST_READ) text += piece;
    },
    field(name: ElementName, window: TextWindow, from: number, to: number): void {
      const next = childCalled(name);
      if (next === undefined) return;
      text = '';
      if (next.begins.length > 0) next.begins.forEach(begin);
      const { leaf } = next;
      if (leaf !== undefined && !isTaken(leaf)) store(leaf, cleanBetween(window, from, to, leaf.limit));
    },
    close(): void {
      if (isPassedOver) isPassedOver = false;
      else leave();
    },
  };
  return collector;
}
