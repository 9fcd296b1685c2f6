import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { CallInputs } from '../parameters.ts';
import type { ReceivedDocument } from './results.ts';

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

type Test = (summary: DocumentSummary) => boolean;

/** What a document must fulfil to be the one asked for, and what it should where several do. */
function testsOf({ key, number, issueDate, issuer }: Asked): {
  readonly must: Test[];
  readonly should: Test[];
} {
  if (key !== undefined) return { must: [(summary) => summary.key === key], should: [] };
  if (number === undefined) return { must: [], should: [] };
  return {
    must: [
      (summary) => summary.number !== undefined && isNumbered(summary.number, number),
      (summary) => issuer === undefined || (summary.issuer?.id ?? issuer) === issuer,
    ],
    should: [
      (summary) => withoutZeros(summary.number ?? '') === withoutZeros(number),
      (summary) => issueDate !== undefined && summary.issued_at?.slice(0, 10) === issueDate,
    ],
  };
}

/** Those of several documents that are the one asked for. */
export function onlyAsked(
  candidates: readonly ReceivedDocument[],
  asked: Asked,
): readonly ReceivedDocument[] {
  const { must, should } = testsOf(asked);
  const fitting = candidates.filter(({ summary }) => must.every((test) => test(summary)));
  return should.reduce<readonly ReceivedDocument[]>((kept, test) => {
    const better = kept.filter(({ summary }) => test(summary));
    return better.length > 0 ? better : kept;
  }, fitting);
}

/** Whether two documents are the same one: by key, where both have one, else by issuer, series and number. */
export function isSameDocument(one: DocumentSummary, other: DocumentSummary): boolean {
  if (one.key !== undefined && other.key !== undefined) return one.key === other.key;
  const identity = ({ issuer, series, number }: DocumentSummary) => `${issuer?.id} ${series} ${number}`;
  return one.kind === other.kind && one.number !== undefined && identity(one) === identity(other);
}
