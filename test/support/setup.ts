import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { endFile } from './ending.ts';

// Files of one worker share its process: each restores the time and ends what it started.
afterAll(() => void vi.useRealTimers());
afterAll(endFile);

// Every run uses the same seed; `npm run fuzz` uses others.
fc.configureGlobal({ seed: 1 });

// The program gives up on a slow service after so many seconds. A busy machine is slow, too, so these limits are ten
// times as long where a test does not hold them itself (passing-time.ts); short ones are a test's own.
const shortest = 5_000;
const isUnhurried = Symbol.for('docfiscal-mcp: time limits are those of tests');

if (!(isUnhurried in AbortSignal)) {
  const make = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => make(milliseconds < shortest ? milliseconds : milliseconds * 10);
  Object.defineProperty(AbortSignal, isUnhurried, { value: true });
}
