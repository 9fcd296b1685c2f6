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

/** Ends what the tests of a file have shared, all of it, whichever fails to end. */
export async function endFile(): Promise<void> {
  const end = endsOfFile.pop();
  if (end === undefined) return;
  try {
    await end();
  } finally {
    await endFile();
  }
}
