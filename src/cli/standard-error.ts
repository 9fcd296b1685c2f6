import type { Problem } from '../config/configure.ts';
import { type Expected, isPlainHttp } from '../config/setting-kinds.ts';
import type { Settings } from '../config/settings.ts';
import type { MessageKey, Translator } from '../messages/index.ts';

const MISCONFIGURED = 2;

export const expectedForm = ({ kind, values }: Expected, translator: Translator): string =>
  translator.tell(`config.expected.${kind}` as MessageKey, values);

/** Describes a configuration mistake, with the nearest known name or the expected form. */
export function describeProblem({ key, values, expected, nearest, line }: Problem, translator: Translator) {
  const words = translator.tell(key, values);
  const form = expected && expectedForm(expected, translator);
  const hint = nearest && translator.say('config.nearest', { name: nearest });
  const problem = form !== undefined ? `${words}: ${form}` : hint ? `${words}; ${hint}` : words;
  return line === undefined ? problem : translator.say('tenants.line', { line, problem });
}

export const problemLines = (problems: readonly Problem[], translator: Translator): string[] =>
  problems.map((problem) => `- ${describeProblem(problem, translator)}`);

/** Prints why the program can't start and exits with `MISCONFIGURED`. */
export function refuseToStart(lines: readonly string[], { say }: Translator, command: string | undefined) {
  const help = command === undefined ? [] : [say('cli.see_help', { command })];
  console.error([say('cli.stopped'), ...lines, ...help].join('\n'));
  process.exitCode = MISCONFIGURED;
}

/** URLs that send credentials unencrypted to another machine; allowed, since the service is documented that way. */
export function plainHttpWarnings(settings: Settings, { say }: Translator): string[] {
  const addresses = {
    DFE_URL: settings.url,
    DFE_ACCOUNT_URL: settings.accountUrl,
    DFE_ACCOUNT_OAUTH_TOKEN_URL: settings.accountOauthTokenUrl,
  };
  return Object.entries(addresses).flatMap(([variable, address]) =>
    address !== undefined && isPlainHttp(address) ? [say('cli.plain_http', { variable })] : [],
  );
}

/** Prints why a command is invalid; nothing on standard output. */
export function misconfigured(words: string): string[] {
  console.error(words);
  process.exitCode = MISCONFIGURED;
  return [];
}

/** Progress of long work: one line redrawn in a terminal, plain lines elsewhere. */
export type ProgressLine = ReturnType<typeof progressLine>;

/** Milliseconds between plain lines. */
const PACE_MS = 2_000;
const REDRAW_MS = 100;
/** For terminals that report no width, or zero, like recorders. */
const UNKNOWN_WIDTH = 80;
const CLEAR = '\r\u001b[K';

/**
 * @param pace milliseconds between plain lines; 0 for all of them
 * @param now a monotonic clock in milliseconds
 */
export function progressLine(
  pace = PACE_MS,
  screen: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'> = process.stderr,
  now: () => number = () => performance.now(),
) {
  // Short work needs no plain line.
  let last = screen.isTTY ? Number.NEGATIVE_INFINITY : now();
  let isShown = false;
  const clear = (): void => {
    if (isShown) screen.write(CLEAR);
    isShown = false;
  };
  return {
    /** @param total if known, the percentage is shown */
    tell(words: string, done = 0, total = 0): void {
      if (now() - last < (screen.isTTY ? REDRAW_MS : pace)) return;
      last = now();
      if (!screen.isTTY) return void screen.write(`${words}\n`);
      const percent = Math.floor((100 * Math.min(Math.max(done, 0), total)) / total);
      const line = total > 0 ? `${String(percent).padStart(3)}% ${words}` : words;
      screen.write(`${CLEAR}${line.slice(0, (screen.columns || UNKNOWN_WIDTH) - 1)}`);
      isShown = true;
    },
    say(words: string): void {
      clear();
      screen.write(`${words}\n`);
    },
    end: clear,
  };
}

/**
 * Runs work that shows its progress and that Ctrl+C or SIGTERM aborts, with the exit status 1; a second signal ends the
 * program.
 * @param stopped message when stopped; without it the work's error is thrown
 * @returns the work's value; undefined when stopped
 */
export async function interruptible<T>(
  line: ProgressLine,
  stopped: string | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted || stopped === undefined) throw error;
    line.say(stopped);
    process.exitCode = 1;
    return undefined;
  } finally {
    for (const signal of signals) process.off(signal, stop);
    line.end();
  }
}
