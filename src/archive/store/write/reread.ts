import { setTimeout as afterwards, setImmediate as letOthersRun } from 'node:timers/promises';
import { sql } from 'kysely';
import { readDocuments } from '../../../documents/summary/read-document.ts';
import { XmlError } from '../../../documents/xml/xml-error.ts';
import { ReadingAnew } from '../../errors.ts';
import type { DocumentArea } from '../../references.ts';
import type { Connections } from '../engines/connections.ts';
import { createRollupChanges } from '../rollups/changes.ts';
import { rolledDocuments } from '../rollups/documents.ts';
import { inflated, summaryFrom } from '../schema/encoding.ts';
import { currentReading, type Session } from '../schema/schema.ts';
import { writeJudgements } from './judgements.ts';
import { describe, headsOf, writeLines } from './lines-and-names.ts';
import { type PreparedDocument, prepareDocument } from './prepare.ts';

/** Documents read again in one transaction. */
const pageSize = 100;

/** A document that an earlier version of the program read. */
interface Old {
  readonly id: number;
  readonly area: DocumentArea;
  readonly identity: string;
  readonly summary: Uint8Array;
  readonly xml: Uint8Array | null;
}

const isOld = sql<boolean>`d.reading < ${sql.lit(currentReading)} and d.exclusion <> 'outdated'`;

/** The document as it is read now; undefined where its text isn't kept, or isn't the document's. */
function readAgain({ area, identity, xml }: Old): PreparedDocument | undefined {
  if (xml === null) return undefined;
  try {
    const all = readDocuments(inflated(xml)).map((summary) => prepareDocument(area, { summary }, false));
    return all.find(({ row }) => row.identity === identity);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

/** What the kept summary says by itself. It lacks what was not taken out then, unless it is of an abridged note. */
function fromSummary({ area, summary }: Old): PreparedDocument {
  return prepareDocument(area, { summary: summaryFrom(summary) }, false);
}

async function writeRow(
  session: Session,
  id: number,
  { row, head, amounts, summary, judgement }: PreparedDocument,
): Promise<void> {
  const { db, tenant } = session;
  const { own_status: _, identity: __, ...said } = row;
  const head_id = (await headsOf(session, [head])).get(head) ?? 0;
  const columns = { ...said, head_id, ...amounts };
  await db.updateTable('documents').set(columns).where('tenant', '=', tenant).where('id', '=', id).execute();
  await db
    .updateTable('contents')
    .set({ summary })
    .where('tenant', '=', tenant)
    .where('document_id', '=', id)
    .execute();
  await writeJudgements(session, [[id, judgement]]);
}

async function replaceLines(
  session: Session,
  documents: ReadonlyMap<number, PreparedDocument>,
): Promise<void> {
  const { db, tenant } = session;
  const ids = [...documents.keys()];
  if (ids.length === 0) return;
  const descriptions = await describe(session, [...documents.values()]);
  await db.deleteFrom('items').where('tenant', '=', tenant).where('document_id', 'in', ids).execute();
  await writeLines(session, new Map([...documents].map(([id, { lines }]) => [id, lines])), descriptions);
}

/** The days that documents were listed on count as not fetched, so that the next question about them asks again. */
async function forgetDays({ db, tenant }: Session, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    delete from coverage where tenant = ${tenant} and exists (select 1 from placements p
      where p.tenant = coverage.tenant and p.document_id in (${sql.join([...ids])})
        and p.company = coverage.company and p.area = coverage.area and p.date_field = coverage.date_field
        and p.from_day <= coverage.to_day and p.to_day >= coverage.from_day)`.execute(db);
}

async function rereadPage(session: Session): Promise<number> {
  const { db, tenant } = session;
  const { rows } = await sql<Old>`
    select d.id, d.area, d.identity, c.summary, c.xml
    from documents d join contents c on c.tenant = d.tenant and c.document_id = d.id
    where d.tenant = ${tenant} and ${isOld} order by d.id limit ${sql.lit(pageSize)}`.execute(db);
  const ids = rows.map(({ id }) => id);
  const rollups = createRollupChanges();
  for (const document of await rolledDocuments(session, ids)) rollups.take(document);
  const whole = new Map<number, PreparedDocument>();
  const outdated: number[] = [];
  for (const old of rows) {
    const now = readAgain(old);
    const prepared = now ?? fromSummary(old);
    if (now !== undefined || prepared.row.kind === 'summary') {
      whole.set(old.id, prepared);
      await writeRow(session, old.id, prepared);
    } else {
      outdated.push(old.id);
      const row = { ...prepared.row, exclusion: 'outdated' as const, reading: currentReading - 1 };
      await writeRow(session, old.id, { ...prepared, row });
    }
  }
  await replaceLines(session, whole);
  await forgetDays(session, outdated);
  for (const document of await rolledDocuments(session, ids)) rollups.add(document);
  await rollups.write(session);
  return rows.length;
}

async function oldDocuments({ db, tenant }: Session): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from documents d where d.tenant = ${tenant} and ${isOld}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** The reading anew of documents that an earlier version of the program read. */
export interface Rereading {
  /** Waits until it is over, but no longer than so many milliseconds. @throws what reading and writing throw */
  within(milliseconds: number): Promise<void>;
  /** @throws ReadingAnew while it is going on; what made it fail, after which it goes on */
  checkOver(): void;
  /** Ends it after the page it is at; the next process goes on there. */
  stop(): Promise<void>;
}

/**
 * Begins to read documents again that an earlier version of the program read, from the text that is kept; those without
 * it are in no answer until they are fetched again. A page at a time, so that others get their turns, and that a
 * process that ends goes on where it was.
 */
export function beginRereading({ read, write }: Connections): Rereading {
  let documents = 0;
  let done = 0;
  let isStopped = false;
  let isOver = false;
  let failure: unknown;
  const work = async () => {
    documents = await read(oldDocuments);
    done = 0;
    while (!isStopped && done < documents) {
      const reread = await write(undefined, rereadPage);
      if (reread === 0) break;
      done += reread;
      await letOthersRun();
    }
    isOver = !isStopped;
  };
  const begin = () =>
    work().catch((error: unknown) => {
      failure = error;
    });
  const checkFailure = () => {
    if (failure === undefined) return;
    const error = failure;
    failure = undefined;
    running = begin();
    throw error;
  };
  let running = begin();
  return {
    async within(milliseconds) {
      await Promise.race([running, afterwards(milliseconds, undefined, { ref: false })]);
      checkFailure();
    },
    checkOver() {
      if (isOver) return;
      checkFailure();
      throw new ReadingAnew(done, documents);
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
