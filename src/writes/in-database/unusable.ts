import { codeOf } from '../../db/retry.ts';
import { RecordUnusable } from '../unusable.ts';

/**
 * The database that must hold the journal and the spent confirmations can't be used, so no write may be sent. Nothing of
 * its address is told.
 */
export class DatabaseUnusable extends RecordUnusable {
  override readonly name = 'DatabaseUnusable';
  readonly kind = 'database_unusable';

  /** @param code a SQLSTATE or the system's, e.g. `ECONNREFUSED`, `28P01`; `SCHEMA_NEWER`, `LINE_UNREADABLE` are ours */
  constructor(code: string) {
    super(`the database of writes cannot be used (${code})`, code);
  }
}

/** Runs work on the database; what it throws is told by its code alone. A mistake of the program stays what it is. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    throw error instanceof RecordUnusable || code === '' ? error : new DatabaseUnusable(code);
  }
}
