import type { CallToolResult } from '@modelcontextprotocol/server';
import { asLine } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { type ToolAnswer, VIEW_DATA } from './definition.ts';
import { LONGEST_TEXT } from './paging.ts';

type Sentence = string | false | undefined;

/** The sentences that apply; the others are `false` or undefined. */
export function sentences(...all: readonly (Sentence | readonly Sentence[])[]): string[] {
  return all.flat().filter((one): one is string => typeof one === 'string');
}

/** Joins lines into the text of an answer; flattens each, so that foreign text can't add lines. */
export function textOf(lines: readonly string[]): string {
  return lines.map(asLine).join('\n');
}

/** Truncates a text to the hosts' limit at a line break, with a sentence that says so. */
export function withinLimit(text: string, cut: string): string {
  if (text.length < LONGEST_TEXT) return text;
  const sentence = `\n${cut}`;
  const head = text.slice(0, LONGEST_TEXT - sentence.length - 1);
  const end = head.lastIndexOf('\n');
  return `${end > 0 ? head.slice(0, end) : head}${sentence}`;
}

/** Removes undefined members at any depth; returns the same object if there are none. */
function withoutUndefined(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  const given = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(given);
  const kept = names.map((name) => withoutUndefined(given[name]));
  const isAsItIs = kept.every((member, at) => member !== undefined && member === given[names[at] ?? '']);
  if (isAsItIs) return value;
  if (Array.isArray(value)) return kept;
  const members = names.map((name, at) => [name, kept[at]] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** Builds a protocol result: structured data, text, links and files. */
export function answerResult(
  { structured, text, attachments = [], forView }: ToolAnswer<object>,
  translator: Translator,
): CallToolResult {
  return {
    structuredContent: withoutUndefined(structured) as Record<string, unknown>,
    content: [
      { type: 'text', text: withinLimit(textOf(text), translator.say('answer.text_cut')) },
      ...attachments,
    ],
    ...(forView !== undefined && { _meta: { [VIEW_DATA]: withoutUndefined(forView) } }),
  };
}

/** First revision with resource links in results, and forms. */
export const LINKS_AND_FORMS = '2025-06-18';

/** Adapts a result to the negotiated revision: older clients get resource links as text. */
export function inRevision<Result extends CallToolResult>(result: Result, revision: string): Result {
  if (revision >= LINKS_AND_FORMS) return result;
  const uris = result.content.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : []));
  const texts = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const unnamed = uris.filter((uri) => !texts.includes(uri));
  const content = result.content.filter(({ type }) => type !== 'resource_link');
  if (unnamed.length > 0) content.push({ type: 'text', text: unnamed.join('\n') });
  return { ...result, content };
}
