import type { Leases } from '../db/leases.ts';
import type { Period } from './days.ts';
import { explained } from './errors.ts';
import type { DateField, Holding } from './scope.ts';

/** Days that somebody fetches. */
export interface Collection extends Holding, Period {
  readonly by: DateField;
}

/** The right to fetch; its holder gives it back. */
export interface Turn {
  end(): Promise<void>;
}

/** Turns to fetch, where others who share the archive fetch too. @throws ArchiveError */
export function turnsOf(leases: Leases | undefined) {
  if (leases === undefined) return {};
  const takeTurn = ({ company, area, by, from, to }: Collection): Promise<Turn | undefined> => {
    const name = `collect ${area} ${by} ${company}`;
    return explained(() => leases.take({ name, most: 1, span: { from, to } }));
  };
  return { takeTurn };
}
