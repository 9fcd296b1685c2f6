import { areAllWithin, type Covered } from '../days.ts';
import { grouped } from '../grouped.ts';
import { withoutLeadingZeros } from '../identity/keys.ts';
import { familyOf } from '../summary/summary.ts';
import { carriageBasis } from './carriage.ts';
import { type DocumentFacts, ENTRY, isDocument, isInEffect, type RuleContext } from './facts.ts';
import { absent, type Deviation, type Examined, kinds, rule, verified } from './rule.ts';

/** Identity of a document: its key, or the identifying fields of a municipal note. */
function identityOf(facts: DocumentFacts): string | undefined {
  const { key, issuer, number, issued_at, verification_code = '' } = facts;
  if (key !== undefined) return key;
  if (issuer === undefined || number === undefined) return undefined;
  return [familyOf(facts.kind), issuer, number, issued_at?.slice(0, 10), verification_code].join('|');
}

function* repeatedDocuments(facts: readonly DocumentFacts[]): Iterable<Examined> {
  for (const same of grouped(facts, (one) => (isDocument(one) ? identityOf(one) : undefined)).values()) {
    const [about] = same;
    const found = String(same.length);
    if (about !== undefined) yield { about, deviations: found === '1' ? [] : [{ found, expected: '1' }] };
  }
}

/** Groups documents and reports all but the first of each group, with values of the first. */
function repeatedIn(
  groupOf: (facts: DocumentFacts) => readonly unknown[] | undefined,
  values: (first: DocumentFacts) => Readonly<Record<string, string>>,
): (facts: readonly DocumentFacts[]) => Iterable<Examined> {
  return function* among(facts) {
    const groups = grouped(facts, (one) =>
      isDocument(one) && isInEffect(one) ? groupOf(one)?.join('|') : undefined,
    );
    for (const members of groups.values()) {
      const byIdentity = grouped(members, (one) => identityOf(one) ?? absent);
      const [first, ...others] = [...byIdentity].flatMap(([found, [about]]) =>
        about ? { found, about } : [],
      );
      if (first === undefined) continue;
      yield { about: first.about, deviations: [] };
      for (const { found, about } of others)
        yield { about, deviations: [{ found, expected: first.found, values: values(first.about) }] };
    }
  };
}

interface Range {
  readonly first: number;
  readonly last: number;
}

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

/**
 * True if a number in between would be known: numbers follow time, so the days between the two must have been checked.
 */
function wouldBeSeen(one: DocumentFacts, other: DocumentFacts, covered: Covered | undefined): boolean {
  if (covered === undefined) return true;
  const [first, last] = [one, other].flatMap(({ issued_at }) => issued_at?.slice(0, 10) ?? []).sort();
  return (
    first !== undefined && last !== undefined && areAllWithin(covered.days[familyOf(one.kind)], first, last)
  );
}

/** Numbers between two of a series, except those given up. */
function gapAfter(before: DocumentFacts, next: DocumentFacts, { givenUp = [] }: RuleContext): Deviation[] {
  const { kind, model, issuer, series } = before;
  const ofSeries = givenUp.filter(
    (one) =>
      kind !== 'nfse' &&
      one.company === issuer &&
      one.model === model &&
      one.series === (withoutLeadingZeros(series ?? '') || '0'),
  );
  const gap = { first: Number(before.number) + 1, last: Number(next.number) - 1 };
  const ranges = without(gap, ofSeries);
  const [lacking] = ranges;
  if (lacking === undefined) return [];
  const values = {
    missing: String(ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)),
    range: ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', '),
    series: series ?? absent,
  };
  return [{ found: String(Number(next.number)), expected: String(lacking.first), values }];
}

/**
 * Numbers missing between the lowest and the highest of each series issued by the company. Cancelled and denied
 * documents have used their numbers; numbers given up are not missing. A series covers both directions: with a
 * direction selected, only gaps next to a note of that direction are reported. Gaps outside the given documents are not
 * detected.
 */
function* numberGaps(facts: readonly DocumentFacts[], context: RuleContext): Iterable<Examined> {
  const { company, direction, covered } = context;
  /** True if a note issued by the company has the selected direction; its own entry notes (tpNF 0) are inbound. */
  const isAsked = ({ flow }: DocumentFacts) =>
    direction === undefined || (direction === 'inbound') === (flow === ENTRY);
  const series = grouped(facts, (one) => {
    const { kind, model = '', series = '', number = '', issuer } = one;
    const isOwn = company !== undefined && issuer === company && isDocument(one);
    return isOwn && /^\d{1,15}$/.test(number)
      ? [kind, model, withoutLeadingZeros(series)].join('|')
      : undefined;
  });
  for (const notes of series.values()) {
    notes.sort((one, other) => Number(one.number) - Number(other.number));
    for (const [at, next] of notes.entries()) {
      const about = notes[at - 1];
      if (about === undefined || !(isAsked(about) || isAsked(next))) continue;
      const isNext = Number(next.number) <= Number(about.number) + 1;
      if (isNext && isAsked(about)) yield { about, deviations: [] };
      else if (!isNext && wouldBeSeen(about, next, covered))
        yield { about, deviations: gapAfter(about, next, context) };
    }
  }
}

