import type { Unchecked } from '../../summary/checks.ts';
import type { Collected } from '../../summary/collected.ts';
import { unlessEmpty } from '../../summary/parties.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { commonParts } from '../common-parts.ts';

/** What every NFS-e has, of whatever layout. */
export function noteParts(collected: Collected, layout: string, status: DocumentStatus): Unchecked {
  const parts = commonParts(collected, { kind: 'nfse', layout, status });
  return Object.assign(parts, { service: unlessEmpty(collected.sections.service) });
}

/**
 * A moment that is one. Serialisers and exports fill in year 1 or zeros for what never happened, such as the
 * cancellation of a note that stands.
 */
export function meantMoment(text: string | undefined): string | undefined {
  return text === undefined || /^0{2}/.test(text) ? undefined : text;
}

/** When a cancelled municipal note was cancelled, where the file says it; its layouts give the event no code. */
export function cancellationFrom({ sections }: Collected, status: DocumentStatus): DocumentSummary['event'] {
  const at = meantMoment(sections.clue.cancelled_at);
  return status === 'cancelled' && at !== undefined ? { at } : undefined;
}
