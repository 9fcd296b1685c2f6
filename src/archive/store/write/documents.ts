import type { RollupChanges } from '../rollups/changes.ts';
import { byDocument, rolledDocuments } from '../rollups/documents.ts';
import { isVoid } from '../rollups/rollups.ts';
import type { Db, EventRow, ItemRow, PlacementRow } from '../schema/schema.ts';
import { insertRows } from '../schema/sql.ts';
import type { StoreOutcome } from './arrival.ts';
import { cancelledKeys, writeEvents } from './events.ts';
import { writeLines, writeParties } from './lines-and-names.ts';
import { changedPlacements, type Sighting, writePlacements } from './placements.ts';
import type { PreparedDocument } from './prepare.ts';

/** Documents and events as they came, ready to be written together. */
export interface Batch {
  readonly documents: readonly PreparedDocument[];
  readonly events: readonly EventRow[];
}

/** A document that is in the archive already. */
interface Known {
  readonly id: number;
  readonly identity: string;
  readonly digest: string;
  readonly kind: string;
  readonly own_status: string;
  readonly status: string;
}

/** What is to be done about one document that came. */
interface Plan {
  readonly document: PreparedDocument;
  readonly known: Known | undefined;
  /** Whether its content is new or another than before. */
  readonly isRewritten: boolean;
  readonly own_status: string;
  readonly status: string;
}

type Kept = Plan & { readonly known: Known };

/** A document that was cancelled or denied once stays so, whatever copy of it comes later. */
function settledStatus(other: string | undefined, own: string): string {
  return other !== undefined && isVoid(other) ? other : own;
}

/** An abridged note tells less than the note itself. */
function isAbridged(kind: string, of: string | undefined): boolean {
  return kind === 'summary' && of !== undefined && of !== 'summary';
}

function withOwnStatus(document: PreparedDocument, own_status: string): PreparedDocument {
  return { ...document, row: { ...document.row, own_status } };
}

/** Each document once: the fuller copy, of equally full ones the later, and what any of them says of its status. */
function uniqueDocuments(documents: readonly PreparedDocument[]): PreparedDocument[] {
  const unique = new Map<string, PreparedDocument>();
  for (const document of documents) {
    const { identity, kind } = document.row;
    const before = unique.get(identity);
    const [kept, other] = isAbridged(kind, before?.row.kind) ? [before, document] : [document, before];
    if (kept === undefined) continue;
    unique.set(identity, withOwnStatus(kept, settledStatus(other?.row.own_status, kept.row.own_status)));
  }
  return [...unique.values()];
}

async function knownDocuments(db: Db, documents: readonly PreparedDocument[]): Promise<Map<string, Known>> {
  if (documents.length === 0) return new Map();
  const identities = documents.map(({ row }) => row.identity);
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'identity', 'digest', 'kind', 'own_status', 'status'])
    .where('identity', 'in', identities)
    .execute();
  return new Map(rows.map((row) => [row.identity, row]));
}

async function plansFor(db: Db, documents: readonly PreparedDocument[]): Promise<Plan[]> {
  const known = await knownDocuments(db, documents);
  const keys = documents.map(({ row }) => row.key).filter((key) => key !== '');
  const cancelled = await cancelledKeys(db, keys);
  return documents.map((document) => {
    const { identity, digest, kind, key } = document.row;
    const before = known.get(identity);
    const isLess = isAbridged(kind, before?.kind);
    const [own, other] = isLess
      ? [before?.own_status ?? '', document.row.own_status]
      : [document.row.own_status, before?.own_status];
    const own_status = settledStatus(other, own);
    return {
      document,
      known: before,
      isRewritten: before === undefined || (!isLess && before.digest !== digest),
      own_status,
      status: cancelled.has(key) ? 'cancelled' : own_status,
    };
  });
}

function isKept(plan: Plan): plan is Kept {
  return plan.known !== undefined;
}

function hasNewStatus({ known, own_status, status }: Kept): boolean {
  return known.status !== status || known.own_status !== own_status;
}

/** Documents that did not come now and that an event that did cancels. */
async function cancelledElsewhere(db: Db, batch: Batch, plans: readonly Plan[]): Promise<number[]> {
  const keys = batch.events.filter(({ cancels, key }) => cancels === 1 && key !== '').map(({ key }) => key);
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom('documents')
    .select('id')
    .where('key', 'in', keys)
    .where('status', '!=', 'cancelled')
    .execute();
  const here = new Set(plans.map(({ known }) => known?.id));
  return rows.map(({ id }) => id).filter((id) => !here.has(id));
}

async function writeContents(db: Db, documents: ReadonlyMap<number, PreparedDocument>): Promise<void> {
  const rows = [...documents].map(([document_id, { summary, xml }]) => ({ document_id, summary, xml }));
  const onConflict = 'on conflict (document_id) do update set summary = excluded.summary, xml = excluded.xml';
  await insertRows(db, 'contents', rows, onConflict);
}

