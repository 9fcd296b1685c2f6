import { CORRECTION_LETTER, cancellationEvents } from '../events/event-names.ts';
import { type EventSummary, familyOf } from '../summary/summary.ts';
import { type DocumentFacts, isDocument, isInEffect, type RuleContext } from './facts.ts';
import {
  type Accumulator,
  about,
  absent,
  type Examined,
  kinds,
  type Rule,
  type Verdict,
  verified,
} from './rule.ts';

/** One key, several contents that contradict each other. */
function checkContents({ contents }: DocumentFacts): Verdict {
  if (contents === undefined) return undefined;
  return contents > 1 ? [{ found: String(contents), expected: '1' }] : [];
}

/** Identity of a document: its key, or the identifying fields of a municipal note. */
function identityOf(facts: DocumentFacts): string | undefined {
  const { key, issuer, number, issued_at, verification_code = '' } = facts;
  if (key !== undefined) return key;
  if (issuer === undefined || number === undefined) return undefined;
  return [familyOf(facts.kind), issuer, number, issued_at?.slice(0, 10), verification_code].join('|');
}

/** The same document more than once. */
function repeatedDocuments(): Accumulator {
  const seen = new Map<string, DocumentFacts>();
  const again = new Map<string, number>();
  return {
    take(facts) {
      const identity = isDocument(facts) ? identityOf(facts) : undefined;
      if (identity === undefined) return;
      if (seen.has(identity)) again.set(identity, (again.get(identity) ?? 1) + 1);
      else seen.set(identity, facts);
    },
    *finish() {
      for (const [identity, about] of seen) {
        const times = again.get(identity);
        yield { about, deviations: times === undefined ? [] : [{ found: String(times), expected: '1' }] };
      }
    },
  };
}

/** Groups documents and tells of each that is not the first of its group, naming the first. */
function repeatedIn(
  groupOf: (facts: DocumentFacts) => string | undefined,
  values: (first: DocumentFacts) => Readonly<Record<string, string>>,
): Accumulator {
  // Most groups have one member, which needs no list.
  const groups = new Map<string, DocumentFacts | DocumentFacts[]>();
  return {
    take(facts) {
      const group = isDocument(facts) && isInEffect(facts) ? groupOf(facts) : undefined;
      if (group === undefined) return;
      const members = groups.get(group);
      if (members === undefined) {
        groups.set(group, facts);
        return;
      }
      const all = Array.isArray(members) ? members : [members];
      if (all.some((member) => identityOf(member) === identityOf(facts))) return;
      all.push(facts);
      groups.set(group, all);
    },
    *finish() {
      for (const members of groups.values()) {
        const [first, ...others] = Array.isArray(members) ? members : [members];
        if (first === undefined) continue;
        yield { about: first, deviations: [] };
        const expected = identityOf(first) ?? absent;
        for (const about of others) {
          const found = identityOf(about) ?? absent;
          yield { about, deviations: [{ found, expected, values: values(first) }] };
        }
      }
    },
  };
}

function withoutZeros(number: string): string {
  return number.replace(/^0+(?=\d)/, '');
}

/** Two documents of one issuer, number and value: another series, or the municipal and the national form of one. */
function repeatedInvoices(): Accumulator {
  return repeatedIn(
    (facts) => {
      const { issuer, number, total } = facts;
      if (issuer === undefined || number === undefined || total === undefined) return undefined;
      return [familyOf(facts.kind), issuer, withoutZeros(number), Number(total)].join('|');
    },
    ({ number = absent, total = absent }) => ({ number, total }),
  );
}

/** tpCTe 0: not a complement, not a substitute. */
const NORMAL_CTE = '0';

