import { sql } from 'kysely';
import { standingEvents } from '../../documents/events/event-history.ts';
import type { EventSummary } from '../../documents/summary/summary.ts';
import type { EventRow, Session } from '../schema/schema.ts';
import { changeRows, findRows, insertRows, replacing } from '../schema/sql.ts';
import type { PreparedEvent, Provenance } from './arrival.ts';
import { forgetSums } from './sums.ts';

type Form = Pick<EventRow, 'registered' | 'origin'>;

const isNoted = ({ origin }: Pick<Form, 'origin'>): boolean => origin === 'service' || origin === 'write';

/**
 * True if an event may replace its stored form: an unregistered form never replaces a registered one, nor a form
 * without text one with text.
 */
function mayReplace(before: Form, now: Form): boolean {
  if (before.registered !== now.registered) return now.registered === 1;
  return !isNoted(now) || isNoted(before);
}

const replaced = ['key', 'code', 'at', 'registered', 'digest', 'asked_at', 'summary', 'xml'];

/**
 * Files don't change the origin of an event from another source; a registered cancellation stays one, regardless of
 * later forms.
 */
const onConflict = `${replacing('events', replaced)},
  origin = case when excluded.origin = 'files' then events.origin else excluded.origin end,
  cancels = case when excluded.cancels > events.cancels then excluded.cancels else events.cancels end`;

/** Writes events of one origin and time. @returns the newly registered ones */
export async function writeEvents(
  session: Session,
  events: readonly PreparedEvent[],
  { events: origin, at: asked_at }: Pick<Provenance, 'events' | 'at'>,
): Promise<readonly EventRow[]> {
  const { db, tenant } = session;
  const unique = new Map<string, EventRow>();
  for (const prepared of events) {
    const event = { tenant, ...prepared, origin, asked_at };
    const before = unique.get(event.identity);
    if (before === undefined || mayReplace(before, event)) unique.set(event.identity, event);
  }
  const columns = ['identity', 'digest', 'registered', 'origin'] as const;
  const known = await findRows(session, 'events', columns, 'identity', unique.keys());
  const before = new Map(known.map((row) => [row.identity, row]));
  const changed: EventRow[] = [];
  const kept: string[] = [];
  // Ordered by identity, to prevent deadlocks.
  for (const [identity, event] of [...unique].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const row = before.get(identity);
    if (row === undefined || (row.digest !== event.digest && mayReplace(row, event))) changed.push(event);
    else kept.push(identity);
  }
  await insertRows(db, 'events', changed, onConflict);
  const ofService = sql`case when origin = 'files' then ${origin} else origin end`;
  await changeRows(
    session,
    sql`update events set asked_at = ${asked_at}, origin = ${ofService}`,
    'identity',
    kept,
  );
  return changed.filter(
    ({ registered, identity }) => registered === 1 && before.get(identity)?.registered !== 1,
  );
}

/** The fields of a stored event that determine whether it is effective. */
export type EventMark = Pick<EventRow, 'identity' | 'registered' | 'cancels'>;

/** The events by key; keys without events are absent. */
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

/** True if a stored event cancels the document. */
export function isCancelledBy(stored: readonly EventMark[] = []): boolean {
  return stored.some(({ cancels }) => cancels === 1);
}

/**
 * Codes of a document's effective events, sorted, separated by spaces.
 * @param own events in its own file, as in `documents.own_events`
 */
export function standingCodes(own: string, stored: readonly EventMark[] = []): string {
  const events = own === '' ? [] : (JSON.parse(own) as EventSummary[]);
  const beside = stored.map(({ identity, registered }) => {
    // See `eventIdentityOf`.
    const [, code, sequence, cancelled_code] = identity.split('|');
    const status = registered === 1 ? ('authorized' as const) : ('unknown' as const);
    return { summary: { status, event: { code, sequence, details: { cancelled_code } } } };
  });
  const codes = standingEvents({ summary: { events }, events: beside }).map(({ code = '' }) => code);
  return [...new Set(codes.filter((code) => /^\d{6}$/.test(code)))].sort().join(' ');
}

/** Updates the documents of these keys by their events. */
export async function applyEvents(
  session: Session,
  keys: readonly string[],
  { events: origin, at }: Pick<Provenance, 'events' | 'at'>,
) {
  const marks = await eventMarks(session, keys);
  const columns = ['id', 'key', 'own_status', 'own_events', 'status', 'events'] as const;
  const found = await findRows(
    session,
    'documents',
    columns,
    'key',
    new Set(keys.filter((key) => key !== '')),
  );
  const byCodes = new Map<string, number[]>();
  const restored: number[] = [];
  const affected = found.map(({ own_status, own_events, ...document }) => {
    const { id, key, status } = document;
    const codes = standingCodes(own_events, marks.get(key));
    if (codes !== document.events) byCodes.set(codes, [...(byCodes.get(codes) ?? []), id]);
    const isCancelled = isCancelledBy(marks.get(key));
    const isNewlyCancelled = isCancelled && status !== 'cancelled';
    if (!isCancelled && status !== own_status) restored.push(id);
    return { id, key, status, isNewlyCancelled };
  });
  const cancelled = affected.flatMap(({ id, isNewlyCancelled }) => (isNewlyCancelled ? [id] : []));
  await forgetSums(session, [...cancelled, ...restored]);
  for (const [codes, ids] of byCodes)
    await changeRows(session, sql`update documents set events = ${codes}`, 'id', ids);
  const from = isNoted({ origin }) ? 'service' : 'event';
  const ofEvent = sql`status = 'cancelled', status_at = ${at}, status_from = ${from}`;
  await changeRows(session, sql`update documents set ${ofEvent}`, 'id', cancelled);
  const own = sql`status = own_status, status_from = 'document'`;
  await changeRows(session, sql`update documents set ${own}`, 'id', restored);
  return affected;
}
