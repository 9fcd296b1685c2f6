import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Translator } from '../messages/index.ts';

/** Bytes; hosts close the connection at 10 MB. Source: docs/hosts.md, Results. */
const LARGEST_MESSAGE = 8_000_000;

/** Whether a message takes more bytes on the wire than the limit. */
export function isLarger(message: unknown, limit = LARGEST_MESSAGE): boolean {
  return Buffer.byteLength(JSON.stringify(message)) > limit;
}

/** Bytes reserved for the protocol envelope. */
const FRAME = 10_000;

/**
 * Fits a result into a message: unchanged, without view data, or as an error that explains how to get it in parts.
 * The outcome of a write is in its text, which is kept.
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
