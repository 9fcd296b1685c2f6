import { type DocumentFacts, isDocument } from './facts.ts';
import { type Accumulator, absent, type RuleContext, type SetDeviation } from './rule.ts';

interface Numbered {
  readonly number: number;
  readonly facts: DocumentFacts;
}

function sequenceOf({ kind, model = '', series = '' }: DocumentFacts): string {
  return [kind, model, series.replace(/^0+(?=\d)/, '')].join('|');
}

function rangeText(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/**
 * Numbers missing between the lowest and the highest of each series the company issues. Cancelled and denied
 * documents have used their number. What lies outside the documents given is not looked at.
 */
export function numberGaps({ company }: RuleContext): Accumulator {
  const sequences = new Map<string, Numbered[]>();
  return {
    take(facts) {
      const { number = '', issuer } = facts;
      if (company === undefined || issuer !== company || !isDocument(facts)) return;
      if (!/^\d{1,15}$/.test(number)) return;
      const sequence = sequenceOf(facts);
      const numbered = { number: Number(number), facts };
      const others = sequences.get(sequence);
      if (others === undefined) sequences.set(sequence, [numbered]);
      else others.push(numbered);
    },
    *finish(): Iterable<SetDeviation> {
      for (const numbers of sequences.values()) {
        numbers.sort((one, other) => one.number - other.number);
        let before: Numbered | undefined;
        for (const next of numbers) {
          if (before !== undefined && next.number > before.number + 1) {
            yield gapAfter(before, next);
          }
          before = next;
        }
      }
    },
  };
}

function gapAfter(before: Numbered, next: Numbered): SetDeviation {
  const missing = next.number - before.number - 1;
  return {
    about: before.facts,
    found: String(next.number),
    expected: String(before.number + 1),
    values: {
      missing: String(missing),
      range: rangeText(before.number + 1, next.number - 1),
      series: before.facts.series ?? absent,
    },
  };
}
