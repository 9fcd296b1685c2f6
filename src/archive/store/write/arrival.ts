import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { Period } from '../../days.ts';
import type { Scope } from '../../scope.ts';

/** A document or an event as it came from the service. */
export interface Arrival {
  readonly summary: DocumentSummary;
  /** Its own text; kept where the archive was opened so. */
  readonly xml?: string;
}

/** What one or several calls of the service listed in full: a company's documents of some days. */
export interface FetchedWindow extends Scope, Period {
  readonly fetchedAt: Date;
}

/** What came of a window. `replaced` had changed, `unchanged` were there already. */
export interface StoreOutcome {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly events: number;
}
