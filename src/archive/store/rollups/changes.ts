import { setImmediate as letOthersRun } from 'node:timers/promises';
import { SumTooLarge } from '../../errors.ts';
import { givenNames, rolledMeasures } from '../schema/measures.ts';
import type { Db, DocumentRow, ItemRow, PlacementRow, Session } from '../schema/schema.ts';
import { insertValues, quoted } from '../schema/sql.ts';
import { less, plus, type Units } from '../schema/units.ts';
import { natureOfLine } from './nature.ts';
import {
  type ItemRollup,
  isVoid,
  itemRollups,
  otherStateOf,
  type RolledGrouping,
  type RollupTable,
  rollupCounts,
  rollupKeys,
  rollupTables,
} from './rollups.ts';

/** In the order of `rolledMeasures`; what comes after them is passed over. */
type Amounts = readonly (Units | null)[];

/** A line as the roll-ups see it. */
export interface RolledLine extends Pick<ItemRow, 'line' | 'ncm' | 'cfop' | 'cst' | 'class_trib' | 'unit'> {
  readonly description_id: number;
  readonly amounts: Amounts;
}

/** A document as the roll-ups see it. */
export interface RolledDocument {
  readonly document: Pick<
    DocumentRow,
    | 'kind'
    | 'exclusion'
    | 'issuer'
    | 'issuer_state'
    | 'recipient'
    | 'recipient_state'
    | 'item_count'
    | 'has_lines'
  >;
  readonly amounts: Amounts;
  /** With its events. */
  readonly status: string;
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
  readonly sums: Units[];
  /** Counted last: a document counts once, however many of its lines belong here. */
  last: RolledDocument | undefined;
}

/** Changes by what their rows are known by. */
type Changes = Map<string, Change>;

type Sign = 1 | -1;

const separator = '\u0000';
const largest = 2n ** 63n;
/** Rows made at a time, so that not all changes are in memory twice. */
const stride = 512;

/** The amounts that a row gives, by their place among the measures: most rows give few of them. */
interface GivenAmounts {
  readonly places: readonly number[];
  readonly units: readonly Units[];
}

function givenIn(amounts: Amounts, sign: Sign): GivenAmounts {
  const places: number[] = [];
  const all: Units[] = [];
  for (let place = 0; place < rolledMeasures.length; place++) {
    const units = amounts[place] ?? null;
    if (units === null) continue;
    places.push(place);
    all.push(sign > 0 ? units : less(0, units));
  }
  return { places, units: all };
}

function addAmounts({ given, sums }: Change, { places, units }: GivenAmounts, sign: Sign): void {
  for (let index = 0; index < places.length; index++) {
    const place = places[index] as number;
    given[place] = (given[place] as number) + sign;
    sums[place] = plus(sums[place] as Units, units[index] as Units);
  }
}

function addCount({ counts }: Change, place: number, added: number): void {
  counts[place] = (counts[place] ?? 0) + added;
}

function isNothing({ counts, given, sums }: Change): boolean {
  return counts.every((n) => n === 0) && given.every((n) => n === 0) && sums.every((units) => units === 0);
}

