/** The journal or the spent tokens can't be stored, so no write may be sent. Holds no path or URL. */
export abstract class RecordUnusable extends Error {
  abstract readonly kind: string;
  /** The system's or the database's code. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The data folder can't be used. Holds only its last path segment. */
export class DataFolderUnusable extends RecordUnusable {
  override readonly name = 'DataFolderUnusable';
  readonly kind = 'data_folder_unusable';
  readonly folder: string;

  /** @param code the system's, e.g. `EACCES`, `ENOTDIR`, `ENOSPC`; `KEY_DAMAGED` or `SHORT_WRITE` are ours */
  constructor(folder: string, code: string) {
    super(`the data folder "${folder}" cannot be used (${code})`, code);
    this.folder = folder;
  }
}

/** The database of writes can't be used. */
export class DatabaseUnusable extends RecordUnusable {
  override readonly name = 'DatabaseUnusable';
  readonly kind = 'database_unusable';

  /**
   * @param code a SQLSTATE or the system's, e.g. `ECONNREFUSED`, `28P01`; `SCHEMA_NEWER`, `LINE_UNREADABLE` are ours
   */
  constructor(code: string) {
    super(`the database of writes cannot be used (${code})`, code);
  }
}
