import type { Selection } from '../../archive/archive.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { DateField, Direction } from '../../archive/scope.ts';
import type { CallContext } from '../../company/call-context.ts';
import { type Basis, ensureFetched, type Fetching, gapFor, jointBasis, nothingAsked } from './basis.ts';

/** Documents of one kind or several, of one company or several, in a period. */
export interface Asked {
  readonly companies: readonly [string, ...string[]];
  readonly areas: readonly DocumentArea[];
  readonly from: string;
  readonly to: string;
  readonly by: DateField;
  readonly direction?: Direction | undefined;
}

/** The documents of one kind, and what the answer about them rests on. */
export interface Part {
  readonly selection: Selection;
  readonly basis: Basis;
}

/**
 * Fetches what a question lacks, kind by kind and company by company, for as long as a host waits.
 * @throws what the service answered, where nothing at all could be had
 */
export async function fetchParts(
  asked: Asked,
  context: CallContext,
  { since, deadline = context.deadline.fetchBy }: Fetching = {},
): Promise<readonly [Part, ...Part[]]> {
  const { companies, areas, from, to, by, direction } = asked;
  const failures: unknown[] = [];
  let had = 0;
  const basisOf = async (company: string, area: DocumentArea): Promise<Basis> => {
    try {
      const basis = await ensureFetched({ company, area, by, from, to }, context, { since, deadline });
      had += 1;
      return basis;
    } catch (error) {
      const missing = [gapFor(error, { area, from, to }, context)];
      failures.push(error);
      return { ...nothingAsked, archive: await context.company.archive(), missing };
    }
  };
  const parts: Part[] = [];
  const [company, ...others] = companies;
  for (const area of areas) {
    const bases: [Basis, ...Basis[]] = [await basisOf(company, area)];
    for (const other of others) bases.push(await basisOf(other, area));
    const selection = { company, area, by, from, to, direction, ...(others.length > 0 && { others }) };
    parts.push({ selection, basis: jointBasis(bases) });
  }
  const [failure] = failures;
  const [part, ...more] = parts;
  if (failure !== undefined && had === 0) throw failure;
  if (part === undefined) throw new TypeError('a question is about one kind of document at least');
  return [part, ...more];
}
