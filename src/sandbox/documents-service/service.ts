import type { Books } from '../data/books.ts';
import type { Moment } from '../data/calendar.ts';
import type { Manifestations } from './manifestations.ts';
import type { ReplyForm } from './reply-forms.ts';
import type { SharedAccess } from './shared-access.ts';
import type { StoredFiles } from './stored-files.ts';

/** What the operations of one sandbox work with. */
export interface DocumentsService {
  readonly books: Books;
  readonly manifestations: Manifestations;
  readonly sharedAccess: SharedAccess;
  now(): Moment;
  replyForm(): ReplyForm;
  readonly files: StoredFiles;
  /** A list of more is refused with a code that asks for a shorter period. */
  readonly maxDocumentsPerReply: number | undefined;
}

/** The inputs of one call; the names are those of its route. */
export interface Inputs {
  text(name: string): string;
  integer(name: string): number;
}
