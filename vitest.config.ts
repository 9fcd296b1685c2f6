import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { compiledSources } from './scripts/compiled-sources.mjs';
import { viewModulesOfTests } from './scripts/views.mjs';

/** With public files of real layouts, which are no part of the repository: `npm run test:samples`. */
const open = 'test/**/*.samples.test.ts';
const openSamples = resolve(import.meta.dirname, '../shared/samples/open');
const ownSamples = resolve(import.meta.dirname, 'test/samples');

/** With programs of others, which are installed for it: `npm run test:interop`. */
const interop = 'test/interop/**/*.test.ts';
const elsewhere = [...configDefaults.exclude, interop, open];

/** What has to be slow: `npm run test:long`. All else is the short suite, `npm test`. */
const long = 'test/**/*.long.test.ts';

const setupFiles = 'test/support/setup.ts';

export default defineConfig({
  plugins: [viewModulesOfTests],
  test: {
    // Many tests wait for a program they started or for a second attempt of its: one more worker than there are
    // processors works meanwhile.
    maxWorkers: availableParallelism() + 1,
    // A test that hangs is ended, a slow machine is not blamed for it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        plugins: [compiledSources()],
        test: {
          name: 'short',
          include: ['test/**/*.test.ts'],
          exclude: [...elsewhere, long],
          // Loading the program anew for each file would take more than the tests do.
          isolate: false,
          // Most of what tests make is thrown away at once: a larger nursery has it collected less often. It is of
          // this size from the start, since an archive keeps the program's from growing.
          execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
          setupFiles,
          provide: { isLong: false, samples: ownSamples },
        },
      },
      {
        extends: true,
        plugins: [compiledSources()],
        test: {
          name: 'long',
          include: [long],
          setupFiles,
          exclude: elsewhere,
          provide: { isLong: true, samples: ownSamples },
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        plugins: [compiledSources()],
        test: {
          name: 'samples',
          include: [open],
          exclude: [...configDefaults.exclude, interop],
          setupFiles,
          provide: { isLong: false, samples: openSamples },
        },
      },
      {
        extends: true,
        plugins: [compiledSources()],
        test: { name: 'interop', include: [interop], setupFiles, testTimeout: 240_000, hookTimeout: 240_000 },
      },
    ],
  },
});
