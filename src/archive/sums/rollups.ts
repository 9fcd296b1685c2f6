import { type RawBuilder, sql } from 'kysely';
import type { itemGroupings } from '../schema/measures.ts';
import { natureFor } from './nature.ts';

/** What items are summed up by: what they say themselves, and who issued or received their document. */
export type RolledGrouping = (typeof itemGroupings)[number] | 'issuer' | 'recipient';

/** A grouping of items that has its own sums. */
export interface ItemRollup {
  readonly name: string;
  readonly groups: readonly [RolledGrouping] | readonly [RolledGrouping, RolledGrouping];
}

/**
 * The groupings of items kept summed up, the smaller ones first. Each is exact at its own grain only: a document with
 * two CFOPs is one document of each, so that counts of documents can't be added across groups.
 */
export const itemRollups: readonly ItemRollup[] = [
  { name: 'nature', groups: ['nature'] },
  { name: 'unit', groups: ['unit'] },
  { name: 'cfop', groups: ['cfop'] },
  { name: 'cst', groups: ['cst'] },
  { name: 'class_trib', groups: ['class_trib'] },
  { name: 'ncm', groups: ['ncm'] },
  { name: 'item', groups: ['item'] },
  { name: 'issuer cfop', groups: ['issuer', 'cfop'] },
  { name: 'recipient cfop', groups: ['recipient', 'cfop'] },
  { name: 'cfop ncm', groups: ['cfop', 'ncm'] },
];

/** Documents in these states are in no sum unless asked for. Source: docs/fiscal/events.md. */
export const voidStatuses = ['cancelled', 'denied'] as const;

export function isVoid(status: string): boolean {
  return voidStatuses.some((one) => one === status);
}

/**
 * The other party's state, of a document `d` placed by `p`. Of what the company issued it is the recipient's, also of
 * its own notes of entry (tpNF 0): of an import that is the supplier abroad. Source: MOC NF-e, layout 4.00, group E.
 */
export const otherState = sql<string>`case when d.issuer = p.company or p.direction = 'outbound'
  then d.recipient_state else d.issuer_state end`;

/** The other party's city, in the same way. */
export const otherCity = sql<string>`case when d.issuer = p.company or p.direction = 'outbound'
  then d.recipient_city else d.issuer_city end`;

/** The value of a grouping of an item `i` of a document `d` placed by `p`. */
export function itemColumn(group: RolledGrouping): RawBuilder<string> {
  if (group === 'nature') return natureFor(sql`p.company`);
  if (group === 'item') return sql<string>`cast(i.description_id as text)`;
  return sql.ref<string>(group === 'issuer' || group === 'recipient' ? `d.${group}` : `i.${group}`);
}

/** The columns of each roll-up that a row is known by, and those that count. */
export const rollupKeys = {
  document_rollup: [
    'tenant',
    'company',
    'area',
    'date_field',
    'month',
    'direction',
    'kind',
    'status',
    'exclusion',
    'issuer',
    'recipient',
    'state',
  ],
  day_rollup: [
    'tenant',
    'company',
    'area',
    'date_field',
    'from_day',
    'to_day',
    'day',
    'week',
    'month',
    'direction',
    'kind',
    'status',
    'exclusion',
    'state',
  ],
  item_rollup: [
    'tenant',
    'company',
    'area',
    'date_field',
    'grouping',
    'month',
    'first_value',
    'second_value',
    'direction',
  ],
} as const;

export const rollupCounts = {
  document_rollup: ['documents', 'lined', 'items'],
  day_rollup: ['documents', 'lined', 'items'],
  item_rollup: ['documents', 'items'],
} as const;

export type RollupTable = keyof typeof rollupKeys;
