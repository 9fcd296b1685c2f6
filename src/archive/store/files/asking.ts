import { sql } from 'kysely';
import type { GivenUpNumbers } from '../../../documents/layouts/given-up-numbers.ts';
import { isDay, monthOf, weekOf } from '../../days.ts';
import type { LeftOutTally } from '../../files/reading/left-out.ts';
import type { DocumentReference } from '../../references.ts';
import type { Holding } from '../../scope.ts';
import { areaFrom } from '../ask/info.ts';
import { idOf } from '../ask/stored-documents.ts';
import type { Connections } from '../engines/connections.ts';
import { createRollupChanges, mostChanges } from '../rollups/changes.ts';
import { rolledDocuments } from '../rollups/documents.ts';
import type { PlacementRow, Session } from '../schema/schema.ts';
import { writePlacements } from '../write/placements.ts';
import { forgetFiles } from './dropping.ts';
import type {
  FileHolding,
  FileIndex,
  FilePlace,
  FileStamp,
  FilesInfo,
  Holder,
  KnownFile,
  LeftOutOfFiles,
} from './file-index.ts';
import { takeParts, touchFiles } from './taking.ts';

async function knownFiles({ db, tenant }: Session, root: string, folder: string) {
  const rows = await db
    .selectFrom('files')
    .select(['name', 'size', 'changed', 'digest', 'due'])
    .where('tenant', '=', tenant)
    .where('root', '=', root)
    .where('folder', '=', folder)
    .execute();
  return new Map(
    rows.map(({ name, size, changed, digest, due }): [string, KnownFile] => [
      name,
      { size: Number(size), changed: Number(changed), digest, isDue: Number(due) === 1 },
    ]),
  );
}

type Listed = FileStamp & { readonly name: string };

/** No name has a stroke in it, so that no other files are told by the same text. */
const listingOf = (files: readonly Listed[]): string =>
  files.map(({ name, size, changed }) => `0/${size}/${changed}/${name}`).join('/');

/** The database makes one text of a folder's rows, which takes a third of the time that handing them over does. */
async function isAsKnown({ db, tenant }: Session, root: string, folder: string, files: readonly Listed[]) {
  const { rows } = await sql<{ listing: string | null }>`
    select string_agg(due || '/' || size || '/' || changed || '/' || name, '/' order by name) as listing from files
    where tenant = ${tenant} and root = ${root} and folder = ${folder} and name <> ''`.execute(db);
  return (rows[0]?.listing ?? '') === listingOf(files);
}

async function holdersIn({ db, tenant }: Session, most: number): Promise<Holder[]> {
  const { rows } = await sql<{ company: string; documents: number }>`
    select tax_id as company, count(*) as documents from file_parties
    where tenant = ${tenant} group by tax_id order by 2 desc, 1 limit ${sql.lit(most)}`.execute(db);
  return rows.map(({ company, documents }) => ({ company, documents: Number(documents) }));
}

async function holdingsOf({ db, tenant }: Session, company: string): Promise<FileHolding[]> {
  const { rows } = await sql<{ area: string; documents: number; first: string | null; last: string | null }>`
    select d.area, count(*) as documents, min(nullif(d.issued_at, '')) as first, max(nullif(d.issued_at, '')) as last
    from file_parties f join documents d on d.tenant = f.tenant and d.id = f.document_id
    where f.tenant = ${tenant} and f.tax_id = ${company} group by d.area order by d.area`.execute(db);
  return rows.map(({ area, documents, first, last }) => ({
    company,
    area: areaFrom(area),
    documents: Number(documents),
    ...(first === null || last === null ? {} : { from: first.slice(0, 10), to: last.slice(0, 10) }),
  }));
}

/** Named for each reason. */
const MOST_EXAMPLES = 20;

