import { setImmediate as letOthersRun } from 'node:timers/promises';

let before: Promise<unknown> = Promise.resolve();

/**
 * Loads a part of the program, with a turn of the event loop before it and behind it: the first call needs several, each
 * of which computes for some tens of milliseconds, and they would follow each other in one turn.
 */
export function loadInTurn<T>(load: () => Promise<T>): Promise<T> {
  const loaded = before.then(async () => {
    await letOthersRun();
    // What is asked for while a message is taken in runs next in the same turn.
    await letOthersRun();
    const part = await load();
    await letOthersRun();
    return part;
  });
  before = loaded.catch(() => undefined);
  return loaded;
}
