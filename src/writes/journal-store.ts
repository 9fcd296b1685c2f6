import type { JournalLine } from './journal-lines.ts';

/** What lines are wanted for. A store may give others too. */
export type About =
  | { readonly keys: ReadonlySet<string> }
  | { readonly subject: string }
  /** The writes whose outcome is not known. */
  | 'open';

/** Parts of the journal that cannot be read. They stay where they are. */
export interface JournalDamage {
  readonly count: number;
  /** Byte offsets of the first hundred of them. */
  readonly offsets: readonly number[];
  /** Whether the file ends inside a line, as a process killed while writing leaves it. */
  readonly tornEnd: boolean;
}

/**
 * Where the lines of a journal are kept for good. Lines come out in the order in which they were appended, which is the
 * same for all who ask: once a line is there, none appears before it. All of it throws `RecordUnusable` where the store
 * can't be used.
 */
export interface JournalStore {
  /** Appends lines. When it resolves they are on the disk; where it throws they may be there all the same. */
  append(lines: readonly JournalLine[]): Promise<void>;
  /** All lines of the writes that are asked about; a write's lines come in their order. */
  lines(about: About): AsyncIterable<JournalLine>;
  damage(): Promise<JournalDamage>;
  /** Finds out whether lines could be appended, without appending one. */
  probe(): Promise<void>;
}
