import type { EventRecord } from '../clients/documents/replies/results.ts';
import { OutcomeUnknown, Refused, tokenOperation, UpstreamError } from '../clients/errors.ts';
import { eventByCode } from '../documents/events/manifestation.ts';
import { outcomeOfStatus, statusCodeIn } from '../documents/events/statuses.ts';
import type { OutcomeStatus } from './journal-lines.ts';

/** Codes of the manifestation events named by a record. */
export function eventsNamedIn({ event = '' }: EventRecord): string[] {
  return event.match(/(?<!\d)\d{6}(?!\d)/g)?.filter((code) => eventByCode(code) !== undefined) ?? [];
}

/**
 * Interprets a service's record of a write. Only a status code in its message counts: the meaning of `Sucesso` is
 * undocumented, so a record without a known code, or about another event, is unknown.
 * @param asked event code of a look-up; a sent write is matched by its own reply
 * Source: docs/writes.md, rules 7 and 8.
 */
export function outcomeOfRecord(
  record: EventRecord,
  asked?: string,
): { readonly status: OutcomeStatus; readonly status_code: string | undefined } {
  const status_code = record.message === undefined ? undefined : statusCodeIn(record.message);
  const named = eventsNamedIn(record);
  const isOfOther = asked !== undefined && named.length > 0 && !named.includes(asked);
  return { status: isOfOther ? 'unknown' : outcomeOfStatus(status_code), status_code };
}

/**
 * Interprets an error that ended a write. Refused if the service said no; not sent if it was unreachable or the token
 * endpoint refused; otherwise unknown, including unexpected errors, which may follow the sending.
 * @param isForeseen whether the error is an expected one, which arises before sending
 */
export function outcomeOfFailure(error: unknown, isForeseen: boolean): Exclude<OutcomeStatus, 'done'> {
  if (error instanceof OutcomeUnknown) return 'unknown';
  if (error instanceof Refused) return error.operation === tokenOperation ? 'not_sent' : 'refused';
  return error instanceof UpstreamError || isForeseen ? 'not_sent' : 'unknown';
}

/** `partly` if some were done; otherwise the worst: unknown, refused, not sent. */
export function overallStatus(outcomes: readonly OutcomeStatus[]): OutcomeStatus | 'partly' {
  const among = new Set(outcomes);
  if (among.has('done')) return among.size === 1 ? 'done' : 'partly';
  if (among.has('unknown')) return 'unknown';
  return among.has('refused') ? 'refused' : 'not_sent';
}
