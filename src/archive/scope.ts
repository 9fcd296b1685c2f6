import type { DateField, DocumentArea } from '../clients/documents/listings.ts';
import type { Direction } from '../clients/documents/parameters.ts';

export type { DateField, DocumentArea } from '../clients/documents/listings.ts';
export type { Direction } from '../clients/documents/parameters.ts';

/** A company's documents of one interface of the service. */
export interface Holding {
  /** CNPJ without mask. */
  readonly company: string;
  readonly area: DocumentArea;
}

/** A company's documents by date field, in one direction or both. */
export interface Scope extends Holding {
  readonly by: DateField;
  readonly direction?: Direction | undefined;
}

export const everyStatus = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'] as const;
