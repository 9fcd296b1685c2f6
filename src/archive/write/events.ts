import { sql } from 'kysely';
import { isRegistered, standingEvents } from '../../documents/events/event-history.ts';
import { cancellationEvents } from '../../documents/events/event-names.ts';
import type { DocumentSummary, EventSummary } from '../../documents/summary/summary.ts';
import { deflated, digestOf, eventIdentityOf } from '../schema/encoding.ts';
import type { EventOrigin, EventRow, Session } from '../schema/schema.ts';
import { findRows, insertRows, updateRows } from '../schema/sql.ts';
import type { Arrival, NotedEvent, Sighting } from './arrival.ts';

/** Whether an event, once registered, means that its document is void. */
function isCancelling({ status, event }: DocumentSummary): boolean {
  return status === 'authorized' && cancellationEvents.has(event?.code ?? '');
}

/** An event in the form it is stored in, but for how and when it came. */
export type PreparedEvent = Omit<EventRow, 'tenant' | 'origin' | 'asked_at'>;

/** Puts an event into the form it is stored in. */
export function prepareEvent({ summary, xml }: Arrival, keepXml: boolean): PreparedEvent {
  const text = JSON.stringify(summary);
  const digest = digestOf(text);
  return {
    identity: eventIdentityOf(summary, digest),
    key: summary.key ?? '',
    code: summary.event?.code ?? '',
    at: summary.event?.at ?? '',
    cancels: isCancelling(summary) ? 1 : 0,
    registered: isRegistered(summary) ? 1 : 0,
    digest,
    summary: deflated(text),
    xml: keepXml && xml !== undefined ? deflated(xml) : null,
  };
}

/** An event that is known without its text, as a summary. */
export function summaryOf({ key, code, registered, protocol, ...rest }: NotedEvent): DocumentSummary {
  const { sequence = '1', name, at, author, text } = rest;
  return {
    kind: 'event',
    layout: 'noted',
    key,
    status: registered ? 'authorized' : 'no_protocol',
    protocol,
    totals: {},
    items: [],
    item_count: 0,
    payments: [],
    installments: [],
    references: [],
    linked_keys: [],
    event: { code, name, sequence, at, author, text },
    warnings: [],
  };
}

interface Form {
  readonly registered: number;
  readonly origin: EventOrigin;
}

const stands = ({ registered }: Pick<Form, 'registered'>): boolean => registered === 1;
const isNoted = ({ origin }: Form): boolean => origin === 'service' || origin === 'write';

/**
 * Whether an event may take the place of another form of it: a registered one stays, whatever comes later, and the
 * event's own text stays where only a note of it comes.
 */
function mayReplace(before: Form, now: Form): boolean {
  if (stands(before) !== stands(now)) return stands(now);
  return !isNoted(now) || isNoted(before);
}

/** Each event once, in the form that stays, in the order of identities. */
function uniqueEvents(events: readonly EventRow[]): EventRow[] {
  const unique = new Map<string, EventRow>();
  for (const event of events) {
    const before = unique.get(event.identity);
    if (before === undefined || mayReplace(before, event)) unique.set(event.identity, event);
  }
  return [...unique.values()].sort((one, other) => (one.identity < other.identity ? -1 : 1));
}

const replaced = ['key', 'code', 'at', 'registered', 'digest', 'asked_at', 'summary', 'xml'].map(
  (name) => `"${name}" = excluded."${name}"`,
);

/** What others than files gave stays theirs, whatever file has it too. */
const originOf = `case when excluded.origin = 'files' then events.origin else excluded.origin end`;

/** A cancellation that was registered once stays one, whatever form of it comes later. */
const onConflict = `on conflict (tenant, identity) do update set ${replaced.join(', ')}, origin = ${originOf},
  cancels = case when excluded.cancels > events.cancels then excluded.cancels else events.cancels end`;

/** Keeps events that came in one way at one moment. @returns those that are newly registered */
export async function writeEvents(
  session: Session,
  events: readonly PreparedEvent[],
  { events: origin, at: asked_at }: Pick<Sighting, 'events' | 'at'>,
): Promise<readonly EventRow[]> {
  const { db, tenant } = session;
  const unique = uniqueEvents(events.map((event) => ({ tenant, ...event, origin, asked_at })));
  const identities = unique.map(({ identity }) => identity);
  const columns = ['identity', 'digest', 'registered', 'origin'] as const;
  const known = await findRows(session, 'events', columns, 'identity', identities);
  const before = new Map(known.map((row) => [row.identity, row]));
  const changed = unique.filter((event) => {
    const row = before.get(event.identity);
    return row === undefined || (row.digest !== event.digest && mayReplace(row, event));
  });
  await insertRows(db, 'events', changed, onConflict);
  const written = new Set(changed.map(({ identity }) => identity));
  const kept = identities.filter((identity) => !written.has(identity));
  const ofService = sql`case when origin = 'files' then ${origin} else origin end`;
  await updateRows(session, 'events', sql`asked_at = ${asked_at}, origin = ${ofService}`, 'identity', kept);
  return changed.filter((event) => {
    const row = before.get(event.identity);
    return stands(event) && (row === undefined || !stands(row));
  });
}

/** What of a stored event tells whether it stands. */
type EventMark = Pick<EventRow, 'identity' | 'registered' | 'cancels'>;

/** The events of these keys; a key without any is not there. */
export async function eventMarks(
  session: Session,
  keys: readonly string[],
): Promise<ReadonlyMap<string, EventMark[]>> {
  const asked = keys.filter((key) => key !== '');
  const columns = ['key', 'identity', 'registered', 'cancels'] as const;
  const marks = new Map<string, EventMark[]>();
  for (const { key, ...mark } of await findRows(session, 'events', columns, 'key', asked)) {
    marks.set(key, [...(marks.get(key) ?? []), mark]);
  }
  return marks;
}

/** The events in a document's own file, as they are stored; empty where there are none. */
export function ownEventsOf({ events = [] }: DocumentSummary): string {
  const own = events.map(({ code, sequence, at, details }) => ({ code, sequence, at, details }));
  return own.length === 0 ? '' : JSON.stringify(own);
}

/** The codes of a document's events that stand, in order, with blanks between. @param own see `ownEventsOf` */
export function standingCodes(own: string, stored: readonly EventMark[] = []): string {
  const events = own === '' ? [] : (JSON.parse(own) as EventSummary[]);
  const beside = stored.map(({ identity, registered }) => {
    // See `eventIdentityOf`.
    const [, code, sequence, cancelled_code] = identity.split('|');
    const status = registered === 1 ? ('authorized' as const) : ('unknown' as const);
    return { status, event: { code, sequence, details: { cancelled_code } } };
  });
  const codes = standingEvents({ events }, beside).flatMap(({ code = '' }) =>
    /^\d{6}$/.test(code) ? [code] : [],
  );
  return [...new Set(codes)].sort().join(' ');
}

/** Brings the codes of the documents of these keys up to date with their events. */
export async function renewEventCodes(session: Session, keys: readonly string[]): Promise<void> {
  const asked = [...new Set(keys)].filter((key) => key !== '');
  const marks = await eventMarks(session, asked);
  const columns = ['id', 'key', 'own_events', 'events'] as const;
  const changed = new Map<string, number[]>();
  for (const { id, key, own_events, events } of await findRows(session, 'documents', columns, 'key', asked)) {
    const codes = standingCodes(own_events, marks.get(key));
    if (codes !== events) changed.set(codes, [...(changed.get(codes) ?? []), id]);
  }
  for (const [codes, ids] of changed)
    await updateRows(session, 'documents', sql`events = ${codes}`, 'id', ids);
}
