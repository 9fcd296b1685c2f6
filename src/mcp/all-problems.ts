import { BadArguments } from '../services/failures.ts';

type Checks = Readonly<Record<string, () => unknown>>;

/**
 * Does all of some checks of a call, so that it is told everything that is wrong with it at once.
 * @throws BadArguments with the reasons of all that failed; where none of them is about arguments, the first failure
 */
export function allTogether<C extends Checks>(
  checks: C,
): { readonly [Name in keyof C]: ReturnType<C[Name]> } {
  const reasons: string[] = [];
  const failures: unknown[] = [];
  const results = Object.entries(checks).map(([name, check]) => {
    try {
      return [name, check()];
    } catch (error) {
      if (error instanceof BadArguments) reasons.push(...error.reasons);
      else failures.push(error);
      return [name, undefined];
    }
  });
  if (reasons.length > 0) throw new BadArguments(reasons);
  if (failures.length > 0) throw failures[0];
  return Object.fromEntries(results);
}
