import type { CallToolResult } from '@modelcontextprotocol/server';
import { BadArguments, failureWords, Unfulfilled } from '../company/failures.ts';
import type { Translator } from '../messages/index.ts';
import { textOf, withinLimit } from '../tools/shared/answer-result.ts';
import type { Tool } from '../tools/shared/definition.ts';

/**
 * Error result: one paragraph with what happened, whether anything changed upstream and what to do next. Without
 * structured content, since clients validate it against the output schema even on errors.
 */
export function failureResult(error: unknown, tool: Tool, translator: Translator): CallToolResult {
  const words =
    error instanceof BadArguments
      ? translator.say(error.isAfterReading ? 'argument.refused_after_reading' : 'argument.refused', {
          tool: tool.name,
          reasons: error.reasons.join('; '),
        })
      : failureWords(error, translator);
  // Confirmation errors state themselves what was sent.
  const isSaid =
    error instanceof BadArguments || (error instanceof Unfulfilled && /^confirmation\./.test(error.key));
  const text = isSaid ? words : `${words} ${translator.say('failure.nothing_changed')}`;
  const said = withinLimit(textOf([text]), translator.say('answer.error_cut'));
  return { content: [{ type: 'text', text: said }], isError: true };
}
