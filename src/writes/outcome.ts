import type { EventRecord } from '../clients/documents/replies/results.ts';
import { OutcomeUnknown, Refused, tokenOperation, UpstreamError } from '../clients/errors.ts';
import { eventByCode } from '../documents/events/manifestation.ts';
import { outcomeOfStatus, statusCodeIn } from '../documents/events/statuses.ts';
import type { OutcomeStatus } from './journal-lines.ts';

/** What became of one write, by the service's own record of it. */
export interface RecordedOutcome {
  readonly status: OutcomeStatus;
  /** The status code found in the record's message. */
  readonly statusCode?: string | undefined;
}

/** The codes of the manifestation events that a record names. */
export function eventsNamedIn({ event = '' }: EventRecord): string[] {
  return event.match(/(?<!\d)\d{6}(?!\d)/g)?.filter((code) => eventByCode(code) !== undefined) ?? [];
}

/** Whether a record names a manifestation, and another one than was asked for or about. */
function isOfOtherEvent(record: EventRecord, asked: string | undefined): boolean {
  const named = eventsNamedIn(record);
  return asked !== undefined && named.length > 0 && !named.includes(asked);
}

/**
 * What a record says of a write. Only a status code in its message is understood: what `Sucesso` means is not
 * documented, so a record without a known code leaves the outcome unknown, and one about another event too.
 * @param asked the code of the event that a look-up is about; what was sent is known by its own reply
 * Source: docs/writes.md, rules 7 and 8.
 */
export function outcomeOfRecord(record: EventRecord, asked?: string): RecordedOutcome {
  const statusCode = record.message === undefined ? undefined : statusCodeIn(record.message);
  return { status: isOfOtherEvent(record, asked) ? 'unknown' : outcomeOfStatus(statusCode), statusCode };
}

/** What an error can leave of a write. */
export type FailedOutcome = Exclude<OutcomeStatus, 'done'>;

/**
 * What an error says of the write that it ended. A service that said no has refused it; one that was not reached, or
 * whose token endpoint said no, was not sent it. Whatever was sent and not answered for certain is unknown, and so is
 * the end of a write by an error that nobody foresaw, which may have come after the sending.
 * @param isForeseen whether the error is one that the program knows to arise before anything is sent
 */
export function outcomeOfFailure(error: unknown, isForeseen: boolean): FailedOutcome {
  if (error instanceof OutcomeUnknown) return 'unknown';
  if (error instanceof Refused) return error.operation === tokenOperation ? 'not_sent' : 'refused';
  return error instanceof UpstreamError || isForeseen ? 'not_sent' : 'unknown';
}

/** What became of several writes together. */
export type OverallStatus = OutcomeStatus | 'partly';

/** `partly` where some were done; else the worst that a person has to know: unknown before refused before not sent. */
export function overallStatus(outcomes: readonly OutcomeStatus[]): OverallStatus {
  const among = new Set(outcomes);
  if (among.has('done')) return among.size === 1 ? 'done' : 'partly';
  if (among.has('unknown')) return 'unknown';
  return among.has('refused') ? 'refused' : 'not_sent';
}
