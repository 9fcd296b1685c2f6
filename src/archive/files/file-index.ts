import { type Selectable, sql } from 'kysely';
import { isDay } from '../../documents/days.ts';
import type { GivenUpNumbers } from '../../documents/layouts/given-up-numbers.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { idOf } from '../ask/stored-documents.ts';
import type { Connections } from '../engines/connections.ts';
import type { Direction, DocumentReference, Holding } from '../references.ts';
import { eventLine, namedParties } from '../schema/encoding.ts';
import type { PlacementRow, Schema, Session } from '../schema/schema.ts';
import {
  changeRows,
  eachPart,
  findRows,
  inParts,
  insertRows,
  matching,
  replacing,
  select,
} from '../schema/sql.ts';
import { type Arrival, type HeldDocument, type Received, receive } from '../write/arrival.ts';
import { writeBatch } from '../write/documents.ts';
import { taxIdOf } from '../write/prepare.ts';
import { dropContents } from '../write/purge.ts';
import { directionRead, placeOf, writePlacements } from '../write/rows.ts';
import { forgetSums } from '../write/sums.ts';
import type { FileStamp } from './folders.ts';
import { type LeftOutTally, leftOutOf, noneLeftOut } from './left-out.ts';

/** Path of a file: within a configured folder, or a configured file itself. */
export interface FilePlace {
  readonly root: string;
  /** Relative to the root's folder, with `/`; empty for that folder itself. */
  readonly folder: string;
  readonly name: string;
}

/** The contents of a file, in several parts if it has many documents. */
export interface ReadPart extends FilePlace, FileStamp {
  readonly isLast: boolean;
  readonly documents: readonly Arrival[];
  readonly givenUp: readonly GivenUpNumbers[];
  /** Cumulative over this part and earlier ones. */
  readonly leftOut: LeftOutTally;
}

/** A file of the index. */
export interface KnownFile extends FilePlace, FileStamp {
  readonly id: number;
}

/** A company and the number of documents that name it as a party. */
export interface Holder {
  readonly company: string;
  readonly name?: string | undefined;
  readonly documents: number;
}

/** Most companies offered when the call must name one. */
const MOST_CANDIDATES = 10;
const MOST_OTHER_KINDS = 50;
/** Restricts tax ids to companies: a CNPJ has 14 characters. */
const isCompany = sql`length(tax_id) = 14`;
/**
 * File name of a root's claim, an index row whose change time is when a process last had the folder configured. It
 * keeps other processes on the same archive from forgetting the root's files.
 */
export const claimName = '';
const noFile: ReadPart = {
  ...{ root: '', folder: '', name: '', size: 0, changed: 0, isLast: true },
  ...{ documents: [], givenUp: [], leftOut: noneLeftOut },
};

type FileRow = Selectable<Schema['files']>;
type Party = Pick<Schema['file_parties'], 'tax_id' | 'direction'>;

/** The parties of a document with a tax id, each of which holds it. */
function partiesOf(summary: DocumentSummary): Party[] {
  const ids = namedParties(summary)
    .filter(({ id_type }) => id_type !== 'foreign')
    .map(taxIdOf)
    .filter((id) => /^[0-9A-Z]{14}$|^\d{11}$/.test(id));
  const issuer = taxIdOf(summary.issuer);
  return [...new Set(ids)].map((tax_id) => ({
    tax_id,
    direction: directionRead(tax_id, issuer, summary.flow),
  }));
}

const placeOfFile = ({ root, folder, name }: FilePlace): string => `${root}\0${folder}\0${name}`;

/** Removes contents of earlier versions of these files; later parts and files that are only due have the same stamp. */
async function dropEarlier(session: Session, parts: readonly ReadPart[]): Promise<void> {
  const { db, tenant } = session;
  const filed = parts.filter(({ root }) => root !== '');
  const changed = await inParts(filed, (some) => {
    const places = some.map(({ root, folder, name }) => sql`(${root}, ${folder}, ${name})`);
    const states = some.map(
      ({ root, folder, name, size, changed }) =>
        sql`(${root}, ${folder}, ${name}, cast(${size} as bigint), cast(${changed} as bigint))`,
    );
    return select<{ id: number }>(
      db,
      sql`select id from files where tenant = ${tenant} and (root, folder, name) in (values ${sql.join(places)})
        and (root, folder, name, size, changed) not in (values ${sql.join(states)})`,
    );
  });
  await dropContents(
    session,
    changed.map(({ id }) => id),
  );
}

/** Writes the rows of files; a file is due until its last part is stored. @returns ids by path */
async function writeFiles({ db, tenant }: Session, parts: readonly ReadPart[]) {
  const rows = parts.map(({ root, folder, name, size, changed, isLast, leftOut }) => {
    const left_out = leftOut.named.length === 0 ? '' : JSON.stringify(leftOut);
    return { tenant, root, folder, name, left_out, size, changed, due: isLast ? 0 : 1 };
  });
  const ending = `${replacing('files', ['left_out', 'size', 'changed', 'due'])} returning id, root, folder, name`;
  const written = await insertRows<'files', FilePlace & { id: number }>(db, 'files', rows, ending);
  return new Map(written.map((row) => [placeOfFile(row), row.id]));
}

