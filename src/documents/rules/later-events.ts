import { cancellationEvents } from '../events/statuses.ts';
import type { EventSummary } from '../summary/summary.ts';
import { type DocumentFacts, isDocument, type RuleContext } from './facts.ts';
import { type Accumulator, about, absent, kinds, type Rule, type SetDeviation, verified } from './rule.ts';

/** What an event is known by. Without either where a document is marked as cancelled and does not say when. */
type Event = Pick<EventSummary, 'code' | 'at'>;

const CORRECTION_LETTER = '110110';

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

function afterEntry(about: DocumentFacts, { code = absent, at }: Event): SetDeviation[] {
  const { entered_on } = about;
  const happened = at?.slice(0, 10);
  if (entered_on === undefined || (happened !== undefined && happened <= entered_on)) return [];
  return [{ about, found: happened ?? absent, expected: entered_on, values: { code } }];
}

/**
 * Documents of others that something happened to on a later day than they were entered, or nobody says when. What
 * happened may be told before its document, after it, or in it.
 */
function afterEntryOf(
  eventIn: (facts: DocumentFacts) => Event | undefined,
  { company }: RuleContext,
): Accumulator {
  const entered = new Map<string, DocumentFacts>();
  const events = new Map<string, Event>();
  const withoutKey: SetDeviation[] = [];

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
        if (isOthers && event !== undefined) withoutKey.push(...afterEntry(facts, event));
        return;
      }
      if (isOthers) entered.set(key, facts);
      if (event !== undefined) note(key, event);
    },
    *finish() {
      yield* withoutKey;
      for (const [key, event] of events) {
        const about = entered.get(key);
        if (about !== undefined) yield* afterEntry(about, event);
      }
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
