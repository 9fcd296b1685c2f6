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

type Fields = Record<string, string>;
type Clean = (text: string) => string;

/** The outermost element in which a name repeats, level by level. */
function findList(root: Element): Element | undefined {
  for (let level = [root]; level.length > 0; level = level.flatMap(({ children }) => children)) {
    const found = level.find(
      ({ children }) => new Set(children.map(({ name }) => name)).size < children.length,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where a single record begins: below the elements that hold nothing but one other. */
function findSingle(root: Element): Element {
  const returned = root.children.find(({ name }) => name === RETURNED);
  const inside = returned ?? (root.children.length === 1 ? root.children[0] : undefined);
  return inside === undefined || inside.children.length === 0 ? root : findSingle(inside);
}

function hasText({ text, children }: Element): boolean {
  return text !== undefined || children.some(hasText);
}

/** The values in an element by their paths; a repeated name gets its place: `item.2.name`. */
function* valuesIn(
  node: Element,
  path: string,
  except: Element | undefined,
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

/** The values in an element, those of `except` left out; undefined where there are none. */
function flat(node: Element, clean: Clean, except?: Element): Fields | undefined {
  const fields = new Map<string, string>();
  for (const [path, value] of valuesIn(node, '', except)) {
    requireWithin(fields.size + 1, limits.fields);
    // A name with a dot in it may be spelt like the path to another value.
    let own = clean(path);
    while (fields.has(own)) own = `${own}.${fields.size + 1}`;
    fields.set(own, clean(value));
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields);
}

/** Reads an undocumented answer: XML and JSON as flat records, anything else as text. */
export function readUndocumented(reply: ReplyBody): Promise<Undocumented> {
  return decodeWhole(reply, 'undocumented', { markup: true }, (envelope) => {
    const root: Element = {
      ...{ name: '', attributes: {}, isRoot: false, parent: undefined, hasChildren: true },
      children: [],
    };
    const texts: string[] = [];
    const clean = (text: string) => clearText(text, longest.text, reply.hide);

    return {
      take(piece, isEnvelopes) {
        if (piece.kind === 'text') texts.push(piece.text.trim());
        if (piece.kind !== 'element') return;
        const { element } = piece;
        const isReturned = isWithin(element, RETURNED);
        if (piece.parent === undefined) root.children.push(element);
        const { children } = piece.parent ?? root;
        // A status or count is part of no record.
        if (isEnvelopes && ENVELOPE_ELEMENTS.has(element.name) && !isReturned) {
          children.splice(children.lastIndexOf(element), 1);
        } else if (element.text !== undefined) envelope.unread(element);
      },
      end() {
        if (texts.length === 0) {
          const list = findList(root);
          const single = list !== undefined || envelope.saysEmpty() ? undefined : findSingle(root);
          const nodes = list?.children ?? (single !== undefined && hasText(single) ? [single] : []);
          const records = nodes.map((node) => flat(node, clean)).filter((record) => record !== undefined);
          const beside = root === (list ?? single) ? undefined : flat(root, clean, list ?? single);
          // The attributes of a frame are versions and namespaces.
          const values = Object.entries(beside ?? {}).filter(([path]) => !path.includes('@'));
          const around = values.length === 0 ? undefined : Object.fromEntries(values);
          return { records, around, warnings: envelope.verdict(records.length), total: envelope.declared };
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
