import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether this is `npm run test:long`. */
    isLong: boolean;
    /** Folder of the sample documents. */
    samples: string;
  }
}

/**
 * Whether this is the long suite. A file that does more there is run a second time by a file of its own, whose one
 * line imports it: `some.test.ts` by `some.long.test.ts`.
 */
export const isLong = inject('isLong');

/** Number of runs: all in the long suite, by default a twentieth in the short one. */
export const rounds = (all: number, few = Math.ceil(all / 20)): number => (isLong ? all : few);
