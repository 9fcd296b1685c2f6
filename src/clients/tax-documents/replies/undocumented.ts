import { longest } from '../../../documents/untrusted.ts';
import type { XmlAttributes } from '../../../documents/xml/xml.ts';
import { clearText } from '../../http/redact.ts';
import { createPace, type Pace } from '../../pace.ts';
import { Unreadable } from '../pieces/forms.ts';
import { limits, requireWithin } from '../pieces/limits.ts';
import type { Piece } from '../pieces/piece.ts';
import { type Arrival, decodeWhole } from './decoding.ts';
import { createEnvelopeReader, type EnvelopeReader, refuseNoAction } from './envelope.ts';
import type { ReplyBody, Undocumented } from './results.ts';

/** The service's status and count: the envelope says them, they are no record's. */
const ENVELOPE_ELEMENTS = new Set(['cStat', 'xMotivo', 'dhResp', 'Quantidade']);

const noAttributes: XmlAttributes = Object.freeze({});
const noChildren: readonly RecordNode[] = Object.freeze([]);

/** An element of an answer whose form is not known. There may be millions of them. */
class RecordNode {
  readonly name: string;
  readonly attributes: XmlAttributes;
  children: readonly RecordNode[] = noChildren;
  text: string | undefined = undefined;
  /** Whether it or an element in it has a text. */
  hasText = false;
  /** Whether a name repeats among its children. */
  repeatsAName = false;

  constructor(name: string, attributes: XmlAttributes) {
    this.name = name;
    this.attributes = attributes;
  }
}

/** An element whose children are still coming. */
class OpenNode {
  readonly node: RecordNode;
  /** The service's own status, which is no record's. */
  isEnvelopes = false;
  readonly #children: RecordNode[] = [];
  readonly #names = new Set<string>();

  constructor(name: string, attributes: XmlAttributes) {
    this.node = new RecordNode(name, attributes);
  }

  add(child: RecordNode): void {
    this.#children.push(child);
    this.#names.add(child.name);
  }

