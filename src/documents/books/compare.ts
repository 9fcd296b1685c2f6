import { compareAssessment } from './compare-assessment.ts';
import { compareBooks } from './compare-books.ts';
import { findMissingInFiles } from './compare-missing.ts';
import { type Comparison, emptyComparison } from './comparison.ts';
import { type BookFinding, indexOf, type Sides } from './findings.ts';

/** Compares files with documents; findings that nobody wants are not kept. */
export function compareSides(sides: Sides, isWanted?: (finding: BookFinding) => boolean): Comparison {
  const result = emptyComparison(isWanted);
  const index = indexOf(sides.documents);
  const met = compareBooks(sides, index, result);
  compareAssessment(sides, index, result);
  findMissingInFiles(sides, met, result);
  return result;
}
