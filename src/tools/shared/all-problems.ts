import { BadArguments, explainFailure } from '../../company/failures.ts';
import type { Translator } from '../../messages/index.ts';

type Checks = Readonly<Record<string, () => unknown>>;

/**
 * Runs several checks of a call's meaning, so that one refusal names everything that is wrong with it.
 * @throws BadArguments with the reasons of all that failed; a single failure as it is
 */
export function allTogether<C extends Checks>(
  checks: C,
  translator: Translator,
): { readonly [Name in keyof C]: ReturnType<C[Name]> } {
  const results: Record<string, unknown> = {};
  const errors: unknown[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      results[name] = check();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  const reasons = errors.flatMap((error) => {
    const words = error instanceof BadArguments ? error.reasons : explainFailure(error, translator);
    if (words === undefined) throw error;
    return words;
  });
  if (reasons.length > 0) throw new BadArguments(reasons);
  return results as { readonly [Name in keyof C]: ReturnType<C[Name]> };
}