  close(): RecordNode {
    if (this.#children.length > 0) this.node.children = this.#children;
    this.node.repeatsAName = this.#names.size < this.#children.length;
    return this.node;
  }
}

/** Stands for no element of a reply. */
const noNode = new RecordNode('', noAttributes);

type Fields = Record<string, string>;

/** The outermost element in which a name repeats, level by level. */
async function findList(root: RecordNode, pace: Pace): Promise<RecordNode | undefined> {
  for (let level: RecordNode[] = [root]; level.length > 0; ) {
    const below: RecordNode[] = [];
    for (const node of level) {
      if (node.repeatsAName) return node;
      for (const child of node.children) below.push(child);
      if (pace.did(1 + node.children.length)) await pace.rest();
    }
    level = below;
  }
  return undefined;
}

/** Where a single record begins: below the elements that hold nothing but one other. */
function findSingle(root: RecordNode): RecordNode {
  const returned = root.children.find(({ name }) => name === 'retorno');
  const inside = returned ?? (root.children.length === 1 ? root.children[0] : undefined);
  return inside === undefined || inside.children.length === 0 ? root : findSingle(inside);
}

/** The values in an element by their paths; a repeated name gets its place: `item.2.name`. Nothing for one without. */
function* valuesIn(
  node: RecordNode,
  path: string,
  except: RecordNode | undefined,
): Generator<readonly [path: string, value: string] | undefined> {
  for (const [name, value] of Object.entries(node.attributes)) {
    yield [path === '' ? `@${name}` : `${path}.@${name}`, value];
  }
  yield node.text === undefined ? undefined : [path === '' ? node.name : path, node.text];
  const seen = new Map<string, number>();
  for (const child of node.children) {
    if (child === except) continue;
    const place = (seen.get(child.name) ?? 0) + 1;
    seen.set(child.name, place);
    const step = place === 1 ? child.name : `${child.name}.${place}`;
    yield* valuesIn(child, path === '' ? step : `${path}.${step}`, except);
  }
}

/** The values in an element, those of `except` left out; undefined where there are none. */
async function flat(node: RecordNode, pace: Pace, except?: RecordNode): Promise<Fields | undefined> {
  const fields = new Map<string, string>();
  let count = 0;
  for (const field of valuesIn(node, '', except)) {
    if (pace.did(1)) await pace.rest();
    if (field === undefined) continue;
    requireWithin(++count, limits.fields);
    let [path] = field;
    // A name with a dot in it may be spelt like the path to another value.
    while (fields.has(path)) path = `${path}.${count}`;
    fields.set(path, field[1]);
  }
  return count === 0 ? undefined : Object.fromEntries(fields);
}

/** What stands outside the records, without attributes: those of a frame are versions and namespaces. */
async function flatAround(root: RecordNode, pace: Pace, records: RecordNode): Promise<Fields | undefined> {
  const fields = root === records ? {} : await flat(root, pace, records);
  const values = Object.entries(fields ?? {}).filter(([path]) => !path.includes('@'));
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

interface Records {
  readonly records: Fields[];
  readonly around: Fields | undefined;
}

/**
 * The records of an answer, flat: the children of the outermost element in which a name repeats, else the one record
 * there is; none where the envelope says so and returns nothing. `around` is what stands outside of them.
 */
async function recordsOf({ root, returnsContent }: Tree, saysEmpty: boolean): Promise<Records> {
  const pace = createPace();
  const list = await findList(root, pace);
  if (list === undefined) {
    if (saysEmpty && !returnsContent) return { records: [], around: await flatAround(root, pace, noNode) };
    const single = findSingle(root);
    const record = single.hasText ? await flat(single, pace) : undefined;
    return { records: record === undefined ? [] : [record], around: await flatAround(root, pace, single) };
  }
  const records: Fields[] = [];
  for (const child of list.children) {
    const record = await flat(child, pace);
    if (record !== undefined) records.push(record);
  }
  return { records, around: await flatAround(root, pace, list) };
}

interface Tree {
  readonly envelope: EnvelopeReader;
  readonly root: RecordNode;
  /** Whether there is a value where the service returns what it was asked for. */
  readonly returnsContent: boolean;
  readonly texts: readonly string[];
}

/** Names that are remembered; any reply in earnest has fewer. */
const MOST_NAMES = 1000;

/** Cleans what may be met a million times over. */
function createCleaning({ hide }: ReplyBody) {
  const names = new Map<string, string>();

  function value(text: string): string {
    return clearText(text, longest.text, hide);
  }

  function name(text: string): string {
    const known = names.get(text);
    if (known !== undefined) return known;
    const clear = value(text);
    if (names.size < MOST_NAMES) names.set(text, clear);
    return clear;
  }

  function attributes(all: XmlAttributes): XmlAttributes {
    const entries = Object.entries(all);
    if (entries.length === 0) return noAttributes;
    return Object.fromEntries(entries.map(([key, text]) => [name(key), value(text)]));
  }

  return { value, name, attributes };
}

/** Gathers a reply as a tree of elements, the envelope's own values left out. */
async function gatherTree(reply: ReplyBody, arrival: Arrival): Promise<Tree> {
  const envelope = createEnvelopeReader(reply);
  const clean = createCleaning(reply);
  const root = new OpenNode('', noAttributes);
  const path = [root];
  const texts: string[] = [];
  let elements = 0;
  let returnsContent = false;

  function takeValue({ name, text }: Piece & { kind: 'value' }, isEnvelopes: boolean): void {
    const isReturned = path.some(({ node }) => node.name === 'retorno');
    const open = path.at(-1);
    if (open === undefined) return;
    open.isEnvelopes = isEnvelopes && ENVELOPE_ELEMENTS.has(name) && !isReturned;
    if (open.isEnvelopes) return;
    open.node.text = clean.value(text);
    for (const { node } of path) node.hasText = true;
    returnsContent ||= isReturned;
  }

  for await (const pieces of arrival.pieces) {
    for (const piece of pieces) {
      const isEnvelopes = envelope.follow(piece);
      if (piece.kind === 'open') {
        requireWithin(++elements, limits.elements);
        path.push(new OpenNode(clean.name(piece.name), clean.attributes(piece.attributes)));
      } else if (piece.kind === 'close') {
        const closed = path.pop();
        if (closed?.isEnvelopes === false) path.at(-1)?.add(closed.close());
      } else if (piece.kind === 'text') texts.push(piece.text.trim());
      else if (piece.kind === 'value') takeValue(piece, isEnvelopes);
    }
  }
  return { envelope, root: root.close(), returnsContent, texts };
}

/**
 * Reads an answer whose form nobody has described: XML and JSON as flat records, anything else as text.
 */
export function readUndocumented(reply: ReplyBody): Promise<Undocumented> {
  return decodeWhole(reply, 'undocumented', { markup: true }, async (arrival) => {
    const tree = await gatherTree(reply, arrival);
    const { envelope, root, texts } = tree;
    const forms = arrival.forms.met;
    if (texts.length > 0) {
      if (root.children.length > 0) throw new Unreadable('mixed content');
      const whole = texts.join('\n');
      refuseNoAction(reply, whole);
      const text = clearText(whole, longest.reply, reply.hide);
      if (text === '') throw new Unreadable('no text');
      return { text, truncated: whole.length > longest.reply, forms, warnings: [] };
    }
    const { records, around } = await recordsOf(tree, envelope.saysEmpty());
    const { declared: total, ...said } = envelope.verdict(records.length);
    return {
      records,
      around,
      forms,
      ...said,
      total,
    };
  });
}
