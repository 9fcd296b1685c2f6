/** Progress of long work: one line redrawn in a terminal, plain lines elsewhere. */
export interface ProgressLine {
  /** @param total if known, the percentage is shown */
  tell(words: string, done?: number, total?: number): void;
  say(words: string): void;
  end(): void;
}

const REDRAW_MS = 100;
/** For terminals that report no width, or zero, like recorders. */
const UNKNOWN_WIDTH = 80;
const CLEAR = '\r\u001b[K';

/**
 * @param pace milliseconds between plain lines; 0 for all of them
 * @param now a monotonic clock in milliseconds
 */
export function progressLine(
  pace: number,
  screen: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'> = process.stderr,
  now: () => number = () => performance.now(),
): ProgressLine {
  // Short work needs no plain line.
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

/** Runs work that Ctrl+C or SIGTERM aborts; a second signal ends the program. */
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
