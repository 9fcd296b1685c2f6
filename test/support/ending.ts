import { onTestFinished, TestRunner } from 'vitest';

const endsOfFile: (() => unknown)[] = [];

/**
 * Ends something behind the test that starts it, or behind the tests of the file where none has begun; what was started
 * last ends first. The returned function ends it earlier, and it ends once.
 */
export function endsBehindTests(end: () => unknown): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const endOnce = () => {
    ended ??= (async () => void (await end()))();
    return ended;
  };
  if (TestRunner.getCurrentTest() === undefined) endsOfFile.push(endOnce);
  else onTestFinished(endOnce);
  return endOnce;
}

/** Ends what the tests of a file have shared. */
export async function endFile(): Promise<void> {
  for (const end of endsOfFile.splice(0).reverse()) await end();
}
