import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openArchive } from '../../src/archive/archive.ts';
import { readPassword } from '../../src/company/credentials.ts';
import { readNamedFile, readOwnFile } from '../../src/disk/files.ts';
import { saveFile } from '../../src/tools/shared/exported-file.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { call, intent, journalIn, tokensIn } from '../writes/records.ts';

const run = promisify(execFile);
const mebibyte = 1024 ** 2;

let root: string;

beforeEach(() => {
  root = temporaryFolder().path;
});

/** What a neighbour may put in the place of a file of ours. Each would hang, fill the memory or lead elsewhere. */
const places: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ['a FIFO that nobody writes to', (path) => run('mkfifo', [path])],
  ['a folder', (path) => mkdir(path)],
  ['a link to a device', (path) => symlink('/dev/zero', path)],
  ['a link to the memory of a process', (path) => symlink('/proc/self/mem', path)],
  ['a dangling link', (path) => symlink(join(root, 'nowhere'), path)],
  [
    'a link to a file of ours',
    async (path) => {
      await writeFile(join(root, 'elsewhere'), 'x'.repeat(32));
      await symlink(join(root, 'elsewhere'), path);
    },
  ],
];

const refused = { code: expect.stringMatching(/^(ENOTREG|ELOOP|EISDIR|ENXIO|EEXIST)$/) };
describe.skipIf(process.platform === 'win32').each(places)('%s in the place of', (_, put) => {
  it('the journal is refused by every use of it', async () => {
    await put(join(root, 'journal.jsonl'));
    const journal = journalIn(root);
    const uses = [() => journal.begin(intent), journal.probe, journal.open, journal.damage];
    for (const use of uses) await expect(use()).rejects.toMatchObject(refused);
  });

  it('the key of confirmations is refused', async () => {
    await put(join(root, 'confirmation.key'));
    const tokens = tokensIn(root);
    await expect(tokens.mint(call)).rejects.toMatchObject(refused);
    await expect(tokens.spend('A'.repeat(138), call)).rejects.toMatchObject(refused);
  });

  it('the archive is refused', async () => {
    await put(join(root, 'archive.db'));
    const opening = openArchive({ mode: 'file', folder: root, keepXml: false });
    await expect(opening).rejects.toMatchObject({ reason: 'unusable', values: refused });
  });

  it('a download is left as it is, and the file gets another name', async () => {
    await put(join(root, 'note.xml'));
    const bytes = Buffer.from('<nfeProc/>');
    expect(await saveFile(root, 'note', 'xml', bytes)).toBe(join(root, 'note (2).xml'));
    expect(await readFile(join(root, 'note (2).xml'))).toEqual(bytes);
  });
});

describe.skipIf(process.platform === 'win32')('a file that a setting names', () => {
  it.each<(typeof places)[number]>([
    ...places.slice(0, 3),
    [
      'a link to a FIFO',
      async (path) => {
        await run('mkfifo', [join(root, 'fifo')]);
        await symlink(join(root, 'fifo'), path);
      },
    ],
    [
      'zeros without end',
      async (path) => {
        await writeFile(path, '');
        await truncate(path, 300 * mebibyte);
      },
    ],
  ])('is refused where it is %s', async (_, put) => {
    const path = join(root, 'password');
    await put(path);
    const reading = readPassword({ password: undefined, passwordFile: path });
    await expect(reading).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOTREG|EFBIG)$/) });
  });

  it('may be a link, a file of another user, and as large as it can be', async () => {
    await writeFile(join(root, 'data'), 'x'.repeat(1024));
    await symlink(join(root, 'data'), join(root, 'password'));
    expect(await readNamedFile(join(root, 'password'), 1024)).toHaveLength(1024);
    await expect(readNamedFile(join(root, 'password'), 1023)).rejects.toMatchObject({ code: 'EFBIG' });
    expect((await readNamedFile('/etc/passwd', mebibyte)).length).toBeGreaterThan(0);
  });

  it.skipIf(process.platform !== 'linux')('may be one of procfs, within its bound', async () => {
    expect((await readNamedFile('/proc/self/status', mebibyte)).length).toBeGreaterThan(100);
    await expect(readNamedFile('/proc/self/status', 100)).rejects.toMatchObject({ code: 'EFBIG' });
  });
});

describe.skipIf(process.platform === 'win32')('a file of ours', () => {
  it.each<[string, string, (folder: string) => Promise<unknown>]>([
    ['begun', 'journal.jsonl', (path) => journalIn(path).begin(intent)],
    ['read', 'journal.jsonl', (path) => journalIn(path).open()],
    ['examined', 'journal.jsonl', (path) => journalIn(path).damage()],
    ['used', 'confirmation.key', (path) => tokensIn(path).mint(call)],
  ])('is not %s where it is 300 MB of zeros: %s', async (_, name, use) => {
    await writeFile(join(root, name), '');
    await truncate(join(root, name), 300 * mebibyte);
    await expect(use(root)).rejects.toMatchObject({ code: 'EFBIG' });
  });

  it('of zeros in the place of the archive is refused', async () => {
    await writeFile(join(root, 'archive.db'), '');
    await truncate(join(root, 'archive.db'), 300 * mebibyte);
    await expect(openArchive({ mode: 'file', folder: root, keepXml: false })).rejects.toThrow();
  });

  it('that belongs to somebody else is refused, whatever is in it', async () => {
    await writeFile(join(root, 'confirmation.key'), Buffer.alloc(32, 1));
    vi.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1);
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(tokensIn(root).mint(call)).rejects.toMatchObject({ code: 'ENOTOWN' });
    await expect(readOwnFile(join(root, 'confirmation.key'), 64)).rejects.toMatchObject({ code: 'ENOTOWN' });
  });

  it('is read up to its bound', async () => {
    const path = join(root, 'plain');
    await writeFile(path, 'ten bytes!');
    expect((await readOwnFile(path, 10)).toString()).toBe('ten bytes!');
    await expect(readOwnFile(path, 9)).rejects.toMatchObject({ code: 'EFBIG' });
  });
});
