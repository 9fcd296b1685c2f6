import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** What the part of the heap where everything begins may take; bytes. */
const mostYoung = 8 * 1024 * 1024;

/** Looking takes a twentieth of what a document does. */
const calledForALook = 8;

let isGrowing = true;
let calls = 0;

/**
 * Has the engine collect garbage when the heap has grown by half, and not by three times. Documents live for as long as
 * their window is fetched, which is long enough to be taken for lasting; a year's collection peaks a quarter lower for
 * it. An engine without such a flag goes on as it is.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}

/**
 * Lets the part of the heap where everything begins grow as far as pays, and no further: at the engine's first size its
 * collectors cost a sixth of all processor time, at its last one 30 MB more for nothing. To be called while documents
 * come, since the engine makes it smaller again when there is little to do.
 */
export function boundYoungSpace(): void {
  if (calls++ % calledForALook > 0) return;
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  const mayGrow = young === undefined || young.space_size < mostYoung;
  if (mayGrow === isGrowing) return;
  isGrowing = mayGrow;
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
}
