import { completable, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { Unfulfilled } from '../../services/failures.ts';
import type { Served } from '../../services/served.ts';
import type { ExplainFailure } from '../resources/register.ts';
import { type PromptArgument, type PromptInfo, prompts } from './prompts.ts';
import { BadPromptArgument, type Clock, clockOf, promptValues } from './values.ts';

/** Longer is no answer to any of the questions. */
const LONGEST_VALUE = 300;

type Arguments = ReturnType<typeof makeArguments>;

/** What prompts take, by whom is served, which over HTTP every request would otherwise make again. */
const made = new WeakMap<Served, Map<string, Arguments>>();

function argumentsOf(info: PromptInfo, served: Served): Arguments {
  const ofServed = made.get(served) ?? new Map<string, Arguments>();
  made.set(served, ofServed);
  const known = ofServed.get(info.name) ?? makeArguments(info, served);
  ofServed.set(info.name, known);
  return known;
}

function makeArguments({ takes, needs }: PromptInfo, served: Served) {
  const fields = takes.map((argument) => {
    const field = completable(
      z
        .string()
        .max(LONGEST_VALUE)
        .describe(served.translator.say(`prompt_argument.${argument}`)),
      async (typed) => {
        const { suggest } = await import('./suggestions.ts');
        return suggest(argument, typed ?? '', served);
      },
    );
    return [argument, needs.includes(argument) ? field : field.optional()] as const;
  });
  return z.object(Object.fromEntries(fields));
}

function refusal(error: BadPromptArgument, { translator: { say } }: Served): ProtocolError {
  const { argument, isMissing } = error;
  const words = isMissing
    ? say('argument.missing', { argument })
    : `${argument}: ${say(`prompt_argument.${argument}`)}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, words);
}

/** Whose day it is. Where several are served, a prompt about a company needs it said which. */
function clockFor(company: string | undefined, { takes }: PromptInfo, served: Served): Clock {
  try {
    return clockOf(served.forCall({ ...(company && { cnpj: company }) }, false));
  } catch (error) {
    if (error instanceof Unfulfilled && !takes.includes('cnpj')) return clockOf(undefined);
    throw error;
  }
}

/** Registers the prompts that the tools at hand can follow. What they say is loaded when one of them is asked for. */
export function registerPrompts(
  server: McpServer,
  served: Served,
  tools: ReadonlySet<string>,
  explain: ExplainFailure,
): void {
  const { say } = served.translator;
  for (const info of prompts) {
    if (!info.tools.every((tool) => tools.has(tool))) continue;
    server.registerPrompt(
      info.name,
      {
        title: say(`prompt.${info.name}.title`),
        description: say(`prompt.${info.name}.about`),
        argsSchema: argumentsOf(info, served),
      },
      async (given: Partial<Record<PromptArgument, string>>) => {
        const { recipe } = await import('./recipes.ts');
        try {
          const values = promptValues(given, info.needs, (company) => clockFor(company, info, served));
          const text = recipe(info.name, values, served.translator.language);
          return { messages: [{ role: 'user', content: { type: 'text', text } }] };
        } catch (error) {
          if (error instanceof BadPromptArgument) throw refusal(error, served);
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, explain(error));
        }
      },
    );
  }
}
