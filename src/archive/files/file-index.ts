import { type Selectable, sql } from 'kysely';
import type { GivenUpNumbers } from '../../documents/layouts/given-up-numbers.ts';
import { idOf } from '../ask/stored-documents.ts';
import { isDay, monthOf, weekOf } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import type { DocumentReference, Holding } from '../references.ts';
import { eventLine } from '../schema/encoding.ts';
import type { PlacementRow, Schema, Session } from '../schema/schema.ts';
import { deleteRows, eachPart, matching, select } from '../schema/sql.ts';
import { writePlacements } from '../write/rows.ts';
import { forgetSums } from '../write/sums.ts';
import { type LeftOutTally, leftOutOf, noneLeftOut } from './contents.ts';
import type { FileStamp } from './folders.ts';
import { dropContents, type FilePlace, prepareParts, type ReadPart, writeParts } from './take.ts';

/** How many documents name a tax id as one of their parties. */
export interface Holder {
  readonly company: string;
  readonly name?: string | undefined;
  readonly documents: number;
}

const MOST_OTHER_KINDS = 50;
/** Characters of a CNPJ: only a company can be asked about. */
const CNPJ_LENGTH = 14;
/**
 * The name of a root's claim: a row of the index that says, by its time of change, when a process last had the folder
 * among its own, so that another process on the same archive does not forget its files.
 */
export const claimName = '';
const noFile: ReadPart = {
  ...{ root: '', folder: '', name: '', size: 0, changed: 0, isLast: true },
  ...{ documents: [], givenUp: [], leftOut: noneLeftOut },
};
/** A process that looks after its folders more seldom has to read them again. */
const CLAIM_HOLDS_MS = 3_600_000;

type FileRow = Selectable<Schema['files']>;

const stampIn = ({ size, changed }: Record<keyof FileStamp, unknown>): FileStamp => ({
  size: Number(size),
  changed: Number(changed),
});

const isEvent = sql`identity like ${sql.lit(`${eventLine('')}%`)}`;

async function info({ db, tenant }: Session) {
  const { rows } = await sql<Record<'files' | 'documents' | 'events', number>>`
    select (select count(*) from files where tenant = ${tenant} and root <> '' and name <> '') as files,
      (select count(distinct identity) from file_contents where tenant = ${tenant} and not ${isEvent}) as documents,
      (select count(distinct identity) from file_contents where tenant = ${tenant} and ${isEvent}) as events`.execute(
    db,
  );
  const odd = await select<Pick<FileRow, 'folder' | 'name' | 'left_out'>>(
    db,
    sql`select folder, name, left_out from files where tenant = ${tenant} and left_out <> '' order by 1, 2`,
  );
  const [counted] = rows;
  const tallies = odd.map(({ folder, name, left_out }) => ({
    path: folder === '' ? name : `${folder}/${name}`,
    tally: JSON.parse(left_out) as LeftOutTally,
  }));
  const other_kinds = tallies.flatMap(({ tally }) => tally.named.flatMap(({ outline }) => outline ?? []));
  return {
    files: Number(counted?.files ?? 0),
    documents: Number(counted?.documents ?? 0),
    events: Number(counted?.events ?? 0),
    left_out: leftOutOf(tallies),
    other_kinds: other_kinds.slice(0, MOST_OTHER_KINDS),
  };
}

async function holdingsOf({ db, tenant }: Session, company?: string) {
  const whose =
    company === undefined ? sql`length(f.tax_id) = ${sql.lit(CNPJ_LENGTH)}` : sql`f.tax_id = ${company}`;
  const { rows } = await sql<Holding & Holder & Record<'first' | 'last', string | null>>`
    select f.tax_id as company, d.area, count(*) as documents,
      min(nullif(d.issued_at, '')) as first, max(nullif(d.issued_at, '')) as last
    from file_parties f join documents d on d.tenant = f.tenant and d.id = f.document_id
    where f.tenant = ${tenant} and ${whose} group by f.tax_id, d.area order by f.tax_id, d.area`.execute(db);
  return rows.map(({ company: owner, area, documents, first, last }) => ({
    company: owner,
    area,
    documents: Number(documents),
    ...(first === null || last === null ? {} : { from: first.slice(0, 10), to: last.slice(0, 10) }),
  }));
}

async function unplaced({ db, tenant }: Session, company: string) {
  const { rows } = await sql<Pick<PlacementRow, 'area' | 'direction'> & { id: number; day: string }>`
    select d.id, d.area, f.direction, substr(d.issued_at, 1, 10) as day
    from file_parties f join documents d on d.tenant = f.tenant and d.id = f.document_id
    where f.tenant = ${tenant} and f.tax_id = ${company} and not exists (
      select 1 from placements p where p.tenant = f.tenant and p.company = ${company}
        and p.date_field = 'issue' and p.document_id = f.document_id)`.execute(db);
  return rows.filter(({ day }) => isDay(day));
}

async function place(session: Session, company: string): Promise<void> {
  const { tenant } = session;
  await eachPart(await unplaced(session, company), async (part) => {
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
  });
}

/**
 * The index of the user's files. A document or an event is kept as long as a file or the service has it. Documents belong
 * to every party they name; a company's are placed in time on its first question (`adopt`).
 */
