import { completable, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { addMonths, monthOf } from '../../archive/days.ts';
import type { DocumentReference } from '../../archive/references.ts';
import type { CompanyResolver } from '../../company/company-resolver.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { oneLine } from '../../documents/untrusted.ts';
import { periodWords } from '../../tools/shared/period.ts';
import type { ExplainFailure } from '../resources.ts';
import {
  BadPromptArgument,
  type Clock,
  clockOf,
  type PromptArgument,
  type PromptInfo,
  prompts,
  promptValues,
  todayOf,
} from './prompts.ts';

/** Suggestions a host shows. */
const MOST = 100;

/** The last thirteen months, so that the same month of last year is among them. */
function recentMonths(today: string): string[] {
  return Array.from({ length: 13 }, (_, back) => addMonths(monthOf(today), -back));
}

function issuerOf(reference: DocumentReference): string {
  return reference.document === 'nfse' ? reference.issuer : reference.key.slice(6, 20);
}

/** Companies of the configuration and of kept documents. */
async function companies(resolver: CompanyResolver): Promise<string[]> {
  const kept = await Promise.all(
    resolver.inUse().map(async ({ allows, archive }) => {
      const { held } = await (await archive()).info();
      return held.map(({ company }) => company).filter((one) => one !== '' && allows(one));
    }),
  );
  return [...resolver.companies, ...kept.flat()];
}

/** Suppliers that match the typed text, and issuers of recent documents. */
async function suppliers(resolver: CompanyResolver, typed: string): Promise<string[]> {
  const named = await Promise.all(
    resolver
      .inUse()
      .map(async ({ archive }) =>
        /\p{L}{2}/u.test(typed) ? (await archive()).parties(typed, 'counterparty') : [],
      ),
  );
  return [...named.flat().map(({ name }) => oneLine(name)), ...resolver.seen().toReversed().map(issuerOf)];
}

/**
 * Completes a prompt's argument from local data, without calling a service. An unusable archive yields nothing; the
 * next question reports it.
 */
async function suggest(
  argument: PromptArgument,
  typed: string,
  resolver: CompanyResolver,
): Promise<string[]> {
  const known: Readonly<Record<PromptArgument, () => string[] | Promise<string[]>>> = {
    period: () => [...periodWords, ...recentMonths(todayOf(clockOf(resolver.inUse()[0])))],
    cnpj: () => companies(resolver),
    key: () =>
      resolver
        .seen()
        .toReversed()
        .flatMap((one) => (one.document === 'nfse' ? [] : [one.key])),
    supplier: () => suppliers(resolver, typed.trim()),
  };
  const values = await Promise.resolve(known[argument]()).catch((): string[] => []);
  const wanted = typed.trim().toLowerCase();
  const fits = (value: string) =>
    argument === 'supplier'
      ? /\p{L}{2}/u.test(wanted) || value.startsWith(wanted)
      : value.toLowerCase().startsWith(wanted);
  return [...new Set(values)].filter(fits).slice(0, MOST);
}

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
