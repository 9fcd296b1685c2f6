import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import { deflated } from '../schema/compression.ts';
import { digestOf, eventIdentityOf } from '../schema/identity.ts';
import type { EventRow } from '../schema/schema.ts';
import type { Arrival } from './arrival.ts';

/**
 * Events that cancel their document. NF-e and CT-e: cancellation, cancellation by substitution. National NFS-e:
 * cancellation, by substitution, granted after analysis, by the authority. Source: fiscal-domain notes, section 3, and
 * the event table of the national layout.
 */
const cancellations = new Set(['110111', '110112', '101101', '105102', '105104', '305101']);

/** Whether an event, once registered, means that its document is void. */
function cancels({ status, event }: DocumentSummary): boolean {
  return status === 'authorized' && cancellations.has(event?.code ?? '');
}

/** Puts an event into the form it is stored in. */
export function prepareEvent({ summary, xml }: Arrival, keepXml: boolean): EventRow {
  const text = JSON.stringify(summary);
  const digest = digestOf(text);
  return {
    identity: eventIdentityOf(summary, digest),
    key: summary.key ?? '',
    code: summary.event?.code ?? '',
    at: summary.event?.at ?? '',
    cancels: cancels(summary) ? 1 : 0,
    digest,
    summary: deflated(text),
    xml: keepXml && xml !== undefined ? deflated(xml) : null,
  };
}
