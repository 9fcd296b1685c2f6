import { SumTooLarge } from '../../errors.ts';
import { givenNames, type RolledMeasure, rolledMeasures } from '../schema/measures.ts';
import type { Db, DocumentRow, ItemRow, PlacementRow, Session } from '../schema/schema.ts';
import { insertValues, quoted } from '../schema/sql.ts';
import {
  isVoid,
  itemRollups,
  otherStateOf,
  type RolledGrouping,
  type RollupTable,
  rollupCounts,
  rollupKeys,
  rollupTables,
} from './rollups.ts';

/** A line as the roll-ups see it. */
export type RolledLine = Pick<
  ItemRow,
  'line' | 'description_id' | 'ncm' | 'cfop' | 'cst' | 'class_trib' | RolledMeasure
>;

/** A document as the roll-ups see it. */
export interface RolledDocument {
  readonly document: Pick<
    DocumentRow,
    | 'kind'
    | 'status'
    | 'exclusion'
    | 'issuer'
    | 'issuer_state'
    | 'recipient'
    | 'recipient_state'
    | 'item_count'
    | 'has_lines'
    | RolledMeasure
  >;
  readonly placements: readonly PlacementRow[];
  readonly lines: readonly RolledLine[];
}

/**
 * What a transaction does to the roll-ups, added up before it is written, so that a row that many documents belong to
 * is written once.
 */
export interface RollupChanges {
  /** Counts a document in as it is now. */
  add(document: RolledDocument): void;
  /** Counts a document out as it was before it changes. */
  take(document: RolledDocument): void;
  /** Writes what has come together. Throws `SumTooLarge`. */
  write(session: Session): Promise<void>;
  /** Rows that would be written. */
  readonly size: number;
}

/** So many changes are kept in memory before they are written: those of a few weeks of a large company. */
export const mostChanges = 50_000;

interface Change {
  /** Values of the columns of `rollupKeys`. */
  readonly key: readonly string[];
  readonly counts: number[];
  readonly given: number[];
  readonly sums: bigint[];
  /** Counted last: a document counts once, however many of its lines belong here. */
  last: RolledDocument | undefined;
}

/** Of one roll-up: the changes by what their rows are known by. */
type Changes = Map<string, Change>;

type Sign = 1 | -1;

const separator = '\u0000';
const largest = 2n ** 63n;
/** Rows made at a time, so that not all changes are in memory twice. */
const stride = 512;

function addAmounts(
  { given, sums }: Change,
  amounts: { readonly [Name in RolledMeasure]?: bigint | null | undefined },
  sign: Sign,
): void {
  for (const [index, name] of rolledMeasures.entries()) {
    const units = amounts[name];
    if (units === null || units === undefined) continue;
    given[index] = (given[index] ?? 0) + sign;
    sums[index] = (sums[index] ?? 0n) + (sign > 0 ? units : -units);
  }
}

function addCounts({ counts }: Change, added: readonly number[], sign: Sign): void {
  for (const [index, count] of added.entries()) counts[index] = (counts[index] ?? 0) + sign * count;
}

function isNothing({ counts, given, sums }: Change): boolean {
  return counts.every((n) => n === 0) && given.every((n) => n === 0) && sums.every((units) => units === 0n);
}

function groupValue(
  group: RolledGrouping,
  { issuer, recipient }: RolledDocument['document'],
  line: RolledLine,
) {
  switch (group) {
    case 'issuer':
      return issuer;
    case 'recipient':
      return recipient;
    case 'item':
      return String(line.description_id);
    default:
      return line[group];
  }
}

function changeOf(changes: Changes, id: string, makeKey: () => readonly string[]): Change {
  const known = changes.get(id);
  if (known !== undefined) return known;
  const fresh: Change = {
    key: makeKey(),
    counts: [],
    given: rolledMeasures.map(() => 0),
    sums: rolledMeasures.map(() => 0n),
    last: undefined,
  };
  changes.set(id, fresh);
  return fresh;
}

function valuesOf({ key, counts, given, sums }: Change): (string | number | bigint)[] {
  if (sums.some((units) => units >= largest || units < -largest)) throw new SumTooLarge();
  return [...key, ...counts, ...given, ...sums];
}

