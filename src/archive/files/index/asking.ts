import { sql } from 'kysely';
import type { GivenUpNumbers } from '../../../documents/layouts/given-up-numbers.ts';
import { areaFrom } from '../../ask/info.ts';
import { idOf } from '../../ask/stored-documents.ts';
import { isDay, monthOf, weekOf } from '../../days.ts';
import type { Connections } from '../../engines/connections.ts';
import type { DocumentReference } from '../../references.ts';
import type { PlacementRow, Session } from '../../schema/schema.ts';
import { inParts } from '../../schema/sql.ts';
import type { Holding } from '../../scope.ts';
import { forgetSums } from '../../sums/sums.ts';
import { writePlacements } from '../../write/placements.ts';
import type { LeftOutTally } from '../reading/left-out.ts';
import { forgetFiles } from './dropping.ts';
import type {
  FileHolding,
  FileIndex,
  FilePlace,
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

async function holdersIn({ db, tenant }: Session, most: number): Promise<Holder[]> {
  const { rows } = await sql<{ company: string; documents: number }>`
    select tax_id as company, count(*) as documents from file_parties
    where tenant = ${tenant} group by tax_id order by 2 desc, 1 limit ${sql.lit(most)}`.execute(db);
  return rows.map(({ company, documents }) => ({ company, documents: Number(documents) }));
}

/** Characters of a CNPJ: only a company can be asked about. */
const cnpjLength = 14;

interface HoldingRow {
  readonly company: string;
  readonly area: string;
  readonly documents: number;
  readonly first: string | null;
  readonly last: string | null;
}

async function holdingsOf({ db, tenant }: Session, company?: string): Promise<FileHolding[]> {
  const whose =
    company === undefined ? sql`length(f.tax_id) = ${sql.lit(cnpjLength)}` : sql`f.tax_id = ${company}`;
  const { rows } = await sql<HoldingRow>`
    select f.tax_id as company, d.area, count(*) as documents,
      min(nullif(d.issued_at, '')) as first, max(nullif(d.issued_at, '')) as last
    from file_parties f join documents d on d.tenant = f.tenant and d.id = f.document_id
    where f.tenant = ${tenant} and ${whose} group by f.tax_id, d.area order by f.tax_id, d.area`.execute(db);
  return rows.map(({ company: owner, area, documents, first, last }) => ({
    company: owner,
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
function leftOutOf(files: Iterable<Pick<FilePlace, 'folder' | 'name'> & { tally: LeftOutTally }>) {
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

/** See `FileIndex.adopt`. */
async function adopt(connections: Connections, company: string): Promise<void> {
  const lacking = await connections.read((session) => unplaced(session, company));
  if (lacking.length === 0) return;
  await connections.write(company, async (session) => {
    const { tenant } = session;
    await inParts(await unplaced(session, company), async (part) => {
      const placements = part.map(({ id, area, direction, day }): PlacementRow => {
        const days = { from_day: day, to_day: day, day, week: weekOf(day), month: monthOf(day) };
        const listed = { direction, listed_inbound: 0, listed_outbound: 0 };
        return { tenant, company, date_field: 'issue', document_id: id, area, ...days, ...listed };
      });
      await writePlacements(session, placements);
      await forgetSums(
        session,
        part.map(({ id }) => id),
      );
      return [];
    });
  });
}

/** The index of the user's files in a database. */
export function createFileIndex(connections: Connections, keepXml: boolean): FileIndex {
  const { read } = connections;
  return {
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
