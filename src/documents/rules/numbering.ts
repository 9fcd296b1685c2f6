import { areAllWithin, type Covered, type Family } from '../days.ts';
import { type DocumentFacts, isDocument, issueDayOf, type RuleContext } from './facts.ts';
import { type Accumulator, about, absent, kinds, type Rule, type SetDeviation, verified } from './rule.ts';

interface Numbered {
  readonly number: number;
  readonly facts: DocumentFacts;
}

const plainSeries = (series = ''): string => series.replace(/^0+(?=\d)/, '');

function sequenceOf({ kind, model = '', series }: DocumentFacts): string {
  return [kind, model, plainSeries(series)].join('|');
}

/** Numbers that follow each other, both ends included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

function rangeText({ first, last }: Range): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/** What of a range is in none of the others. */
function without(range: Range, others: readonly Range[]): Range[] {
  return others.reduce<Range[]>(
    (left, { first, last }) =>
      left.flatMap((one) =>
        [
          { first: one.first, last: Math.min(one.last, first - 1) },
          { first: Math.max(one.first, last + 1), last: one.last },
        ].filter((part) => part.first <= part.last),
      ),
    [range],
  );
}

/** The numbers that were given up of the series a document is of. */
function givenUpOf({ kind, model, series, issuer }: DocumentFacts, { givenUp = [] }: RuleContext): Range[] {
  if (kind === 'nfse') return [];
  return givenUp.filter(
    (one) => one.company === issuer && one.model === model && one.series === (plainSeries(series) || '0'),
  );
}

type Direction = RuleContext['direction'];

const ENTRY = '0';

/** Whether a note the company issued is of a direction; its own notes of entry (tpNF 0) are inbound. */
function isOf(direction: Direction, { facts }: Numbered): boolean {
  return direction === undefined || (direction === 'inbound') === (facts.flow === ENTRY);
}

function familyOf({ kind }: DocumentFacts): Family {
  if (kind === 'nfse') return 'nfse';
  return kind === 'cte' || kind === 'cteos' ? 'cte' : 'nfe';
}

/**
 * Numbers are given in the order of time: one in between is of these days, and not missing if they were not looked at.
 */
function wouldBeSeen(one: Numbered, other: Numbered, covered: Covered | undefined): boolean {
  if (covered === undefined) return true;
  const [first, last] = [issueDayOf(one.facts), issueDayOf(other.facts)].sort();
  if (first === undefined || last === undefined) return false;
  return areAllWithin(covered.days[familyOf(one.facts)], first, last);
}

/**
 * Numbers missing between the lowest and the highest of each series the company issues. Cancelled and denied documents
 * have used their number, those that were given up are not missing, and a series runs through notes of both directions:
 * where one direction was asked for, what is told is a gap beside a note of it. What lies outside the documents given
 * is not looked at.
 */
function numberGaps(context: RuleContext): Accumulator {
  const { company, direction, covered } = context;
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
            const isAsked = isOf(direction, before) || isOf(direction, next);
            if (isAsked && wouldBeSeen(before, next, covered)) yield* gapAfter(before, next, context);
          }
          before = next;
        }
      }
    },
  };
}

function* gapAfter(before: Numbered, next: Numbered, context: RuleContext): Iterable<SetDeviation> {
  const gap = { first: before.number + 1, last: next.number - 1 };
  const ranges = without(gap, givenUpOf(before.facts, context));
  const [lacking] = ranges;
  if (lacking === undefined) return;
  yield {
    about: before.facts,
    found: String(next.number),
    expected: String(lacking.first),
    values: {
      missing: String(ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)),
      range: ranges.map(rangeText).join(', '),
      series: before.facts.series ?? absent,
    },
  };
}

const gapBasis = verified('Ajuste SINIEF 07/05, cl. 14ª (inutilização)');

/** Rules of this subject. */
export const numberingRules: readonly Rule[] = [
  {
    ...about('number_gap', 'warning', kinds.all, gapBasis),
    title: ['Salto na numeração própria', 'Gap in the company’s own numbering'],
    finding: [
      'série {series}: {missing:falta|faltam} {missing} {missing:número|números}, {range}; depois deste viria {expected} e veio {found}',
      'series {series}: {missing} {missing:number|numbers} missing, {range}; after this one {expected} was due and {found} came',
    ],
    todo: [
      'Confira se foram inutilizados (até o dia 10 do mês seguinte) ou se faltou recebê-los.',
      'Check whether they were voided (inutilização, by the tenth of the next month) or have not been received.',
    ],
    begin: numberGaps,
  },
];
