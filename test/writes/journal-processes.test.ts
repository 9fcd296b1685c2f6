import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDataFolder } from '../../src/writes/data-folder.ts';
import { createJournal } from '../../src/writes/journal.ts';
import { journalFile, journalInFolder } from '../../src/writes/journal-file.ts';
import { rounds } from '../support/depth.ts';
import { bundle, start } from './child-processes.ts';

/** Writes intents with names of its own: without saying so, saying so before and after each, or with outcomes, too. */
const script = `
    import { createDataFolder } from 'writes/data-folder.ts';
    import { createJournal } from 'writes/journal.ts';
    import { journalInFolder } from 'writes/journal-file.ts';
    const [order, path, name, count] = process.argv.slice(2);
    const journal = createJournal({ store: journalInFolder(createDataFolder(path)) });
    const intent = (subject) => ({ tool: 't', operation: 'o', subject, args: { subject }, justification: 'é'.repeat(200) });
    for (let number = 0; number < Number(count); number += 1) {
      const subject = name + number;
      if (order === 'announce') console.log('before ' + subject);
      const id = await journal.begin(intent(subject));
      if (order === 'announce') console.log('begun ' + subject);
      if (order === 'finish') await journal.finish(id, [{ status: 'done', message: 'ok ' + 'x'.repeat(number % 300) }]);
    }`;

let scripts: string;
let root: string;
beforeAll(async () => {
  scripts = await mkdtemp(join(tmpdir(), 'docfiscal-scripts-'));
  await bundle(script, join(scripts, 'journal.mjs'));
});
afterAll(() => rm(scripts, { recursive: true, force: true }));
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'docfiscal-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (order: 'begin' | 'announce' | 'finish', name: string, count: number) =>
  start(join(scripts, 'journal.mjs'), [order, root, name, String(count)]);

describe('several processes', () => {
  it('append hundreds of intents each, all whole', async () => {
    const count = rounds(500, 150);
    const names = ['a', 'b'];
    const children = names.map((name) => write('begin', name, count));
    await Promise.all(children.map((child) => child.ended));
    const journal = createJournal({ store: journalInFolder(createDataFolder(root)) });
    expect(await journal.damage()).toEqual({ count: 0, offsets: [], tornEnd: false });
    const found = (await journal.open()).map(({ subject }) => subject);
    for (const name of names) {
      const own = found.filter((subject) => subject?.startsWith(name));
      expect(own).toEqual(Array.from({ length: count }, (_, number) => `${name}${number}`));
    }
    expect(found).toHaveLength(2 * count);
  });

  it('write intents and outcomes side by side, and none stays open', async () => {
    const children = ['a', 'b'].map((name) => write('finish', name, 100));
    await Promise.all(children.map((child) => child.ended));
    const journal = createJournal({ store: journalInFolder(createDataFolder(root)) });
    expect((await readFile(join(root, journalFile), 'utf8')).split('\n')).toHaveLength(401);
    expect(await journal.open()).toEqual([]);
    expect(await journal.damage()).toMatchObject({ count: 0 });
  });

  it('killed between intent and outcome leave every intent named, as unknown', async () => {
    const kills = rounds(12, 4);
    const begun: string[] = [];
    const announced: string[] = [];
    for (let round = 0; round < kills; round += 1) {
      const child = write('announce', `r${round}-`, 100_000);
      let lines = 0;
      for (let line = await child.nextLine(); line !== undefined; line = await child.nextLine()) {
        const [word, subject = ''] = line.split(' ');
        (word === 'begun' ? begun : announced).push(subject);
        lines += 1;
        if (lines === 2 + round) child.process.kill('SIGKILL');
      }
      await child.ended;
    }
    expect(begun.length).toBeGreaterThanOrEqual(kills);
    const journal = createJournal({ store: journalInFolder(createDataFolder(root)) });
    const found = await journal.open();
    const subjects = found.map(({ subject }) => subject ?? '');
    expect(begun.filter((subject) => !subjects.includes(subject))).toEqual([]);
    expect(subjects.filter((subject) => !announced.includes(subject))).toEqual([]);
    expect(new Set(subjects).size).toBe(subjects.length);
    expect(found.every(({ state }) => state === 'unknown')).toBe(true);
  });
});
