import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { temporaryFolder } from './built-program.ts';

/** Starts something before the tests of a file or a block, and closes it behind them. It has its members from then on. */
export function duringTests<T extends { close(): unknown }>(start: () => Promise<T>): T {
  const held = {} as T;
  beforeAll(async () => {
    Object.defineProperties(held, Object.getOwnPropertyDescriptors(await start()));
  });
  afterAll(() => held.close() as Promise<void>);
  return held;
}

/** A temporary folder for each test of a file or a block. */
export function folderOfEachTest(): { readonly path: string } {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());
  return {
    get path() {
      return folder.path;
    },
  };
}