/** One carrier, one value, the same goods' notes, two CT-e. */
function freightBilledTwice(): Accumulator {
  return repeatedIn(
    ({ issuer, total, linked_keys, purpose }) => {
      const isComparable = purpose === NORMAL_CTE && linked_keys.length > 0 && total !== undefined;
      if (!isComparable || issuer === undefined) return undefined;
      return [issuer, Number(total), ...linked_keys.toSorted()].join('|');
    },
    ({ linked_keys: [nfe = absent], total = absent }) => ({ nfe, total }),
  );
}

const keyBasis = verified('MOC NF-e 7.0 e MOC CT-e 4.00 (chave de acesso)');
const signatureBasis = verified('MOC NF-e 7.0, item 3.2.3 (assinatura digital); XML Signature, W3C 2002');
const numberingBasis = verified('Ajuste SINIEF 07/05, cl. 3ª (numeração)');
const carriageBasis = verified('MOC CT-e 4.00, grupo infDoc');

/** Rules of this subject. */
export const duplicateRules: readonly Rule[] = [
  {
    ...about('duplicate_document', 'info', kinds.all, keyBasis),
    title: ['Documento repetido', 'Repeated document'],
    finding: ['o mesmo documento aparece {found} vezes', 'the same document appears {found} times'],
    todo: ['Escriture uma só vez.', 'Book it only once.'],
    begin: repeatedDocuments,
  },
  {
    ...about('contents_differ', 'error', kinds.all, keyBasis),
    title: ['Mesma chave com conteúdos diferentes', 'Same key with different contents'],
    finding: [
      'chegaram {found} conteúdos diferentes com esta chave; deveria haver {expected}',
      '{found} different contents came under this key; there should be {expected}',
    ],
    todo: [
      'Consulte a chave no portal do fisco e confira qual XML é o autorizado antes de escriturar ou pagar; o outro pode ter sido alterado.',
      'Look the key up on the tax office’s portal to see which XML is the authorised one before booking or paying; the other may have been altered.',
    ],
    checkFacts: checkContents,
  },
  {
    ...about('text_against_signature', 'error', kinds.all, signatureBasis),
    title: ['XML difere do que foi assinado', 'XML differs from what was signed'],
    finding: [
      'o XML não é o que foi assinado; deveria estar inalterado',
      'the XML is not what was signed; it should be unchanged',
    ],
    todo: [
      'Não escriture nem pague por este XML: peça-o de novo ao emitente ou ao fisco; verify_document diz o que não confere.',
      'Do not book or pay by this XML: have it sent again by the issuer or the tax office; verify_document says what does not match.',
    ],
    readsText: true,
  },
  {
    ...about('duplicate_invoice', 'warning', kinds.all, numberingBasis),
    title: ['Mesmo emitente, número e valor', 'Same issuer, number and value'],
    finding: [
      'número {number} e valor {total} como no documento {expected}',
      'number {number} and value {total} as in document {expected}',
    ],
    todo: [
      'Confira se não é a mesma operação antes de pagar as duas.',
      'Check that they are not the same operation before paying both.',
    ],
    begin: repeatedInvoices,
  },
  {
    ...about('freight_billed_twice', 'warning', kinds.cte, carriageBasis),
    title: ['Mesmo frete em dois CT-e', 'Same freight in two CT-e'],
    finding: [
      'mesmo transportador, valor {total} e notas (a primeira é {nfe}) do CT-e {expected}',
      'same carrier, value {total} and notes (the first is {nfe}) as CT-e {expected}',
    ],
    todo: [
      'Confira se não é cobrança em dobro; se for, peça o cancelamento ou registre o desacordo em até 45 dias.',
      'Check whether it was billed twice; if so, ask for a cancellation or register the disagreement within 45 days.',
    ],
    begin: freightBilledTwice,
  },
];

/** What an event is known by. Without either where a document is marked as cancelled and does not say when. */
type Event = Pick<EventSummary, 'code' | 'at'>;

/** Registered; a request without its answer has not happened. */
function registeredEvent({ kind, status, event }: DocumentFacts): Event | undefined {
  return kind === 'event' && status === 'authorized' ? event : undefined;
}

