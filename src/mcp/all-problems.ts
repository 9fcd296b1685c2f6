import type { Translator } from '../messages/index.ts';
import { BadArguments, explainFailure } from '../services/failures.ts';

type Checks = Readonly<Record<string, () => unknown>>;

interface Outcomes {
  readonly results: Readonly<Record<string, unknown>>;
  readonly errors: readonly unknown[];
}

function outcomesOf(checks: Checks): Outcomes {
  const errors: unknown[] = [];
  const results: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(checks)) {
    try {
      results[name] = check();
    } catch (error) {
      errors.push(error);
    }
  }
  return { results, errors };
}

function reasonsOf(error: unknown, translator: Translator): readonly string[] {
  if (error instanceof BadArguments) return error.reasons;
  const words = explainFailure(error, translator);
  if (words === undefined) throw error;
  return [words];
}

/**
 * Does all of some checks of a call, so that it is told everything that is wrong with it at once.
 * @throws BadArguments with the reasons of all that failed; what fails alone and is not about arguments, as it is
 */
export function allTogether<C extends Checks>(
  checks: C,
  translator: Translator,
): { readonly [Name in keyof C]: ReturnType<C[Name]> } {
  const { results, errors } = outcomesOf(checks);
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new BadArguments(errors.flatMap((error) => reasonsOf(error, translator)));
  return results as { readonly [Name in keyof C]: ReturnType<C[Name]> };
}

/** What some checks find wrong, in the person's language. */
export function problemsIn(checks: Checks, translator: Translator): string[] {
  return outcomesOf(checks).errors.flatMap((error) => reasonsOf(error, translator));
}
