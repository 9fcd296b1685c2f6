import type { Problem } from '../problems.ts';
import type { DocumentSummary } from './summary.ts';

/** Remarks of a document that contradicts its own key or protocol, as a file does that was put together. */
const contradictions: ReadonlySet<Problem['code']> = new Set([
  'protocol_against_key',
  'key_against_state',
  'key_against_month',
  'key_against_issuer',
  'key_against_model',
  'key_against_series',
  'key_against_number',
]);

type Score = (summary: DocumentSummary) => number;

const isAnswered: Score = ({ status }) =>
  Number(status === 'authorized' || status === 'cancelled' || status === 'denied');

/** Milliseconds; 0 where the file gives no moment. */
function moment(text: string | undefined): number {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? 0 : at;
}

/** What makes one of two files of a document count, the weightiest first. */
const scores: readonly Score[] = [
  // The tax office's abridged note has no more than a few of its fields.
  ({ kind }) => Number(kind !== 'summary'),
  ({ environment }) => Number(environment !== 'test'),
  ({ warnings }) => -warnings.filter(({ code }) => contradictions.has(code)).length,
  isAnswered,
  // A file that holds its own cancellation was saved later than one that doesn't.
  ({ status }) => Number(status === 'cancelled'),
  ({ events = [] }) => events.length,
  ({ item_count }) => item_count,
  ({ protocol }) => Number(protocol?.number !== undefined),
  ({ protocol }) => moment(protocol?.at),
];

/**
 * Which of two different summaries of the same document counts: the full note before the abridged one, production
 * before test, one that agrees with its key and protocol, one with its authorisation, with more of its events, with
 * more items, authorised later. Where nothing tells them apart it is the one that arrived later.
 *
 * @param kept the one that counted so far
 * @param arrived the one that came now
 * @returns one of the two, as it is
 */
export function fullerOf(kept: DocumentSummary, arrived: DocumentSummary): DocumentSummary {
  for (const score of scores) {
    const difference = score(arrived) - score(kept);
    if (difference !== 0) return difference > 0 ? arrived : kept;
  }
  return arrived;
}