function cancellationIn(facts: DocumentFacts): Event | undefined {
  const event = registeredEvent(facts);
  if (event !== undefined) return cancellationEvents.has(event.code ?? '') ? event : undefined;
  return facts.kind !== 'event' && facts.status === 'cancelled' ? (facts.event ?? {}) : undefined;
}

function correctionIn(facts: DocumentFacts): Event | undefined {
  const event = registeredEvent(facts);
  return event?.code === CORRECTION_LETTER ? event : undefined;
}

/** A document whose day of entry is known, with its last event of a sort. */
function afterEntry(about: DocumentFacts, event: Event | undefined): Examined[] {
  const { entered_on } = about;
  if (entered_on === undefined) return [];
  const happened = event?.at?.slice(0, 10);
  const isLater = event !== undefined && (happened === undefined || happened > entered_on);
  const values = { code: event?.code ?? absent };
  return [
    { about, deviations: isLater ? [{ found: happened ?? absent, expected: entered_on, values }] : [] },
  ];
}

/** Documents of others with an event after their entry, or an undated one, in whatever order both come. */
function afterEntryOf(
  eventIn: (facts: DocumentFacts) => Event | undefined,
  { company }: RuleContext,
): Accumulator {
  const entered = new Map<string, DocumentFacts>();
  const events = new Map<string, Event>();
  const withoutKey: Examined[] = [];

  function note(key: string, event: Event): void {
    const known = events.get(key);
    if (known === undefined || (event.at ?? '') > (known.at ?? '')) events.set(key, event);
  }

  return {
    take(facts) {
      if (company === undefined) return;
      const { key } = facts;
      const event = eventIn(facts);
      const isOthers = isDocument(facts) && facts.issuer !== company;
      if (key === undefined) {
        if (isOthers) withoutKey.push(...afterEntry(facts, event));
        return;
      }
      if (isOthers) entered.set(key, facts);
      if (event !== undefined) note(key, event);
    },
    *finish() {
      yield* withoutKey;
      for (const [key, about] of entered) yield* afterEntry(about, events.get(key));
    },
  };
}

/** Documents of others that were cancelled later, or nobody says when. */
function cancelledAfterEntry(context: RuleContext): Accumulator {
  return afterEntryOf(cancellationIn, context);
}

/** Documents of others that got a correction letter (CC-e) later. */
function correctedAfterEntry(context: RuleContext): Accumulator {
  return afterEntryOf(correctionIn, context);
}

const cancellationBasis = verified('Ajuste SINIEF 07/05 e Ajuste SINIEF 09/07 (cancelamento)');
const correctionBasis = verified('Ajuste SINIEF 07/05, cl. 14ª-A (CC-e)');

/** Rules of this subject. */
export const laterEventRules: readonly Rule[] = [
  {
    ...about('cancelled_after_entry', 'warning', kinds.all, cancellationBasis),
    title: ['Cancelado depois da entrada', 'Cancelled after its entry'],
    finding: [
      'cancelado em {found} (evento {code}), depois da entrada ou emissão em {expected}',
      'cancelled on {found} (event {code}), after it was entered or issued on {expected}',
    ],
    todo: [
      'Se já foi escriturado, estorne a entrada e o crédito.',
      'If it is booked, reverse the entry and the credit.',
    ],
    begin: cancelledAfterEntry,
  },
  {
    ...about('corrected_after_entry', 'warning', kinds.coded, correctionBasis),
    title: ['Corrigido depois da entrada', 'Corrected after its entry'],
    finding: [
      'carta de correção de {found} (evento {code}), depois da entrada ou emissão em {expected}',
      'correction letter of {found} (event {code}), after it was entered or issued on {expected}',
    ],
    todo: ['Veja o que mudou e ajuste a escrituração.', 'See what changed and adjust the books.'],
    begin: correctedAfterEntry,
  },
];
