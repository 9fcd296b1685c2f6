import type { Query } from '../../db/databases.ts';
import { DatabaseUnusable, type DataFolder } from '../data-folder.ts';
import type { About, JournalStore } from '../journal.ts';
import { linesInFolder } from '../journal-file.ts';
import {
  createLedger,
  decodeLine,
  encodeLine,
  type IntentLine,
  isUnsettled,
  type JournalLine,
} from '../journal-lines.ts';
import { spentInFolder } from '../spent-tokens.ts';
import type { SharedRecords } from './records.ts';

interface LineRow {
  readonly line: string;
}

/** An unreadable line was written by another program and must not be ignored. */
function lineOf({ line }: LineRow): JournalLine {
  const read = decodeLine(Buffer.from(line, 'utf8'));
  if (read === undefined) throw new DatabaseUnusable('LINE_UNREADABLE');
  return read;
}

const subjectsOf = ({ key, keys, subject }: IntentLine): string[] => {
  const all = [...(keys ?? []), key, subject].filter((one) => one !== undefined);
  return [...new Set(all)];
};

/** Rolls back a probing transaction. */
class OnlyTried extends Error {}

/** Locks the tail of a tenant's journal until the transaction ends. */
async function lockEnd(query: Query, tenant: string): Promise<void> {
  await query(
    `insert into journal_ends (tenant, place) values ($1, 0)
      on conflict (tenant) do update set place = journal_ends.place`,
    [tenant],
  );
}

async function selectLines(
  query: Query,
  tenant: string,
  ids: readonly string[],
): Promise<readonly JournalLine[]> {
  const rows = await query<LineRow>(
    'select line from journal_lines where tenant = $1 and id = any($2) order by place',
    [tenant, [...ids]],
  );
  return rows.map(lineOf);
}

async function addLines(query: Query, tenant: string, lines: readonly JournalLine[]): Promise<void> {
  const [end] = await query<{ place: number }>(
    `insert into journal_ends (tenant, place) values ($1, $2)
      on conflict (tenant) do update set place = journal_ends.place + excluded.place returning place`,
    [tenant, lines.length],
  );
  const first = (end?.place ?? 0) - lines.length + 1;
  await query(
    `insert into journal_lines (tenant, place, id, line)
      select $1, place, id, line from unnest($2::bigint[], $3::text[], $4::text[]) as new (place, id, line)`,
    [
      tenant,
      lines.map((_, index) => first + index),
      lines.map(({ id }) => id),
      lines.map((line) => encodeLine(line).toString('utf8').trimEnd()),
    ],
  );
  const about = lines.flatMap((line) =>
    line.line === 'intent' ? subjectsOf(line).map((subject) => [subject, line.id] as const) : [],
  );
  if (about.length === 0) return;
  await query(
    `insert into journal_subjects (tenant, subject, id)
      select $1, subject, id from unnest($2::text[], $3::text[]) as new (subject, id) on conflict do nothing`,
    [tenant, about.map(([subject]) => subject), about.map(([, id]) => id)],
  );
}

/** Updates which writes are open, from their lines. */
async function noteOpen(query: Query, tenant: string, ids: Iterable<string>): Promise<void> {
  for (const id of ids) {
    const ledger = createLedger(() => true, isUnsettled);
    for (const line of await selectLines(query, tenant, [id])) ledger.take(line);
    const isOpen = ledger.entries(0).length > 0;
    const change = isOpen
      ? 'insert into journal_open (tenant, id) values ($1, $2) on conflict do nothing'
      : 'delete from journal_open where tenant = $1 and id = $2';
    await query(change, [tenant, id]);
  }
}

/**
 * Keeps a tenant's journal in the replicas' database. Appends lock the tail until commit, so of two intents on one
 * key each sees the other or comes first.
 */
