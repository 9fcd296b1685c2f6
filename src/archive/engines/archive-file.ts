import { join } from 'node:path';

/** The file that an archive of the mode `file` is kept in, in its folder. */
export function archiveFile(folder: string): string {
  return join(folder, 'archive.db');
}
