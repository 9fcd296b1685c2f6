import { expect, it } from 'vitest';
import { columnMessages } from '../../src/messages/apart/views.ts';
import { groupings, measures } from '../../src/tools/query/groups.ts';

/** Columns of lists and of the amounts of a document, and names beside ids. */
const others = [
  'document',
  'number',
  'entered_on',
  'events',
  'key',
  'authorized_at',
  'issuer_name',
  'recipient_name',
  'counterparty_name',
  'payer_name',
  'city_name',
  'iss_city_name',
  'due_dates',
  'cancelled_at',
  'references',
  'deductions',
  'receivable',
  'cargo',
  'withheld',
];

it('a view has a word for every column that an answer can have, and for no other', () => {
  const named = Object.keys(columnMessages).filter((key) => key.startsWith('column.'));
  const wanted = [...groupings, ...measures, ...others].map((name) => `column.${name}`);
  expect(named.toSorted()).toEqual([...new Set(wanted)].toSorted());
});