/** The path of a file, from the root on. */
function pathOf({ folder, name }: Pick<FilePlace, 'folder' | 'name'>): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** What files left out, together: by reason, the most frequent first. */
export function leftOutOf(files: Iterable<Pick<FilePlace, 'folder' | 'name'> & { tally: LeftOutTally }>) {
  const all = new Map<
    LeftOutOfFiles['reason'],
    { count: number; examples: LeftOutOfFiles['examples'][number][] }
  >();
  for (const { tally, ...place } of files) {
    for (const [reason, count = 0] of Object.entries(tally.counts) as [LeftOutOfFiles['reason'], number?][]) {
      const one = all.get(reason) ?? { count: 0, examples: [] };
      one.count += count;
      const named = tally.named.filter((part) => part.reason === reason);
      const path = pathOf(place);
      one.examples.push(
        ...named.slice(0, MOST_EXAMPLES - one.examples.length).map((part) => ({ ...part, path })),
      );
      all.set(reason, one);
    }
  }
  return [...all]
    .map(([reason, one]): LeftOutOfFiles => ({ reason, ...one }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
}

async function filesInfo({ db, tenant }: Session): Promise<FilesInfo> {
  const { rows } = await sql<Record<'files' | 'documents' | 'events', number>>`
    select (select count(*) from files where tenant = ${tenant} and root <> '' and name <> '') as files,
      (select count(distinct document_id) from file_documents where tenant = ${tenant}) as documents,
      (select count(distinct event_id) from file_events where tenant = ${tenant}) as events`.execute(db);
  const odd = await db
    .selectFrom('files')
    .select(['folder', 'name', 'left_out'])
    .where('tenant', '=', tenant)
    .where('left_out', '<>', '')
    .orderBy('folder')
    .orderBy('name')
    .execute();
  const [counted] = rows;
  return {
    files: Number(counted?.files ?? 0),
    documents: Number(counted?.documents ?? 0),
    events: Number(counted?.events ?? 0),
    // Written by the archive itself.
    left_out: leftOutOf(
      odd.map(({ left_out, ...place }) => ({ ...place, tally: JSON.parse(left_out) as LeftOutTally })),
    ),
  };
}

async function placesOf({ db, tenant }: Session, document: number | undefined): Promise<FilePlace[]> {
  if (document === undefined) return [];
  const { rows } = await sql<FilePlace>`
    select f.root, f.folder, f.name from file_documents r
      join files f on f.tenant = r.tenant and f.id = r.file_id
    where r.tenant = ${tenant} and r.document_id = ${document} and f.root <> ''
    order by f.root, f.folder, f.name`.execute(db);
  return rows;
}

async function givenUpOf({ db, tenant }: Session, { company, area }: Holding): Promise<GivenUpNumbers[]> {
  const rows = await db
    .selectFrom('given_up_numbers')
    .select(['company', 'model', 'series', 'year', 'protocol', 'first_number', 'last_number'])
    .distinct()
    .where('tenant', '=', tenant)
    .where('company', '=', company)
    .where('area', '=', area)
    .execute();
  return rows.map(({ first_number, last_number, protocol, ...row }) => ({
    ...row,
    area: area === 'cte' ? 'cte' : 'nfe',
    protocol: protocol || undefined,
    first: Number(first_number),
    last: Number(last_number),
  }));
}

interface Unplaced {
  readonly id: number;
  readonly area: string;
  readonly direction: string;
  readonly day: string;
}

async function unplaced({ db, tenant }: Session, company: string): Promise<Unplaced[]> {
  const { rows } = await sql<Unplaced>`
    select d.id, d.area, f.direction, substr(d.issued_at, 1, 10) as day
    from file_parties f join documents d on d.tenant = f.tenant and d.id = f.document_id
    where f.tenant = ${tenant} and f.tax_id = ${company} and not exists (
      select 1 from placements p where p.tenant = f.tenant and p.company = ${company}
        and p.date_field = 'issue' and p.document_id = f.document_id)`.execute(db);
  return rows.filter(({ day }) => isDay(day));
}

const batchSize = 200;

/** See `FileIndex.adopt`. */
async function adopt(connections: Connections, company: string): Promise<void> {
  const lacking = await connections.read((session) => unplaced(session, company));
  if (lacking.length === 0) return;
  await connections.write(company, async (session) => {
    const { tenant } = session;
    const rollups = createRollupChanges();
    const now = await unplaced(session, company);
    for (let start = 0; start < now.length; start += batchSize) {
      const part = now.slice(start, start + batchSize);
      const placements = part.map(
        ({ id, area, direction, day }): PlacementRow => ({
          tenant,
          company,
          date_field: 'issue',
          document_id: id,
          area,
          from_day: day,
          to_day: day,
          day,
          week: weekOf(day),
          month: monthOf(day),
          direction,
          listed_inbound: 0,
          listed_outbound: 0,
        }),
      );
      await writePlacements(session, placements);
      const own = (one: PlacementRow) => one.company === company && one.date_field === 'issue';
      for (const rolled of await rolledDocuments(
        session,
        part.map(({ id }) => id),
      )) {
        rollups.add({ ...rolled, placements: rolled.placements.filter(own) });
      }
      if (rollups.size > mostChanges) await rollups.write(session);
    }
    await rollups.write(session);
  });
}

/** The index of the user's files in a database. */
export function createFileIndex(connections: Connections, keepXml: boolean): FileIndex {
  const { read } = connections;
  return {
    isAsKnown: (root, folder, files) => read((session) => isAsKnown(session, root, folder, files)),
    known: (root, folder) => read((session) => knownFiles(session, root, folder)),
    folders: () =>
      read(({ db, tenant }) =>
        db
          .selectFrom('files')
          .select(['root', 'folder'])
          .distinct()
          .where('tenant', '=', tenant)
          .where('root', '<>', '')
          .execute(),
      ),
    take: (parts, company) => takeParts(connections, keepXml, parts, company),
    touch: (files) => touchFiles(connections, files),
    forget: (root, folder, names) => forgetFiles(connections, root, folder, names),
    adopt: (company) => adopt(connections, company),
    holders: (most) => read((session) => holdersIn(session, most)),
    holdings: (company) => read((session) => holdingsOf(session, company)),
    info: () => read(filesInfo),
    placesOf: (reference: DocumentReference) =>
      read(async (session) => placesOf(session, await idOf(session, reference))),
    givenUp: (holding) => read((session) => givenUpOf(session, holding)),
  };
}
