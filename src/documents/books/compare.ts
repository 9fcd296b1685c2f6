import { count } from './book.ts';
import { compareAssessment } from './compare-assessment.ts';
import { compareBooks } from './compare-books.ts';
import { findMissingInFiles } from './compare-missing.ts';
import { type Comparison, emptyComparison } from './comparison.ts';
import { type Found, indexOf, type Sides } from './findings.ts';

/**
 * Compares files with documents; findings that nobody wants are not kept.
 * @param result what the comparison of other parts has come to, which is added to
 */
export function compareSides(
  sides: Sides,
  isWanted?: (found: Found) => boolean,
  result: Comparison = emptyComparison(isWanted),
): Comparison {
  const index = indexOf(sides.documents);
  for (const { book } of sides.books)
    for (const [reason, many] of book.notCompared) count(result.notCompared, reason, many);
  const met = compareBooks(sides, index, result);
  compareAssessment(sides, index, result);
  findMissingInFiles(sides, met, result);
  return result;
}