/** A part with its documents and events in stored form. */
interface HeldPart extends ReadPart {
  readonly held: Received;
}

/**
 * Replaces the contents of earlier versions of these files by the current ones.
 * @param company company whose documents are placed immediately
 * @returns number of new documents
 */
async function writeParts(session: Session, parts: readonly HeldPart[], company = ''): Promise<number> {
  const { db, tenant } = session;
  await dropEarlier(session, parts);

  const parties = new Map<string, Party[]>();
  for (const { documents, held } of parts) {
    for (const [at, { summary }] of documents.entries()) {
      const identity = held.identities[at] ?? '';
      if (summary.kind === 'event') continue;
      parties.set(identity, [...(parties.get(identity) ?? []), ...partiesOf(summary)]);
    }
  }
  const isOwn = ({ identity }: HeldDocument) =>
    parties.get(identity)?.some(({ tax_id }) => tax_id === company) === true;
  const documents = parts.flatMap(({ held }) => held.documents);
  const own = documents.filter(isOwn);
  const others = documents.filter((document) => !isOwn(document));
  const events = parts.flatMap(({ held }) => held.events);
  const came = { source: 'files', at: new Date().toISOString(), events: 'files' } as const;
  const first = await writeBatch(session, { ...came, company }, { documents: own, events: [] });
  const second = await writeBatch(session, { ...came, company: '' }, { documents: others, events });

  const files = await writeFiles(session, parts);
  const fileId = (part: FilePlace) => files.get(placeOfFile(part)) ?? 0;
  const once = 'on conflict do nothing';
  const contents = parts.flatMap((part) =>
    part.held.identities.map((identity) => ({ tenant, identity, file_id: fileId(part) })),
  );
  await insertRows(db, 'file_contents', contents, once);
  const rows = await findRows(session, 'documents', ['id', 'identity'], 'identity', parties.keys());
  const named = rows.flatMap(({ id: document_id, identity }) =>
    (parties.get(identity) ?? []).map((party) => ({ tenant, ...party, document_id })),
  );
  await insertRows(db, 'file_parties', named, once);
  const givenUp = parts.flatMap((part) =>
    part.givenUp.map(({ protocol = '', first: first_number, last: last_number, ...numbers }) => {
      return { tenant, ...numbers, protocol, first_number, last_number, file_id: fileId(part) };
    }),
  );
  await insertRows(db, 'given_up_numbers', givenUp, once);
  return first.added + second.added;
}

