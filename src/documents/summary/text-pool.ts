/** Returns the one copy of a short text that is kept, and a long text as it is. */
export type TextPool = (text: string) => string;

const SLOTS = 128;
const LONGEST_POOLED = 12;

function slotFor(text: string): number {
  const last = text.length - 1;
  const ends = 31 * text.charCodeAt(0) + 7 * text.charCodeAt(last);
  return (ends + 131 * text.charCodeAt(last >> 1) + text.length) & (SLOTS - 1);
}

/** Pools short texts: codes, units and amounts repeat, and once each they take a third of the memory. */
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