/** Adds the text of documents that were kept without it and have not changed since. */
async function addMissingXml(db: Db, plans: readonly Kept[]): Promise<void> {
  const withXml = new Map(
    plans.filter(({ document }) => document.xml !== null).map(({ known, document }) => [known.id, document]),
  );
  if (withXml.size === 0) return;
  const lacking = await db
    .selectFrom('contents')
    .select('document_id')
    .where('document_id', 'in', [...withXml.keys()])
    .where('xml', 'is', null)
    .execute();
  for (const { document_id } of lacking) {
    const xml = withXml.get(document_id)?.xml ?? null;
    await db.updateTable('contents').set({ xml }).where('document_id', '=', document_id).execute();
  }
}

/** A document as it was written. */
interface Written {
  readonly plan: Plan;
  readonly lines: readonly ItemRow[];
}

/** Writes the documents with all that hangs on them; gives them by their ids. */
async function writeContent(db: Db, plans: readonly Plan[]): Promise<ReadonlyMap<number, Written>> {
  const before = plans.filter(isKept).map(({ known }) => known.id);
  if (before.length > 0) await db.deleteFrom('items').where('document_id', 'in', before).execute();
  const rows = plans.map(({ document, own_status, status }) => ({ ...document.row, own_status, status }));
  const changes = Object.keys(rows[0] ?? {}).map((name) => `"${name}" = excluded."${name}"`);
  const ids = await insertRows<'documents', { id: number; identity: string }>(
    db,
    'documents',
    rows,
    `on conflict (identity) do update set ${changes.join(', ')} returning id, identity`,
  );
  const byIdentity = new Map(plans.map((plan) => [plan.document.row.identity, plan]));
  const written = new Map<number, Plan>();
  for (const { id, identity } of ids) {
    const plan = byIdentity.get(identity);
    if (plan !== undefined) written.set(id, plan);
  }
  await writeContents(db, new Map([...written].map(([id, { document }]) => [id, document])));
  const lines = await writeLines(db, new Map([...written].map(([id, { document }]) => [id, document.lines])));
  await writeParties(
    db,
    plans.map(({ document }) => document),
  );
  return new Map([...written].map(([id, plan]) => [id, { plan, lines: lines.get(id) ?? [] }]));
}

async function writeStatuses(db: Db, plans: readonly Kept[], cancelled: readonly number[]): Promise<void> {
  for (const { known, own_status, status } of plans) {
    await db.updateTable('documents').set({ own_status, status }).where('id', '=', known.id).execute();
  }
  if (cancelled.length === 0) return;
  await db
    .updateTable('documents')
    .set({ status: 'cancelled' })
    .where('id', 'in', [...cancelled])
    .execute();
}

/** Counts in documents that were not there before, from what was just written. */
function countAdded(
  rollups: RollupChanges,
  added: ReadonlyMap<number, Written>,
  placements: readonly PlacementRow[],
): void {
  const placementsOf = byDocument(placements);
  for (const [id, { plan, lines }] of added) {
    const { document, status } = plan;
    rollups.add({ document: { ...document.row, status }, lines, placements: placementsOf.get(id) ?? [] });
  }
}

/**
 * Writes one batch: documents replace themselves, events change the status of theirs, and what that does to the
 * roll-ups is added to `rollups`. To be called in a writing transaction that then writes those.
 */
export async function writeBatch(
  db: Db,
  sighting: Sighting,
  batch: Batch,
  rollups: RollupChanges,
): Promise<StoreOutcome> {
  const events = await writeEvents(db, batch.events);
  const plans = await plansFor(db, uniqueDocuments(batch.documents));
  const kept = plans.filter(isKept);
  const rewritten = plans.filter(({ isRewritten }) => isRewritten);
  const restated = kept.filter((plan) => !plan.isRewritten && hasNewStatus(plan));
  const cancelled = await cancelledElsewhere(db, batch, plans);
  const moved = await changedPlacements(
    db,
    sighting,
    new Map(kept.map(({ known, document }) => [known.id, document])),
  );

  const changing = new Set([
    ...[...rewritten.filter(isKept), ...restated].map(({ known }) => known.id),
    ...moved.map(({ document_id }) => document_id),
    ...cancelled,
  ]);
  for (const document of await rolledDocuments(db, [...changing])) rollups.take(document);

  const written = await writeContent(db, rewritten);
  await writeStatuses(db, restated, cancelled);
  await addMissingXml(
    db,
    kept.filter(({ isRewritten }) => !isRewritten),
  );
  const present = new Set(kept.map(({ known }) => known.id));
  const added = new Map([...written].filter(([id]) => !present.has(id)));
  const placed = await changedPlacements(
    db,
    sighting,
    new Map([...added].map(([id, { plan }]) => [id, plan.document])),
  );
  await writePlacements(db, [...moved, ...placed]);

  countAdded(rollups, added, placed);
  for (const document of await rolledDocuments(db, [...changing])) rollups.add(document);
  return {
    added: added.size,
    replaced: rewritten.length - added.size,
    unchanged: plans.length - rewritten.length,
    events,
  };
}
