import { isRegistered } from '../../../documents/events/statuses.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import { deflated, summaryFrom } from '../schema/encoding.ts';
import { digestOf, eventIdentityOf } from '../schema/identity.ts';
import type { Db, EventRow } from '../schema/schema.ts';
import { insertRows } from '../schema/sql.ts';
import type { Arrival } from './arrival.ts';

/**
 * Events that cancel their document. NF-e and CT-e: cancellation, cancellation by substitution. National NFS-e:
 * cancellation, by substitution, granted after analysis, by the authority. Source: docs/fiscal/events.md.
 */
const cancellations = new Set(['110111', '110112', '101101', '105102', '105104', '305101']);

/** Whether an event, once registered, means that its document is void. */
function cancels({ status, event }: DocumentSummary): boolean {
  return status === 'authorized' && cancellations.has(event?.code ?? '');
}

/** Puts an event into the form it is stored in. */
export function prepareEvent({ summary, xml }: Arrival, keepXml: boolean): EventRow {
  const text = JSON.stringify(summary);
  const digest = digestOf(text);
  return {
    identity: eventIdentityOf(summary, digest),
    key: summary.key ?? '',
    code: summary.event?.code ?? '',
    at: summary.event?.at ?? '',
    cancels: cancels(summary) ? 1 : 0,
    digest,
    summary: deflated(text),
    xml: keepXml && xml !== undefined ? deflated(xml) : null,
  };
}

const stands = ({ summary }: Pick<EventRow, 'summary'>): boolean => isRegistered(summaryFrom(summary));

/** Whether an event may take the place of another form of it: a registered one stays, whatever comes later. */
const mayReplace = (before: Pick<EventRow, 'summary'>, now: EventRow): boolean =>
  stands(now) || !stands(before);

function uniqueEvents(events: readonly EventRow[]): EventRow[] {
  const unique = new Map<string, EventRow>();
  for (const event of events) {
    const before = unique.get(event.identity);
    if (before === undefined || mayReplace(before, event)) unique.set(event.identity, event);
  }
  return [...unique.values()];
}

const replaced = ['key', 'code', 'at', 'digest', 'summary', 'xml'].map(
  (name) => `"${name}" = excluded."${name}"`,
);

/** A cancellation that was registered once stays one, whatever form of it comes later. */
const onConflict = `on conflict (identity) do update set ${replaced.join(', ')},
  cancels = case when excluded.cancels > events.cancels then excluded.cancels else events.cancels end`;

/** Keeps events; gives how many were new or had changed. */
export async function writeEvents(db: Db, events: readonly EventRow[]): Promise<number> {
  const unique = uniqueEvents(events);
  if (unique.length === 0) return 0;
  const known = await db
    .selectFrom('events')
    .select(['identity', 'digest', 'summary'])
    .where(
      'identity',
      'in',
      unique.map(({ identity }) => identity),
    )
    .execute();
  const before = new Map(known.map((row) => [row.identity, row]));
  const changed = unique.filter((event) => {
    const row = before.get(event.identity);
    return row === undefined || (row.digest !== event.digest && mayReplace(row, event));
  });
  await insertRows(db, 'events', changed, onConflict);
  return changed.length;
}

/** Of these keys, those with a registered cancellation. */
export async function cancelledKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .selectFrom('events')
    .select('key')
    .where('cancels', '=', 1)
    .where('key', 'in', [...keys])
    .execute();
  return new Set(rows.map(({ key }) => key));
}
