/** Reports how far long work has come: one line that is drawn anew in a terminal, plain lines elsewhere. */
export interface ProgressLine {
  /** @param total how much there is, where that is known: then its part is shown */
  tell(words: string, done?: number, total?: number): void;
  /** A line that stays. */
  say(words: string): void;
  /** Takes the line away; what is printed then stands where it was. */
  end(): void;
}

/** Milliseconds between two drawings of the line. */
const REDRAW_MS = 100;
/** Of a terminal that says nothing of its width, or zero, as those of recorders do. */
const UNKNOWN_WIDTH = 80;
const CLEAR = '\r\u001b[K';

/**
 * @param pace milliseconds between two plain lines; 0 for all of them
 * @param now milliseconds of any beginning
 */
export function progressLine(
  pace: number,
  screen: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'> = process.stderr,
  now: () => number = () => performance.now(),
): ProgressLine {
  // The first plain line waits as the others do: work that is soon over needs none.
  let last = screen.isTTY ? Number.NEGATIVE_INFINITY : now();
  let isShown = false;
  const clear = (): void => {
    if (isShown) screen.write(CLEAR);
    isShown = false;
  };
  return {
    tell(words, done = 0, total = 0) {
      if (now() - last < (screen.isTTY ? REDRAW_MS : pace)) return;
      last = now();
      if (!screen.isTTY) return void screen.write(`${words}\n`);
      const percent = Math.floor((100 * Math.min(Math.max(done, 0), total)) / total);
      const line = total > 0 ? `${String(percent).padStart(3)}% ${words}` : words;
      screen.write(`${CLEAR}${line.slice(0, (screen.columns || UNKNOWN_WIDTH) - 1)}`);
      isShown = true;
    },
    say(words) {
      clear();
      screen.write(`${words}\n`);
    },
    end: clear,
  };
}

/** Runs work that Ctrl+C and SIGTERM end early; a second one ends the program. */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(stopping.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
