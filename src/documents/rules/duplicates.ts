import { type DocumentFacts, isDocument, isInEffect } from './facts.ts';
import { type Accumulator, absent, type Deviation, type SetDeviation } from './rule.ts';

/** One key, several contents that contradict each other. */
export function checkContents({ contents = 1 }: DocumentFacts): Deviation[] {
  return contents > 1 ? [{ found: String(contents), expected: '1' }] : [];
}

/** NF-e and NFC-e number apart from CT-e and NFS-e. */
function familyOf({ kind }: DocumentFacts): string {
  return kind === 'nfce' ? 'nfe' : kind === 'cteos' ? 'cte' : kind;
}

/** What makes a document that document: its key, else what a municipal note is told apart by. */
function identityOf(facts: DocumentFacts): string | undefined {
  const { key, issuer, number, issued_at, verification_code = '' } = facts;
  if (key !== undefined) return key;
  if (issuer === undefined || number === undefined) return undefined;
  return [familyOf(facts), issuer, number, issued_at?.slice(0, 10), verification_code].join('|');
}

/** The same document more than once. */
export function repeatedDocuments(): Accumulator {
  const seen = new Map<string, DocumentFacts>();
  const again = new Map<string, number>();
  return {
    take(facts) {
      const identity = isDocument(facts) ? identityOf(facts) : undefined;
      if (identity === undefined) return;
      if (seen.has(identity)) again.set(identity, (again.get(identity) ?? 1) + 1);
      else seen.set(identity, facts);
    },
    *finish(): Iterable<SetDeviation> {
      for (const [identity, about] of seen) {
        const times = again.get(identity);
        if (times !== undefined) yield { about, found: String(times), expected: '1' };
      }
    },
  };
}

/** Groups documents and tells of each that is not the first of its group, naming the first. */
function repeatedIn(
  groupOf: (facts: DocumentFacts) => string | undefined,
  values: (first: DocumentFacts) => Readonly<Record<string, string>>,
): Accumulator {
  // Most groups have one member, which needs no list.
  const groups = new Map<string, DocumentFacts | DocumentFacts[]>();
  return {
    take(facts) {
      const group = isDocument(facts) && isInEffect(facts) ? groupOf(facts) : undefined;
      if (group === undefined) return;
      const members = groups.get(group);
      if (members === undefined) {
        groups.set(group, facts);
        return;
      }
      const all = Array.isArray(members) ? members : [members];
      if (all.some((member) => identityOf(member) === identityOf(facts))) return;
      all.push(facts);
      groups.set(group, all);
    },
    *finish(): Iterable<SetDeviation> {
      for (const members of groups.values()) {
        const [first, ...others] = Array.isArray(members) ? members : [members];
        if (first === undefined) continue;
        for (const about of others) {
          const found = identityOf(about) ?? absent;
          yield { about, found, expected: identityOf(first) ?? absent, values: values(first) };
        }
      }
    },
  };
}

function withoutZeros(number: string): string {
  return number.replace(/^0+(?=\d)/, '');
}

/** Two documents of one issuer, number and value: another series, or the municipal and the national form of one. */
export function repeatedInvoices(): Accumulator {
  return repeatedIn(
    (facts) => {
      const { issuer, number, total } = facts;
      if (issuer === undefined || number === undefined || total === undefined) return undefined;
      return [familyOf(facts), issuer, withoutZeros(number), Number(total)].join('|');
    },
    ({ number = absent, total = absent }) => ({ number, total }),
  );
}

/** tpCTe 0: not a complement, not a substitute. */
const NORMAL_CTE = '0';

/** One carrier, one value, the same goods' notes, two CT-e. */
export function freightBilledTwice(): Accumulator {
  return repeatedIn(
    ({ issuer, total, linked_keys, purpose }) => {
      const isComparable = purpose === NORMAL_CTE && linked_keys.length > 0 && total !== undefined;
      if (!isComparable || issuer === undefined) return undefined;
      return [issuer, Number(total), ...linked_keys.toSorted()].join('|');
    },
    ({ linked_keys: [nfe = absent], total = absent }) => ({ nfe, total }),
  );
}
