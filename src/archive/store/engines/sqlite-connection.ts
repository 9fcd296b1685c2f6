/** What goes into and comes out of a column. */
export type SqliteValue = string | number | bigint | null | Uint8Array;

export type SqliteRow = Record<string, unknown>;

/** One connection to a SQLite database, the same over every engine. */
export interface SqliteConnection {
  /** E.g. `libsql`. */
  readonly engine: string;
  /** Runs one statement to its end and gives its rows, none for a statement that has none. */
  run(sql: string, parameters: readonly SqliteValue[]): SqliteRow[];
  close(): void;
}

/** How long SQLite itself waits for a lock, in milliseconds. It blocks the event loop meanwhile. */
export const lockPatience = 5_000;

const busyCode = 5;

/** Whether somebody else held the lock that was needed. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return error.errcode === busyCode;
  return 'code' in error && error.code === 'SQLITE_BUSY';
}

/** The engines bind every JavaScript number as a real; whole numbers are to stay whole. */
export function bound(value: SqliteValue): SqliteValue {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}