export function journalInDatabase({ transact }: SharedRecords, tenant: string): JournalStore {
  async function appendOnce(query: Query, lines: readonly JournalLine[]): Promise<void> {
    await addLines(query, tenant, lines);
    await noteOpen(query, tenant, new Set(lines.map((line) => line.id)));
  }

  /** An attempt with a lost connection may have been committed. */
  async function isThere(query: Query, [first]: readonly JournalLine[]): Promise<boolean> {
    if (first === undefined) return true;
    const rows = await query<LineRow>('select line from journal_lines where tenant = $1 and id = $2', [
      tenant,
      first.id,
    ]);
    return rows.some(({ line }) => line === encodeLine(first).toString('utf8').trimEnd());
  }

  function select(query: Query, about: About): Promise<readonly LineRow[]> {
    if (about === 'open') {
      return query(
        `select line from journal_lines where tenant = $1
          and id in (select id from journal_open where tenant = $1) order by place`,
        [tenant],
      );
    }
    return query(
      `select line from journal_lines where tenant = $1
        and id in (select id from journal_subjects where tenant = $1 and subject = any($2)) order by place`,
      [tenant, 'keys' in about ? [...about.keys] : [about.subject]],
    );
  }

  return {
    append: async (lines) => {
      let attempts = 0;
      await transact(async (query) => {
        attempts += 1;
        if (attempts > 1 && (await isThere(query, lines))) return;
        await appendOnce(query, lines);
      });
    },

    async *lines(about) {
      for (const row of await transact((query) => select(query, about))) yield lineOf(row);
    },

    // Transactions leave no partial lines.
    damage: async () => ({ count: 0, offsets: [], tornEnd: false }),

    async probe() {
      const trial = transact(async (query) => {
        await lockEnd(query, tenant);
        await query(
          `insert into journal_lines (tenant, place, id, line) select $1, place + 1, '', '' from journal_ends
            where tenant = $1`,
          [tenant],
        );
        throw new OnlyTried();
      });
      await trial.catch((error: unknown) => {
        if (!(error instanceof OnlyTried)) throw error;
      });
    },
  };
}

const LINES_AT_ONCE = 500;

/** Identity of a line, independent of its spelling. */
const identityOf = (line: JournalLine): string =>
  JSON.stringify([line.line, line.id, line.key, line.at, line.line === 'outcome' && line.status]);

/** Writes that are open by these lines, or whose intent is in an earlier one. */
function inDoubt(lines: readonly JournalLine[]): ReadonlySet<string> {
  const ledger = createLedger(() => true, isUnsettled);
  for (const line of lines) ledger.take(line);
  const begun = new Set(lines.filter(({ line }) => line === 'intent').map(({ id }) => id));
  const before = lines.filter(({ id }) => !begun.has(id)).map(({ id }) => id);
  return new Set([...ledger.entries(0).map(({ id }) => id), ...before]);
}

async function takeLines(query: Query, tenant: string, lines: readonly JournalLine[]): Promise<number> {
  await lockEnd(query, tenant);
  const ids = [...new Set(lines.map(({ id }) => id))];
  const there = new Set((await selectLines(query, tenant, ids)).map(identityOf));
  const missing = lines.filter((line) => !there.has(identityOf(line)));
  if (missing.length === 0) return 0;
  await addLines(query, tenant, missing);
  await noteOpen(query, tenant, inDoubt(missing));
  return missing.length;
}

async function takeMarks(query: Query, tenant: string, folder: DataFolder): Promise<void> {
  const { marks, forgottenUntil } = await spentInFolder(folder).all();
  await query(
    `insert into spent_tokens (tenant, minted_at, nonce, spender)
      select $1, minted_at, nonce, 'folder' from unnest($2::bigint[], $3::text[]) as new (minted_at, nonce)
      where minted_at > coalesce((select minted_at from spent_forgotten where tenant = $1), 0)
      on conflict (tenant, minted_at, nonce) do nothing`,
    [tenant, marks.map(({ mintedAt }) => mintedAt), marks.map(({ nonce }) => nonce)],
  );
  if (forgottenUntil === 0) return;
  await query(
    `insert into spent_forgotten (tenant, minted_at) values ($1, $2) on conflict (tenant)
      do update set minted_at = greatest(spent_forgotten.minted_at, excluded.minted_at)`,
    [tenant, forgottenUntil],
  );
}

/**
 * Imports the journal and the spent tokens of a data folder into the configured database, so that no open write is
 * forgotten. The folder stays as it is; existing lines are skipped, so every start may repeat it, also concurrently.
 * @returns number of journal lines imported
 * @throws RecordUnusable
 */
export async function importRecords(
  folder: DataFolder,
  { transact }: SharedRecords,
  tenant: string,
): Promise<number> {
  let taken = 0;
  let lines: JournalLine[] = [];
  const takeGathered = async (): Promise<void> => {
    const gathered = lines;
    lines = [];
    if (gathered.length > 0) taken += await transact((query) => takeLines(query, tenant, gathered));
  };
  for await (const line of linesInFolder(folder)) {
    lines.push(line);
    if (lines.length >= LINES_AT_ONCE) await takeGathered();
  }
  await takeGathered();
  await transact((query) => takeMarks(query, tenant, folder));
  return taken;
}
