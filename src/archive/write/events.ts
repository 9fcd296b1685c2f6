import { sql } from 'kysely';
import { cancellationEvents, isRegistered } from '../../documents/events/statuses.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { latestBelievable } from '../freshness.ts';
import { deflated, summaryFrom } from '../schema/encoding.ts';
import { digestOf, eventIdentityOf } from '../schema/identity.ts';
import type { EventOrigin, EventRow, Session } from '../schema/schema.ts';
import { findRows, inParts, insertRows } from '../schema/sql.ts';
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
  readonly summary: Uint8Array;
  readonly origin: EventOrigin;
}

/** Whether an event is registered. */
function stands({ summary }: Pick<Form, 'summary'>): boolean {
  return isRegistered(summaryFrom(summary));
}
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

const replaced = ['key', 'code', 'at', 'digest', 'asked_at', 'summary', 'xml'].map(
  (name) => `"${name}" = excluded."${name}"`,
);

/** What others than files gave stays theirs, whatever file has it too. */
const originOf = `case when excluded.origin = 'files' then events.origin else excluded.origin end`;

/** A cancellation that was registered once stays one, whatever form of it comes later. */
const onConflict = `on conflict (tenant, identity) do update set ${replaced.join(', ')}, origin = ${originOf},
  cancels = case when excluded.cancels > events.cancels then excluded.cancels else events.cancels end`;

/** Keeps events that came in one way at one moment. @returns how many are new or others, and which are newly registered */
export async function writeEvents(
  session: Session,
  events: readonly PreparedEvent[],
  { events: origin, at: asked_at, clock }: Pick<Sighting, 'events' | 'at' | 'clock'>,
): Promise<{ readonly changed: number; readonly registered: readonly EventRow[] }> {
  const { db, tenant } = session;
  const unique = uniqueEvents(events.map((event) => ({ tenant, ...event, origin, asked_at })));
  const identities = unique.map(({ identity }) => identity);
  const columns = ['identity', 'digest', 'summary', 'origin'] as const;
  const known = await findRows(session, 'events', columns, 'identity', identities);
  const before = new Map(known.map((row) => [row.identity, row]));
  const changed = unique.filter((event) => {
    const row = before.get(event.identity);
    return row === undefined || (row.digest !== event.digest && mayReplace(row, event));
  });
  await insertRows(db, 'events', changed, onConflict);
  const written = new Set(changed.map(({ identity }) => identity));
  const kept = identities.filter((identity) => !written.has(identity));
  await inParts(kept, async (part) => {
    const these = sql`tenant = ${tenant} and identity in (${sql.join(part)})`;
    await sql`update events set asked_at = ${asked_at}
      where ${these} and (asked_at < ${asked_at} or asked_at > ${latestBelievable(clock)})`.execute(db);
    if (origin !== 'files')
      await sql`update events set origin = ${origin} where ${these} and origin = 'files'`.execute(db);
  });
  const registered = changed.filter((event) => {
    const row = before.get(event.identity);
    return stands(event) && (row === undefined || !stands(row));
  });
  return { changed: changed.length, registered };
}

/** Of these keys, those with a registered cancellation. */
export async function cancelledKeys(session: Session, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await findRows(session, 'events', ['key', 'cancels'], 'key', keys);
  return new Set(rows.filter(({ cancels }) => cancels === 1).map(({ key }) => key));
}
