import type { Covered } from '../days.ts';
import { ABROAD } from '../identity/keys.ts';
import type { GivenUpNumbers } from '../layouts/given-up-numbers.ts';
import type { DocumentStatus, DocumentSummary, EventSummary } from '../summary/summary.ts';

/** Context of a check: the company and the selection. */
export interface RuleContext {
  /** CNPJ of the company, without mask. Rules about its own numbering or its entries find nothing without it. */
  readonly company?: string;
  /** Direction of the selection. The company's numbers run through both, so give the documents of both. */
  readonly direction?: 'inbound' | 'outbound';
  /** The day (`YYYY-MM-DD`) a document was entered, by its key, where it is known; the day of issue stands in for it. */
  readonly entryDay?: (key: string) => string | undefined;
  /** The moment deadlines are looked at from; without it nothing is said of them. */
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

/** The little of a document that rules over many documents need: some hundred bytes, none of its items. */
export type OwnFacts = Partial<ReturnType<typeof factsOf>> &
  Pick<DocumentSummary, 'kind' | 'status' | 'linked_keys'>;

export interface KnownNow {
  readonly status: DocumentStatus;
  readonly contents: number;
}

export type DocumentFacts = OwnFacts &
  Partial<Pick<KnownNow, 'contents'>> & {
    /** `YYYY-MM-DD`: the entry where it is known, else the issue. */
    readonly entered_on?: string;
  };

/** tpNF of what moves goods in. */
export const ENTRY = '0';

function freightOf({ layout, transport, issuer, recipient }: DocumentSummary) {
  if (transport === undefined) return undefined;
  const { mode, carrier } = transport;
  const [from, to] = [issuer?.city, recipient?.city];
  const isAbroad = issuer?.state === ABROAD || recipient?.state === ABROAD;
  const isKnownRoute = from !== undefined && to !== undefined && !isAbroad;
  // Before layout 4.00 a code said who pays only. Source: docs/fiscal/checks.md, goods and freight.
  const is_hired = layout === 'nfe 4.00' && ['0', '1', '2'].includes(mode ?? '') && isKnownRoute;
  const isSameState = issuer?.state !== undefined && issuer.state === recipient?.state;
  const within_city = isSameState && from !== undefined && from.toUpperCase() === to?.toUpperCase();
  return {
    /** modFrete: 0 the issuer pays, 1 the recipient. */
    mode,
    carrier: carrier?.id,
    /** Hired from a carrier and not done by a party itself, by its code alone. */
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
    /** natOp of a note that moves goods in. */
    operation: flow === ENTRY ? document.operation : undefined,
    verification_code: document.verification_code,
    event: event && ({ code: event.code, at: event.at } as RegisteredEvent),
    linked_keys: document.linked_keys,
    freight: freightOf(document),
  };
}

/** The facts of a document with what is known of it now. */
export function factsNow(own: OwnFacts, { entryDay }: RuleContext, now?: KnownNow): DocumentFacts {
  const entered = own.key === undefined ? undefined : entryDay?.(own.key);
  const entered_on = entered ?? own.issued_at?.slice(0, 10);
  return { ...own, status: now?.status ?? own.status, contents: now?.contents, entered_on };
}

/** The events in a document's own file; its cancellation is among the document's facts. */
export function eventsIn({ events = [], event: own }: DocumentSummary): RegisteredEvent[] {
  return events.filter(({ code }) => code !== own?.code).map(({ code, at }) => ({ code, at }));
}

/** An event as facts of its own. */
export function eventFacts(
  key: string | undefined,
  { code, at, status = 'authorized' }: RegisteredEvent,
): DocumentFacts {
  return { kind: 'event', key, status, event: { code, at }, linked_keys: [] };
}

/** Whether a fact stands for a document itself: not for an event, nor for the abridged note that precedes it. */
export function isDocument({ kind }: DocumentFacts): boolean {
  return kind !== 'event' && kind !== 'summary';
}

/** Groups in the order of their first members; drops those without a name. */
export function grouped<T>(all: readonly T[], nameOf: (one: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(one);
    if (name === undefined) continue;
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(one);
  }
  return groups;
}

export function isInEffect({ status }: Pick<DocumentFacts, 'status'>): boolean {
  return status !== 'cancelled' && status !== 'denied';
}
