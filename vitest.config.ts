import { configDefaults, defineConfig } from 'vitest/config';

// A package of its own (see test/interop/README.md), with a newer Node than the program asks for.
const elsewhere = [...configDefaults.exclude, 'test/interop/**'];

/** What has to be slow: `npm run test:long`. All else is the short suite, `npm test`. */
const long = 'test/**/*.long.test.ts';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: { name: 'short', include: ['test/**/*.test.ts'], exclude: [...elsewhere, long] },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [long],
          exclude: elsewhere,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
