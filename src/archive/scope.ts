import type { DateField, DocumentArea } from '../clients/documents/listings.ts';
import type { Direction } from '../clients/documents/parameters.ts';

export type { DateField, DocumentArea } from '../clients/documents/listings.ts';
export type { Direction } from '../clients/documents/parameters.ts';

/** Whose documents, and of which of the service's interfaces. */
export interface Holding {
  /** CNPJ without mask. */
  readonly company: string;
  readonly area: DocumentArea;
}

/** Documents of a company as a listing names them: by which date, and in one direction or both. */
export interface Scope extends Holding {
  readonly by: DateField;
  readonly direction?: Direction | undefined;
}

/** Documents whatever has become of them. */
export const everyStatus = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'] as const;
