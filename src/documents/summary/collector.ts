import { cleanText } from '../untrusted.ts';
import { SKIP, type XmlAttributes, XmlError } from '../xml/xml.ts';
import { type FieldNode, firstList, type Leaf, nothingCollected, type Texts } from './fields.ts';

const LONGEST_READ = 20_000;

/**
 * Limit of records in one list: an NF-e has at most 990 items, and processing many more would block everything else.
 */
const MOST_RECORDS = 8_000;

/**
 * Collects the fields of one document listed in its layout's table. The first event is the root's `open`. Outside
 * lists, the first of two equal fields counts.
 */
export class Collector {
  readonly collected = nothingCollected();
  complete = false;
  readonly #root: FieldNode;
  readonly #groups: (Texts<string> | Texts<string>[])[] = Object.values(this.collected);
  readonly #current = this.#groups.slice(0, firstList) as Texts<string>[];
  /** Bits of the fields set in each current record: looking up a missing property is slow. */
  readonly #taken: number[] = new Array(firstList).fill(0);
  readonly #path: FieldNode[] = [];
  #node: FieldNode | undefined;
  #isSkipped = false;
  #text = '';

  constructor(root: FieldNode) {
    this.#root = root;
  }

  /** @throws XmlError `too_long` for more records than any real document has */
  open(name: string, attributes: XmlAttributes): typeof SKIP | undefined {
    const next = this.#childNamed(name);
    if (next === undefined) {
      this.#isSkipped = true;
      return SKIP;
    }
    if (this.#node !== undefined) this.#path.push(this.#node);
    this.#node = next;
    this.#text = '';
    this.#beginRecords(next);
    for (const [name, leaf] of next.attributes) {
      const value = attributes[name];
      if (value !== undefined) this.#store(leaf, value);
    }
    return undefined;
  }

  text(piece: string): void {
    if (this.#node?.leaf !== undefined && this.#text.length < LONGEST_READ) this.#text += piece;
  }

  field(name: string, text: string): true {
    const next = this.#childNamed(name);
    if (next === undefined) return true;
    this.#text = '';
    this.#beginRecords(next);
    if (next.leaf !== undefined) this.#store(next.leaf, text);
    return true;
  }

  close(): void {
    if (this.#isSkipped) {
      this.#isSkipped = false;
      return;
    }
    if (this.#node?.leaf !== undefined) this.#store(this.#node.leaf, this.#text);
    this.#text = '';
    this.#node = this.#path.pop();
    this.complete = this.#node === undefined;
  }

  #childNamed(name: string): FieldNode | undefined {
    return this.#node === undefined ? this.#root : (this.#node.children.get(name) ?? this.#node.any);
  }

  #beginRecords({ begins }: FieldNode): void {
    for (const group of begins) {
      const record = {};
      this.#current[group] = record;
      this.#taken[group] = 0;
      const list = this.#groups[group];
      if (!Array.isArray(list)) continue;
      if (list.length === MOST_RECORDS) throw new XmlError('too_long', 0, 'records');
      list.push(record);
    }
  }

  #store({ group, field, bit, limit }: Leaf, text: string): void {
    const record = this.#current[group];
    const taken = this.#taken[group] ?? 0;
    if (record === undefined || (taken & bit) !== 0) return;
    const value = cleanText(text, limit);
    if (value === '') return;
    this.#taken[group] = taken | bit;
    record[field] = value;
  }
}
