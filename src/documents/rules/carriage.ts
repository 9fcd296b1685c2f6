import { type DocumentFacts, isDocument, isInEffect } from './facts.ts';
import { type Accumulator, absent, type RuleContext, type SetDeviation } from './rule.ts';

/** `YYMM` of an access key; positions 3 to 6. */
function monthOfKey(key: string): string {
  return key.slice(2, 6);
}

const NFE_MODEL = '55';

function isNfeKey(key: string): boolean {
  return key.length === 44 && key.slice(20, 22) === NFE_MODEL;
}

/** Who sends or gets goods has their note; a carrier, or somebody else who pays for it, has not. */
function ownsGoods({ sender, recipient }: DocumentFacts, company: string | undefined): boolean {
  return company === undefined || company === sender || company === recipient;
}

/**
 * CT-e that carry an NF-e which is not among the documents, though NF-e of its month, or of months around it, are.
 * Without a single NF-e nothing is said: they were not asked for.
 */
export function carriageWithoutGoods({ company }: RuleContext): Accumulator {
  const notes = new Set<string>();
  const carriages: DocumentFacts[] = [];
  return {
    take(facts) {
      if (facts.kind === 'nfe' && facts.key !== undefined) notes.add(facts.key);
      const isCarriage = facts.kind === 'cte' && isInEffect(facts) && ownsGoods(facts, company);
      if (isCarriage && facts.linked_keys.some(isNfeKey)) carriages.push(facts);
    },
    *finish(): Iterable<SetDeviation> {
      const months = [...notes].map(monthOfKey).sort();
      const [first, last] = [months[0], months.at(-1)];
      if (first === undefined || last === undefined) return;
      const isWithin = (key: string) => monthOfKey(key) >= first && monthOfKey(key) <= last;
      for (const about of carriages) {
        const keys = about.linked_keys.filter(isNfeKey);
        const missing = keys.filter((key) => isWithin(key) && !notes.has(key));
        if (missing.length === 0) continue;
        const values = { nfe: missing[0] ?? absent };
        yield { about, found: String(keys.length - missing.length), expected: String(keys.length), values };
      }
    },
  };
}

/** modFrete: who pays the carriage. */
const ISSUER_PAYS = '0';
const RECIPIENT_PAYS = '1';

/** A carrier with a CNPJ that is neither side owes a CT-e for carriage out of town. */
function expectsCarriage({ freight, issuer, recipient }: DocumentFacts, company: string): boolean {
  if (freight?.carrier?.length !== 14 || freight.within_city) return false;
  if (freight.carrier === issuer || freight.carrier === recipient) return false;
  const payer = { [ISSUER_PAYS]: issuer, [RECIPIENT_PAYS]: recipient }[freight.mode ?? ''];
  return payer === company;
}

/**
 * NF-e whose carriage the company pays and that no CT-e carries, up to the day of the last CT-e: that of a later note
 * may be still to come. Without a single CT-e nothing is said.
 */
export function goodsWithoutCarriage({ company }: RuleContext): Accumulator {
  const carried = new Set<string>();
  const expecting = new Map<string, DocumentFacts>();
  let lastCarriage = '';
  return {
    take(facts) {
      if (!isDocument(facts) || !isInEffect(facts)) return;
      const day = facts.issued_at?.slice(0, 10) ?? '';
      if (facts.kind === 'cte') {
        for (const key of facts.linked_keys) carried.add(key);
        if (day > lastCarriage) lastCarriage = day;
      }
      if (facts.kind !== 'nfe' || facts.key === undefined || company === undefined) return;
      if (expectsCarriage(facts, company)) expecting.set(facts.key, facts);
    },
    *finish(): Iterable<SetDeviation> {
      for (const [key, about] of expecting) {
        const isDue = (about.issued_at?.slice(0, 10) ?? '') <= lastCarriage;
        if (!isDue || carried.has(key)) continue;
        const { mode = absent, carrier = absent } = about.freight ?? {};
        yield { about, found: '0', expected: '1', values: { mode, carrier } };
      }
    },
  };
}
