import {
  codeOf,
  type Databases,
  failedBy,
  type Query,
  type RetryPolicy,
  retrying,
  type Tables,
} from '../db/databases.ts';
import { type DataFolder, RecordUnusable } from './data-folder.ts';
import type { About, JournalStore } from './journal.ts';
import { linesInFolder } from './journal-file.ts';
import { decodeLine, encodeLine, type JournalLine, sha256 } from './journal-lines.ts';

/** Covers a restart of the database, within the 45 seconds of a call. */
const persistent: RetryPolicy = {
  isPassing: (error) => failedBy(error, 'lost', 'conflict', 'unavailable'),
  firstPauseMs: 50,
  forMs: 8_000,
};

/** The tenant leads every key. Text is compared bytewise, so order is the same everywhere. */
const tablesOfWrites: Tables = {
  name: 'writes',
  version: 1,
  create: [
    // Place of a tenant's last line. Appends lock this row, so lines become visible in order.
    `create table journal_ends (tenant text collate "C" not null, place bigint not null,
    constraint journal_ends_primary primary key (tenant))`,
    // Lines as in the file, JSON; never deleted. The digest keeps a repeated append or import from adding one twice.
    // An intent counts its keys, 1 for none; an outcome other than unknown names its key, '' for all.
    `create table journal_lines (tenant text collate "C" not null, place bigint not null, id text collate "C" not null,
    digest text collate "C" not null, keys int not null, settled text collate "C", line text collate "C" not null,
    constraint journal_lines_primary primary key (tenant, place),
    constraint journal_lines_once unique (tenant, digest))`,
    'create index journal_lines_by_id on journal_lines (tenant, id)',
    // Subjects of a write: access keys, or one subject for a write without keys.
    `create table journal_subjects (tenant text collate "C" not null, subject text collate "C" not null,
    id text collate "C" not null, constraint journal_subjects_primary primary key (tenant, subject, id))`,
  ],
};

/** Appends lines that are not there yet; their number. Locks the tail until the transaction ends. */
async function addLines(query: Query, tenant: string, lines: readonly JournalLine[]): Promise<number> {
  const [end] = await query<{ place: number }>(
    `insert into journal_ends (tenant, place) values ($1, $2)
      on conflict (tenant) do update set place = journal_ends.place + excluded.place returning place`,
    [tenant, lines.length],
  );
  const first = (end?.place ?? 0) - lines.length + 1;
  const rows = lines.map((one, index) => {
    const line = encodeLine(one);
    return {
      place: first + index,
      id: one.id,
      digest: sha256(line),
      keys: one.line === 'intent' ? (one.keys?.length ?? 1) : 0,
      settled: one.line === 'outcome' && one.status !== 'unknown' ? (one.key ?? '') : undefined,
      line,
      subjects: one.line === 'intent' ? [...(one.keys ?? []), one.subject].filter(Boolean) : [],
    };
  });
  const values = [tenant, JSON.stringify(rows)];
  const added = await query(
    `insert into journal_lines (tenant, place, id, digest, keys, settled, line)
      select $1, place, id, digest, keys, settled, line
      from json_to_recordset($2)
        as new (place bigint, id text, digest text, keys int, settled text, line text)
      on conflict (tenant, digest) do nothing returning place`,
    values,
  );
  await query(
    `insert into journal_subjects (tenant, subject, id)
      select $1, subject, id from json_to_recordset($2) as new (id text, subjects json),
        json_array_elements_text(subjects) as subject
      on conflict do nothing`,
    values,
  );
  return added.length;
}

/** Writes with fewer known outcomes than keys in the intent, and without one for all keys. */
const openIds = `select id from journal_lines where tenant = $1 group by id
  having max(keys) > count(distinct settled) and count(*) filter (where settled = '') = 0`;

const unusable = (code: string) => new RecordUnusable(code);

/** Lines of the writes in question, in order. */
async function select(query: Query, tenant: string, about: About): Promise<JournalLine[]> {
  const ofSubjects = 'select id from journal_subjects where tenant = $1 and subject = any($2)';
  const ofWrites = async (ids: string, ...values: readonly unknown[]) => {
    const lines = `select line from journal_lines where tenant = $1 and id in (${ids}) order by place`;
    return (await query<{ line: string }>(lines, [tenant, ...values])).map(({ line }) => {
      const read = decodeLine(Buffer.from(line));
      // Written by another program, and must not be ignored.
      if (read === undefined) throw unusable('LINE_UNREADABLE');
      return read;
    });
  };
  if (about === 'open') return ofWrites(openIds);
  if ('id' in about) return ofWrites('$2', about.id);
  return ofWrites(ofSubjects, 'keys' in about ? about.keys : [about.subject]);
}

/** Lines taken over in one transaction. */
const LINES_AT_ONCE = 500;

/**
 * Opens a tenant's journal in the replicas' database; connects on first use. Appends lock the tail until commit, so
 * of two intents on one key each sees the other or comes first. Retries for some seconds after lost connections and
 * conflicts.
 * @param url a secret
 */
export function openSharedJournal(databases: Databases, url: string, tenant: string) {
  const tables = databases.open(url, 'writes', tenant, tablesOfWrites);

  /** @param work idempotent: an attempt with a lost connection may have been committed */
  async function transact<T>(work: (query: Query) => Promise<T>): Promise<T> {
    try {
      return await retrying(persistent, () => tables.transact(work));
    } catch (error) {
      const code = codeOf(error);
      throw error instanceof RecordUnusable || code === '' ? error : unusable(code);
    }
  }

  const append = (lines: readonly JournalLine[]) => transact((query) => addLines(query, tenant, lines));
  const store: JournalStore = {
    unusable,
    append: async (lines) => void (await append(lines)),
    async *lines(about) {
      yield* await transact((query) => select(query, tenant, about));
    },
    // Transactions leave no partial lines.
    damage: async () => ({ count: 0, tornEnd: false }),
  };

  return {
    store,
    close: tables.close,

    /** Imports a data folder's journal, which stays as it is; may be repeated, also concurrently. Returns new lines. */
    async takeOver(folder: DataFolder): Promise<number> {
      let taken = 0;
      let lines: JournalLine[] = [];
      for await (const line of linesInFolder(folder)) {
        lines.push(line);
        if (lines.length < LINES_AT_ONCE) continue;
        taken += await append(lines);
        lines = [];
      }
      return taken + (lines.length > 0 ? await append(lines) : 0);
    },
  };
}
