import type { GivenUpNumbers } from '../layouts/given-up-numbers.ts';
import type { DocumentKind, DocumentStatus, DocumentSummary, EventSummary } from '../summary/summary.ts';
import type { Covered } from './covered-days.ts';

/** What the documents are looked at for. */
export interface RuleContext {
  /** CNPJ of the company, without mask. Rules about its own numbering or its entries find nothing without it. */
  readonly company?: string;
  /** Which way the documents were asked for. The company's numbers run both ways, and are to be given both ways. */
  readonly direction?: 'inbound' | 'outbound';
  /** The day (`YYYY-MM-DD`) a document was entered, where it is known; the day of issue stands in for it. */
  readonly entryDay?: (document: DocumentSummary) => string | undefined;
  /** How many different contents came under a document's key, where there is more than one. */
  readonly contents?: (document: DocumentSummary) => number | undefined;
  /** The moment deadlines are looked at from; without it nothing is said of them. */
  readonly now?: Date;
  /** Zone (IANA) of moments that have none. */
  readonly timeZone?: string;
  /** Without it nothing is said about the link of goods and freight, and numbering is judged by what was given. */
  readonly covered?: Covered;
  /** Numbers that were given up: they are not missing. */
  readonly givenUp?: readonly GivenUpNumbers[];
}

/** The little that rules over many documents keep of each: some hundred bytes, none of its items. */
export interface DocumentFacts {
  readonly kind: DocumentKind;
  readonly key?: string;
  readonly model?: string;
  readonly series?: string;
  readonly number?: string;
  readonly issuer?: string;
  readonly issuer_name?: string;
  readonly recipient?: string;
  /** Who pays a CT-e. */
  readonly payer?: string;
  /** As in the file: the moment of the protocol. */
  readonly authorized_at?: string;
  /** tpNF of an NF-e: 0 what it moves comes in, also where the company issued it; 1 it goes out. */
  readonly flow?: string;
  /** Of a CT-e. */
  readonly sender?: string;
  readonly total?: string;
  readonly status: DocumentStatus;
  readonly purpose?: string;
  /** As in the file. */
  readonly issued_at?: string;
  /** `YYYY-MM-DD`: the entry where it is known, else the issue. */
  readonly entered_on?: string;
  readonly verification_code?: string;
  readonly event?: Pick<EventSummary, 'code' | 'at'>;
  readonly linked_keys: readonly string[];
  readonly freight?: Freight;
}

/** What an NF-e says of its carriage. */
interface Freight {
  /** modFrete: 0 the issuer pays, 1 the recipient. */
  readonly mode?: string;
  readonly carrier?: string;
  readonly within_city: boolean;
}

function freightOf({ transport, issuer, recipient }: DocumentSummary): Freight | undefined {
  if (transport === undefined) return undefined;
  const sameState = issuer?.state !== undefined && issuer.state === recipient?.state;
  const within_city =
    sameState && issuer?.city !== undefined && issuer.city.toUpperCase() === recipient?.city?.toUpperCase();
  return { mode: transport.mode, carrier: transport.carrier?.id, within_city };
}

/** What is kept of a document or an event. */
export function factsOf(document: DocumentSummary, context: RuleContext): DocumentFacts {
  const { event } = document;
  return {
    kind: document.kind,
    key: document.key,
    model: document.model,
    series: document.series,
    number: document.number,
    issuer: document.issuer?.id,
    issuer_name: document.issuer?.name,
    recipient: document.recipient?.id,
    payer: document.payer?.id,
    authorized_at: document.protocol?.at,
    flow: document.flow,
    sender: document.sender?.id,
    total: document.totals.total ?? document.totals.services,
    status: document.status,
    purpose: document.purpose,
    issued_at: document.issued_at,
    entered_on: context.entryDay?.(document) ?? document.issued_at?.slice(0, 10),
    verification_code: document.verification_code,
    event: event && { code: event.code, at: event.at },
    linked_keys: document.linked_keys,
    freight: freightOf(document),
  };
}

/** The events in a document's own file as facts of their own; its cancellation is among the document's. */
export function eventFactsOf({ key, events = [], event: own }: DocumentSummary): DocumentFacts[] {
  return events
    .filter(({ code }) => code !== own?.code)
    .map(({ code, at }) => ({
      kind: 'event',
      key,
      status: 'authorized',
      event: { code, at },
      linked_keys: [],
    }));
}

/** The day of issue, `YYYY-MM-DD`. */
export function issueDayOf({ issued_at }: DocumentFacts): string | undefined {
  return issued_at?.slice(0, 10);
}

/** Whether a fact stands for a document itself: not for an event, nor for the abridged note that precedes it. */
export function isDocument({ kind }: DocumentFacts): boolean {
  return kind !== 'event' && kind !== 'summary';
}

/** A cancelled or denied document has no effect. */
export function isInEffect({ status }: Pick<DocumentFacts, 'status'>): boolean {
  return status !== 'cancelled' && status !== 'denied';
}
