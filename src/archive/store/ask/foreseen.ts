import type { AskedWindow } from '../schema/asked-window.ts';
import { inflated } from '../schema/encoding.ts';
import type { Session, Unreadable } from '../schema/schema.ts';
import { inParts } from '../schema/sql.ts';
import type { Batch, Received } from '../write/incoming.ts';
import { isPrepared, saidBy } from '../write/prepare.ts';
import { fetchedBefore } from '../write/window.ts';
import { type AnswerPage, eachOnce, type KeptAnswer } from './answers.ts';
import type { StoredDocument } from './stored-documents.ts';

/** A page of an answer that is yet to be written, as `Archive.findAnswer` will give it. */
export type Foreseen = (page: AnswerPage) => KeptAnswer;

/** Whether the archive has any of these documents, or anything that happened to them. */
async function knowsAny({ db, tenant }: Session, documents: Batch['documents']): Promise<boolean> {
  const named = documents.map((document) => (isPrepared(document) ? document.row : document));
  const identities = named.map(({ identity }) => identity);
  const known = await inParts(identities, (part) =>
    db
      .selectFrom('documents')
      .select('id')
      .where('tenant', '=', tenant)
      .where('identity', 'in', part)
      .limit(1)
      .execute(),
  );
  if (known.length > 0) return true;
  const keys = named.map(({ key }) => key).filter((key) => key !== '');
  const happened = await inParts(keys, (part) =>
    db
      .selectFrom('events')
      .select('id')
      .where('tenant', '=', tenant)
      .where('key', 'in', part)
      .limit(1)
      .execute(),
  );
  return happened.length > 0;
}

/** A document that nothing is known of but what it says. */
function asItCame(document: Batch['documents'][number], at: string): StoredDocument {
  const summary = saidBy(document);
  return {
    summary,
    status: summary.status,
    status_from: 'document',
    status_at: at,
    events: [],
    source: 'service',
    fetched_at: at,
    contents: 1,
    ...(document.xml === null ? {} : { xml: inflated(document.xml) }),
  };
}

/**
 * What an answer will be once it is written, where that can be told before, because nothing of it is known: neither its
 * days nor its documents, and no event came with them. Nothing can have changed then, and nothing else can be in it.
 */
export async function foreseenAnswer(
  session: Session,
  { company, area, by, direction, from, to }: AskedWindow,
  { fetchedAt, unreadable = [] }: { readonly fetchedAt: Date; readonly unreadable?: readonly Unreadable[] },
  { documents, events, identities: named }: Received,
): Promise<Foreseen | undefined> {
  const { identities, repeated } = eachOnce(named);
  if (events.length > 0 || repeated > 0) return undefined;
  const days = { company, area, by, direction, from: from.slice(0, 10), to: to.slice(0, 10) };
  if ((await fetchedBefore(session, days)).length > 0 || (await knowsAny(session, documents)))
    return undefined;
  const fetched_at = fetchedAt.toISOString();
  return ({ limit, offset = 0 }) => ({
    fetched_at,
    total: identities.length,
    repeated,
    lines: documents.slice(offset, offset + limit).map((document) => asItCame(document, fetched_at)),
    unreadable,
  });
}
