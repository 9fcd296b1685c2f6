import { longest } from '../../../documents/untrusted.ts';
import { clearText } from '../../http/redact.ts';
import {
  type Element,
  ENVELOPE_ELEMENTS,
  isWithin,
  limits,
  requireWithin,
  Unreadable,
} from '../decoding/reading.ts';
import { decodeWhole } from './decode.ts';
import { RETURNED, refuseNoAction } from './envelope.ts';
import type { ReplyBody, Undocumented } from './results.ts';

/** An element of an answer whose form is not known. */
interface RecordNode {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: RecordNode[];
  text?: string;
  /** A status or count, which is part of no record. */
  isEnvelopes?: boolean;
}

type Fields = Record<string, string>;

/** The outermost element in which a name repeats, level by level. */
function findList(root: RecordNode): RecordNode | undefined {
  for (let level = [root]; level.length > 0; level = level.flatMap(({ children }) => children)) {
    const found = level.find(
      ({ children }) => new Set(children.map(({ name }) => name)).size < children.length,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where a single record begins: below the elements that hold nothing but one other. */
function findSingle(root: RecordNode): RecordNode {
  const returned = root.children.find(({ name }) => name === RETURNED);
  const inside = returned ?? (root.children.length === 1 ? root.children[0] : undefined);
  return inside === undefined || inside.children.length === 0 ? root : findSingle(inside);
}

function hasText({ text, children }: RecordNode): boolean {
  return text !== undefined || children.some(hasText);
}

/** The values in an element by their paths; a repeated name gets its place: `item.2.name`. */
function* valuesIn(
  node: RecordNode,
  path: string,
  except: RecordNode | undefined,
): Generator<readonly [path: string, value: string]> {
  const prefix = path === '' ? '' : `${path}.`;
  for (const [name, value] of node.attributes) yield [`${prefix}@${name}`, value];
  if (node.text !== undefined) yield [path === '' ? node.name : path, node.text];
  const seen = new Map<string, number>();
  for (const child of node.children) {
    if (child === except) continue;
    const place = (seen.get(child.name) ?? 0) + 1;
    seen.set(child.name, place);
    yield* valuesIn(child, prefix + (place === 1 ? child.name : `${child.name}.${place}`), except);
  }
}

/** The values in an element, those of `except` left out; undefined where there are none. */
function flat(node: RecordNode, except?: RecordNode): Fields | undefined {
  const fields = new Map<string, string>();
  for (const [path, value] of valuesIn(node, '', except)) {
    requireWithin(fields.size + 1, limits.fields);
    // A name with a dot in it may be spelt like the path to another value.
    let own = path;
    while (fields.has(own)) own = `${own}.${fields.size + 1}`;
    fields.set(own, value);
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields);
}

/** The values outside the records, without attributes: those of a frame are versions and namespaces. */
function flatAround(root: RecordNode, records: RecordNode | undefined): Fields | undefined {
  const fields = root === records ? {} : (flat(root, records) ?? {});
  const values = Object.entries(fields).filter(([path]) => !path.includes('@'));
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

/** The children of the outermost element in which a name repeats, flat, else the one record there is. */
function recordsOf(root: RecordNode, isEmpty: boolean): { records: Fields[]; around: Fields | undefined } {
  const list = findList(root);
  const single = list !== undefined || isEmpty ? undefined : findSingle(root);
  const nodes = list?.children ?? (single !== undefined && hasText(single) ? [single] : []);
  const records = nodes.map((node) => flat(node)).filter((record) => record !== undefined);
  return { records, around: flatAround(root, list ?? single) };
}

/** Reads an undocumented answer: XML and JSON as flat records, anything else as text. */
export function readUndocumented(reply: ReplyBody): Promise<Undocumented> {
  return decodeWhole(reply, 'undocumented', { markup: true }, (envelope) => {
    const root: RecordNode = { name: '', attributes: [], children: [] };
    const path = [root];
    const texts: string[] = [];
    const names = new Map<string, string>();
    let elements = 0;
    /** Whether there is a value where the service returns the answer. */
    let returnsContent = false;

    const clean = (text: string) => clearText(text, longest.text, reply.hide);
    function cleanName(text: string): string {
      const name = names.get(text) ?? clean(text);
      names.set(text, name);
      return name;
    }

    function takeValue(element: Element, text: string, isEnvelopes: boolean): void {
      const node = path.at(-1) ?? root;
      const isReturned = isWithin(element, RETURNED);
      node.isEnvelopes = isEnvelopes && ENVELOPE_ELEMENTS.has(element.name) && !isReturned;
      if (node.isEnvelopes) return;
      node.text = clean(text);
      returnsContent ||= isReturned;
    }

    return {
      take(piece, isEnvelopes) {
        if (piece.kind === 'open') {
          requireWithin(++elements, limits.elements);
          const { name, attributes } = piece.element;
          const cleaned = Object.entries(attributes).map(
            ([of, text]) => [cleanName(of), clean(text)] as const,
          );
          path.push({ name: cleanName(name), attributes: cleaned, children: [] });
        } else if (piece.kind === 'close') {
          const node = path.pop();
          if (node !== undefined && node.isEnvelopes !== true) path.at(-1)?.children.push(node);
        } else if (piece.kind === 'text') texts.push(piece.text.trim());
        else if (piece.kind === 'value') takeValue(piece.element, piece.text, isEnvelopes);
      },
      end() {
        if (texts.length === 0) {
          const { records, around } = recordsOf(root, envelope.saysEmpty() && !returnsContent);
          const warnings = envelope.verdict(records.length);
          return { records, around, warnings, total: envelope.declared };
        }
        if (root.children.length > 0) throw new Unreadable('mixed content');
        const whole = texts.join('\n');
        refuseNoAction(reply, whole);
        const text = clearText(whole, longest.reply, reply.hide);
        if (text === '') throw new Unreadable('no text');
        return { text, truncated: whole.length > longest.reply, warnings: [] };
      },
    };
  });
}
