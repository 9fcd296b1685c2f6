/** Gives the one copy of a short text that is kept; a long one as it is. */
export type TextPool = (text: string) => string;

const SLOTS = 128;
const LONGEST_POOLED = 12;

/** A place for each text; those that share one take turns. */
function slotFor(text: string): number {
  const last = text.length - 1;
  const ends = 31 * text.charCodeAt(0) + 7 * text.charCodeAt(last);
  return (ends + 131 * text.charCodeAt(last >> 1) + text.length) & (SLOTS - 1);
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
