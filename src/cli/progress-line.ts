/** Where progress is shown: standard error, as a rule. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Puts text where the last ended. */
  write(text: string): unknown;
  /** A whole line. */
  line(words: string): void;
}

const standardError = (): Screen => ({
  isTTY: process.stderr.isTTY,
  columns: process.stderr.columns,
  write: (text) => process.stderr.write(text),
  line: (words) => console.error(words),
});

/** Tells how far long work has come: one line that is drawn anew in a terminal, plain lines elsewhere. */
export interface ProgressLine {
  /** @param total how much there is, where that is known: then a bar shows the part that is done */
  tell(words: string, done?: number, total?: number): void;
  /** A line that stays. */
  say(words: string): void;
  /** Takes the line away; what is printed then stands where it was. */
  end(): void;
}

/** Milliseconds between two drawings of the line. */
const REDRAW_MS = 100;
const BAR_WIDTH = 20;
/** Of a terminal that says nothing of its width, or zero, as those of recorders do. */
const UNKNOWN_WIDTH = 80;
const CLEAR = '\r\u001b[K';

/** `[████░░░░]  42% words`, no wider than the screen. */
function drawn(words: string, done: number | undefined, total: number | undefined, width: number): string {
  if (done === undefined || total === undefined || total <= 0) return words.slice(0, width - 1);
  const part = Math.min(Math.max(done / total, 0), 1);
  const full = Math.round(part * BAR_WIDTH);
  const bar = `[${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}]`;
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)}% ${words}`.slice(0, width - 1);
}

/**
 * @param pace milliseconds between two plain lines; 0 for all of them
 * @param now milliseconds of any beginning
 */
export function progressLine(
  pace: number,
  screen: Screen = standardError(),
  now: () => number = () => performance.now(),
): ProgressLine {
  const isDrawn = screen.isTTY === true;
  let isShown = false;
  // The first plain line waits as the others do: work that is soon over needs none.
  let told = isDrawn ? Number.NEGATIVE_INFINITY : now();
  const clear = (): void => {
    if (isShown) screen.write(CLEAR);
    isShown = false;
  };
  return {
    tell(words, done, total) {
      const since = now() - told;
      if (since < (isDrawn ? REDRAW_MS : pace)) return;
      told = now();
      if (!isDrawn) return screen.line(words);
      screen.write(`${CLEAR}${drawn(words, done, total, screen.columns || UNKNOWN_WIDTH)}`);
      isShown = true;
    },
    say(words) {
      clear();
      screen.line(words);
    },
    end: clear,
  };
}
