/** Gives the one copy of a short text that is kept; a long one as it is. */
export type TextPool = (text: string) => string;

const SLOTS = 128;
const LONGEST_POOLED = 12;

/** A place for each text; two that share one take turns. */
function slotFor(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 8)) & (SLOTS - 1);
}

/**
 * A pool of the texts met last. Half the fields of a note are codes, units and amounts that stand in it many times
 * over: kept once, they take a third of the memory.
 */
export function createTextPool(): TextPool {
  const pooled: (string | undefined)[] = new Array(SLOTS);
  return (text) => {
    if (text.length > LONGEST_POOLED) return text;
    const slot = slotFor(text);
    const known = pooled[slot];
    if (known === text) return known;
    pooled[slot] = text;
    return text;
  };
}
