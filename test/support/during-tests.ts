import { afterAll, beforeAll, beforeEach } from 'vitest';
import { temporaryFolder } from './built-program.ts';

/** Starts something before the tests of a file or a block, and closes what has no end of its own behind them. It has its members from then on. */
export function duringTests<T extends object>(start: () => Promise<T>): T {
  const held = {} as T & { close?(): unknown };
  beforeAll(async () => {
    Object.defineProperties(held, Object.getOwnPropertyDescriptors(await start()));
  });
  afterAll(() => held.close?.() as Promise<void>);
  return held;
}

/** A temporary folder for each test of a file or a block. */
export function folderOfEachTest(): { readonly path: string } {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  return {
    get path() {
      return folder.path;
    },
  };
}
