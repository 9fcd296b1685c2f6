import { sql } from 'kysely';
import { isVoid } from '../schema/expressions.ts';
import type { Session } from '../schema/schema.ts';
import { insertRows } from '../schema/sql.ts';
import type { Units } from '../schema/units.ts';
import { writeJudgements } from './judgements.ts';
import type { PreparedDocument } from './prepare.ts';

/** What of a content decides whether it counts, and whether it is another one than a second. */
export interface Content {
  readonly digest: string;
  readonly kind: string;
  readonly own_status: string;
  readonly number: string;
  readonly issued_at: string;
  readonly issuer: string;
  readonly recipient: string;
  /** Millionths, or null. */
  readonly total?: Units | string | null | undefined;
  readonly item_count: number;
}

const isAbridged = ({ kind }: Content): boolean => kind === 'summary';
const isValid = ({ own_status }: Content): boolean => own_status === 'authorized' || isVoid(own_status);

/**
 * Whether two contents can't be the same document: what both of them say of it differs. An abridged note says less
 * than the note, a note without its authorisation the same.
 */
export function contradict(one: Content, other: Content): boolean {
  const differ = (first: string, second: string) => first !== '' && second !== '' && first !== second;
  const [total, otherTotal] = [one.total ?? undefined, other.total ?? undefined];
  const differInTotal =
    total !== undefined && otherTotal !== undefined && String(total) !== String(otherTotal);
  const differInItems = !isAbridged(one) && !isAbridged(other) && one.item_count !== other.item_count;
  return (
    differ(one.number, other.number) ||
    differ(one.issued_at.slice(0, 10), other.issued_at.slice(0, 10)) ||
    differ(one.issuer, other.issuer) ||
    differ(one.recipient, other.recipient) ||
    differInTotal ||
    differInItems
  );
}

/** Of the same document the fuller counts, of different ones the valid one before the fuller. */
function rank(content: Content, isContradicted: boolean): number {
  const [full, valid] = [isAbridged(content) ? 0 : 1, isValid(content) ? 1 : 0];
  return isContradicted ? 2 * valid + full : 2 * full + valid;
}

/** Whether what came counts from now on, and not what was there; of two that are equal the later does. */
export function countsBefore(now: Content, before: Content): boolean {
  const isContradicted = contradict(now, before);
  return rank(now, isContradicted) >= rank(before, isContradicted);
}

/** What the counting content says of its status, with what no other content of the document may undo. */
export function settledStatus(counting: Content, other: Content | undefined): string {
  if (other === undefined) return counting.own_status;
  const isSettled = isVoid(other.own_status) || (!contradict(counting, other) && isValid(other));
  return isSettled && !isVoid(counting.own_status) ? other.own_status : counting.own_status;
}

/** Keeps what the documents with these ids have said so far beside what they will say. */
export async function setContentsAside({ db, tenant }: Session, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into other_contents (tenant, document_id, digest, fetched_at, summary, xml)
    select d.tenant, d.id, d.digest, d.fetched_at, c.summary, c.xml
    from documents d join contents c on c.tenant = d.tenant and c.document_id = d.id
    where d.tenant = ${tenant} and d.id in (${sql.join([...ids])})
    on conflict (tenant, document_id, digest) do nothing`.execute(db);
}

/** A content that doesn't count. */
export interface OtherContent {
  readonly document_id: number;
  readonly document: PreparedDocument;
}

/** Keeps contents that don't count, and counts how many different ones each document has. */
export async function writeOtherContents(
  { db, tenant }: Session,
  others: readonly OtherContent[],
  asideOf: readonly number[],
  fetched_at: string,
): Promise<void> {
  const ids = [...new Set([...others.map(({ document_id }) => document_id), ...asideOf])];
  if (ids.length === 0) return;
  const rows = others.map(({ document_id, document }) => ({
    tenant,
    document_id,
    digest: document.row.digest,
    fetched_at,
    summary: document.summary,
    xml: document.xml,
  }));
  await insertRows(db, 'other_contents', rows, 'on conflict (tenant, document_id, digest) do nothing');
  const these = sql`d.tenant = ${tenant} and d.id in (${sql.join(ids)})`;
  await sql`
    delete from other_contents where tenant = ${tenant} and document_id in (${sql.join(ids)})
      and digest = (select d.digest from documents d
        where d.tenant = other_contents.tenant and d.id = other_contents.document_id)`.execute(db);
  await sql`
    update documents as d set contents = 1 + (select count(*) from other_contents o
      where o.tenant = d.tenant and o.document_id = d.id)
    where ${these}`.execute(db);
}

/** Writes what documents say, and what is judged of it; of `before` in the place of what they said. */
export async function writeContents(
  { db, tenant }: Session,
  documents: ReadonlyMap<number, PreparedDocument>,
  before: readonly number[],
): Promise<void> {
  if (before.length > 0) {
    await db
      .deleteFrom('contents')
      .where('tenant', '=', tenant)
      .where('document_id', 'in', [...before])
      .execute();
  }
  const rows = [...documents].map(([document_id, { summary, xml }]) => ({
    tenant,
    document_id,
    summary,
    xml,
  }));
  await insertRows(db, 'contents', rows);
  await writeJudgements(
    { db, tenant },
    [...documents].map(([id, { judgement }]) => [id, judgement]),
  );
}

/** Adds the text of documents that were kept without it and have not changed since. */
export async function addMissingXml(
  { db, tenant }: Session,
  documents: ReadonlyMap<number, PreparedDocument>,
): Promise<void> {
  const withXml = new Map([...documents].filter(([, { xml }]) => xml !== null));
  if (withXml.size === 0) return;
  const lacking = await db
    .selectFrom('contents')
    .select('document_id')
    .where('tenant', '=', tenant)
    .where('document_id', 'in', [...withXml.keys()])
    .where('xml', 'is', null)
    .execute();
  for (const { document_id } of lacking) {
    const xml = withXml.get(document_id)?.xml ?? null;
    await db
      .updateTable('contents')
      .set({ xml })
      .where('tenant', '=', tenant)
      .where('document_id', '=', document_id)
      .execute();
  }
}
