import { setTimeout as sleep } from 'node:timers/promises';
import type { Leases } from '../db/replicas.ts';
import type { Period } from './days.ts';
import { ArchiveCancelled, explained } from './errors.ts';
import type { DateField, Holding } from './references.ts';

/** Days to fetch. */
export interface Collection extends Holding, Period {
  readonly by: DateField;
}

/** A lease on fetching; must be released. */
export interface Turn {
  end(): Promise<void>;
}

type TakeTurn = (collection: Collection) => Promise<Turn | undefined>;

export const noTurn: Turn = { end: async () => undefined };

/** Longest interval between checks whether others have finished, in milliseconds. */
export const lookAgainMs = 500;

/** Takes the lease on days; undefined while another process fetches some of them. @throws ArchiveError */
export function takeTurn(leases: Leases, { company, area, by, from, to }: Collection) {
  const name = `collect ${area} ${by} ${company}`;
  return explained(() => leases.take({ name, most: 1, span: { from, to } }));
}

/** Waits until the next check. @throws ArchiveCancelled */
export async function untilNextLook(signal: AbortSignal): Promise<void> {
  await sleep(lookAgainMs / 2 + (Math.random() * lookAgainMs) / 2, undefined, { signal }).catch(() => {
    throw new ArchiveCancelled();
  });
}

/**
 * Waits for the lease on a period while other processes fetch it.
 * @returns the lease, and whether it had to wait
 * @throws ArchiveCancelled; ArchiveError
 */
export async function waitForTurn(
  take: TakeTurn | undefined,
  collection: Collection,
  signal: AbortSignal,
): Promise<{ readonly turn: Turn; readonly hasWaited: boolean }> {
  if (take === undefined) return { turn: noTurn, hasWaited: false };
  for (let looks = 0; ; looks += 1) {
    const turn = await take(collection);
    if (turn !== undefined) return { turn, hasWaited: looks > 0 };
    await untilNextLook(signal);
  }
}
