import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach } from 'vitest';
import { askThrough } from './asking.ts';
import { temporaryFolder } from './built-program.ts';
import type { Connection } from './clients.ts';
import { connectInProcess } from './in-process.ts';

type Environment = Readonly<Record<string, string>>;

interface Options {
  readonly env?: Environment;
  /** Another server and other folders for each test. */
  readonly anew?: boolean;
}

/** A server for the user's own files alone, started before the tests of a block, or before each, in November 2026. */
export function ownFiles({ env = {}, anew = true }: Options = {}) {
  let folder: ReturnType<typeof temporaryFolder>;
  let connection: Connection;
  const inside = (name: string) => join(folder.path, name);
  const settings = (more: Environment = {}): Record<string, string> => ({
    DFE_FILES: inside('notas'),
    DFE_DOWNLOAD_DIR: inside('saved'),
    DFE_DATA_DIR: inside('data'),
    DFE_LANGUAGE: 'en',
    ...env,
    ...more,
  });
  const now = () => Date.parse('2026-11-20T12:00:00-03:00');
  const start = (given: Environment) => connectInProcess('v1', { env: given, now });
  (anew ? beforeEach : beforeAll)(async () => {
    folder = temporaryFolder();
    for (const name of ['notas', 'saved']) mkdirSync(inside(name));
    connection = await start(settings());
  });
  return {
    ...askThrough(() => connection),
    /** The folder of the files, beside which others may be made. */
    get path() {
      return inside('notas');
    },
    get connection() {
      return connection;
    },
    /** Writes a file of some days ago; a name that begins with `..` is beside the folder. */
    put(name: string, content: string | Uint8Array) {
      const path = join(inside('notas'), name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      utimesSync(path, new Date('2026-10-20T10:00:00Z'), new Date('2026-10-20T10:00:00Z'));
      return path;
    },
    settings,
    /** Starts another server with these settings, ended with the test. */
    start,
    /** Asks that one from now on. */
    use(next: Connection) {
      connection = next;
    },
  };
}
