import { putUp, tablesWithoutWall, tablesWithWall, takeDown } from './tenant-wall.ts';

/** Asks the database something that has no values. */
export type Statement = (text: string) => Promise<readonly { name?: string }[]>;

/** Any number, the same for everyone who brings a database up to date. */
const updateLock = '5735102001';

/** Whether every table of tenants is walled. */
export async function isWalled(ask: Statement): Promise<boolean> {
  return (await ask(tablesWithoutWall)).length === 0;
}

/**
 * Brings tables up to date while nobody else does. Where rows are changed, the wall between tenants is taken down for
 * the one who does it; it is around every table afterwards. To be called in a transaction.
 * @param isDone asked again when it is one's turn: of many tenants that are opened at once the first has done it for all
 */
export async function bringUpToDateAlone(
  ask: Statement,
  isDone: () => Promise<boolean>,
  changesRows: boolean,
  update: () => Promise<void>,
): Promise<void> {
  await ask(`select pg_advisory_xact_lock(${updateLock})`);
  if (await isDone()) return;
  const walled = changesRows ? await ask(tablesWithWall) : [];
  for (const { name } of walled) await ask(takeDown(name ?? ''));
  await update();
  for (const { name } of await ask(tablesWithoutWall)) {
    for (const statement of putUp(name ?? '')) await ask(statement);
  }
}
