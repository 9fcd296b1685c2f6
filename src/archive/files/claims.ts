import type { FileIndex, FilePlace } from './index/file-index.ts';
import { noneLeftOut } from './reading/left-out.ts';

/**
 * A claim says that a process has a folder among its own, so that another one on the same archive does not forget what
 * is in it. It stands in the index as a file without a name, whose time of change is that of the claim.
 */
export const claimName = '';

/** How long a claim holds: a process that looks after its folders more seldom has to read them anew. */
const HOLDS_MS = 3_600_000;
/** A claim is renewed when so much of it has passed. */
const RENEWED_AFTER_MS = HOLDS_MS / 4;

const placeOf = (root: string): FilePlace => ({ root, folder: '', name: claimName });

/** Milliseconds since 1970 at which a folder was claimed last; undefined where it is not. */
async function claimedAt(index: FileIndex, root: string): Promise<number | undefined> {
  const changed = (await index.known(root, '')).get(claimName)?.changed;
  return changed === undefined ? undefined : changed / 1000;
}

/** Whether a process that may still be there has the folder among its own. */
export async function isClaimed(index: FileIndex, root: string): Promise<boolean> {
  const at = await claimedAt(index, root);
  return at !== undefined && Math.abs(Date.now() - at) < HOLDS_MS;
}

/** Claims folders. */
export async function claim(index: FileIndex, roots: readonly string[]): Promise<void> {
  const due: string[] = [];
  for (const root of roots) {
    const at = await claimedAt(index, root);
    if (at === undefined || Math.abs(Date.now() - at) > RENEWED_AFTER_MS) due.push(root);
  }
  if (due.length === 0) return;
  const stamp = { size: 0, changed: Date.now() * 1000, digest: '' };
  const nothing = { documents: [], givenUp: [], leftOut: noneLeftOut };
  const parts = due.map((root) => ({ ...placeOf(root), ...stamp, ...nothing, isFirst: true, isLast: true }));
  await index.take(parts, undefined);
}

/** Gives claims up: what is in the folders goes when another process looks next, unless it is its own too. */
export async function release(index: FileIndex, roots: readonly string[]): Promise<void> {
  await index.touch(roots.map((root) => ({ ...placeOf(root), size: 0, changed: 0 })));
}
