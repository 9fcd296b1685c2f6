import { addDays, areAllWithin, type Covered, daysOfMonth } from '../days.ts';
import { familyOf } from '../summary/summary.ts';
import { type DocumentFacts, isDocument, isInEffect, issueDayOf, type RuleContext } from './facts.ts';
import { type Accumulator, about, absent, type Deviation, kinds, type Rule, verified } from './rule.ts';

/** `YYMM` of an access key; positions 3 to 6. */
function monthOfKey(key: string): string {
  return key.slice(2, 6);
}

const NFE_MODEL = '55';

function isNfeKey(key: string): boolean {
  return key.length === 44 && key.slice(20, 22) === NFE_MODEL;
}

/** Who sends or gets goods has their note; a carrier, or somebody else who pays for it, has not. */
function ownsGoods({ sender, recipient }: DocumentFacts, company: string | undefined): boolean {
  return company === undefined || company === sender || company === recipient;
}

/** A key names only the month, so every day of it up to the CT-e must have been looked at. */
function noteWouldBeSeen(key: string, carriedOn: string | undefined, { days }: Covered): boolean {
  const month = daysOfMonth(monthOfKey(key));
  if (month === undefined) return false;
  const isEarlier = carriedOn !== undefined && carriedOn >= month.first && carriedOn < month.last;
  return areAllWithin(days.nfe, month.first, isEarlier ? carriedOn : month.last);
}

/** NF-e that a CT-e carries and that are missing unless given; include those known from elsewhere. */
export function goodsExpectedBy(facts: DocumentFacts, { company, covered }: RuleContext): string[] {
  if (covered === undefined || facts.kind !== 'cte') return [];
  if (!isInEffect(facts) || !ownsGoods(facts, company)) return [];
  const day = issueDayOf(facts);
  return facts.linked_keys.filter((key) => isNfeKey(key) && noteWouldBeSeen(key, day, covered));
}

/** CT-e that carry an NF-e which is not among the documents, though it would be if it were there. */
function carriageWithoutGoods(context: RuleContext): Accumulator {
  const notes = new Set<string>();
  const carriages: { readonly about: DocumentFacts; readonly expected: readonly string[] }[] = [];
  return {
    take(facts) {
      // The abridged note that precedes one (resNFe) tells that it exists.
      const isNote = facts.kind === 'nfe' || facts.kind === 'summary';
      if (isNote && facts.key !== undefined) notes.add(facts.key);
      const expected = goodsExpectedBy(facts, context);
      if (expected.length > 0) carriages.push({ about: facts, expected });
    },
    *finish() {
      for (const { about, expected } of carriages) {
        const missing = expected.filter((key) => !notes.has(key));
        const [nfe] = missing;
        const judged = about.linked_keys.filter((key) => notes.has(key) || missing.includes(key)).length;
        const [found, all] = [String(judged - missing.length), String(judged)];
        yield { about, deviations: nfe === undefined ? [] : [{ found, expected: all, values: { nfe } }] };
      }
    },
  };
}

/** tpNF of what moves goods in. */
const ENTRY = '0';

/** modFrete: who pays the carriage. */
const ISSUER_PAYS = '0';
const RECIPIENT_PAYS = '1';

/** A carrier that is neither side, named with its CNPJ or hired without a name, owes a CT-e for carriage out of town. */
function expectsCarriage({ flow, freight, issuer, recipient }: DocumentFacts, company: string): boolean {
  if (freight === undefined || freight.within_city) return false;
  const { carrier } = freight;
  const isHiredUnnamed = carrier === undefined && freight.is_hired && flow !== ENTRY;
  if (carrier?.length !== 14 && !isHiredUnnamed) return false;
  if (carrier !== undefined && (carrier === issuer || carrier === recipient)) return false;
  const payer = { [ISSUER_PAYS]: issuer, [RECIPIENT_PAYS]: recipient }[freight.mode ?? ''];
  return payer === company;
}

/** Days after a note within which its freight is billed, as a rule of thumb: no law names a term. */
export const longestWait = 31;
/** Days after which the CT-e is missed, though the longest wait is not over. */
const usualWait = 15;

/** Whether the CT-e of a note of this day would have been seen by now. */
function isOverdue(day: string | undefined, { days, openFrom }: Covered): boolean {
  if (day === undefined || addDays(day, usualWait) >= openFrom) return false;
  const last = addDays(day, longestWait);
  return areAllWithin(days.cte, day, last < openFrom ? last : addDays(openFrom, -1));
}

/** NF-e whose carriage the company pays and that no CT-e carries, though it would be among the documents by now. */
function goodsWithoutCarriage({ company, covered }: RuleContext): Accumulator {
  const carried = new Set<string>();
  const expecting = new Map<string, DocumentFacts>();
  return {
    take(facts) {
      if (covered === undefined || !isDocument(facts) || !isInEffect(facts)) return;
      if (facts.kind === 'cte') for (const key of facts.linked_keys) carried.add(key);
      if (facts.kind !== 'nfe' || facts.key === undefined || company === undefined) return;
      const isExpecting = expectsCarriage(facts, company) && isOverdue(issueDayOf(facts), covered);
      if (isExpecting) expecting.set(facts.key, facts);
    },
    *finish() {
      for (const [key, about] of expecting) {
        const { mode = absent, carrier = absent } = about.freight ?? {};
        const lacking: Deviation = { found: '0', expected: '1', values: { mode, carrier } };
        yield { about, deviations: carried.has(key) ? [] : [lacking] };
      }
    },
  };
}

