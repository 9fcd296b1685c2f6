import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Translator } from '../messages/index.ts';
import { BadArguments, explainFailure, reportUnexpected, Unfulfilled } from '../services/failures.ts';
import { textOf, withinLimit } from './answer-result.ts';
import type { Tool } from './definition.ts';

/**
 * The answer to a call that failed: one paragraph that says what happened, whether anything was changed upstream and
 * what to do next. No structured content, because clients check it against the output schema even on errors.
 */
export function failureResult(error: unknown, tool: Tool, translator: Translator): CallToolResult {
  const words =
    error instanceof BadArguments
      ? translator.say('argument.refused', { tool: tool.name, reasons: error.reasons.join('; ') })
      : (explainFailure(error, translator) ?? reportUnexpected(error, translator));
  // What is said about a confirmation says itself what was sent and what was not.
  const isSaid =
    error instanceof BadArguments || (error instanceof Unfulfilled && /^confirmation\./.test(error.key));
  const text = isSaid ? words : `${words} ${translator.say('failure.nothing_changed')}`;
  const said = withinLimit(textOf([text]), translator.say('answer.error_cut'));
  return { content: [{ type: 'text', text: said }], isError: true };
}
