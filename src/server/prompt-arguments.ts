import { completable } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Company } from '../company/company.ts';
import type { CompanyResolver } from '../company/company-resolver.ts';
import { addMonths, dayInZone, monthOf } from '../documents/days.ts';
import { oneLine } from '../documents/untrusted.ts';
import { periodWords } from '../tools/shared/period.ts';

export type PromptArgument = 'period' | 'cnpj' | 'key' | 'supplier';

/** Today by a company's clock, or by the default one until a company is open. */
export const todayOf = (company: Company | undefined) =>
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
      .map((one) => (one.document === 'nfse' ? one.issuer_cnpj : one.key.slice(6, 20)));
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

/** Schema of a prompt's argument, with completion. */
export function argumentSchema(argument: PromptArgument, resolver: CompanyResolver) {
  const description = resolver.translator.say(`prompt_argument.${argument}`);
  const text = z.string().max(LONGEST_VALUE).describe(description);
  return completable(text, (typed) => suggest(argument, typed ?? '', resolver));
}
