import { addDecimals, compareDecimals } from '../decimals.ts';
import { count, type NotCompared } from './book.ts';
import { type BookFinding, bookFindings, certainties, type FindingPlace, type Found } from './findings.ts';

/** Findings of one kind and certainty that are kept; those beyond are counted and added up. */
const MOST_KEPT = 20_000;

/** Findings of one kind and certainty. */
export interface FindingGroup extends Pick<BookFinding, 'finding' | 'certainty'> {
  count: number;
  /** Sum of what is at stake. */
  amount: string;
}

/** A supplier whose debits are open, with the credits at risk. */
export interface OpenSupplier extends Pick<BookFinding, 'issuer' | 'issuer_name'> {
  count: number;
  amount: string;
}

/** Findings as a comparison meets them: all are counted and added up, and of each kind the first ones kept. */
export interface CollectedFindings {
  /** @param place asked for where the finding is kept: most of many are only counted */
  add(found: Found, place: () => FindingPlace): void;
  /** Findings met so far, also those that nobody wants. */
  readonly met: number;
  /** The wanted ones. */
  readonly total: number;
  /** The kept ones, what is certain first. */
  sorted(): readonly BookFinding[];
  /** In the same order. */
  groups(): readonly FindingGroup[];
  /** Suppliers of credits that are not extinguished, the largest amount first. */
  suppliers(): readonly OpenSupplier[];
}

const rank = <T>(names: readonly T[]) => new Map(names.map((name, at) => [name, at]));
const byCertainty = rank(certainties);
const byName = rank(bookFindings);

type Ranked = Pick<BookFinding, 'finding' | 'certainty'>;

const compareRanks = (one: Ranked, other: Ranked) =>
  (byCertainty.get(one.certainty) ?? 0) - (byCertainty.get(other.certainty) ?? 0) ||
  (byName.get(one.finding) ?? 0) - (byName.get(other.finding) ?? 0);

/** Adds to a sum of decimals. */
const plus = (sum: string, more: string | undefined) => addDecimals([sum, more]) ?? sum;

/** Collects the findings that are wanted. */
function collectFindings(isWanted: (found: Found) => boolean = () => true): CollectedFindings {
  const kept = new Map<string, BookFinding[]>();
  const groups = new Map<string, FindingGroup>();
  const suppliers = new Map<string, OpenSupplier>();
  let [met, total] = [0, 0];

  function addSupplier({ issuer, issuer_name }: FindingPlace, amount: string | undefined): void {
    const name = issuer ?? '';
    const supplier = suppliers.get(name) ?? { issuer, issuer_name, count: 0, amount: '0.00' };
    suppliers.set(name, { ...supplier, issuer_name: supplier.issuer_name ?? issuer_name });
    const own = suppliers.get(name) ?? supplier;
    own.count++;
    own.amount = plus(own.amount, amount);
  }

  return {
    add(found, place) {
      met++;
      if (!isWanted(found)) return;
      total++;
      const { finding, certainty } = found;
      const name = `${certainty}|${finding}`;
      const group = groups.get(name) ?? { finding, certainty, count: 0, amount: '0.00' };
      groups.set(name, group);
      group.count++;
      group.amount = plus(group.amount, found.amount);
      if (finding === 'not_extinguished') addSupplier(place(), found.amount);
      const own = kept.get(name) ?? [];
      kept.set(name, own);
      if (own.length < MOST_KEPT) own.push({ ...place(), ...found });
    },
    get met() {
      return met;
    },
    get total() {
      return total;
    },
    sorted: () =>
      [...kept.values()]
        .flat()
        .sort(
          (one, other) =>
            compareRanks(one, other) || one.file - other.file || (one.line ?? 0) - (other.line ?? 0),
        ),
    groups: () => [...groups.values()].sort(compareRanks),
    suppliers: () => [...suppliers.values()].sort((one, other) => compareDecimals(other.amount, one.amount)),
  };
}

/** What a comparison came to. */
export interface Comparison {
  readonly findings: CollectedFindings;
  readonly notCompared: Map<NotCompared, number>;
  entries: number;
  byKey: number;
  byNumber: number;
  agree: number;
}

/** A comparison of nothing yet, of whose findings only the wanted ones are kept. */
export function emptyComparison(isWanted?: (found: Found) => boolean): Comparison {
  const findings = collectFindings(isWanted);
  return { findings, notCompared: new Map(), entries: 0, byKey: 0, byNumber: 0, agree: 0 };
}

/** Notes that something was not compared. */
export function leaveOut({ notCompared }: Comparison, reason: NotCompared): void {
  count(notCompared, reason);
}
