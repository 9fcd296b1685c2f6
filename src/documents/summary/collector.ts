import { cleanText } from '../untrusted.ts';
import { SKIP, type XmlAttributes, XmlError } from '../xml/xml.ts';
import { type FieldNode, firstList, type Leaf, nothingCollected, type Texts } from './fields.ts';

/** Returns the one copy of a short text that is kept, and a long text as it is. */
export type TextPool = (text: string) => string;

const SLOTS = 128;
const LONGEST_POOLED = 12;

function slotFor(text: string): number {
  const last = text.length - 1;
  const ends = 31 * text.charCodeAt(0) + 7 * text.charCodeAt(last);
  return (ends + 131 * text.charCodeAt(last >> 1) + text.length) & (SLOTS - 1);
}

/** Pools short texts: codes, units and amounts repeat, and once each they take a third of the memory. */
export function createTextPool(): TextPool {
  const pooled: (string | undefined)[] = new Array(SLOTS);
  return (text) => {
    if (text.length > LONGEST_POOLED) return text;
    const slot = slotFor(text);
    const known = pooled[slot];
    if (known === text) return known;
    pooled[slot] = text;
    return text;
  };
}

const LONGEST_READ = 20_000;

/** Records of one list in a document: an NF-e has 990 items at most, and work on many more would hold up all else. */
const MOST_RECORDS = 8_000;

/**
 * Collects the fields of one document that its layout's table names. The first event is the root's `open`. Outside of
 * lists the first of two equal fields counts.
 * @throws XmlError `too_long` for more records than any document has
 */
export function createCollector(root: FieldNode, pool: TextPool) {
  const collected = nothingCollected();
  const groups: (Texts<string> | Texts<string>[])[] = Object.values(collected);
  const current = groups.slice(0, firstList) as Texts<string>[];
  /** Bits of the fields set in each current record: looking up a missing property is slow. */
  const taken: number[] = new Array(firstList).fill(0);
  const path: FieldNode[] = [];
  let node: FieldNode | undefined;
  let isSkipped = false;
  let text = '';

  /** Whether the current record has this field already, or no record has begun. */
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
    const list = groups[group];
    if (!Array.isArray(list)) return;
    if (list.length === MOST_RECORDS) throw new XmlError('too_long', 0, 'records');
    list.push(record);
  }

  function storeAttributes({ attributes: leaves }: FieldNode, attributes: XmlAttributes): void {
    for (const [name, leaf] of leaves) {
      const value = attributes[name];
      if (value !== undefined && !isTaken(leaf)) store(leaf, cleanText(value, leaf.limit));
    }
  }

  function childNamed(name: string): FieldNode | undefined {
    return node === undefined ? root : (node.children.get(name) ?? node.any);
  }

  function enter(next: FieldNode, attributes: XmlAttributes): void {
    if (node !== undefined) path.push(node);
    node = next;
    text = '';
    if (next.begins.length > 0) next.begins.forEach(begin);
    if (next.attributes.size > 0) storeAttributes(next, attributes);
  }

  function leave(): void {
    const leaf = node?.leaf;
    if (leaf !== undefined && text !== '' && !isTaken(leaf)) store(leaf, cleanText(text, leaf.limit));
    text = '';
    node = path.pop();
    collector.complete = node === undefined;
  }

  const collector = {
    collected,
    complete: false,
    open(name: string, attributes: XmlAttributes): typeof SKIP | undefined {
      const next = childNamed(name);
      if (next === undefined) {
        isSkipped = true;
        return SKIP;
      }
      enter(next, attributes);
      return undefined;
    },
    text(piece: string): void {
      if (node?.leaf === undefined) return;
      if (text === '') text = piece;
      else if (text.length < LONGEST_READ) text += piece;
    },
    field(name: string, cut: () => string): true {
      const next = childNamed(name);
      if (next === undefined) return true;
      text = '';
      if (next.begins.length > 0) next.begins.forEach(begin);
      const { leaf } = next;
      if (leaf !== undefined && !isTaken(leaf)) store(leaf, cleanText(cut(), leaf.limit));
      return true;
    },
    close(): void {
      if (isSkipped) isSkipped = false;
      else leave();
    },
  };
  return collector;
}
