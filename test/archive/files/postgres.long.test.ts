import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '../../../src/archive/archive.ts';
import { openArchive } from '../../../src/archive/archive.ts';
import { rootPath } from '../../../src/archive/files/folders.ts';
import { lookOver } from '../../../src/archive/files/user-files.ts';
import { authorisedNote, eventFile, ourCompany } from '../../support/filed-documents.ts';
import { zipOf } from '../../support/zip.ts';
import { temporaryFolder } from '../places.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts';

const bin = findPostgres();
if (bin === undefined) console.error('no PostgreSQL server is installed: files are not tried in one');

describe.skipIf(bin === undefined)('files in PostgreSQL', () => {
  const folder = temporaryFolder();
  let server: PostgresServer;
  let archive: Archive;

  beforeAll(async () => {
    server = await startPostgres();
    const { url } = await server.createDatabase();
    archive = await openArchive({ mode: 'postgres', url, keepXml: false, tenant: 'horizonte' });
  });

  afterAll(async () => {
    await archive?.close();
    await server?.stop();
    folder.remove();
  });

  const put = (name: string, content: string | Uint8Array, day = '2026-10-20') => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    utimesSync(path, new Date(day), new Date(day));
  };
  const look = () =>
    lookOver(archive.files, [rootPath(folder.path)], {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      company: ourCompany,
    });
  const kept = async () => {
    const { documents } = await archive.list({
      ...{ company: ourCompany, area: 'nfe', by: 'issue', from: '2026-10-01', to: '2026-10-31', limit: 9 },
      filters: { status: ['authorized', 'cancelled'] },
    });
    return documents.map(({ summary, status }) => `${summary.number} ${status}`).sort();
  };

  it('are known again, whatever their names sort like, and followed', async () => {
    put('b.xml', authorisedNote({ number: 1 }));
    put('B.xml', authorisedNote({ number: 2 }));
    put('\u{1F4C4}.xml', authorisedNote({ number: 3 }));
    put('\uFF21 a\nb.xml', authorisedNote({ number: 4 }));
    put('z.zip', zipOf([{ name: '5.xml', bytes: Buffer.from(authorisedNote({ number: 5 })) }]));
    put('can.xml', eventFile({ number: 5 }));
    expect(await look()).toMatchObject({ files: 6, read: 6 });
    expect(await look()).toMatchObject({ files: 6, read: 0 });
    expect(await kept()).toEqual([
      '1 authorized',
      '2 authorized',
      '3 authorized',
      '4 authorized',
      '5 cancelled',
    ]);

    put('b.xml', authorisedNote({ number: 6 }), '2026-10-21');
    rmSync(join(folder.path, 'B.xml'));
    rmSync(join(folder.path, 'can.xml'));
    await look();
    expect(await kept()).toEqual(['3 authorized', '4 authorized', '5 authorized', '6 authorized']);
    expect(await look()).toMatchObject({ files: 4, read: 0 });
  });
});
