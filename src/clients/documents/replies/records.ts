import { statusCodeIn } from '../../../documents/events/statuses.ts';
import { cleanText, longest } from '../../../documents/untrusted.ts';
import type { Redact } from '../../http/call.ts';
import { clearText } from '../../http/redact.ts';
import {
  type Element,
  ENVELOPE_ELEMENTS,
  isWithin,
  limits,
  requireWithin,
  Unreadable,
} from '../decoding/reading.ts';
import { type Decoded, decodeWhole } from './decode.ts';
import { RETURNED, refuseNoAction, refuseText } from './envelope.ts';
import type { EventRecord, ReplyBody, Undocumented } from './results.ts';

/** The members of `EventoRespDto`; who performed the event (`Usuario`) is ignored. */
const MEMBERS: Readonly<Record<string, keyof EventRecord | 'user'>> = {
  chavenfe: 'key',
  chavecte: 'key',
  evento: 'event',
  mensagem: 'message',
  sucesso: 'success',
  usuario: 'user',
};
/** Names of a record in its various forms. */
const RECORD_NAMES = new Set(['object', 'entry', 'value', 'EventoRespDto']);

function memberOf({ name }: Element): keyof EventRecord | 'user' | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
}

/** The service's message; if it is withheld, its status code is kept, which is the event's outcome. */
function messageOf(text: string, redact: Redact): string {
  const message = clearText(text, longest.text, redact);
  const code = statusCodeIn(text);
  return code === undefined || statusCodeIn(message) === code ? message : `${code} ${message}`;
}

/** Any member of a record may be missing or null, all of them too. */
function recordOf(members: readonly Element[], redact: Redact): EventRecord {
  const record: { -readonly [K in keyof EventRecord]: EventRecord[K] } = {};
  for (const element of members) {
    const { text } = element;
    const member = memberOf(element);
    if (text === undefined || member === undefined || member === 'user') continue;
    if (member === 'success') {
      if (!/^-?\d{1,15}$/.test(text)) throw new Unreadable('Sucesso is not an integer');
      record.success = Number(text);
    } else record[member] = member === 'message' ? messageOf(text, redact) : cleanText(text, longest.text);
  }
  return record;
}

/** Collects a reply's records, whatever is around them. */
async function collectRecords(reply: ReplyBody, { pieces, envelope }: Decoded): Promise<EventRecord[]> {
  const records: EventRecord[] = [];
  const isOwnValue = ({ text, ofEnvelope }: Element) => text !== undefined && !ofEnvelope;
  for await (const piece of pieces) {
    if (piece.kind === 'text') refuseText(reply, piece.text, 'no event record in the text');
    if (piece.kind !== 'element') continue;
    const { element } = piece;
    const { name, parent, children, hasChildren } = element;
    const members = children.filter(memberOf);
    const isMember = parent !== undefined && memberOf(element) !== undefined;
    if (members.length > 0) {
      requireWithin(records.push(recordOf(members, reply.redact)), limits.eventRecords);
    } else if (RECORD_NAMES.has(name) && (!hasChildren || children.some(isOwnValue))) {
      throw new Unreadable('unknown record');
    }
    if (isOwnValue(element) && !isMember) envelope.unread(element);
  }
  return records;
}

/** Reads the records of a batch; a single record counts as a batch of one. */
export function readEventRecords(reply: ReplyBody): Promise<EventRecord[]> {
  return decodeWhole(reply, 'records', {}, async (decoded) => {
    const records = await collectRecords(reply, decoded);
    decoded.envelope.verdict(records.length);
    if (decoded.reading.forms.includes('empty string')) throw new Unreadable('empty');
    return records;
  });
}

/** Reads the record of one event, also in an array of one. */
export function readEventRecord(reply: ReplyBody): Promise<EventRecord> {
  return decodeWhole(reply, 'record', {}, async (decoded) => {
    const [record, ...others] = await collectRecords(reply, decoded);
    if (record === undefined) throw decoded.envelope.nothing();
    if (others.length > 0) throw new Unreadable('several records');
    return record;
  });
}

type Fields = Record<string, string>;
type Clean = (text: string) => string;

