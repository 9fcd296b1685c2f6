import type { Books } from '../data/books.ts';
import type { Moment } from '../data/calendar.ts';
import type { Manifestations } from './manifestations.ts';

/** What the operations of one sandbox work with. */
export interface DocumentsService {
  readonly books: Books;
  readonly manifestations: Manifestations;
  now(): Moment;
  /** A list of more is refused with a code that asks for a shorter period. */
  readonly maxDocumentsPerReply: number | undefined;
}

/** The inputs of one call; the names are those of its route. */
export interface Inputs {
  text(name: string): string;
  integer(name: string): number;
}
