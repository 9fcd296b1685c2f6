import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { askSandbox } from '../support/asked-sandbox.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { connect } from '../support/clients.ts';

const efd = 'efd-icms-ipi-2026-10.txt';
const debits = 'apuracao-cbs-debitos-2026-10.json';
const credits = 'apuracao-cbs-creditos-2026-10.json';
const erp = 'erp-notas-recebidas-2026-10.csv';

/** What the demo's files have of each finding, as worked out from their lines and the documents alone. */
const planted: readonly (readonly [files: readonly string[], findings: readonly string[]])[] = [
  [
    [efd],
    [
      ...['certain 1 cancelled_but_listed', 'certain 1 listed_as_cancelled', 'certain 1 missing_in_file'],
      ...['certain 1 missing_in_documents', 'certain 2 value_differs', 'certain 1 duplicated_in_file'],
      ...['certain 1 key_mismatch', 'probable 1 credit_above_document'],
      ...['judgement 3 missing_in_file', 'judgement 1 value_differs'],
    ],
  ],
  [
    [credits, debits],
    [
      ...['certain 1 cancelled_but_listed', 'certain 1 value_differs', 'certain 5 not_extinguished'],
      ...['certain 1 credit_suspended', 'certain 1 duplicated_in_file'],
      ...['probable 1 missing_in_file', 'probable 1 missing_in_documents', 'judgement 1 other_period'],
    ],
  ],
  // A ruined key is no fault: its note is found by the number.
  [
    [erp],
    [
      ...['certain 1 cancelled_but_listed', 'certain 1 value_differs', 'certain 1 duplicated_in_file'],
      'probable 1 missing_in_file',
    ],
  ],
];

describe('the lists of the demo', () => {
  const folder = temporaryFolder();
  const asked = askSandbox({ env: { DFE_FILES: folder.path } });

  beforeAll(() => {
    mkdirSync(folder.path, { recursive: true });
    for (const { name, content } of asked.sandbox.lists()) writeFileSync(join(folder.path, name), content);
  });
  afterAll(() => folder.remove());

  it.each(planted)('have in %j the faults that were planted, and nothing else', async (file, findings) => {
    const { data } = await asked.ask('reconcile', { file, limit: 200 });
    const groups = data.by_finding as { finding: string; certainty: string; count: number }[];
    expect(groups.map(({ finding, certainty, count }) => `${certainty} ${count} ${finding}`)).toEqual(
      findings,
    );
    expect(data.compared).toMatchObject({ by_number: file.includes(erp) ? 1 : 0 });
  });

  it('are compared from the year 2000 on where a damaged book begins in the year 1', async () => {
    const [book] = asked.sandbox.lists();
    const damaged = Buffer.from(book?.content ?? '')
      .toString('latin1')
      .replace(/^(\|0000\|\d+\|\d\|)\d{8}/, '$101010001');
    writeFileSync(join(folder.path, 'ano-1.txt'), damaged, 'latin1');
    const { data } = await asked.ask('reconcile', { file: ['ano-1.txt'] });
    expect(data).toMatchObject({ from: '2000-01-01', to: '2026-10-31', files: [{ from: '0001-01-01' }] });
  });

  it('are whole in every month of a year', async () => {
    for (const today of ['2026-09-01', '2026-12-31', '2027-01-15', '2027-03-01', '2027-08-20']) {
      const sandbox = await startSandbox({ now: () => new Date(`${today}T12:00:00-03:00`) });
      const [book, owed, taken, list] = sandbox
        .lists()
        .map(({ content }) => Buffer.from(content).toString('latin1'));
      await sandbox.close();
      const lines = book?.trimEnd().split('\r\n') ?? [];
      expect(lines.at(-1), today).toBe(`|9999|${lines.length}|`);
      expect(lines[0]?.startsWith(today < '2027-02' ? '|0000|020|' : '|0000|021|'), today).toBe(true);
      expect(lines.filter((line) => line.startsWith('|C100|')).length, today).toBeGreaterThan(20);
      for (const one of [owed, taken]) expect(one?.split('"chave"').length, today).toBeGreaterThan(9);
      expect(list?.split('\r\n').length, today).toBeGreaterThan(15);
    }
  });
});

describe('--demo', () => {
  it('shows findings at the first try', async () => {
    await using connection = await connect('v1', { args: ['--demo'] });
    const { structured: listed } = await connection.call('reconcile', {});
    const files = ((listed?.files ?? []) as { file: string }[]).map(({ file }) => file);
    expect(files).toHaveLength(4);
    for (const file of files) {
      const { structured, isError, text } = await connection.call('reconcile', { file: [file] });
      expect(isError, text).toBe(false);
      expect(structured?.total, file).toBeGreaterThan(2);
    }
    const { text } = await connection.call('query_documents', { document: ['nfe'], from: 'last_month' });
    expect(text).not.toMatch(/\/lists|\.csv/);
  });
});
