// A benchmark ends when it is done. Whatever ends it before (a child that died, so that nothing is left to wait for, a
// signal such as the end of a shell in the background, an error) fails with words, and never in silence.
import { constants } from 'node:os';
import { basename } from 'node:path';

/** @type {import('./to-the-end.d.mts').toTheEnd} */
export async function toTheEnd(measure) {
  let isOver = false;
  const name = basename(process.argv[1] ?? '');
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      isOver = true;
      console.error(`${name}: ended by ${signal} before it was done`);
      process.exit(128 + constants.signals[signal]);
    });
  }
  process.once('exit', () => {
    if (isOver) return;
    console.error(`${name}: nothing was left to wait for before it was done`);
    process.exitCode = 1;
  });
  try {
    await measure();
    isOver = true;
  } catch (error) {
    isOver = true;
    console.error(error);
    // What it started and left may be waiting for ever.
    process.exit(1);
  }
}
