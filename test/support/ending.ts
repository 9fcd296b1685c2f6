import { onTestFinished, TestRunner } from 'vitest';

const endsOfFile: (() => unknown)[] = [];

/**
 * Calls `end` after the current test, or after the file's tests outside of one, in reverse order of registration. The
 * returned function calls it earlier; it runs once.
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

/** Ends everything shared by the tests of a file, even if one end fails. */
export async function endFile(): Promise<void> {
  const end = endsOfFile.pop();
  if (end === undefined) return;
  try {
    await end();
  } finally {
    await endFile();
  }
}