export function createFileIndex(connections: Connections, keepXml: boolean) {
  const { read, write } = connections;
  const filesIn = ({ db, tenant }: Session, root: string, folder: string) =>
    select<Pick<FileRow, 'id' | 'name' | 'size' | 'changed'>>(
      db,
      sql`select id, name, size, changed from files where ${matching({ tenant, root, folder })}`,
    );

  async function known(root: string, folder: string): Promise<ReadonlyMap<string, FileStamp>> {
    const rows = await read((session) => filesIn(session, root, folder));
    return new Map(rows.map(({ name, ...stamp }) => [name, stampIn(stamp)]));
  }

  /**
   * Stores contents of files in one transaction; removes documents that only earlier states of changed files contained.
   * @param company whose documents are placed at once, since most of them are
   */
  async function take(parts: readonly ReadPart[], company: string | undefined): Promise<void> {
    const prepared = await prepareParts(parts, keepXml);
    await connections.refreshStatistics(
      await write(undefined, (session) => writeParts(session, prepared, company)),
    );
  }

  /** Claims roots from this moment on, or with 0 no longer. */
  const claim = (roots: readonly string[], at: number) =>
    take(
      roots.map((root) => ({ ...noFile, root, changed: at * 1000 })),
      undefined,
    );

  /** Imports documents permanently: they stay when their files change or go. */
  const takeForGood = (documents: ReadPart['documents'], givenUp: ReadPart['givenUp'], company?: string) =>
    take([{ ...noFile, documents, givenUp }], company);

  return {
    known,
    take,
    takeForGood,
    claim,

    /** Whether another process that may be running has the root among its own. */
    async isClaimed(root: string): Promise<boolean> {
      const at = (await known(root, '')).get(claimName)?.changed ?? 0;
      return Math.abs(Date.now() - at / 1000) < CLAIM_HOLDS_MS;
    },

    /**
     * Files to be read again though they seem unchanged: reading was interrupted, or another file's version of a document
     * went.
     */
    due: (): Promise<(FilePlace & FileStamp)[]> =>
      read(async ({ db, tenant }) => {
        const rows = await select<FilePlace & FileStamp>(
          db,
          sql`select root, folder, name, size, changed from files where tenant = ${tenant} and due = 1`,
        );
        return rows.map((row) => ({ ...row, ...stampIn(row) }));
      }),

    folders: () =>
      read(({ db, tenant }) =>
        select<Pick<FilePlace, 'root' | 'folder'>>(
          db,
          sql`select distinct root, folder from files where tenant = ${tenant} and root <> ''`,
        ),
      ),

    /** Forgets files that are no longer there, or whole folders where no names are given. */
    forget: (root: string, folder: string, names?: ReadonlySet<string>): Promise<void> =>
      write(undefined, async (session) => {
        const rows = await filesIn(session, root, folder);
        const ids = rows.filter(({ name }) => names?.has(name) ?? true).map(({ id }) => id);
        await dropContents(session, ids);
        await deleteRows(session, 'files', 'id', ids);
      }),

    /** Places all documents that name a company, so that questions about it find them. */
    async adopt(company: string): Promise<void> {
      const lacking = await read((session) => unplaced(session, company));
      if (lacking.length > 0) await write(company, (session) => place(session, company));
    },

    /** The parties of the documents, the most frequent first; at most so many. */
    holders: (most: number): Promise<Holder[]> =>
      read(async ({ db, tenant }) => {
        const { rows } = await sql<Holder & { name: string | null }>`
          select h.company, p.name, h.documents
          from (
            select tax_id as company, count(*) as documents from file_parties
            where tenant = ${tenant} group by tax_id order by 2 desc, 1 limit ${sql.lit(most)}
          ) h left join parties p on p.tenant = ${tenant} and p.tax_id = h.company
          order by h.documents desc, h.company`.execute(db);
        return rows.map(({ company, name, documents }) => ({
          company,
          name: name ?? undefined,
          documents: Number(documents),
        }));
      }),

    /** Kinds and days of the documents that name a company; without one, of every company that is a party. */
    holdings: (company?: string) => read((session) => holdingsOf(session, company)),

    info: () => read(info),

    /** The files a document is in; imported ones are in none. */
    placesOf: (reference: DocumentReference): Promise<FilePlace[]> =>
      read(async (session) => {
        const document = await idOf(session, reference);
        const { rows } = await sql<FilePlace>`
          select f.root, f.folder, f.name from documents d
            join file_contents c on c.tenant = d.tenant and c.identity = d.identity
            join files f on f.tenant = c.tenant and f.id = c.file_id
          where d.tenant = ${session.tenant} and d.id = ${document ?? 0} and f.root <> ''
          order by f.root, f.folder, f.name`.execute(session.db);
        return rows;
      }),

    givenUp: ({ company, area }: Holding): Promise<GivenUpNumbers[]> =>
      read(async ({ db, tenant }) => {
        const rows = await select<Schema['given_up_numbers']>(
          db,
          sql`select distinct company, model, series, year, protocol, first_number, last_number
            from given_up_numbers where ${matching({ tenant, company, area })}`,
        );
        return rows.map(({ first_number, last_number, protocol, ...row }) => ({
          ...row,
          area: area === 'cte' ? 'cte' : 'nfe',
          protocol: protocol || undefined,
          first: Number(first_number),
          last: Number(last_number),
        }));
      }),
  };
}

export type FileIndex = ReturnType<typeof createFileIndex>;
