import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive, Collection, Turn } from '../archive.ts';
import { ArchiveCancelled } from '../errors.ts';

export const noTurn: Turn = { end: async () => undefined };

/** Milliseconds between two looks whether others have come to an end, at most. */
export const lookAgainMs = 500;

/** Waits until the next look. @throws ArchiveCancelled */
export async function untilNextLook(signal: AbortSignal): Promise<void> {
  await sleep(lookAgainMs / 2 + (Math.random() * lookAgainMs) / 2, undefined, { signal }).catch(() => {
    throw new ArchiveCancelled();
  });
}

/**
 * Waits for the turn to fetch a period, for as long as others who share the archive are at it.
 * @returns the turn, and whether somebody was waited for
 * @throws ArchiveCancelled; ArchiveError
 */
export async function waitForTurn(
  archive: Archive,
  collection: Collection,
  signal: AbortSignal,
): Promise<{ readonly turn: Turn; readonly hasWaited: boolean }> {
  if (archive.takeTurn === undefined) return { turn: noTurn, hasWaited: false };
  for (let looks = 0; ; looks += 1) {
    const turn = await archive.takeTurn(collection);
    if (turn !== undefined) return { turn, hasWaited: looks > 0 };
    await untilNextLook(signal);
  }
}