/** SQL that adds a row to the one that has its key. */
function additionTo(table: RollupTable, summed: readonly string[]): string {
  const additions = summed.map(
    (name) => `${quoted(name)} = ${table}.${quoted(name)} + excluded.${quoted(name)}`,
  );
  return `on conflict (${rollupKeys[table].map(quoted).join(', ')}) do update set ${additions.join(', ')}`;
}

/** Columns that are zero in all rows are left to their default: most documents have few of the taxes. */
async function writeChanges(db: Db, table: RollupTable, changes: Changes): Promise<void> {
  const keys: readonly string[] = rollupKeys[table];
  const names = [...keys, ...rollupCounts[table], ...givenNames, ...rolledMeasures];
  // In the order of their keys, so that two writers who meet in several rows meet in the same order.
  const all = [...changes]
    .filter(([, change]) => !isNothing(change))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, change]) => change);
  for (let start = 0; start < all.length; start += stride) {
    const rows = all.slice(start, start + stride).map(valuesOf);
    const used = names.flatMap((_, index) =>
      index < keys.length || rows.some((row) => row[index] !== 0 && row[index] !== 0n) ? [index] : [],
    );
    const columns = used.map((index) => names[index] ?? '');
    const values = rows.map((row) => used.map((index) => row[index]));
    await insertValues(db, table, columns, values, additionTo(table, columns.slice(keys.length)));
  }
  changes.clear();
}

export function createRollupChanges(): RollupChanges {
  const byDocument: Changes = new Map();
  const byItem: Changes = new Map();
  let hasTaken = false;

  function countDocument(rolled: RolledDocument, placement: PlacementRow, sign: Sign): void {
    const { document } = rolled;
    const { tenant, company, area, date_field, month, direction } = placement;
    const { kind, status, exclusion, issuer, recipient, has_lines, item_count } = document;
    const state = otherStateOf(placement, document);
    const key = [
      tenant,
      company,
      area,
      date_field,
      month,
      direction,
      kind,
      status,
      exclusion,
      issuer,
      recipient,
      state,
    ];
    const change = changeOf(byDocument, key.join(separator), () => key);
    addCounts(change, [1, has_lines, item_count], sign);
    addAmounts(change, document, sign);
  }

  function countLines(rolled: RolledDocument, placement: PlacementRow, sign: Sign): void {
    const { document, lines } = rolled;
    const { tenant, company, area, date_field, month, direction } = placement;
    const place = [tenant, company, area, date_field, month, direction].join(separator);
    for (const { name: grouping, groups } of itemRollups) {
      const [first, second] = groups;
      for (const line of lines) {
        const first_value = groupValue(first, document, line);
        const second_value = second === undefined ? '' : groupValue(second, document, line);
        const id = `${place}${separator}${grouping}${separator}${first_value}${separator}${second_value}`;
        const change = changeOf(byItem, id, () => [
          tenant,
          company,
          area,
          date_field,
          grouping,
          month,
          first_value,
          second_value,
          direction,
        ]);
        addCounts(change, [change.last === rolled ? 0 : 1, line.line > 0 ? 1 : 0], sign);
        addAmounts(change, line, sign);
        change.last = rolled;
      }
    }
  }

  function count(rolled: RolledDocument, sign: Sign): void {
    const { document, placements } = rolled;
    for (const placement of placements) {
      countDocument(rolled, placement, sign);
      if (document.exclusion === '' && !isVoid(document.status)) countLines(rolled, placement, sign);
    }
  }

  return {
    add: (document) => count(document, 1),
    take(document) {
      hasTaken = true;
      count(document, -1);
    },
    async write({ db, tenant }) {
      await writeChanges(db, 'document_rollup', byDocument);
      await writeChanges(db, 'item_rollup', byItem);
      if (!hasTaken) return;
      for (const table of rollupTables) {
        await db.deleteFrom(table).where('tenant', '=', tenant).where('documents', '=', 0).execute();
      }
      hasTaken = false;
    },
    get size() {
      return byDocument.size + byItem.size;
    },
  };
}
