import type { Query } from '../../db/databases.ts';
import type { DataFolder } from '../data-folder.ts';
import { linesInFolder } from '../journal-file.ts';
import { createLedger, isUnsettled } from '../journal-ledger.ts';
import type { JournalLine } from '../journal-lines.ts';
import { spentInFolder } from '../spent-tokens.ts';
import { addLines, lockEnd, noteOpen, selectLines } from './journal.ts';
import type { SharedRecords } from './records.ts';

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
