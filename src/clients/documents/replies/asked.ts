import { preferredVersion } from '../../../documents/summary/checks.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import { Unreadable } from '../decoding/reading.ts';
import type { CallInputs } from '../operations.ts';
import type { ReceivedDocument, ReplyWarning, SingleDocument } from './results.ts';

/** What names the document that a call asks for: its key, or the three values of an NFS-e. */
export type Asked = Partial<Pick<CallInputs, 'key' | 'number' | 'issueDate' | 'issuer'>>;

function withoutZeros(number: string): string {
  return number.replace(/^0+/, '');
}

/** Whether a number is the one asked for. Cities write leading zeros or the year before it. */
export function isNumbered(found: string | undefined, asked: string): boolean {
  const [one, other] = [withoutZeros(found ?? asked), withoutZeros(asked)];
  return one.endsWith(other) || other.endsWith(one);
}

/** Those of several documents that are the one asked for: of those that may be, those with just its number and day. */
function onlyAsked(candidates: readonly ReceivedDocument[], asked: Asked): readonly ReceivedDocument[] {
  const { key, number, issueDate, issuer } = asked;
  if (key !== undefined) return candidates.filter(({ summary }) => summary.key === key);
  if (number === undefined) return candidates;
  const fitting = candidates.filter(({ summary }) => {
    const isIssuers = issuer === undefined || (summary.issuer?.id ?? issuer) === issuer;
    return isIssuers && summary.number !== undefined && isNumbered(summary.number, number);
  });
  const preferred: ((summary: DocumentSummary) => boolean)[] = [
    (summary) => withoutZeros(summary.number ?? '') === withoutZeros(number),
    (summary) => issueDate !== undefined && summary.issued_at?.slice(0, 10) === issueDate,
  ];
  return preferred.reduce<readonly ReceivedDocument[]>((kept, isBetter) => {
    const better = kept.filter(({ summary }) => isBetter(summary));
    return better.length > 0 ? better : kept;
  }, fitting);
}

/** Whether two documents are the same one: by key, where both have one, else by issuer, series and number. */
function isSameDocument(one: DocumentSummary, other: DocumentSummary): boolean {
  if (one.key !== undefined && other.key !== undefined) return one.key === other.key;
  const identity = ({ issuer, series, number }: DocumentSummary) => `${issuer?.id} ${series} ${number}`;
  return one.kind === other.kind && one.number !== undefined && identity(one) === identity(other);
}

/** A document with what happened to it. */
interface Single extends Pick<SingleDocument, 'otherContents' | 'events'> {
  readonly document: ReceivedDocument;
  /** A remark about documents that came with it and were not asked for. */
  readonly warnings: readonly ReplyWarning[];
}

/**
 * The one document asked for, with its events: what happened to a document names the same key. Of several files of it
 * the fuller one counts.
 *
 * @throws Unreadable where there are several and none is the one asked for
 */
export function singleOut(received: readonly ReceivedDocument[], asked: Asked = {}): Single {
  const notes = received.filter(({ summary }) => summary.kind !== 'event');
  const candidates = notes.length > 0 ? notes : received;
  const isOfEvents = notes.length === 0 && candidates.length > 1;
  const wanted = candidates.length > 1 ? onlyAsked(candidates, asked) : candidates;
  const [first, ...further] = wanted;
  if (received.length === 0) throw new Unreadable('no document');
  if (first === undefined || isOfEvents) throw new Unreadable('several documents');
  if (!further.every(({ summary }) => isSameDocument(summary, first.summary))) {
    throw new Unreadable('several documents');
  }
  const document = further.reduce(
    (kept, one) => (preferredVersion(kept.summary, one.summary) === kept.summary ? kept : one),
    first,
  );
  const rest = received.filter((one) => !wanted.includes(one));
  const events = rest.filter(
    ({ summary: { kind, key } }) =>
      kind === 'event' && (key ?? document.summary.key) === (document.summary.key ?? key),
  );
  const others = rest.length - events.length;
  if (others > 0 && candidates.length === 1) throw new Unreadable('events of another document');
  return {
    document,
    otherContents: wanted.filter(({ xml }) => xml !== document.xml),
    events,
    warnings: others === 0 ? [] : [{ code: 'others_left_out', values: { count: String(others) } }],
  };
}
