import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  type FormattingOptions,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser';
import type { Host } from './hosts.ts';
import type { HostInput, Planned } from './planned-change.ts';
import type { ServerEntry } from './server-entry.ts';

/** Characters: a shorter file in one line is one that nobody would mind in several. */
const SHORT = 200;

/** As the file indents and ends its lines; undefined for one without lines, which stays so. */
function formattingOf(text: string): FormattingOptions | undefined {
  if (!text.trim().includes('\n') && text.length > SHORT) return undefined;
  const [, indent = '  '] = /\n([ \t]+)"/.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { tabSize: indent.length, insertSpaces: !indent.startsWith('\t'), eol };
}

const member = (node: Node | undefined, name: string): Node | undefined =>
  node?.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];

/** Whether a name stands twice in an object: which of them a host reads is its own affair. */
function hasTwice(node: Node | undefined): boolean {
  const names = node?.children?.map(({ children }) => children?.[0]?.value) ?? [];
  return new Set(names).size < names.length;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** What stands between the values and is no JSON: the first comment's or trailing comma's place. */
function firstExtra(text: string): number | undefined {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  return errors[0]?.offset;
}

const readable = { allowTrailingComma: true } as const;

/** A value without what the parser makes its objects of. */
const plainValue = (node: Node | undefined) =>
  node === undefined ? {} : JSON.parse(JSON.stringify(getNodeValue(node)));

/** Whether a text is what it was, but for these members of its root. */
function isElseTheSame(before: Node, after: string, changed: readonly string[]): boolean {
  const errors: ParseError[] = [];
  const root = parseTree(after, errors, readable);
  if (root === undefined || errors.length > 0 || hasTwice(root)) return false;
  const [old, now] = [before, root].map((node) => {
    const others = Object.entries(plainValue(node)).filter(([name]) => !changed.includes(name));
    return Object.fromEntries(others);
  });
  return isDeepStrictEqual(old, now);
}

/** Whether an object has these members and one more of this value, which it may have had before. */
function hasAlso(before: Node | undefined, after: Node | undefined, name: string, value: unknown): boolean {
  return isDeepStrictEqual(plainValue(after), { ...plainValue(before), [name]: value });
}

/**
 * Puts a server into a host's JSON, and what the host is to ask the person for beside it. All else stays as it stands,
 * comments and the order too. What isn't understood is left alone.
 */
export function planJson(
  text: string,
  { key, format, isTyped }: Host,
  name: string,
  entry: ServerEntry,
  input: HostInput | undefined,
): Planned {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const given = text.slice(mark.length);
  const before = given.trim() === '' ? '{}\n' : given;
  const errors: ParseError[] = [];
  const root = parseTree(before, errors, readable);
  const [error] = errors;
  if (root === undefined || error !== undefined) {
    return { ok: false, reason: 'broken', line: lineAt(before, error?.offset ?? 0) };
  }
  if (root.type !== 'object') return { ok: false, reason: 'not_an_object', line: 1 };
  const extra = format === 'json' ? firstExtra(before) : undefined;
  if (extra !== undefined) return { ok: false, reason: 'comments', line: lineAt(before, extra) };
  const [servers, inputs] = [member(root, key), member(root, 'inputs')];
  if ([root, servers].some(hasTwice)) return { ok: false, reason: 'twice' };
  if ((servers?.type ?? 'object') !== 'object') {
    return { ok: false, reason: 'not_an_object', line: lineAt(before, servers?.offset ?? 0) };
  }
  const formattingOptions = formattingOf(before);
  const put = (to: string, path: (string | number)[], value: unknown, isArrayInsertion = false) =>
    applyEdits(to, modify(to, path, value, { formattingOptions, isArrayInsertion }));
  const server = { ...(isTyped && { type: 'stdio' }), ...entry };
  let after = put(before, [key, name], server);
  if (input !== undefined) {
    if ((inputs?.type ?? 'array') !== 'array') {
      return { ok: false, reason: 'not_an_object', line: lineAt(before, inputs?.offset ?? 0) };
    }
    const isThere = inputs?.children?.some((one) => member(one, 'id')?.value === input.id) ?? false;
    const asked = { type: 'promptString', ...input, password: true };
    if (inputs === undefined) after = put(after, ['inputs'], [asked]);
    else if (!isThere) after = put(after, ['inputs', inputs.children?.length ?? 0], asked, true);
  }
  const isAsMeant =
    isElseTheSame(root, after, [key, ...(input === undefined ? [] : ['inputs'])]) &&
    hasAlso(servers, member(parseTree(after, [], readable), key), name, server);
  if (!isAsMeant) return { ok: false, reason: 'broken' };
  return { ok: true, after: `${mark}${after}`, isReplacing: member(servers, name) !== undefined };
}
