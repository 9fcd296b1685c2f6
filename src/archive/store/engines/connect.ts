import { explained } from '../../errors.ts';
import type { ArchivePlace, Connections } from './connections.ts';
import { connectPostgres } from './postgres.ts';
import { connectFile, connectMemory } from './sqlite-archive.ts';

/** Opens the archive and brings its schema up to date. */
export async function connect(place: ArchivePlace): Promise<Connections> {
  return explained(async () => {
    const connections = await connectTo(place);
    return {
      ...connections,
      read: (work) => explained(() => connections.read(work)),
      write: (work) => explained(() => connections.write(work)),
      integrity: () => explained(connections.integrity),
      compact: () => explained(connections.compact),
    };
  });
}

function connectTo(place: ArchivePlace): Promise<Connections> {
  if (place.mode === 'postgres') return connectPostgres(place.url);
  return place.mode === 'memory' ? connectMemory() : connectFile(place.folder);
}
