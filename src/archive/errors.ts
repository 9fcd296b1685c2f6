/**
 * An error of the archive. The message is for logs and is English; the catalogue makes what a person reads from the
 * fields. None carries a path, an address or a credential.
 */
export abstract class ArchiveError extends Error {
  abstract readonly kind: string;
}

/** This Node has no SQLite of its own (22.13 and later have) and the optional package is not installed. */
export class ArchiveEngineMissing extends ArchiveError {
  readonly kind = 'archive_engine_missing';
  /** The package that would help. */
  readonly engine = 'libsql';
  readonly nodeVersion: string;

  constructor(nodeVersion: string) {
    super(`no SQLite: Node ${nodeVersion} has none and the package libsql is not installed`);
    this.nodeVersion = nodeVersion;
  }
}

/** Another version of the program wrote the archive. It was not touched, and can be rebuilt. */
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

/** No file of the user's has the document, and there is no service to ask. */
export class NotInFiles extends ArchiveError {
  readonly kind = 'not_in_files';
  /** Whether there are files that have not been read yet. */
  readonly isReading: boolean;

  constructor(isReading: boolean) {
    super('no file has the document');
    this.isReading = isReading;
  }
}

/**
 * Codes that call for different remedies. `damage`: the file is not as it was written; `busy`: somebody else holds the
 * database, or too many want it; `lost`: the connection ended. Of PostgreSQL: 53300 too many connections, 55P03 a lock
 * not had in time, 57014 a statement timeout, 57P01 to 57P03 and class 08 a connection that ended or a server that
 * starts. Source: PostgreSQL 15, appendix A.
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
   * The engine's or the system's code, e.g. `SQLITE_NOTADB`, `SQLITE_FULL`, `EACCES`, `ECONNREFUSED`, or a SQLSTATE such
   * as `28P01`; `CONTENT_MISSING` for a document without its content; `UNKNOWN` where there is none.
   */
  readonly code: string;

  constructor(code: string) {
    super(`the archive cannot be used (${code})`);
    this.code = code;
  }

  /** See `troubles`; undefined where only the settings can be looked at. */
  get trouble(): keyof typeof troubles | undefined {
    return (['damage', 'busy', 'lost'] as const).find((one) => troubles[one].test(this.code));
  }
}

/** A question, window or selection that makes no sense. Nothing was done. */
export class InvalidQuestion extends ArchiveError {
  readonly kind = 'invalid_question';
  readonly problem: 'day' | 'period' | 'amount' | 'limit' | 'offset' | 'order' | 'measures' | 'grouping';
  /** As it was given. */
  readonly value: string;

  constructor(problem: InvalidQuestion['problem'], value: string) {
    super(`invalid ${problem}: ${value}`);
    this.problem = problem;
    this.value = value;
  }
}

/** Sums of more than nine trillion reais. */
class SumTooLarge extends ArchiveError {
  readonly kind = 'sum_too_large';
}

/** The caller gave up; of the open window nothing was kept. */
export class ArchiveCancelled extends ArchiveError {
  readonly kind = 'archive_cancelled';

  constructor() {
    super('cancelled by the caller');
  }
}

/** A list takes longer than its caller may wait. Fetching goes on, and the same question asked again finds it. */
export class StillFetching extends ArchiveError {
  readonly kind = 'still_fetching';
  /** Received so far. */
  readonly documents: number;

  constructor(documents: number) {
    super(`still being fetched, ${documents} so far`);
    this.documents = documents;
  }
}

/** SQLite's own numbers: some engines have no other code. Source: sqlite.org/rescode.html */
const sqliteCodes: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** An integer overflow, by each engine; SQLite makes it a real, which its table refuses. */
const overflowCodes = new Set(['22003', 'SQLITE_CONSTRAINT_DATATYPE']);
const overflowWords = /integer overflow|cannot store REAL value in INTEGER column/;

function codeOf(error: Error): string {
  // The runtime's own SQLite has one code for everything and the number beside it, in its lowest byte without details.
  const number = 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  const code = sqliteCodes[number] ?? ('code' in error ? error.code : undefined);
  return typeof code === 'string' ? code : 'UNKNOWN';
}

/**
 * Runs work on an engine, whose errors become the archive's own. The engine's words are dropped, since they may carry
 * values and paths; a mistake of the program itself stays as it is.
 */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ArchiveError || !(error instanceof Error)) throw error;
    const code = codeOf(error);
    if (overflowWords.test(error.message) || overflowCodes.has(code))
      throw new SumTooLarge('a sum is too large');
    if (code === 'UNKNOWN' && /^(TypeError|RangeError|ReferenceError)$/.test(error.name)) throw error;
    throw new ArchiveUnusable(code);
  }
}
