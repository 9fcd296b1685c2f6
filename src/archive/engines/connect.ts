import { explained } from '../errors.ts';
import type { Connections, TenantPlace } from './connections.ts';
import { connectPostgres } from './postgres.ts';
import { connectFile, connectMemory } from './sqlite.ts';

/** Opens the archive, creating its tables if needed. */
export async function connect(place: TenantPlace): Promise<Connections> {
  return explained(async () => {
    const connections = await connectTo(place);
    return {
      ...connections,
      read: (work) => explained(() => connections.read(work)),
      write: (company, work) => explained(() => connections.write(company, work)),
      integrity: () => explained(connections.integrity),
      refreshStatistics: (documents) => explained(() => connections.refreshStatistics(documents)),
      compact: () => explained(connections.compact),
    };
  });
}

function connectTo(place: TenantPlace): Promise<Connections> {
  if (place.mode === 'postgres') return connectPostgres(place.url, place.tenant, place.databases);
  return place.mode === 'memory' ? connectMemory(place.tenant) : connectFile(place.folder, place.tenant);
}
