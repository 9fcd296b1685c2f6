import { afterAll, beforeAll } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Asking, askThrough } from './asking.ts';
import type { Connection } from './clients.ts';
import { connectInProcess, type InProcessOptions } from './in-process.ts';
import { fetchPlainly, type PlainDocument } from './independent-documents.ts';
import { november20, sandboxSettings } from './november-sandbox.ts';

export const company = '48152036000117';

export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A server and the sandbox that it asks about its first company, for the tests of one file. */
export interface AskedSandbox extends Asking {
  readonly sandbox: Sandbox;
  readonly connection: Connection;
  /** The company's documents as another reader finds them. */
  documents(kind: PlainDocument['kind'], period: Period, of?: string): Promise<readonly PlainDocument[]>;
}

interface Options extends Omit<InProcessOptions, 'now'> {
  /** The moment at which both believe to be. */
  readonly today?: string;
}

/** Starts both before the tests of a file and ends them behind them. */
export function askSandbox({ today = november20, env, ...options }: Options = {}): AskedSandbox {
  let sandbox: Sandbox;
  let connection: Connection;
  const now = () => new Date(today);
  beforeAll(async () => {
    sandbox = await startSandbox({ now });
    const settings = sandboxSettings(sandbox, env);
    connection = await connectInProcess('v2 modern', {
      ...options,
      now: () => now().getTime(),
      env: settings,
    });
  });
  afterAll(async () => {
    await connection?.close();
    await sandbox?.close();
  });
  return {
    ...askThrough(() => connection),
    get sandbox() {
      return sandbox;
    },
    get connection() {
      return connection;
    },
    documents: (kind, period, of = company) => fetchPlainly(sandbox.url, kind, { company: of, ...period }),
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
