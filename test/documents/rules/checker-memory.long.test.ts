import { expect, it } from 'vitest';
import { createChecker, judge } from '../../../src/documents/rules/index.ts';
import { company, item, nfeKey, note } from './hand-made.ts';

it('a run keeps a hundred thousand documents in little memory', () => {
  const checker = createChecker({ company });
  const before = process.memoryUsage().heapUsed;
  for (let number = 1; number <= 100_000; number++) {
    const items = Array.from({ length: 10 }, () => item({ description: `PARAFUSO ${number}` }));
    const totals = { total: `${number}.00` };
    checker.take(
      judge(note({ key: nfeKey(number), number: String(number), totals, items, status: 'denied' })),
    );
  }
  const kept = process.memoryUsage().heapUsed - before;
  expect([...checker.finish()]).toEqual([]);
  expect(kept / 100_000).toBeLessThan(3_000);
});
