import { completable, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { CompanyResolver } from '../../company/company-resolver.ts';
import { Unfulfilled } from '../../company/failures.ts';
import type { ExplainFailure } from '../resources/register.ts';
import { type PromptArgument, type PromptInfo, prompts } from './prompts.ts';
import { BadPromptArgument, type Clock, clockOf, promptValues } from './values.ts';

/** Characters; a longer value is invalid. */
const LONGEST_VALUE = 300;

/** The arguments of a prompt, with completion. */
function argumentsOf({ takes, needs }: PromptInfo, resolver: CompanyResolver) {
  const fields = takes.map((argument) => {
    const field = completable(
      z
        .string()
        .max(LONGEST_VALUE)
        .describe(resolver.translator.say(`prompt_argument.${argument}`)),
      async (typed) => {
        const { suggest } = await import('./suggestions.ts');
        return suggest(argument, typed ?? '', resolver);
      },
    );
    return [argument, needs.includes(argument) ? field : field.optional()] as const;
  });
  return z.object(Object.fromEntries(fields));
}

function refusal(error: BadPromptArgument, { translator: { say } }: CompanyResolver): ProtocolError {
  const { argument, isMissing } = error;
  const words = isMissing
    ? say('argument.missing', { argument })
    : `${argument}: ${say(`prompt_argument.${argument}`)}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, words);
}

/** Clock of the company. With several companies the prompt must name one. */
function clockFor(company: string | undefined, { takes }: PromptInfo, resolver: CompanyResolver): Clock {
  try {
    return clockOf(resolver.forCall({ ...(company && { cnpj: company }) }, false));
  } catch (error) {
    if (error instanceof Unfulfilled && !takes.includes('cnpj')) return clockOf(undefined);
    throw error;
  }
}

/** Registers the prompts whose tools are available; their texts load on request. */
export function registerPrompts(
  server: McpServer,
  resolver: CompanyResolver,
  tools: ReadonlySet<string>,
  explain: ExplainFailure,
): void {
  const { say } = resolver.translator;
  for (const info of prompts) {
    if (!info.tools.every((tool) => tools.has(tool))) continue;
    server.registerPrompt(
      info.name,
      {
        title: say(`prompt.${info.name}.title`),
        description: say(`prompt.${info.name}.about`),
        argsSchema: argumentsOf(info, resolver),
      },
      async (given: Partial<Record<PromptArgument, string>>) => {
        const { recipe } = await import('./recipes.ts');
        try {
          const values = promptValues(given, info.needs, (company) => clockFor(company, info, resolver));
          const text = recipe(info.name, values, resolver.translator.language);
          return { messages: [{ role: 'user', content: { type: 'text', text } }] };
        } catch (error) {
          if (error instanceof BadPromptArgument) throw refusal(error, resolver);
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, explain(error));
        }
      },
    );
  }
}
