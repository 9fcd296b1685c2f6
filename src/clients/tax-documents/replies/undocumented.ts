import { longest } from '../../../documents/untrusted.ts';
import type { XmlAttributes } from '../../../documents/xml/xml.ts';
import { clearText } from '../../http/redact.ts';
import { Unreadable } from '../pieces/forms.ts';
import { type Arrival, decodeWhole } from './decoding.ts';
import { createEnvelopeReader, type EnvelopeReader, refuseNoAction } from './envelope.ts';
import type { ReplyBody, Undocumented } from './results.ts';

/** The service's status and count: the envelope says them, they are no record's. */
const ENVELOPE_ELEMENTS = new Set(['cStat', 'xMotivo', 'dhResp', 'Quantidade']);

/** An element of an answer whose form is not known. */
interface RecordNode {
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
    fields[path === '' ? `@${name}` : `${path}.@${name}`] = value;
  }
  if (node.text !== undefined) fields[path === '' ? node.name : path] = node.text;
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
function recordsOf(root: RecordNode, saysEmpty: boolean): { records: Fields[]; around: Fields } {
  const list = findList(root);
  if (list !== undefined) {
    const records = list.children.map(flat).filter((record) => Object.keys(record).length > 0);
    return { records, around: flatAround(root, list) };
  }
  if (saysEmpty && !returnsContent(root)) return { records: [], around: flatAround(root) };
  const single = findSingle(root);
  return { records: hasText(single) ? [flat(single)] : [], around: flatAround(root, single) };
}

interface Tree {
  readonly envelope: EnvelopeReader;
  readonly root: RecordNode;
  readonly texts: readonly string[];
}

/** Gathers a reply as a tree of elements, the envelope's own values left out. */
async function gatherTree(reply: ReplyBody, arrival: Arrival): Promise<Tree> {
  const envelope = createEnvelopeReader(reply);
  const root: RecordNode = { name: '', attributes: {}, children: [] };
  const path = [root];
  const texts: string[] = [];
  const clear = (text: string): string => clearText(text, longest.text, reply.hide);
  const clearAll = (values: XmlAttributes): XmlAttributes =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [clear(name), clear(value)]));
  for await (const pieces of arrival.pieces) {
    for (const piece of pieces) {
      const isEnvelopes = envelope.follow(piece);
      const node = path.at(-1);
      if (piece.kind === 'open') {
        const child: RecordNode = {
          name: clear(piece.name),
          attributes: clearAll(piece.attributes),
          children: [],
        };
        node?.children.push(child);
        path.push(child);
      } else if (piece.kind === 'close') path.pop();
      else if (piece.kind === 'text') texts.push(piece.text.trim());
      else if (piece.kind === 'value' && node !== undefined) {
        const isHeader = isEnvelopes && ENVELOPE_ELEMENTS.has(piece.name);
        if (isHeader && !path.some(({ name }) => name === 'retorno')) path.at(-2)?.children.pop();
        else node.text = clear(piece.text);
      }
    }
  }
  return { envelope, root, texts };
}

/**
 * Reads an answer whose form nobody has described: XML and JSON as flat records, anything else as text.
 */
export function readUndocumented(reply: ReplyBody): Promise<Undocumented> {
  return decodeWhole(reply, 'undocumented', { markup: true }, async (arrival) => {
    const { envelope, root, texts } = await gatherTree(reply, arrival);
    const forms = arrival.forms.met;
    if (texts.length > 0) {
      if (root.children.length > 0) throw new Unreadable('mixed content');
      const whole = texts.join('\n');
      refuseNoAction(reply, whole);
      const text = clearText(whole, longest.reply, reply.hide);
      return { text, truncated: whole.length > longest.reply, forms, warnings: [] };
    }
    const { records, around } = recordsOf(root, envelope.saysEmpty());
    const { declared: total, ...said } = envelope.verdict(records.length);
    return {
      records,
      around: Object.keys(around).length > 0 ? around : undefined,
      forms,
      ...said,
      total,
    };
  });
}
