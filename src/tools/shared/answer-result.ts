import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { asLine } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import type { ToolAnswer } from './definition.ts';
import { LONGEST_TEXT } from './paging.ts';
import { VIEW_DATA } from './views.ts';

/**
 * Lines as one text. Nothing that a service or a document says makes a line of its own, hides or turns what stands
 * beside it: every text answer and every question to a person is made here.
 */
export function textOf(lines: readonly string[]): string {
  return lines.map(asLine).join('\n');
}

/**
 * The text within what hosts take, cut at the end of a line, and said so in the words given: of an answer the data
 * beside it is whole.
 */
export function withinLimit(text: string, cut: string): string {
  if (text.length < LONGEST_TEXT) return text;
  const sentence = `\n${cut}`;
  const head = text.slice(0, LONGEST_TEXT - sentence.length - 1);
  const end = head.lastIndexOf('\n');
  return `${end > 0 ? head.slice(0, end) : head}${sentence}`;
}

/**
 * Data without the members that are undefined, at any depth: in JSON what is absent is left out. What has none is given
 * back as it is, and most of a large answer has none.
 */
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

/** An answer as the protocol wants it: data, the same compactly as text, then links and files. */
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

/** The first revision of the protocol that has links among the content of a result, and forms. */
export const LINKS_AND_FORMS = '2025-06-18';

/**
 * A result as the negotiated revision of the protocol knows it. Clients before 2025-06-18 reject a whole answer for one
 * link to a resource: they get the addresses as text.
 */
export function inRevision<Result extends CallToolResult>(result: Result, revision: string): Result {
  if (revision >= LINKS_AND_FORMS) return result;
  const isLink = (block: ContentBlock) => block.type === 'resource_link';
  const uris = result.content.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : []));
  const texts = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const unnamed = uris.filter((uri) => !texts.includes(uri));
  return {
    ...result,
    content: [
      ...result.content.filter((block) => !isLink(block)),
      ...(unnamed.length > 0 ? [{ type: 'text' as const, text: unnamed.join('\n') }] : []),
    ],
  };
}
