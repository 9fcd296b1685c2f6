/**
 * What the archive can't do. The message is for logs and is English; what a person reads is made from the fields by the
 * catalogue. None carries a path, an address or a credential.
 */
export abstract class ArchiveError extends Error {
  abstract readonly kind: string;
}

/** This Node has no SQLite of its own (22.13 and later have) and the optional package is not installed. */
export class ArchiveEngineMissing extends ArchiveError {
  override readonly name = 'ArchiveEngineMissing';
  readonly kind = 'archive_engine_missing';
  /** The package that would help. */
  readonly engine = 'libsql';
  readonly nodeVersion: string;

  constructor(nodeVersion: string) {
    super(`no SQLite: Node ${nodeVersion} has none and the package libsql is not installed`);
    this.nodeVersion = nodeVersion;
  }
}

/** The archive was written by another version of the program. It was not touched, and can be rebuilt. */
export class ArchiveOtherVersion extends ArchiveError {
  override readonly name = 'ArchiveOtherVersion';
  readonly kind = 'archive_other_version';
  readonly found: number;
  readonly known: number;

  constructor(found: number, known: number) {
    super(`the archive has schema ${found}, this program has ${known}`);
    this.found = found;
    this.known = known;
  }
}

/** No file of the user's has the document, and there is no service to ask. */
export class NotInFiles extends ArchiveError {
  override readonly name = 'NotInFiles';
  readonly kind = 'not_in_files';
  /** Whether there are files that have not been read yet. */
  readonly isReading: boolean;

  constructor(isReading: boolean) {
    super('no file has the document');
    this.isReading = isReading;
  }
}

/** SQLite's own numbers, which is all that some engines tell. Source: sqlite.org/rescode.html */
const sqliteCodes: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/**
 * Codes that tell what can be done. Of PostgreSQL: 53300 too many connections, 55P03 a lock not had in time, 57014 a
 * statement that took too long, 57P01 to 57P03 and class 08 a connection that ended or a server that starts. Source:
 * PostgreSQL 15, appendix A.
 */
const troubles = {
  damage: /^(?:SQLITE_(?:CORRUPT|NOTADB|11|26)|CONTENT_MISSING)/,
  busy: /^(?:SQLITE_(?:BUSY|LOCKED|5)|53300|55P03|57014|POOL_BUSY)/,
  lost: /^(?:57P0[123]|08...|ECONNRESET|EPIPE|ETIMEDOUT)$/,
} as const;

type Trouble = keyof typeof troubles;

/** It can't be opened, read or written. */
export class ArchiveUnusable extends ArchiveError {
  override readonly name = 'ArchiveUnusable';
  readonly kind = 'archive_unusable';
  /**
   * The engine's or the system's code, e.g. `SQLITE_NOTADB`, `SQLITE_CORRUPT`, `SQLITE_BUSY`, `SQLITE_FULL`, `EACCES`,
   * `ECONNREFUSED`, or a SQLSTATE such as `28P01`; `CONTENT_MISSING` where a document is there and its content isn't;
   * `UNKNOWN` where there is none.
   */
  readonly code: string;

  constructor(code: string) {
    super(`the archive cannot be used (${code})`);
    this.code = code;
  }

  /**
   * `damage`: it is there and is not what was written; `busy`: somebody else holds it, or too many want it; `lost`: the
   * connection to the database ended. Undefined where only the settings can be looked at.
   */
  get trouble(): Trouble | undefined {
    return (['damage', 'busy', 'lost'] as const).find((one) => troubles[one].test(this.code));
  }
}

/** What about a question can't be understood. */
export type QuestionProblem =
  | 'day'
  | 'period'
  | 'amount'
  | 'limit'
  | 'offset'
  | 'order'
  | 'measures'
  | 'grouping';

/** A question, window or selection that makes no sense. Nothing was done. */
export class InvalidQuestion extends ArchiveError {
  override readonly name = 'InvalidQuestion';
  readonly kind = 'invalid_question';
  readonly problem: QuestionProblem;
  /** As it was given. */
  readonly value: string;

  constructor(problem: QuestionProblem, value: string) {
    super(`invalid ${problem}: ${value}`);
    this.problem = problem;
    this.value = value;
  }
}

/** Sums of more than nine trillion reais. */
class SumTooLarge extends ArchiveError {
  override readonly name = 'SumTooLarge';
  readonly kind = 'sum_too_large';

  constructor() {
    super('a sum is larger than the archive can add up exactly');
  }
}

/** The caller gave up; of the open window nothing was kept. */
export class ArchiveCancelled extends ArchiveError {
  override readonly name = 'ArchiveCancelled';
  readonly kind = 'archive_cancelled';

  constructor() {
    super('cancelled by the caller');
  }
}

/** A list takes longer than its caller may wait. It is gone on with, and the same question asked again finds it. */
export class StillFetching extends ArchiveError {
  override readonly name = 'StillFetching';
  readonly kind = 'still_fetching';
  /** How many have come so far. */
  readonly documents: number;

  constructor(documents: number) {
    super(`still being fetched, ${documents} so far`);
    this.documents = documents;
  }
}

/** How the engines tell that a whole number has become too large; SQLite makes it a real, which its table refuses. */
const overflowCodes = new Set(['22003', 'SQLITE_CONSTRAINT_DATATYPE']);
const overflowWords = /integer overflow|cannot store REAL value in INTEGER column/;

function codeOf(error: unknown): string {
  // The runtime's own SQLite has one code for everything and the number beside it, in its lowest byte without details.
  const number = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  const known = sqliteCodes[number];
  if (known !== undefined) return known;
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

/**
 * The archive's own error for what an engine threw. The engine's words are dropped, since they may carry values and
 * paths; a mistake of the program itself stays what it is.
 */
function archiveErrorFrom(error: unknown): unknown {
  if (error instanceof ArchiveError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (overflowWords.test(error.message) || overflowCodes.has(code)) return new SumTooLarge();
  if (code === 'UNKNOWN' && /^(TypeError|RangeError|ReferenceError)$/.test(error.name)) return error;
  return new ArchiveUnusable(code);
}

/** Runs work on an engine; what the engine throws becomes an error of the archive. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw archiveErrorFrom(error);
  }
}
