import { expect, it } from 'vitest';
import type { PendingNote } from '../../../src/tools/manifestation/waiting.ts';
import { pendingTable } from '../../../src/tools/pages/pending.ts';
import { createVoice } from '../../../src/tools/pages/voice.ts';
import { prepareContext } from '../../support/tool-context.ts';

it('sums and counts all notes of an act, including those cut from the table', async () => {
  const { context } = prepareContext();
  const note: PendingNote = {
    key: '1'.repeat(44),
    total: '1.00',
    acknowledged: false,
    status: 'open',
    days_left_conclusive: 3,
    conclusive_until: '2026-11-23',
    rests_on: 'documents',
  };
  const later = { ...note, days_left_conclusive: 20 };
  const notes = [...Array.from({ length: 502 }, () => note), later];
  const table = pendingTable(notes, '2026-11-20', createVoice(context.translator, context));
  expect(table?.groups).toMatchObject([
    { sum: '502.00', total: 502, count: '502 notes', shown: 20 },
    { sum: '1.00', total: 1, count: '1 note', rows: [] },
  ]);
  expect(table?.groups?.[0]?.rows).toHaveLength(500);
  expect(table?.total?.cells.total).toBe('503.00');
});
