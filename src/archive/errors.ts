/** Why the archive failed. Each reason is worded in the catalogue under `archive.<reason>`. */
export type ArchiveFailure =
  /** Node has no SQLite (22.13 and later have) and the optional package is missing: `node`. */
  | 'engine_missing'
  /** Written by another version, not touched, and can be rebuilt: `found`, `known`. */
  | 'other_version'
  /** Above nine trillion reais. */
  | 'sum_too_large'
  /** By the caller; nothing of the open window was stored. */
  | 'cancelled'
  /** A list exceeds the deadline. Repeating the question finds the result: `documents` received so far. */
  | 'still_fetching'
  /** No file has the document, and there is no service. */
  | 'not_in_files'
  /** The same while files are still being read. */
  | 'files_not_read'
  | keyof typeof troubles
  /** None of the troubles: only the settings can be checked. */
  | 'unusable';

/**
 * Codes of engine and system by trouble, e.g. `SQLITE_NOTADB`, `ECONNREFUSED`, or a SQLSTATE. `damage`: the file is
 * corrupt (`CONTENT_MISSING`: a document without content); `busy`: locked or overloaded; `lost`: the connection ended.
 * PostgreSQL: 53300 too many connections, 55P03 lock timeout, 57014 statement timeout, 57P01 to 57P03 shutdown or
 * start.
 */
const troubles = {
  damage: /^(?:SQLITE_(?:CORRUPT|NOTADB|11|26)|CONTENT_MISSING)/,
  busy: /^(?:SQLITE_(?:BUSY|LOCKED|5)|53300|55P03|57014|POOL_BUSY)/,
  lost: /^(?:57P0[123]|08...|ECONNRESET|EPIPE|ETIMEDOUT)$/,
} as const;

/** An error of the archive, with the values of its message. Holds no path, URL or credential. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly reason: ArchiveFailure;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(reason: ArchiveFailure, values: ArchiveError['values'] = {}) {
    super(`${reason} ${JSON.stringify(values)}`);
    this.reason = reason;
    this.values = values;
  }
}

/** Whether the archive failed for this reason. */
export function failedFor(reason: ArchiveFailure, error: unknown): error is ArchiveError {
  return error instanceof ArchiveError && error.reason === reason;
}

/** The archive can't be opened, read or written. @param code the engine's or the system's; `UNKNOWN` without one */
export function unusable(code: string): ArchiveError {
  const trouble = (['damage', 'busy', 'lost'] as const).find((one) => troubles[one].test(code));
  return new ArchiveError(trouble ?? 'unusable', { code });
}

/** SQLite result codes; some drivers have no others. Source: sqlite.org/rescode.html */
const sqliteCodes: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** The code of an engine's or the system's error; `UNKNOWN` without one. */
export function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  // `node:sqlite` has one code for all errors; the number's lowest byte is SQLite's.
  const number = 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  const code = sqliteCodes[number] ?? ('code' in error ? error.code : undefined);
  return typeof code === 'string' ? code : 'UNKNOWN';
}

/** Integer overflow by engine; SQLite turns it into a real, which the strict table refuses. */
const overflowCodes = new Set(['22003', 'SQLITE_CONSTRAINT_DATATYPE']);
const overflowWords = /integer overflow|cannot store REAL value in INTEGER column/;

/**
 * Runs engine work and converts its errors to the archive's. Drops the engine's messages, which may hold values and
 * paths; programming errors pass.
 */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ArchiveError || !(error instanceof Error)) throw error;
    const code = errorCodeOf(error);
    if (overflowWords.test(error.message) || overflowCodes.has(code)) throw new ArchiveError('sum_too_large');
    if (code === 'UNKNOWN' && /^(TypeError|RangeError|ReferenceError)$/.test(error.name)) throw error;
    throw unusable(code);
  }
}
