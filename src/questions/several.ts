import type { DocumentArea } from '../archive/references.ts';
import type { DateField, Direction } from '../archive/scope.ts';
import type { Selection } from '../archive/store/archive.ts';
import { Cancelled, UpstreamError } from '../clients/errors.ts';
import type { CallContext } from '../services/call-context.ts';
import { explainFailure } from '../services/failures.ts';
import { type Basis, ensureFetched, type Fetching, fetchDeadline } from './basis.ts';

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

/** The oldest of some moments, of those that there are. */
function oldest(moments: readonly (string | undefined)[]): string | undefined {
  return moments.filter((moment) => moment !== undefined).sort()[0];
}

/** What several parts of an answer rest on, as one. */
export function jointBasis([first, ...others]: readonly [Basis, ...Basis[]]): Basis {
  const all = [first, ...others];
  const sum = (of: (basis: Basis) => number) => all.reduce((total, basis) => total + of(basis), 0);
  return {
    archive: first.archive,
    as_of: oldest(all.map(({ as_of }) => as_of)),
    isRefreshed: first.isRefreshed,
    changes: all.flatMap(({ changes }) => changes),
    changes_total: sum(({ changes_total }) => changes_total),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
    missing: all.flatMap(({ missing }) => missing),
    pending: all.flatMap(({ pending }) => pending),
    fetched: sum(({ fetched }) => fetched),
    datedElsewhere: sum(({ datedElsewhere }) => datedElsewhere),
    company: first.company,
    files: first.files,
  };
}

/** Nothing could be had of these documents: their part of the answer is missing, and says so. */
async function missingAll(
  { from, to }: Asked,
  document: DocumentArea,
  reason: string,
  context: CallContext,
): Promise<Basis> {
  return {
    archive: await context.services.archive(),
    as_of: undefined,
    isRefreshed: false,
    changes: [],
    changes_total: 0,
    unreadable: [],
    missing: [{ document, from, to, reason }],
    pending: [],
    fetched: 0,
    datedElsewhere: 0,
  };
}

/**
 * Fetches what a question lacks, kind by kind and company by company, for as long as a host waits.
 * @throws what the service answered, where nothing at all could be had
 */
export async function fetchParts(
  asked: Asked,
  context: CallContext,
  { since, deadline = fetchDeadline() }: Fetching = {},
): Promise<readonly [Part, ...Part[]]> {
  const { companies, areas, from, to, by, direction } = asked;
  const failures: UpstreamError[] = [];
  let had = 0;
  const basisOf = async (company: string, area: DocumentArea): Promise<Basis> => {
    try {
      const basis = await ensureFetched({ company, area, by, from, to }, context, { since, deadline });
      had += 1;
      return basis;
    } catch (error) {
      if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
      failures.push(error);
      return missingAll(asked, area, explainFailure(error, context.translator) ?? error.name, context);
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
