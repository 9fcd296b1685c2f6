import { afterAll, beforeAll, beforeEach } from 'vitest';
import { temporaryFolder } from './built-program.ts';

/** An object with the members of the latest start's result. */
function started<T extends object>() {
  const held = {} as T & { close?(): unknown };
  const start = async (begin: () => T | Promise<T>) =>
    void Object.defineProperties(held, Object.getOwnPropertyDescriptors(await begin()));
  return { held, start };
}

/** Starts something before the tests of a file or block; the result has its members from then on. Closes it after them if it has `close`. */
export function duringTests<T extends object>(begin: () => T | Promise<T>): T {
  const { held, start } = started<T>();
  beforeAll(() => start(begin));
  afterAll(() => held.close?.() as Promise<void>);
  return held;
}

/** The same for each test, for results that end themselves. */
export function duringEachTest<T extends object>(begin: () => T | Promise<T>): T {
  const { held, start } = started<T>();
  beforeEach(() => start(begin));
  return held;
}

/** A temporary folder for each test of a file or a block. */
export const folderOfEachTest = () => duringEachTest(temporaryFolder);
