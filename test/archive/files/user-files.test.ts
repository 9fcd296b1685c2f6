import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createUserFiles } from '../../../src/archive/files/user-files.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { authorisedNote } from '../../support/filed-documents.ts';
import { openArchive } from '../open-archive.ts';

afterEach(() => void vi.useRealTimers());

it('finds the first file at once, and a new one within seconds, however long reading the others took', async () => {
  const folder = temporaryFolder();
  const put = (number: number) =>
    writeFileSync(join(folder.path, `${number}.xml`), authorisedNote({ number }));
  vi.useFakeTimers({ toFake: ['performance'] });
  const archive = await openArchive({ mode: 'memory', keepXml: false });
  const { take, folders: listed } = archive.files;
  vi.spyOn(archive.files, 'folders').mockImplementation(() => {
    vi.advanceTimersByTime(500);
    return listed();
  });
  vi.spyOn(archive.files, 'take').mockImplementation(async (...given) => {
    await take(...given);
    vi.advanceTimersByTime(60_000);
  });
  const files = createUserFiles({ roots: [folder.path], archive: async () => archive, company: undefined });
  const signal = new AbortController().signal;
  const ready = () => files.ready({ deadline: Date.now() + 20_000, signal });
  const known = async () => (await archive.files.info()).documents;

  await ready();
  // The folder was empty: what comes now is found at once.
  put(1);
  await ready();
  expect(await known()).toBe(1);
  put(2);
  vi.advanceTimersByTime(5_000);
  await ready();
  expect(await known()).toBe(2);

  await files.close();
});

it('keeps what it has of a linked folder while the link leads nowhere, whoever else forgets it', async () => {
  const folder = temporaryFolder();
  const [disk, link] = [join(folder.path, 'disk'), join(folder.path, 'link')];
  mkdirSync(disk);
  symlinkSync(disk, link);
  writeFileSync(join(disk, '1.xml'), authorisedNote({ number: 1 }));
  const archive = await openArchive({ mode: 'memory', keepXml: false });
  const files = createUserFiles({ roots: [link, disk], archive: async () => archive, company: undefined });
  const ready = () =>
    files.ready({ deadline: Date.now() + 20_000, signal: new AbortController().signal, refresh: true });

  await ready();
  await archive.files.claim(files.roots(), 0);
  rmSync(disk, { recursive: true });
  expect((await ready()).result?.unseen).toHaveLength(1);
  expect((await archive.files.info()).documents).toBe(1);

  await files.close();
});
