import { addMonths, monthOf } from '../../archive/days.ts';
import type { DocumentReference } from '../../archive/references.ts';
import type { CompanyResolver } from '../../company/company-resolver.ts';
import { oneLine } from '../../documents/untrusted.ts';
import { periodWords } from '../../tools/shared/period.ts';
import type { PromptArgument } from './prompts.ts';
import { clockOf, todayOf } from './values.ts';

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
export async function suggest(
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
