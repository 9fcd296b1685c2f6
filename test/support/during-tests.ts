import { afterAll, beforeAll, beforeEach } from 'vitest';
import { temporaryFolder } from './built-program.ts';

/** Something that has the members of what the latest start gave. */
function started<T extends object>() {
  const held = {} as T & { close?(): unknown };
  const start = async (begin: () => T | Promise<T>) =>
    void Object.defineProperties(held, Object.getOwnPropertyDescriptors(await begin()));
  return { held, start };
}

/** Starts something before the tests of a file or a block, and closes what has no end of its own behind them. It has its members from then on. */
export function duringTests<T extends object>(begin: () => T | Promise<T>): T {
  const { held, start } = started<T>();
  beforeAll(() => start(begin));
  afterAll(() => held.close?.() as Promise<void>);
  return held;
}

/** The same for each test, of something that ends itself. */
export function duringEachTest<T extends object>(begin: () => T | Promise<T>): T {
  const { held, start } = started<T>();
  beforeEach(() => start(begin));
  return held;
}

/** A temporary folder for each test of a file or a block. */
export const folderOfEachTest = () => duringEachTest(temporaryFolder);
