import { isDay, type Period } from '../documents/days.ts';

/**
 * An error of the archive, with an English message for logs; the catalogue derives the person's text from the fields.
 * Holds no path, URL or credential.
 */
export abstract class ArchiveError extends Error {
  abstract readonly kind: string;
}

/** Node has no SQLite (22.13 and later have) and the optional package is missing. */
export class ArchiveEngineMissing extends ArchiveError {
  readonly kind = 'archive_engine_missing';
  readonly engine = 'libsql';
  readonly nodeVersion: string;

  constructor(nodeVersion: string) {
    super(`no SQLite: Node ${nodeVersion} has none and the package libsql is not installed`);
    this.nodeVersion = nodeVersion;
  }
}

/** The archive has another version. It was not touched and can be rebuilt. */
export class ArchiveOtherVersion extends ArchiveError {
  readonly kind = 'archive_other_version';
  readonly found: number;
  readonly known: number;

  constructor(found: number, known: number) {
    super(`the archive has schema ${found}, this program has ${known}`);
    this.found = found;
    this.known = known;
  }
}

/** No file has the document, and there is no service. */
export class NotInFiles extends ArchiveError {
  readonly kind = 'not_in_files';
  readonly isReading: boolean;

  constructor(isReading: boolean) {
    super('no file has the document');
    this.isReading = isReading;
  }
}

/**
 * Error codes by remedy. `damage`: the file is corrupt; `busy`: locked or overloaded; `lost`: the connection ended.
 * PostgreSQL: 53300 too many connections, 55P03 lock timeout, 57014 statement timeout, 57P01 to 57P03 shutdown or
 * start.
 */
const troubles = {
  damage: /^(?:SQLITE_(?:CORRUPT|NOTADB|11|26)|CONTENT_MISSING)/,
  busy: /^(?:SQLITE_(?:BUSY|LOCKED|5)|53300|55P03|57014|POOL_BUSY)/,
  lost: /^(?:57P0[123]|08...|ECONNRESET|EPIPE|ETIMEDOUT)$/,
} as const;

/** The archive can't be opened, read or written. */
export class ArchiveUnusable extends ArchiveError {
  readonly kind = 'archive_unusable';
  /**
   * Code of the engine or system, e.g. `SQLITE_NOTADB`, `EACCES`, `ECONNREFUSED`, or a SQLSTATE such as `28P01`;
   * `CONTENT_MISSING` for a document without content; `UNKNOWN` without a code.
   */
  readonly code: string;

  constructor(code: string) {
    super(`the archive cannot be used (${code})`);
    this.code = code;
  }

  /** See `troubles`; undefined if only the settings can be checked. */
  get trouble(): keyof typeof troubles | undefined {
    return (['damage', 'busy', 'lost'] as const).find((one) => troubles[one].test(this.code));
  }
}

/** An invalid question, window or selection. Nothing was done. */
export class InvalidQuestion extends ArchiveError {
  readonly kind = 'invalid_question';
  readonly problem: 'day' | 'period' | 'amount' | 'grouping';
  readonly value: string;

  constructor(problem: InvalidQuestion['problem'], value: string) {
    super(`invalid ${problem}: ${value}`);
    this.problem = problem;
    this.value = value;
  }
}

/** @throws InvalidQuestion unless both are days and in order */
export function checkPeriod({ from, to }: Period): void {
  for (const day of [from, to]) if (!isDay(day)) throw new InvalidQuestion('day', day);
  if (from > to) throw new InvalidQuestion('period', `${from}..${to}`);
}

/** A sum above nine trillion reais. */
class SumTooLarge extends ArchiveError {
  readonly kind = 'sum_too_large';
}

/** The caller cancelled; nothing of the open window was stored. */
export class ArchiveCancelled extends ArchiveError {
  readonly kind = 'archive_cancelled';

  constructor() {
    super('cancelled by the caller');
  }
}

/** A list exceeds the deadline. Fetching continues; repeating the question finds the result. */
export class StillFetching extends ArchiveError {
  readonly kind = 'still_fetching';
  /** Received so far. */
  readonly documents: number;

  constructor(documents: number) {
    super(`still being fetched, ${documents} so far`);
    this.documents = documents;
  }
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
    if (overflowWords.test(error.message) || overflowCodes.has(code))
      throw new SumTooLarge('a sum is too large');
    if (code === 'UNKNOWN' && /^(TypeError|RangeError|ReferenceError)$/.test(error.name)) throw error;
    throw new ArchiveUnusable(code);
  }
}
