import { openArchive as open } from '../../src/archive/archive.ts';
import { endsBehindTests } from '../support/ending.ts';

/** Opens an archive that is closed behind the test, if not before. */
export async function openArchive(place: Parameters<typeof open>[0]) {
  const archive = await open(place);
  return { ...archive, close: endsBehindTests(archive.close) };
}
