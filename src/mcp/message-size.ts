import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Translator } from '../messages/index.ts';

/** Bytes of one message at most: hosts close the connection at 10 MB. Source: docs/hosts.md, Results. */
const LARGEST_MESSAGE = 8_000_000;

/** Bytes that a UTF-16 unit can take in JSON: `\u0000`. */
const MOST_BYTES_OF_UNIT = 6;
/** Brackets, commas and colons around a value, and the longest number. */
const MOST_BYTES_OF_VALUE = 32;

/** Adds up what a value can take in JSON at most, no further than to a limit. */
function upperBound(value: unknown, limit: number): number {
  let bytes = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && bytes <= limit) {
    const next = waiting.pop();
    bytes += MOST_BYTES_OF_VALUE;
    if (typeof next === 'string') bytes += next.length * MOST_BYTES_OF_UNIT;
    else if (Array.isArray(next)) for (const entry of next) waiting.push(entry);
    else if (typeof next === 'object' && next !== null) {
      for (const [name, entry] of Object.entries(next)) {
        bytes += name.length * MOST_BYTES_OF_UNIT;
        waiting.push(entry);
      }
    }
  }
  return bytes;
}

/** Whether a message, or the part of one that may be large, takes more than so many bytes on the wire. */
export function isLarger(message: unknown, limit = LARGEST_MESSAGE): boolean {
  // Most answers are far from it, and writing them out only to count would be done twice.
  if (upperBound(message, limit) <= limit) return false;
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
  const told = isWrite ? result.content.filter(({ type }) => type === 'text') : [];
  return { content: [...told, text], isError: true };
}
