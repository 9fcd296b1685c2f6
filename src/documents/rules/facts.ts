import type { Covered } from '../days.ts';
import { ABROAD } from '../identity/keys.ts';
import type { GivenUpNumbers } from '../layouts/given-up-numbers.ts';
import { type DocumentStatus, type DocumentSummary, type EventSummary, isVoid } from '../summary/summary.ts';

/** Context of a check: the company and the selection. */
export interface RuleContext {
  /** CNPJ of the company, without mask. Rules about its own numbers or its entries need it. */
  readonly company?: string;
  /** Direction of the selection. The company's numbers span both, so pass documents of both. */
  readonly direction?: 'inbound' | 'outbound';
  /** Day (`YYYY-MM-DD`) on which a document was entered, by its key; falls back to the day of issue. */
  readonly entryDay?: (key: string) => string | undefined;
  /** Reference time for deadlines; without it, deadlines are not checked. */
  readonly now?: Date;
  readonly timeZone?: string;
  /** Without it, rules about goods and freight don't apply, and numbering is checked within these documents. */
  readonly covered?: Covered;
  readonly givenUp?: readonly GivenUpNumbers[];
}

/** An event of a document; without a status it is registered. */
export interface RegisteredEvent extends Pick<EventSummary, 'code' | 'at'> {
  readonly status?: DocumentStatus;
}

/** The part of a document needed by rules over many documents: some hundred bytes, no items. */
export type OwnFacts = Partial<ReturnType<typeof factsOf>> &
  Pick<DocumentSummary, 'kind' | 'status' | 'linked_keys'>;

export interface KnownNow {
  readonly status: DocumentStatus;
  readonly contents: number;
}

export type DocumentFacts = OwnFacts &
  Partial<Pick<KnownNow, 'contents'>> & {
    /** `YYYY-MM-DD` of the entry if known, else of the issue. */
    readonly entered_on?: string;
  };

/** tpNF of notes for inbound goods. */
export const ENTRY = '0';

function freightOf({ layout, transport, issuer, recipient }: DocumentSummary) {
  if (transport === undefined) return undefined;
  const { mode, carrier } = transport;
  const [from, to] = [issuer?.city, recipient?.city];
  const isAbroad = issuer?.state === ABROAD || recipient?.state === ABROAD;
  const isKnownRoute = from !== undefined && to !== undefined && !isAbroad;
  // Before layout 4.00 the code only named the payer. Source: docs/fiscal/checks.md, goods and freight.
  const is_hired = layout === 'nfe 4.00' && ['0', '1', '2'].includes(mode ?? '') && isKnownRoute;
  const isSameState = issuer?.state !== undefined && issuer.state === recipient?.state;
  const within_city = isSameState && from !== undefined && from.toUpperCase() === to?.toUpperCase();
  return {
    /** modFrete: 0 paid by the issuer, 1 by the recipient. */
    mode,
    carrier: carrier?.id,
    /** Carried by a hired carrier and not by a party itself, judging by the code alone. */
    is_hired,
    within_city,
  };
}

/** Facts of a document or an event from its own file. */
export function factsOf(document: DocumentSummary) {
  const { kind, key, model, series, number, flow, status, purpose, issued_at, event, totals } = document;
  return {
    ...{ kind, key, model, series, number, flow, status, purpose, issued_at },
    issuer: document.issuer?.id,
    issuer_name: document.issuer?.name,
    recipient: document.recipient?.id,
    payer: document.payer?.id,
    authorized_at: document.protocol?.at,
    sender: document.sender?.id,
    total: totals.total ?? totals.services,
    /** natOp of a note for inbound goods. */
    operation: flow === ENTRY ? document.operation : undefined,
    verification_code: document.verification_code,
    event: event && ({ code: event.code, at: event.at } as RegisteredEvent),
    linked_keys: document.linked_keys,
    freight: freightOf(document),
  };
}

/** Adds current facts to a document's own. */
export function factsNow(own: OwnFacts, { entryDay }: RuleContext, now?: KnownNow): DocumentFacts {
  const entered = own.key === undefined ? undefined : entryDay?.(own.key);
  const entered_on = entered ?? own.issued_at?.slice(0, 10);
  return { ...own, status: now?.status ?? own.status, contents: now?.contents, entered_on };
}

/** Events in a document's own file, without its cancellation, which is part of its facts. */
export function eventsIn({ events = [], event: own }: DocumentSummary): RegisteredEvent[] {
  return events.filter(({ code }) => code !== own?.code).map(({ code, at }) => ({ code, at }));
}

/** Represents an event as facts. */
export function eventFacts(
  key: string | undefined,
  { code, at, status = 'authorized' }: RegisteredEvent,
): DocumentFacts {
  return { kind: 'event', key, status, event: { code, at }, linked_keys: [] };
}

/** True for a document itself; false for an event or the abridged note that precedes it. */
export function isDocument({ kind }: DocumentFacts): boolean {
  return kind !== 'event' && kind !== 'summary';
}

export function isInEffect({ status }: Pick<DocumentFacts, 'status'>): boolean {
  return !isVoid(status);
}
