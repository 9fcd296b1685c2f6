import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { journalFile } from '../../src/writes/journal-file.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { rounds } from '../support/depth.ts';
import { folderOfEachTest } from '../support/during-tests.ts';
import { call, journalIn, tokensIn } from './records.ts';

/** Writes of names of its own, as long as there is room: each printed once it is begun, and with an outcome. */
const writer = `
  import { intent, journalIn } from './records.ts';
  const [path, name, count, outcome, keys = 0] = process.argv.slice(2);
  const journal = journalIn(path);
  const named = Array.from({ length: Number(keys) }, (_, key) => 'k' + key);
  try {
    for (let number = 0; number < Number(count); number += 1) {
      const subject = name + number;
      const id = await journal.begin({ ...intent, subject, keys: named });
      console.log('begun ' + subject);
      if (outcome) await journal.finish(id, [{ status: outcome, message: 'x'.repeat(number % 300) }]);
    }
  } catch (error) {
    console.log('failed ' + error.name);
  }`;

/** Mints and spends tokens by the commands it reads. */
const confirmer = `
  import { createInterface } from 'node:readline';
  import { call, tokensIn } from './records.ts';
  console.log('ready');
  for await (const line of createInterface({ input: process.stdin })) {
    const [path, token] = line.split(' ');
    const tokens = tokensIn(path);
    if (!token) console.log((await tokens.mint(call)).token);
    else { const spent = await tokens.spend(token, call); console.log(spent.ok ? 'ok' : spent.reason); }
  }`;

const scripts = temporaryFolder();
const paths = { writer: join(scripts.path, 'writer.mjs'), confirmer: join(scripts.path, 'confirmer.mjs') };
const folder = folderOfEachTest();
beforeAll(async () => {
  for (const [contents, outfile] of [
    [writer, paths.writer],
    [confirmer, paths.confirmer],
  ] as const) {
    const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' } as const;
    await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' });
  }
});

function start(script: keyof typeof paths, ...args: readonly (string | number)[]) {
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  const child: ChildProcess = spawn(process.execPath, [paths[script], ...args.map(String)], {
    stdio: [...stdio],
  });
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  return {
    child,
    ended: once(child, 'close'),
    next: async () => (await lines.next()).value as string | undefined,
  };
}

const subjectsOpen = async () => (await journalIn(folder.path).open()).map(({ subject = '' }) => subject);

describe('several processes', () => {
  it('append hundreds of lines each, all whole and in order', async () => {
    const count = rounds(500, 150);
    const names = ['a', 'b'];
    const children = [
      ...names.map((name) => start('writer', folder.path, name, count)),
      start('writer', folder.path, 'c', count, 'done'),
    ];
    for (const { child } of children) child.stdout?.resume();
    await Promise.all(children.map(({ ended }) => ended));
    expect(await journalIn(folder.path).damage()).toEqual({ count: 0, tornEnd: false });
    const found = await subjectsOpen();
    for (const name of names) {
      const own = found.filter((subject) => subject.startsWith(name));
      expect(own).toEqual(Array.from({ length: count }, (_, number) => `${name}${number}`));
    }
    expect(found).toHaveLength(2 * count);
    expect((await readFile(join(folder.path, journalFile), 'utf8')).split('\n')).toHaveLength(4 * count + 1);
  });

  it('at one token: exactly one spends it; at a new folder: both use one key', async () => {
    const children = [start('confirmer'), start('confirmer')];
    const askBoth = (line: string) =>
      Promise.all(
        children.map(({ child, next }) => {
          child.stdin?.write(`${line}\n`);
          return next();
        }),
      );
    for (const { next } of children) expect(await next()).toBe('ready');
    for (let round = 0; round < 50; round += 1) {
      const path = join(folder.path, String(round));
      const minted = await askBoth(path);
      expect((await askBoth(`${path} ${minted[0]}`)).sort(), `round ${round}`).toEqual(['ok', 'used']);
      expect(await tokensIn(path).spend(minted[1] ?? '', call), `round ${round}`).toMatchObject({ ok: true });
    }
    for (const { child } of children) child.stdin?.end();
    await Promise.all(children.map(({ ended }) => ended));
  });
});

it.skipIf(process.platform === 'win32').each([0, 3, 8, 12])(
  'a disk that becomes full leaves no intent of a write that was not sent, with %i keys each',
  async (keys) => {
    // The system's own limit on the size of files simulates a full disk, and cuts a line in its middle.
    const command = `ulimit -f 8; exec "${process.execPath}" "${paths.writer}" "${folder.path}" s 100 "" ${keys}`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const said = stdout.trim().split('\n');
    expect(said.at(-1)).toBe('failed RecordUnusable');
    const begun = said.flatMap((line) => /^begun (.*)/.exec(line)?.[1] ?? []);
    expect(begun.length).toBeGreaterThan(0);
    const open = async () => [...new Set(await subjectsOpen())];
    expect(await open()).toEqual(begun);
    await journalIn(folder.path).begin({
      tool: 't',
      service: 'documents',
      operation: 'o',
      subject: 'after',
      args: {},
    });
    expect(await open()).toEqual([...begun, 'after']);
  },
);
