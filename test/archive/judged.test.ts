import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Archive, JudgedDocument } from '../../src/archive/archive.ts';
import { openSqlite } from '../../src/archive/engines/sqlite.ts';
import { judge } from '../../src/documents/rules/index.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { brokenRules } from '../documents/rules/hand-made.ts';
import { folderOfEachTest } from '../support/during-tests.ts';
import { buyer, eventOf, note } from './inline-documents.ts';
import { openArchive } from './open-archive.ts';

const everyStatus = { filters: { status: ['authorized', 'cancelled'] } } as const;
const november = { company: buyer, area: 'nfe', by: 'issue', from: '2026-11-01', to: '2026-11-30' } as const;
const fetchedAt = new Date('2026-11-30T12:00:00Z');

/** A note with a code that is none, and an amount that is not due. */
const wrong = (number: number, more: Partial<DocumentSummary> = {}) =>
  note(number, {
    items: [{ number: '1', cfop: '9999', cst: '40', total: '100.00', taxes: { icms: '18.00' } }],
    ...more,
  });

async function judgedIn(archive: Archive): Promise<JudgedDocument[]> {
  const judged = [];
  for await (const document of archive.judged({ ...november, ...everyStatus })) judged.push(document);
  return judged;
}

const codesOf = async (archive: Archive) =>
  (await judgedIn(archive)).map(({ judgement, status }) => ({
    number: judgement.facts.number,
    status,
    found: brokenRules(judgement),
  }));

const folder = folderOfEachTest();
let archive: Archive;
const open = () => openArchive({ mode: 'file', folder: folder.path, keepXml: false });
const store = (...documents: DocumentSummary[]) =>
  archive.store(
    { ...november, fetchedAt },
    documents.map((summary) => ({ summary })),
  );

beforeEach(async () => {
  archive = await open();
});
afterEach(async () => {
  expect((await archive.verify()).findings).toEqual([]);
});

it('judgements omit cancelled events, from the same file or another', async () => {
  const accepted = { code: '211128', sequence: '1' };
  await store(note(1, { events: [accepted] }), note(2), eventOf(2, '211128'), note(3), eventOf(3, '211128'));
  const taken = { event: { code: '110001', sequence: '1', details: { cancelled_code: '211128' } } };
  await store(eventOf(1, '110001', taken), eventOf(2, '110001', taken));
  const known = (await judgedIn(archive)).map(({ judgement }) => [
    judgement.facts.number,
    judgement.events.map(({ code }) => code),
  ]);
  expect(Object.fromEntries(known)).toEqual({ 1: ['110001'], 2: ['110001'], 3: ['211128'] });
});

it('judgements follow new contents, events and removals', async () => {
  await store(wrong(1), wrong(2));
  // A later form of the same note, with an item that is right.
  await archive.store({ ...november, fetchedAt: new Date('2026-11-30T13:00:00Z') }, [
    { summary: note(1) },
    { summary: wrong(2) },
    { summary: eventOf(2, '110111') },
  ]);
  expect(await codesOf(archive)).toEqual([
    { number: '1', status: 'authorized', found: brokenRules(judge(note(1))) },
    { number: '2', status: 'cancelled', found: ['cfop_form', 'icms_not_due'] },
  ]);
  const [, cancelled] = await judgedIn(archive);
  expect(cancelled?.judgement.events).toEqual([
    { status: 'authorized', code: '110111', at: '2026-11-06T09:00:00-03:00' },
  ]);
  await archive.purge({ to: '2026-11-30' });
  await store(note(3));
  expect(await codesOf(archive)).toEqual([
    { number: '3', status: 'authorized', found: brokenRules(judge(note(3))) },
  ]);
});

it('missing and outdated judgements are made again and kept', async () => {
  await store(wrong(1), wrong(2), note(3));
  const before = await judgedIn(archive);
  await archive.close();
  const sqlite = await openSqlite(`${folder.path}/archive.db`);
  sqlite.run(`update judgements set rules = 0, judgement = '[[],[]]' where document_id = 1`, []);
  sqlite.run('delete from judgements where document_id = 2', []);
  sqlite.close();
  archive = await open();
  expect(await judgedIn(archive)).toEqual(before);
  // verify compares those that are kept.
  const kept = await openSqlite(`${folder.path}/archive.db`);
  expect(kept.run('select document_id from judgements order by document_id', [])).toHaveLength(3);
  kept.close();
});
