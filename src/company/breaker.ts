import {
  createGate,
  createLocalStates,
  type Gate,
  type ServiceState,
  unknownState,
} from '../clients/http/gate.ts';
import type { Settings } from '../config/settings.ts';
import type { Databases } from '../db/databases.ts';

/** Opens a tenant's gate: shared by all replicas through their database, or local to this process. */
export async function openGate(
  { databaseUrl, concurrency }: Settings,
  tenant: string,
  given: Databases | undefined,
): Promise<{ readonly gate: Gate; close(): Promise<void> }> {
  if (databaseUrl === undefined) {
    return { gate: createGate(createLocalStates(), concurrency), close: async () => undefined };
  }
  const [{ createDatabases }, { openLeases }, { openSharedStates }] = await Promise.all([
    import('../db/databases.ts'),
    import('../db/replicas.ts'),
    import('../db/replicas.ts'),
  ]);
  const databases = given ?? createDatabases();
  const url = databaseUrl.reveal();
  const shared = openSharedStates(databases, url, tenant, openLeases(databases, url, tenant));
  const gate = createGate(
    {
      change: (service, work) =>
        shared.change<ServiceState, Awaited<ReturnType<typeof work>>['result']>(service, (state, now) =>
          work(state ?? unknownState, now),
        ),
      takePlace: (service, most) => shared.takePlace(service, most),
    },
    concurrency,
  );
  return { gate, close: () => shared.close() };
}