async function info({ db, tenant }: Session) {
  const isEvent = sql`identity like ${sql.lit(`${eventLine('')}%`)}`;
  const [counted] = await select<Record<'files' | 'documents' | 'events', number>>(
    db,
    sql`select (select count(*) from files where tenant = ${tenant} and root <> '' and name <> '') as files,
      (select count(distinct identity) from file_contents where tenant = ${tenant} and not ${isEvent}) as documents,
      (select count(distinct identity) from file_contents where tenant = ${tenant} and ${isEvent}) as events`,
  );
  const odd = await select<Pick<FileRow, 'folder' | 'name' | 'left_out'>>(
    db,
    sql`select folder, name, left_out from files where tenant = ${tenant} and left_out <> '' order by 1, 2`,
  );
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

/** Dated documents that name a company and have no placement for it yet. */
async function unplaced({ db, tenant }: Session, company: string) {
  const rows = await select<
    Pick<PlacementRow, 'document_id' | 'area'> & { direction: Direction; day: string }
  >(
    db,
    sql`select d.id as document_id, d.area, f.direction, substr(d.issued_at, 1, 10) as day
      from file_parties f join documents d on d.tenant = f.tenant and d.id = f.document_id
      where f.tenant = ${tenant} and f.tax_id = ${company} and not exists (
        select 1 from placements p where p.tenant = f.tenant and p.company = ${company}
          and p.date_field = 'issue' and p.document_id = f.document_id)`,
  );
  return rows.filter(({ day }) => isDay(day));
}

/**
 * The index of the user's files. It keeps a document or an event as long as a file or the service has it. Documents
 * belong to all their parties; a company's get placements on its first question (`adopt`).
 */
export function createFileIndex(connections: Connections, keepXml: boolean) {
  const { read, write } = connections;
  const filesWhere = (condition: Readonly<Record<string, unknown>>): Promise<KnownFile[]> =>
    read(async ({ db, tenant }) => {
      const rows = await select<KnownFile>(
        db,
        sql`select id, root, folder, name, size, changed from files where ${matching({ tenant, ...condition })}`,
      );
      return rows.map((row) => ({ ...row, size: Number(row.size), changed: Number(row.changed) }));
    });

  /**
   * Stores file contents in one transaction; removes documents found only in earlier versions of changed files.
   * @param company company whose documents are placed immediately, since it usually owns most
   */
  async function take(parts: readonly ReadPart[], company?: string): Promise<void> {
    const held: HeldPart[] = [];
    for (const part of parts) held.push({ ...part, held: await receive(undefined, part.documents, keepXml) });
    await connections.refreshStatistics(
      await write(undefined, (session) => writeParts(session, held, company)),
    );
  }

  return {
    take,

    /** Claims roots as of a moment; 0 releases them. */
    claim: (roots: readonly string[], at: number) =>
      take(roots.map((root) => ({ ...noFile, root, changed: at * 1000 }))),

    /** Imports documents permanently: they stay when their files change or disappear. */
    takeForGood: (documents: ReadPart['documents'], givenUp: ReadPart['givenUp'], company?: string) =>
      take([{ ...noFile, documents, givenUp }], company),

    /** The files directly in a folder of a root. */
    filesOf: (root: string, folder: string) => filesWhere({ root, folder }),

    /**
     * Files to read again although unchanged: reading was interrupted, or another file with a version of one of their
     * documents disappeared.
     */
    due: () => filesWhere({ due: 1 }),

    folders: () =>
      read(({ db, tenant }) =>
        select<Pick<FilePlace, 'root' | 'folder'>>(
          db,
          sql`select distinct root, folder from files where tenant = ${tenant} and root <> ''`,
        ),
      ),

    /** Removes deleted files from the index. */
    forget: (files: readonly KnownFile[]): Promise<void> =>
      eachPart(files, (part) =>
        write(undefined, async (session) => {
          const ids = part.map(({ id }) => id);
          await dropContents(session, ids);
          await changeRows(session, sql`delete from files`, 'id', ids);
        }),
      ),

    /** Creates placements for all documents that name a company, so that questions about it find them. */
    async adopt(company: string): Promise<void> {
      const lacking = await read((session) => unplaced(session, company));
      if (lacking.length === 0) return;
      await write(company, async (session) => {
        const rows = (await unplaced(session, company)).map(({ direction, day, ...row }): PlacementRow => {
          const at = placeOf({ from: day, to: day }, direction, { inbound: false, outbound: false });
          return { tenant: session.tenant, company, date_field: 'issue', ...row, ...at };
        });
        await writePlacements(session, rows);
        await forgetSums(
          session,
          rows.map(({ document_id }) => document_id),
        );
      });
    },

    /** The company named by most documents, and the candidates; no company on a tie. */
    whose: () =>
      read(async ({ db, tenant }) => {
        const rows = await select<Holder & { name: string | null }>(
          db,
          sql`select h.company, p.name, h.documents
            from (
              select tax_id as company, count(*) as documents from file_parties
              where tenant = ${tenant} and ${isCompany} group by tax_id
              order by 2 desc, 1 limit ${sql.lit(MOST_CANDIDATES)}
            ) h left join parties p on p.tenant = ${tenant} and p.tax_id = h.company
            order by h.documents desc, h.company`,
        );
        const candidates = rows.map(({ company, name, documents }) => {
          return { company, name: name ?? undefined, documents: Number(documents) };
        });
        const [first, second] = candidates;
        const isClear = first !== undefined && first.documents > (second?.documents ?? 0);
        return { company: isClear ? first.company : undefined, candidates };
      }),

    /** Kinds and days of the documents that name a company; without a company, of all parties that are companies. */
    holdings: (company?: string) =>
      read(async ({ db, tenant }) => {
        const whose = company === undefined ? isCompany : sql`tax_id = ${company}`;
        const rows = await select<Holding & Holder & Record<'first' | 'last', string | null>>(
          db,
          sql`select f.tax_id as company, d.area, count(*) as documents,
              min(nullif(d.issued_at, '')) as first, max(nullif(d.issued_at, '')) as last
            from file_parties f join documents d on d.tenant = f.tenant and d.id = f.document_id
            where f.tenant = ${tenant} and ${whose} group by f.tax_id, d.area order by f.tax_id, d.area`,
        );
        return rows.map(({ documents, first, last, ...row }) => ({
          ...row,
          documents: Number(documents),
          ...(first === null || last === null ? {} : { from: first.slice(0, 10), to: last.slice(0, 10) }),
        }));
      }),

    info: () => read(info),

    /** The files that contain a document; none for an imported one. */
    placesOf: (reference: DocumentReference): Promise<FilePlace[]> =>
      read(async (session) => {
        const { db, tenant } = session;
        const document = await idOf(session, reference);
        return select<FilePlace>(
          db,
          sql`select f.root, f.folder, f.name from documents d
              join file_contents c on c.tenant = d.tenant and c.identity = d.identity
              join files f on f.tenant = c.tenant and f.id = c.file_id
            where d.tenant = ${tenant} and d.id = ${document ?? 0} and f.root <> ''
            order by f.root, f.folder, f.name`,
        );
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
