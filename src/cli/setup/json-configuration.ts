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
import type { FileHost } from './hosts.ts';
import type { HostInput, Planned } from './planned-change.ts';
import type { ServerEntry } from './server-entry.ts';

/** Characters up to which a single-line file may be reformatted. */
const SHORT = 200;

/** The file's indentation and line ends; undefined for a long single line, which is kept. */
function formattingOf(text: string): FormattingOptions | undefined {
  if (!text.trim().includes('\n') && text.length > SHORT) return undefined;
  const [, indent = '  '] = /\n([ \t]+)"/.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { tabSize: indent.length, insertSpaces: !indent.startsWith('\t'), eol };
}

const member = (node: Node | undefined, name: string): Node | undefined =>
  node?.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];

/** Whether an object has duplicate members, which hosts resolve differently. */
function hasTwice(node: Node | undefined): boolean {
  const names = node?.children?.map(({ children }) => children?.[0]?.value) ?? [];
  return new Set(names).size < names.length;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Offset of the first comment or trailing comma. */
function firstExtra(text: string): number | undefined {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  return errors[0]?.offset;
}

const readable = { allowTrailingComma: true } as const;

/** A plain value of a node. */
const plainValue = (node: Node | undefined) =>
  node === undefined ? {} : JSON.parse(JSON.stringify(getNodeValue(node)));

/** Whether a text parses to exactly these members. */
function says(text: string, members: object): boolean {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, readable);
  return errors.length === 0 && !hasTwice(root) && isDeepStrictEqual(plainValue(root), members);
}

/**
 * Adds a server and its secret input to a host's JSON, keeping everything else, comments and order included. Refuses
 * files that it does not understand.
 */
export function planJson(
  text: string,
  { key, format, isTyped }: FileHost,
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
  const members = { ...plainValue(root), [key]: { ...plainValue(servers), [name]: server } };
  if (input !== undefined) {
    if ((inputs?.type ?? 'array') !== 'array') {
      return { ok: false, reason: 'not_an_object', line: lineAt(before, inputs?.offset ?? 0) };
    }
    const there = inputs?.children ?? [];
    const asked = { type: 'promptString', ...input, password: true };
    if (!there.some((one) => member(one, 'id')?.value === input.id)) {
      if (inputs === undefined) after = put(after, ['inputs'], [asked]);
      else after = put(after, ['inputs', there.length], asked, true);
      members.inputs = [...there.map(plainValue), asked];
    }
  }
  if (!says(after, members)) return { ok: false, reason: 'broken' };
  return { ok: true, after: `${mark}${after}`, isReplacing: member(servers, name) !== undefined };
}
