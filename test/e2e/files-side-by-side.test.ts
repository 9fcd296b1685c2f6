import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { authorisedNote, keyOf, ourCompany } from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';

const october = { document: 'nfe', cnpj: ourCompany, from: '2026-10-01', to: '2026-10-31' } as const;
const [mine, theirs, later] = [1, 2, 3].map((number) => ({ number, total: '10.00' })) as [
  { number: number; total: string },
  { number: number; total: string },
  { number: number; total: string },
];

describe('several programs with folders of their own on one archive', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const open: Connection[] = [];

  const put = (name: string, note: { number: number; total: string }) => {
    const path = join(folder.path, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, authorisedNote(note));
    utimesSync(path, new Date('2026-10-20T10:00:00Z'), new Date('2026-10-20T10:00:00Z'));
  };
  const start = async (...folders: string[]) => {
    const env = {
      DFE_FILES: folders.map((name) => join(folder.path, name)).join(':'),
      DFE_DATA_DIR: join(folder.path, 'data'),
      DFE_ARCHIVE: 'file',
      DFE_LANGUAGE: 'en',
    };
    const connection = await connectInProcess('v1', { env });
    open.push(connection);
    return connection;
  };
  /** The keys it lists, after having looked at its folders. */
  const listed = async (connection: Connection) => {
    const { structured, text } = await connection.call('list_documents', { ...october, refresh: true });
    const { documents } = structured as { documents: { key: string }[] };
    expect(documents, text).toBeDefined();
    return documents.map(({ key }) => key).sort();
  };

  beforeEach(() => {
    folder = temporaryFolder();
    put('mine/1.xml', mine);
    put('theirs/2.xml', theirs);
  });
  afterEach(async () => {
    for (const connection of open.splice(0)) await connection.close();
    folder.remove();
  });

  it('do not undo each other’s reading, and each still follows what is in its own', async () => {
    const [one, other] = [await start('mine'), await start('theirs')];
    expect(await listed(one)).toEqual([keyOf(mine)]);
    const both = [keyOf(mine), keyOf(theirs)].sort();
    for (const connection of [other, one, other]) expect(await listed(connection)).toEqual(both);
    put('theirs/3.xml', later);
    expect(await listed(other)).toEqual([...both, keyOf(later)].sort());
    expect(await listed(one)).toHaveLength(3);
  });

  it('and what only one of them had goes once it has ended', async () => {
    const one = await start('mine');
    expect(await listed(one)).toEqual([keyOf(mine)]);
    await one.close();
    expect(await listed(await start('theirs'))).toEqual([keyOf(theirs)]);
  });

  it('a folder that both have stays with the one that goes on', async () => {
    const [one, other] = [await start('mine', 'theirs'), await start('theirs')];
    expect(await listed(one)).toHaveLength(2);
    expect(await listed(other)).toHaveLength(2);
    await one.close();
    expect(await listed(other)).toEqual([keyOf(theirs)]);
  });
});
