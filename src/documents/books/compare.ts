import { compareAssessment } from './compare-assessment.ts';
import { compareBooks } from './compare-books.ts';
import { findMissingInFiles } from './compare-missing.ts';
import {
  bookFindings,
  type Comparison,
  certainties,
  emptyComparison,
  indexOf,
  type Sides,
} from './findings.ts';

const rank = <T>(names: readonly T[]) => new Map(names.map((name, at) => [name, at]));
const byCertainty = rank(certainties);
const byName = rank(bookFindings);

/** Compares files with documents; what is certain comes first. */
export function compareSides(sides: Sides): Comparison {
  const result = emptyComparison();
  const index = indexOf(sides.documents);
  const met = compareBooks(sides, index, result);
  compareAssessment(sides, index, result);
  findMissingInFiles(sides, met, result);
  result.findings.sort(
    (one, other) =>
      (byCertainty.get(one.certainty) ?? 0) - (byCertainty.get(other.certainty) ?? 0) ||
      (byName.get(one.finding) ?? 0) - (byName.get(other.finding) ?? 0) ||
      one.file - other.file ||
      (one.line ?? 0) - (other.line ?? 0),
  );
  return result;
}
