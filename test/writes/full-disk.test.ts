import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataFolder } from '../../src/writes/data-folder.ts';
import { createJournal } from '../../src/writes/journal.ts';
import { journalInFolder } from '../../src/writes/journal-file.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { bundle } from './child-processes.ts';

/** Begins writes of some keys until the disk has no room, and says the id of each that may be sent. */
const writer = `
  import { createDataFolder } from 'writes/data-folder.ts';
  import { createJournal } from 'writes/journal.ts';
  import { journalInFolder } from 'writes/journal-file.ts';
  const [folder, keys] = process.argv.slice(2);
  const journal = createJournal({ store: journalInFolder(createDataFolder(folder)) });
  const intent = { tool: 't', operation: 'o', keys: Array.from({ length: Number(keys) }, (_, i) => 'k' + i), args: {} };
  try {
    for (let count = 0; count < 100; count++) console.log(await journal.begin(intent));
  } catch (error) {
    console.log(error.name + ' ' + error.code);
  }
`;

describe.skipIf(process.platform === 'win32')('a disk that becomes full', () => {
  const scripts = temporaryFolder();
  const script = join(scripts.path, 'writer.mjs');
  beforeAll(() => bundle(writer, script));
  afterAll(() => scripts.remove());

  it.each([1, 3, 8, 12])('leaves no intent of a write that was not sent, with %i keys each', async (keys) => {
    const folder = temporaryFolder();
    // The system's own limit on the size of files stands for the end of the disk, and cuts a line in its middle.
    const command = `ulimit -f 8; exec "${process.execPath}" "${script}" "${folder.path}" ${keys}`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const said = stdout.trim().split('\n');
    expect(said.pop()).toMatch(/^DataFolderUnusable /);
    expect(said.length).toBeGreaterThan(0);
    const journal = createJournal({ store: journalInFolder(createDataFolder(folder.path)) });
    const ids = async () => [...new Set((await journal.open()).map(({ id }) => id))];
    expect(await ids()).toEqual(said);
    const after = await journal.begin({ tool: 't', operation: 'o', keys: ['other'], args: {} });
    expect(await ids()).toEqual([...said, after]);
    folder.remove();
  });
});
