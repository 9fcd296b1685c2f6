import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { DocumentArea } from '../../references.ts';
import type { DateField, Direction, Period } from '../ask/question.ts';

/** A document or an event as it came from the service. */
export interface Arrival {
  readonly summary: DocumentSummary;
  /** Its own text; kept where the archive was opened so. */
  readonly xml?: string;
}

/** Whose documents, and of which of the service's interfaces. */
export interface Holding {
  /** CNPJ without mask. */
  readonly company: string;
  readonly area: DocumentArea;
}

/** What one or several calls of the service listed in full: a company's documents of some days. */
export interface FetchedWindow extends Holding, Period {
  readonly by: DateField;
  /** Undefined where both were listed. */
  readonly direction?: Direction;
  readonly fetchedAt: Date;
}

/** What came of a window. `replaced` had changed, `unchanged` were there already. */
export interface StoreOutcome {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly events: number;
}
