import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openArchive } from '../../../src/archive/archive.ts';
import { createUserFiles } from '../../../src/archive/files/user-files.ts';
import { authorisedNote } from '../../support/filed-documents.ts';
import { temporaryFolder } from '../places.ts';

afterEach(() => void vi.useRealTimers());

it('finds the first file at once, and a new one within seconds, however long reading the others took', async () => {
  const folder = temporaryFolder();
  const put = (number: number) =>
    writeFileSync(join(folder.path, `${number}.xml`), authorisedNote({ number }));
  vi.useFakeTimers({ toFake: ['performance'] });
  const archive = await openArchive({ mode: 'memory', keepXml: false });
  const { take, roots: listed } = archive.files;
  vi.spyOn(archive.files, 'roots').mockImplementation(() => {
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
  await archive.close();
  folder.remove();
});
