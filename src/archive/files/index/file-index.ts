import type { GivenUpNumbers } from '../../../documents/layouts/given-up-numbers.ts';
import type { DocumentReference } from '../../references.ts';
import type { Holding } from '../../scope.ts';
import type { FiledDocument } from '../reading/documents-in-text.ts';
import type { LeftOutPart, LeftOutTally } from '../reading/left-out.ts';

/** Where a file is: below one of the configured folders, or that itself where it is a file. */
export interface FilePlace {
  readonly root: string;
  /** Relative to the root's folder, with `/`; empty for the root's own. */
  readonly folder: string;
  readonly name: string;
}

/** What tells a file that has changed. */
export interface FileStamp {
  readonly size: number;
  /** Microseconds since 1970. */
  readonly changed: number;
}

/** A file as it was known last. */
export interface KnownFile extends FileStamp {
  /** Of its bytes; empty where that was not worked out. */
  readonly digest: string;
  /** To be read again though it seems unchanged: reading did not come to its end, or what it gave was given up. */
  readonly isDue: boolean;
}

/** What was read of a file: all of it, or one part after the other of a file that holds many documents. */
export interface ReadPart extends FilePlace, FileStamp {
  readonly digest: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly documents: readonly FiledDocument[];
  readonly givenUp: readonly GivenUpNumbers[];
  /** Of this part and those before it. */
  readonly leftOut: LeftOutTally;
}

/** How many documents name a tax id as one of their parties. */
export interface Holder {
  readonly company: string;
  readonly documents: number;
}

/** What the files hold that gave no document, by reason, with some of them by name. */
export interface LeftOutOfFiles {
  readonly reason: LeftOutPart['reason'];
  readonly count: number;
  readonly examples: readonly (LeftOutPart & { readonly path: string })[];
}

/** What is known of the files. */
export interface FilesInfo {
  readonly files: number;
  readonly documents: number;
  readonly events: number;
  readonly left_out: readonly LeftOutOfFiles[];
}

/** From which day to which the documents that name a company were issued, of one kind. */
export interface FileHolding extends Holding {
  readonly documents: number;
  readonly from?: string;
  readonly to?: string;
}

/**
 * What the user's own files hold, beside what the service gave. A document or an event is there as long as one of the
 * files that gave it is, or the service gave it too. Documents belong to every party they name; a company's are placed
 * in time once somebody asks about it (`adopt`).
 */
export interface FileIndex {
  /** The files known of one folder, by name. */
  known(root: string, folder: string): Promise<ReadonlyMap<string, KnownFile>>;
  /** The folders known, by root. */
  folders(): Promise<readonly Pick<FilePlace, 'root' | 'folder'>[]>;
  /**
   * Takes what was read, in one transaction: what an earlier state of a changed file gave and nothing else gives goes.
   * @param company whose documents are placed at once, since most of them are
   */
  take(parts: readonly ReadPart[], company: string | undefined): Promise<void>;
  /** The stamp of a file whose content turned out to be the same. */
  touch(files: readonly (FilePlace & FileStamp)[]): Promise<void>;
  /** Forgets files that are no longer there, or whole folders where no names are given. */
  forget(root: string, folder: string, names?: readonly string[]): Promise<void>;
  /** Places all documents that name a company, so that questions about it find them. */
  adopt(company: string): Promise<void>;
  /** Who is a party of the documents, the most frequent first; at most so many. */
  holders(most: number): Promise<readonly Holder[]>;
  /** What there is of a company by kind; without one, of every company that is a party. */
  holdings(company?: string): Promise<readonly FileHolding[]>;
  info(): Promise<FilesInfo>;
  /** The files a document is in, in no order; those taken over for good are in none. */
  placesOf(reference: DocumentReference): Promise<readonly FilePlace[]>;
  givenUp(holding: Holding): Promise<readonly GivenUpNumbers[]>;
}
