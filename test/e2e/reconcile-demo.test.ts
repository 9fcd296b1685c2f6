import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
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

  it.each(planted)('have in %j the faults that were planted, and nothing else', async (file, findings) => {
    const { data } = await asked.ask('reconcile', { file, limit: 200 });
    const groups = data.by_finding as { finding: string; certainty: string; count: number }[];
    expect(groups.map(({ finding, certainty, count }) => `${certainty} ${count} ${finding}`)).toEqual(
      findings,
    );
    expect(data.compared).toMatchObject({ by_number: file.includes(erp) ? 1 : 0 });
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
