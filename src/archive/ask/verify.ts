import { setImmediate as letOthersRun } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Connections } from '../engines/connections.ts';
import { ArchiveUnusable } from '../errors.ts';
import { digestOf, inflated } from '../schema/encoding.ts';
import type { Session } from '../schema/schema.ts';
import type { Condition } from '../schema/sql.ts';

/** Kinds of damage. */
export type Damage =
  /** Reported by the engine. */
  | 'engine'
  /** A stored text that is unreadable, or not the original. */
  | 'content'
  /** Missing or surplus item rows. */
  | 'items'
  /** A status that contradicts the events. */
  | 'status';

export interface Finding {
  readonly damage: Damage;
  /** E.g. the identity of the document; never an amount or a name. */
  readonly detail: string;
}

export interface Verification {
  readonly documents: number;
  readonly findings: readonly Finding[];
}

const pageSize = 200;

/** Whether a stored text inflates to its digest. */
function isText(bytes: Uint8Array, digest: string): boolean {
  try {
    return digestOf(inflated(bytes)) === digest;
  } catch {
    return false;
  }
}

interface ContentRow {
  readonly id: number;
  readonly identity: string;
  readonly digest: string;
  readonly summary: Uint8Array | null;
}

async function checkContents({ db, tenant }: Session) {
  const wrong: string[] = [];
  let checked = 0;
  for (let last = 0; ; ) {
    const { rows } = await sql<ContentRow>`
      select d.id, d.identity, d.digest, c.summary from documents d
        left join contents c on c.tenant = d.tenant and c.document_id = d.id
      where d.tenant = ${tenant} and d.id > ${last} order by d.id limit ${sql.lit(pageSize)}`.execute(db);
    for (const { identity, digest, summary } of rows)
      if (summary === null || !isText(summary, digest)) wrong.push(identity);
    checked += rows.length;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < pageSize) return { checked, wrong };
    await letOthersRun();
  }
}

async function identities({ db, tenant }: Session, condition: Condition): Promise<string[]> {
  const { rows } = await sql<{ identity: string }>`
    select d.identity from documents d where d.tenant = ${tenant} and ${condition} order by d.id`.execute(db);
  return rows.map(({ identity }) => identity);
}

const withoutItsLines = sql<boolean>`
  d.has_lines <> (case when exists (select 1 from items i where i.tenant = d.tenant and i.document_id = d.id) then 1 else 0 end)`;

const withAnotherStatus = sql<boolean>`
  d.status <> case when d.key <> '' and exists (select 1 from events e where e.tenant = d.tenant and e.key = d.key and e.cancels = 1)
    then 'cancelled' else d.own_status end`;

/** A part of the check. Damage that prevents reading ends the part and is a finding. */
async function part(damage: Damage, details: () => Promise<readonly string[]>): Promise<Finding[]> {
  try {
    return (await details()).map((detail) => ({ damage, detail }));
  } catch (error) {
    if (!(error instanceof ArchiveUnusable && error.trouble === 'damage')) throw error;
    return [{ damage: 'engine', detail: `${damage}: ${error.code}` }];
  }
}

/** See `Archive.verify`. Reads everything: some seconds for a hundred thousand documents. */
export async function verifyArchive({ read, integrity }: Connections): Promise<Verification> {
  let documents = 0;
  const contents = await part('content', async () => {
    const { checked, wrong } = await read(checkContents);
    documents = checked;
    return wrong;
  });
  const findings = [
    ...(await part('engine', integrity)),
    ...contents,
    ...(await part('items', () => read((session) => identities(session, withoutItsLines)))),
    ...(await part('status', () => read((session) => identities(session, withAnotherStatus)))),
  ];
  return { documents, findings };
}
