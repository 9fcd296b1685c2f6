import { completable, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { addMonths, monthOf } from '../../archive/days.ts';
import type { Company } from '../../company/company.ts';
import type { CompanyResolver } from '../../company/company-resolver.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { dayInZone } from '../../documents/days.ts';
import { oneLine } from '../../documents/untrusted.ts';
import { periodWords } from '../../tools/shared/period.ts';
import type { ExplainFailure } from '../resources.ts';
import { type PromptArgument, type PromptName, prompts, promptValues, recipe, toolsOf } from './prompts.ts';

/** Today by a company's clock, or by the default one until a company is open. */
const todayOf = (company: Company | undefined) =>
  dayInZone(company?.settings.timeZone ?? 'America/Sao_Paulo', company?.now() ?? Date.now());

const MOST_SUGGESTIONS = 100;

/** Values of an argument known locally, latest first. */
const known: Readonly<
  Record<PromptArgument, (resolver: CompanyResolver, typed: string) => Promise<readonly string[]>>
> = {
  async period(resolver) {
    const month = monthOf(todayOf(resolver.inUse()[0]));
    // Thirteen, so that the same month of last year is among them.
    return [...periodWords, ...Array.from({ length: 13 }, (_, back) => addMonths(month, -back))];
  },
  async cnpj(resolver) {
    const kept = await Promise.all(
      resolver.inUse().map(async ({ allows, archive }) => {
        const { held } = await (await archive()).info();
        return held.map(({ company }) => company).filter((one) => one !== '' && allows(one));
      }),
    );
    return [...resolver.companies, ...kept.flat()];
  },
  async key(resolver) {
    return resolver
      .seen()
      .flatMap((one) => (one.document === 'nfse' ? [] : [one.key]))
      .toReversed();
  },
  async supplier(resolver, typed) {
    const open = /\p{L}{2}/u.test(typed) ? resolver.inUse() : [];
    const named = await Promise.all(
      open.map(async ({ archive }) => (await archive()).parties(typed, 'counterparty')),
    );
    const issuers = resolver
      .seen()
      .map((one) => (one.document === 'nfse' ? one.issuer : one.key.slice(6, 20)));
    return [...named.flat().map(({ name }) => oneLine(name)), ...issuers.toReversed()];
  },
};

/**
 * Completes a prompt's argument from local data, without calling a service. An unusable archive yields nothing; the
 * next question reports it.
 */
async function suggest(argument: PromptArgument, typed: string, resolver: CompanyResolver) {
  const values = await known[argument](resolver, typed.trim()).catch((): string[] => []);
  const wanted = typed.trim().toLowerCase();
  // The archive finds suppliers by parts of their names.
  const isFound = argument === 'supplier' && /\p{L}{2}/u.test(wanted);
  const fitting = [...new Set(values)].filter((one) => isFound || one.toLowerCase().startsWith(wanted));
  return fitting.slice(0, MOST_SUGGESTIONS);
}

const LONGEST_VALUE = 300;

/** The arguments of a prompt, with completion. */
function argumentsOf(name: PromptName, resolver: CompanyResolver) {
  const { takes, required } = prompts[name];
  const fields = takes.map((argument) => {
    const description = resolver.translator.say(`prompt_argument.${argument}`);
    const field = completable(z.string().max(LONGEST_VALUE).describe(description), (typed) =>
      suggest(argument, typed ?? '', resolver),
    );
    return [argument, argument === required ? field : field.optional()] as const;
  });
  return z.object(Object.fromEntries(fields));
}

/** With several companies the prompt must name one, unless it is about none. */
function todayFor(company: string | undefined, name: PromptName, resolver: CompanyResolver) {
  try {
    return todayOf(resolver.forCall({ ...(company && { cnpj: company }) }, false));
  } catch (error) {
    if (error instanceof Unfulfilled && !prompts[name].takes.includes('cnpj')) return todayOf(undefined);
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
  const { say, language } = resolver.translator;
  for (const name of Object.keys(prompts) as PromptName[]) {
    if (!toolsOf(name).every((tool) => tools.has(tool))) continue;
    const info = {
      title: say(`prompt.${name}.title`),
      description: say(`prompt.${name}.about`),
      argsSchema: argumentsOf(name, resolver),
    };
    const refuse = (words: string): never => {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, words);
    };
    server.registerPrompt(name, info, async (given: Partial<Record<PromptArgument, string>>) => {
      const { required } = prompts[name];
      if (required && !given[required]?.trim()) refuse(say('argument.missing', { argument: required }));
      const today = (company: string | undefined) => todayFor(company, name, resolver);
      try {
        const values = promptValues(given, today);
        if (typeof values === 'string') return refuse(`${values}: ${say(`prompt_argument.${values}`)}`);
        const text = await recipe(name, values, language);
        return { messages: [{ role: 'user', content: { type: 'text', text } }] };
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        return refuse(explain(error));
      }
    });
  }
}