function groupValue(
  group: RolledGrouping,
  { issuer, recipient }: RolledDocument['document'],
  line: RolledLine,
  { area, company }: PlacementRow,
) {
  switch (group) {
    case 'nature':
      return natureOfLine(line.cfop, { issuer, area }, [company]);
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

function freshChange(key: readonly string[], counts: readonly string[]): Change {
  return {
    key,
    counts: counts.map(() => 0),
    given: rolledMeasures.map(() => 0),
    sums: rolledMeasures.map(() => 0),
    last: undefined,
  };
}

/** The value of a key, which is made where there is none. */
function entryOf<Value>(entries: Map<string, Value>, key: string, make: () => Value): Value {
  const known = entries.get(key);
  if (known !== undefined) return known;
  const fresh = make();
  entries.set(key, fresh);
  return fresh;
}

function valuesOf({ key, counts, given, sums }: Change): (string | Units)[] {
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

const byId = <Entry extends { readonly id: string }>(entries: Entry[]): Entry[] =>
  entries.sort((one, other) => (one.id < other.id ? -1 : 1));

/** Parts of a key at its end that are left when changes are parted before they are put in order. */
const ownParts = 3;

/**
 * In the order of their keys, so that two writers who meet in several rows meet in the same order. Those that begin
 * alike are put in order at a time, and others may run in between.
 */
async function inOrder(changes: readonly Change[]): Promise<Change[]> {
  const parts = new Map<string, { id: string; change: Change }[]>();
  for (const [index, change] of changes.entries()) {
    if (index % stride === stride - 1) await letOthersRun();
    if (isNothing(change)) continue;
    const begin = change.key.slice(0, -ownParts).join(separator);
    entryOf(parts, begin, () => []).push({ id: change.key.join(separator), change });
  }
  const all: Change[] = [];
  for (const { entries } of byId(Array.from(parts, ([id, entries]) => ({ id, entries })))) {
    for (const { change } of byId(entries)) all.push(change);
    await letOthersRun();
  }
  return all;
}

/** Columns that are zero in all rows are left to their default: most documents have few of the taxes. */
async function writeChanges(db: Db, table: RollupTable, changes: readonly Change[]): Promise<void> {
  const keys: readonly string[] = rollupKeys[table];
  const names = [...keys, ...rollupCounts[table], ...givenNames, ...rolledMeasures];
  const all = await inOrder(changes);
  const isUsed = names.map((_, index) => index < keys.length);
  for (const [place, change] of all.entries()) {
    if (place % stride === stride - 1) await letOthersRun();
    valuesOf(change).forEach((value, index) => {
      if (value !== 0) isUsed[index] = true;
    });
  }
  const columns = names.filter((_, index) => isUsed[index]);
  const ending = additionTo(table, columns.slice(keys.length));
  for (let start = 0; start < all.length; start += stride) {
    const rows = all
      .slice(start, start + stride)
      .map((change) => valuesOf(change).filter((_, i) => isUsed[i]));
    await insertValues(db, table, columns, rows, ending);
  }
}

/** Of one place and grouping: the changes by the first value and the second. */
type Groups = Map<string, Changes>;

const noChanges = (): Changes => new Map();

export function createRollupChanges(): RollupChanges {
  const byDocument: Changes = new Map();
  const byDay: Changes = new Map();
  /** By place; in the order of the groupings. */
  const byItem = new Map<string, readonly Groups[]>();
  let items: Change[] = [];
  let hasTaken = false;

  function countDocument(
    { document, amounts, status }: RolledDocument,
    placement: PlacementRow,
    sign: Sign,
  ): void {
    const { tenant, company, area, date_field, month, direction, from_day, to_day, day, week } = placement;
    const { kind, exclusion, issuer, recipient, has_lines, item_count } = document;
    const state = otherStateOf(placement, document);
    const place = [tenant, company, area, date_field];
    const ofMonth = [...place, month, direction, kind, status, exclusion, issuer, recipient, state];
    const ofDay = [...place, from_day, to_day, day, week, month, direction, kind, status, exclusion, state];
    const given = givenIn(amounts, sign);
    for (const change of [
      entryOf(byDocument, ofMonth.join(separator), () => freshChange(ofMonth, rollupCounts.document_rollup)),
      entryOf(byDay, ofDay.join(separator), () => freshChange(ofDay, rollupCounts.day_rollup)),
    ]) {
      addCount(change, 0, sign);
      addCount(change, 1, sign * has_lines);
      addCount(change, 2, sign * item_count);
      addAmounts(change, given, sign);
    }
  }

  function countLines(rolled: RolledDocument, placement: PlacementRow, sign: Sign): void {
    const { document, lines } = rolled;
    const { tenant, company, area, date_field, month, direction } = placement;
    const place = [tenant, company, area, date_field, month, direction].join(separator);
    const groupings = entryOf(byItem, place, () => itemRollups.map((): Groups => new Map()));
    for (const line of lines) {
      const amounts = givenIn(line.amounts, sign);
      for (let index = 0; index < itemRollups.length; index++) {
        const { groups } = itemRollups[index] as ItemRollup;
        const [first, second] = groups;
        const first_value = groupValue(first, document, line, placement);
        const second_value = second === undefined ? '' : groupValue(second, document, line, placement);
        const ofFirst = entryOf(groupings[index] as Groups, first_value, noChanges);
        let change = ofFirst.get(second_value);
        if (change === undefined) {
          const { name } = itemRollups[index] as ItemRollup;
          const key = [tenant, company, area, date_field, name, month, first_value, second_value, direction];
          change = freshChange(key, rollupCounts.item_rollup);
          ofFirst.set(second_value, change);
          items.push(change);
        }
        if (change.last !== rolled) addCount(change, 0, sign);
        if (line.line > 0) addCount(change, 1, sign);
        addAmounts(change, amounts, sign);
        change.last = rolled;
      }
    }
  }

  function count(rolled: RolledDocument, sign: Sign): void {
    const { document, status, placements } = rolled;
    for (const placement of placements) {
      countDocument(rolled, placement, sign);
      if (document.exclusion === '' && !isVoid(status)) countLines(rolled, placement, sign);
    }
  }

  return {
    add: (document) => count(document, 1),
    take(document) {
      hasTaken = true;
      count(document, -1);
    },
    async write({ db, tenant }) {
      const [documents, days, lines] = [[...byDocument.values()], [...byDay.values()], items];
      byDocument.clear();
      byDay.clear();
      byItem.clear();
      items = [];
      await writeChanges(db, 'document_rollup', documents);
      await writeChanges(db, 'day_rollup', days);
      await writeChanges(db, 'item_rollup', lines);
      if (!hasTaken) return;
      for (const table of rollupTables) {
        await db.deleteFrom(table).where('tenant', '=', tenant).where('documents', '=', 0).execute();
      }
      hasTaken = false;
    },
    get size() {
      return byDocument.size + byDay.size + items.length;
    },
  };
}