const keyBasis = verified('MOC NF-e 7.0 e MOC CT-e 4.00 (chave de acesso)');
const signatureBasis = verified('MOC NF-e 7.0, item 3.2.3 (assinatura digital); XML Signature, W3C 2002');
const numberingBasis = verified('Ajuste SINIEF 07/05, cl. 3ª (numeração)');
const gapBasis = verified('Ajuste SINIEF 07/05, cl. 14ª (inutilização)');

export const duplicateRules = [
  rule('duplicate_document', 'info', kinds.all, keyBasis, {
    title: ['Documento repetido', 'Repeated document'],
    finding: ['o mesmo documento aparece {found} vezes', 'the same document appears {found} times'],
    todo: ['Escriture uma só vez.', 'Book it only once.'],
    among: repeatedDocuments,
  }),
  rule('contents_differ', 'error', kinds.all, keyBasis, {
    title: ['Mesma chave com conteúdos diferentes', 'Same key with different contents'],
    finding: [
      'chegaram {found} conteúdos diferentes com esta chave; deveria haver {expected}',
      '{found} different contents came under this key; there should be {expected}',
    ],
    todo: [
      'Consulte a chave no portal do fisco e confira qual XML é o autorizado antes de escriturar ou pagar; o outro pode ter sido alterado.',
      'Look the key up on the tax office’s portal to see which XML is the authorised one before booking or paying; the other may have been altered.',
    ],
    checkFacts({ contents }) {
      if (contents === undefined) return undefined;
      return contents > 1 ? [{ found: String(contents), expected: '1' }] : [];
    },
  }),
  rule('text_against_signature', 'error', kinds.all, signatureBasis, {
    title: ['XML difere do que foi assinado', 'XML differs from what was signed'],
    finding: [
      'o XML não é o que foi assinado; deveria estar inalterado',
      'the XML is not what was signed; it should be unchanged',
    ],
    todo: [
      'Não escriture nem pague por este XML: peça-o de novo ao emitente ou ao fisco; verify_document diz o que não confere.',
      'Do not book or pay by this XML: have it sent again by the issuer or the tax office; verify_document says what does not match.',
    ],
    needs: 'text',
  }),
  rule('duplicate_invoice', 'warning', kinds.all, numberingBasis, {
    title: ['Mesmo emitente, número e valor', 'Same issuer, number and value'],
    finding: [
      'número {number} e valor {total} como no documento {expected}',
      'number {number} and value {total} as in document {expected}',
    ],
    todo: [
      'Confira se não é a mesma operação antes de pagar as duas.',
      'Check that they are not the same operation before paying both.',
    ],
    /** Same issuer, number and value: another series, or the municipal and the national version of one note. */
    among: repeatedIn(
      ({ kind, issuer, number, total }) =>
        issuer === undefined || number === undefined || total === undefined
          ? undefined
          : [familyOf(kind), issuer, withoutLeadingZeros(number), Number(total)],
      ({ number = absent, total = absent }) => ({ number, total }),
    ),
  }),
  rule('freight_billed_twice', 'warning', kinds.cte, carriageBasis, {
    title: ['Mesmo frete em dois CT-e', 'Same freight in two CT-e'],
    finding: [
      'mesmo transportador, valor {total} e notas (a primeira é {nfe}) do CT-e {expected}',
      'same carrier, value {total} and notes (the first is {nfe}) as CT-e {expected}',
    ],
    todo: [
      'Confira se não é cobrança em dobro; se for, peça o cancelamento ou registre o desacordo em até 45 dias.',
      'Check whether it was billed twice; if so, ask for a cancellation or register the disagreement within 45 days.',
    ],
    /** Same carrier, value and goods' notes; neither complements nor substitutes (only tpCTe 0). */
    among: repeatedIn(
      ({ issuer, total, linked_keys, purpose }) =>
        issuer === undefined || total === undefined || linked_keys.length === 0 || purpose !== '0'
          ? undefined
          : [issuer, Number(total), ...linked_keys.toSorted()],
      ({ linked_keys: [nfe = absent], total = absent }) => ({ nfe, total }),
    ),
  }),
];

export const numberingRules = [
  rule('number_gap', 'warning', kinds.all, gapBasis, {
    title: ['Salto na numeração própria', 'Gap in the company’s own numbering'],
    finding: [
      'série {series}: {missing:falta|faltam} {missing} {missing:número|números}, {range}; depois deste viria {expected} e veio {found}',
      'series {series}: {missing} {missing:number|numbers} missing, {range}; after this one {expected} was due and {found} came',
    ],
    todo: [
      'Confira se foram inutilizados (até o dia 10 do mês seguinte) ou se faltou recebê-los.',
      'Check whether they were voided (inutilização, by the tenth of the next month) or have not been received.',
    ],
    needs: 'own_numbers',
    among: numberGaps,
  }),
];
