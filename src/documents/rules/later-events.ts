import type { EventSummary } from '../summary/summary.ts';
import type { RuleContext } from './facts.ts';
import { type DocumentFacts, isDocument } from './facts.ts';
import { type Accumulator, absent, type SetDeviation } from './rule.ts';

/** What an event is known by. Without either where a document is marked as cancelled and does not say when. */
type Event = Pick<EventSummary, 'code' | 'at'>;

/**
 * Of an NF-e or CT-e by itself or by substitution; of a national NFS-e also granted or decreed by the city.
 * Source: docs/fiscal/events.md.
 */
const cancellationCodes = new Set(['110111', '110112', '101101', '105102', '105104', '305101']);

const CORRECTION_LETTER = '110110';

/** Registered; a request without its answer has not happened. */
function registeredEvent({ kind, status, event }: DocumentFacts): Event | undefined {
  return kind === 'event' && status === 'authorized' ? event : undefined;
}

function cancellationIn(facts: DocumentFacts): Event | undefined {
  const event = registeredEvent(facts);
  if (event !== undefined) return cancellationCodes.has(event.code ?? '') ? event : undefined;
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
export function cancelledAfterEntry(context: RuleContext): Accumulator {
  return afterEntryOf(cancellationIn, context);
}

/** Documents of others that got a correction letter (CC-e) later. */
export function correctedAfterEntry(context: RuleContext): Accumulator {
  return afterEntryOf(correctionIn, context);
}
