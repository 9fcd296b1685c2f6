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

/** Milliseconds; 0 if the file has no moment. */
function moment(text: string | undefined): number {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? 0 : at;
}

/** Criteria for the preferred of two files of one document, the weightiest first. */
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

/** The preferred of two summaries of one document, by the scores above; the later one where none differs. */
export function fullerOf(kept: DocumentSummary, arrived: DocumentSummary): DocumentSummary {
  for (const score of scores) {
    const difference = score(arrived) - score(kept);
    if (difference !== 0) return difference > 0 ? arrived : kept;
  }
  return arrived;
}