/** An element, or the whole reply as one without a name. */
type Node = Pick<Element, 'name' | 'attributes' | 'text' | 'children'>;

/** The outermost element with repeated child names, level by level. */
function findList(root: Node): Node | undefined {
  for (
    let level: readonly Node[] = [root];
    level.length > 0;
    level = level.flatMap(({ children }) => children)
  ) {
    const found = level.find(
      ({ children }) => new Set(children.map(({ name }) => name)).size < children.length,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The element of a single record: below those that only wrap another. */
function findSingle(root: Node): Node {
  const returned = root.children.find(({ name }) => name === RETURNED);
  const inside = returned ?? (root.children.length === 1 ? root.children[0] : undefined);
  return inside === undefined || inside.children.length === 0 ? root : findSingle(inside);
}

function hasText({ text, children }: Node): boolean {
  return text !== undefined || children.some(hasText);
}

/** An element's values by path; a repeated name is numbered: `item.2.name`. */
function* valuesIn(
  node: Node,
  path: string,
  except: Node | undefined,
): Generator<readonly [path: string, value: string]> {
  const prefix = path === '' ? '' : `${path}.`;
  for (const [name, value] of Object.entries(node.attributes)) yield [`${prefix}@${name}`, value];
  if (node.text !== undefined) yield [path === '' ? node.name : path, node.text];
  const seen = new Map<string, number>();
  for (const child of node.children) {
    if (child === except) continue;
    const place = (seen.get(child.name) ?? 0) + 1;
    seen.set(child.name, place);
    yield* valuesIn(child, prefix + (place === 1 ? child.name : `${child.name}.${place}`), except);
  }
}

/** An element's values, without those in `except`; undefined if there are none. */
function flat(node: Node, clean: Clean, except?: Node): Fields | undefined {
  const fields = new Map<string, string>();
  for (const [path, value] of valuesIn(node, '', except)) {
    requireWithin(fields.size + 1, limits.fields);
    // A name with a dot may equal another value's path.
    let own = clean(path);
    while (fields.has(own)) own = `${own}.${fields.size + 1}`;
    fields.set(own, clean(value));
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields);
}

/** Reads an undocumented reply: XML and JSON as flat records, anything else as text. */
export function readUndocumented(reply: ReplyBody): Promise<Undocumented> {
  return decodeWhole(reply, 'undocumented', { markup: true }, async ({ pieces, envelope }) => {
    const roots: Element[] = [];
    const texts: string[] = [];
    const clean = (text: string) => clearText(text, longest.text, reply.hide);

    for await (const piece of pieces) {
      if (piece.kind === 'text') texts.push(piece.text.trim());
      if (piece.kind !== 'element') continue;
      const { element, parent } = piece;
      if (parent === undefined) roots.push(element);
      const siblings = parent?.children ?? roots;
      // A status or count is part of no record.
      if (element.ofEnvelope && ENVELOPE_ELEMENTS.has(element.name) && !isWithin(element, RETURNED)) {
        siblings.splice(siblings.lastIndexOf(element), 1);
      } else if (element.text !== undefined) envelope.unread(element);
    }
    if (texts.length > 0) {
      if (roots.length > 0) throw new Unreadable('mixed content');
      const whole = texts.join('\n');
      refuseNoAction(reply, whole);
      const text = clearText(whole, longest.reply, reply.hide);
      if (text === '') throw new Unreadable('no text');
      return { text, truncated: whole.length > longest.reply, warnings: [] };
    }
    const root = { name: '', attributes: {}, children: roots };
    const list = findList(root);
    const single = list !== undefined || envelope.saysEmpty() ? undefined : findSingle(root);
    const nodes = list?.children ?? (single !== undefined && hasText(single) ? [single] : []);
    const records = nodes.map((node) => flat(node, clean)).filter((record) => record !== undefined);
    const beside = root === (list ?? single) ? undefined : flat(root, clean, list ?? single);
    // Attributes of the elements around are versions and namespaces.
    const values = Object.entries(beside ?? {}).filter(([path]) => !path.includes('@'));
    const around = values.length === 0 ? undefined : Object.fromEntries(values);
    return { records, around, warnings: envelope.verdict(records.length), total: envelope.declared };
  });
}