/** CT-e in effect that carry an NF-e which was cancelled. */
function carriageOfCancelled(): Accumulator {
  const known = new Set<string>();
  const cancelled = new Set<string>();
  const carriages: DocumentFacts[] = [];
  return {
    take(facts) {
      const isNote = facts.kind === 'nfe' || facts.kind === 'summary';
      if (isNote && facts.key !== undefined) known.add(facts.key);
      if (isNote && facts.status === 'cancelled' && facts.key !== undefined) cancelled.add(facts.key);
      if (facts.kind === 'cte' && isInEffect(facts)) carriages.push(facts);
    },
    *finish() {
      for (const about of carriages) {
        if (!about.linked_keys.some((key) => known.has(key))) continue;
        const notes = about.linked_keys.filter((key) => cancelled.has(key));
        const [nfe] = notes;
        const found = String(notes.length);
        yield { about, deviations: nfe === undefined ? [] : [{ found, expected: '0', values: { nfe } }] };
      }
    },
  };
}

const carriageBasis = verified('MOC CT-e 4.00, grupo infDoc');
const freightBasis = verified(
  'MOC CT-e 4.00, grupo infDoc; NT 2016.002 da NF-e, campo modFrete',
  '2026-11-26',
);
const circulationBasis = verified(
  'Ajuste SINIEF 07/05, cl. 12ª (cancelamento só sem circulação da mercadoria)',
  '2026-11-24',
);

/** Rules of this subject. */
export const carriageRules: readonly Rule[] = [
  {
    ...about('cte_without_nfe', 'warning', kinds.cte, carriageBasis),
    title: ['CT-e sem a sua NF-e', 'CT-e without its NF-e'],
    finding: [
      'constam {found} das {expected} NF-e transportadas; a primeira que falta é {nfe}',
      '{found} of the {expected} NF-e it carries are present; the first that is missing is {nfe}',
    ],
    todo: [
      'Procure a NF-e que falta: sem ela não se sabe de que compra ou venda é o frete.',
      'Look for the missing NF-e: without it nobody knows which purchase or sale the freight belongs to.',
    ],
    begin: carriageWithoutGoods,
  },
  {
    ...about('nfe_without_cte', 'info', kinds.nfe, freightBasis),
    title: ['NF-e sem o seu CT-e', 'NF-e without its CT-e'],
    finding: [
      'frete por conta da empresa (modFrete {mode}), transportador {carrier}, e nenhum CT-e traz esta nota',
      'the company pays the freight (modFrete {mode}), carrier {carrier}, and no CT-e lists this note',
    ],
    todo: [
      'Peça o CT-e ao transportador antes de pagar o frete; se o veículo foi próprio, o modFrete seria 3 ou 4.',
      'Ask the carrier for the CT-e before the freight is paid; had it been an own vehicle, modFrete would be 3 or 4.',
    ],
    begin: goodsWithoutCarriage,
  },
  {
    ...about('freight_of_cancelled_note', 'warning', kinds.cte, circulationBasis),
    title: ['Frete de nota cancelada', 'Freight of a cancelled note'],
    finding: [
      'transporta {found} NF-e {found:cancelada|canceladas}; a primeira é {nfe}',
      'carries {found} cancelled NF-e; the first is {nfe}',
    ],
    todo: [
      'Só se cancela nota cuja mercadoria não circulou: pergunte ao emitente que nota a substitui, ou ao transportador por que cobra o frete.',
      'Only a note whose goods did not move may be cancelled: ask its issuer which note replaces it, or the carrier why freight is charged.',
    ],
    begin: carriageOfCancelled,
  },
];

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

/** Whether a note the company issued is of a direction; its own notes of entry (tpNF 0) are inbound. */
function isOf(direction: Direction, { facts }: Numbered): boolean {
  return direction === undefined || (direction === 'inbound') === (facts.flow === ENTRY);
}

/** Numbers follow time: one in between is of these days, and missing only if they were looked at. */
function numberWouldBeSeen(one: Numbered, other: Numbered, covered: Covered | undefined): boolean {
  if (covered === undefined) return true;
  const [first, last] = [issueDayOf(one.facts), issueDayOf(other.facts)].sort();
  if (first === undefined || last === undefined) return false;
  return areAllWithin(covered.days[familyOf(one.facts.kind)], first, last);
}

/**
 * Numbers missing between the lowest and the highest of each series the company issues. Cancelled and denied documents
 * have used their number, those that were given up are not missing, and a series runs through notes of both directions:
 * where one direction was asked for, only gaps beside a note of that direction are reported. What lies outside the documents given
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
    *finish() {
      for (const numbers of sequences.values()) {
        numbers.sort((one, other) => one.number - other.number);
        let before: Numbered | undefined;
        for (const next of numbers) {
          if (before !== undefined && (isOf(direction, before) || isOf(direction, next))) {
            const isNext = next.number <= before.number + 1;
            if (isNext && isOf(direction, before)) yield { about: before.facts, deviations: [] };
            else if (!isNext && numberWouldBeSeen(before, next, covered))
              yield { about: before.facts, deviations: gapAfter(before, next, context) };
          }
          before = next;
        }
      }
    },
  };
}

function gapAfter(before: Numbered, next: Numbered, context: RuleContext): Deviation[] {
  const gap = { first: before.number + 1, last: next.number - 1 };
  const ranges = without(gap, givenUpOf(before.facts, context));
  const [lacking] = ranges;
  if (lacking === undefined) return [];
  const values = {
    missing: String(ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)),
    range: ranges.map(rangeText).join(', '),
    series: before.facts.series ?? absent,
  };
  return [{ found: String(next.number), expected: String(lacking.first), values }];
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
