import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Translator } from '../messages/index.ts';

/** Bytes of one message at most: hosts close the connection at 10 MB. Source: docs/hosts.md, Results. */
const LARGEST_MESSAGE = 8_000_000;

/** Whether a message, or the part of one that may be large, takes more than so many bytes on the wire. */
export function isLarger(message: unknown, limit = LARGEST_MESSAGE): boolean {
  return Buffer.byteLength(JSON.stringify(message)) > limit;
}

/** Bytes kept free for the frame of the protocol around a result. */
const FRAME = 10_000;

/**
 * A result that fits into a message, as it is, or without what only a view needs, or else an error that says how to get
 * it in parts. What a write has become of stands in its text, which is kept.
 */
export function withinMessage(
  result: CallToolResult,
  isWrite: boolean,
  translator: Translator,
): CallToolResult {
  if (!isLarger(result, LARGEST_MESSAGE - FRAME)) return result;
  const { _meta: forView, ...answer } = result;
  if (forView !== undefined) return withinMessage(answer, isWrite, translator);
  const text = { type: 'text', text: translator.say('failure.answer_too_large') } as const;
  const kept = isWrite ? result.content.filter(({ type }) => type === 'text') : [];
  return { content: [...kept, text], isError: true };
}
