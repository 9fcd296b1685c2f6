import { insertRows } from './bulk-insert.ts';
import type { Db } from './connect.ts';
import type { EventRow } from './schema.ts';

function uniqueEvents(events: readonly EventRow[]): EventRow[] {
  return [...new Map(events.map((event) => [event.identity, event])).values()];
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
    .select(['identity', 'digest'])
    .where(
      'identity',
      'in',
      unique.map(({ identity }) => identity),
    )
    .execute();
  const digests = new Map(known.map(({ identity, digest }) => [identity, digest]));
  const changed = unique.filter(({ identity, digest }) => digests.get(identity) !== digest);
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
