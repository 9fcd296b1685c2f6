import { startSandbox } from '../../src/sandbox/index.ts';
import { askThrough } from './asking.ts';
import { duringTests } from './during-tests.ts';
import { connectInProcess, type InProcessOptions } from './in-process.ts';
import { fetchPlainly, type PlainDocument } from './independent-documents.ts';
import { november20, sandboxSettings } from './november-sandbox.ts';

export const company = '48152036000117';

export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A server and the sandbox that it asks about its first company, for the tests of one file. */
export type AskedSandbox = ReturnType<typeof askSandbox>;

interface Options extends Omit<InProcessOptions, 'now'> {
  /** The moment at which both believe to be. */
  readonly today?: string;
}

/** Starts both before the tests of a file and ends them behind them. */
export function askSandbox({ today = november20, env, ...options }: Options = {}) {
  const now = () => new Date(today);
  const sandbox = duringTests(() => startSandbox({ now }));
  const connection = duringTests(() =>
    connectInProcess('v2 modern', {
      ...options,
      now: () => now().getTime(),
      env: sandboxSettings(sandbox, env),
    }),
  );
  return {
    ...askThrough(() => connection),
    sandbox,
    connection,
    /** The company's documents as another reader finds them. */
    documents: (kind: PlainDocument['kind'], period: Period, of = company) =>
      fetchPlainly(sandbox.url, kind, { company: of, ...period }),
  };
}

/** All that the pages of an answer hold, in order; more than a hundred pages are a fault. */
export async function everyPage<T>(
  page: (cursor: { cursor?: unknown }) => Promise<{ entries: readonly T[]; next: unknown }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: unknown;
  for (let count = 0; count < 100; count += 1) {
    const { entries, next } = await page(cursor === undefined ? {} : { cursor });
    all.push(...entries);
    if (next === undefined) return all;
    cursor = next;
  }
  throw new Error('there is no last page');
}
