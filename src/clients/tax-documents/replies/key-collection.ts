import { checkAccessKey, checkNationalNfseKey, normalizeKey } from '../../../documents/identity/keys.ts';
import { flatten } from '../../../documents/summary/flatten.ts';
import type { Redact } from '../../http/call.ts';
import { clearText } from '../../http/redact.ts';
import { Unreadable } from '../pieces/forms.ts';
import { limits, requireWithin } from '../pieces/limits.ts';
import type { NfseIdentifier, RejectedKey } from './results.ts';

/** Characters of one run without a separator. */
const LONGEST_RUN = 64 * 1024;
const KEY_SHAPE = /^(?:[0-9]{6}[0-9A-Z]{12}[0-9]{26}|[0-9]{9}[0-9A-Z]{14}[0-9]{27})$/;
/** Characters of a key as people write it, in groups. */
const LONGEST_WRITTEN = 200;
/** An identifier as long as this and mostly of digits was meant to be a key. */
const MEANT_AS_KEY = 20;
const SHOWN_LENGTH = 100;

export function isKeyShaped(text: string): boolean {
  return text.length <= LONGEST_WRITTEN && KEY_SHAPE.test(normalizeKey(text));
}

function isMeantAsKey(text: string): boolean {
  return text.length >= MEANT_AS_KEY && text.replace(/\D/g, '').length > text.length / 2;
}

/** `YYYY-MM-DD` for the two forms the service is known to write dates in. Source: docs/upstream-services.md. */
function isoDate(text: string): string {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(text);
  if (iso !== null) return text.slice(0, 10);
  const local = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: |$)/.exec(text);
  if (local === null) return text;
  const [, day = '', month = '', year = ''] = local;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Keys checked and kept once, in the order they come; what is no key is kept with the reason. */
export function createKeyCollection(redact: Redact) {
  const keys = new Set<string>();
  const rejected: RejectedKey[] = [];
  let repeated = 0;
  return {
    /** The keys so far, as a list of its own. */
    valid: () => [...keys],
    rejected,
    get repeated() {
      return repeated;
    },
    add(text: string): void {
      requireWithin(keys.size + rejected.length, limits.elements);
      const checked = normalizeKey(text).length === 50 ? checkNationalNfseKey(text) : checkAccessKey(text);
      if (!checked.ok)
        rejected.push({ text: clearText(text, SHOWN_LENGTH, redact), problem: checked.problem });
      else if (keys.has(checked.value.key)) repeated++;
      else keys.add(flatten(checked.value.key));
    },
  };
}

const IDENTIFIER_MEMBERS: Readonly<Record<string, keyof NfseIdentifier>> = {
  NumeroNFe: 'number',
  NumeroNFSe: 'number',
  DataEmissaoNFe: 'issue_date',
  DataEmissaoNFSe: 'issue_date',
  CNPJ: 'issuer_cnpj',
};

/** Puts the values of one entry together; its element's end completes it. */
export function createIdentifierCollection() {
  const byName = new Map<string, NfseIdentifier>();
  let entry: Partial<Record<keyof NfseIdentifier, string>> = {};
  let repeated = 0;
  return {
    /** Those so far, as a list of its own. */
    identifiers: () => [...byName.values()],
    get repeated() {
      return repeated;
    },
    take(name: string, text: string): boolean {
      const member = Object.hasOwn(IDENTIFIER_MEMBERS, name) ? IDENTIFIER_MEMBERS[name] : undefined;
      if (member === undefined) return false;
      entry[member] = member === 'issue_date' ? isoDate(text) : text;
      return true;
    },
    endOf(name: string): void {
      if (Object.hasOwn(IDENTIFIER_MEMBERS, name)) return;
      const { number, issue_date, issuer_cnpj } = entry;
      entry = {};
      if (number === undefined && issue_date === undefined) return;
      if (number === undefined || issue_date === undefined || issuer_cnpj === undefined) {
        throw new Unreadable('incomplete NFS-e identifier');
      }
      requireWithin(byName.size, limits.elements);
      const id = `${issuer_cnpj} ${number} ${issue_date}`;
      if (byName.has(id)) repeated++;
      byName.set(id, { number, issue_date, issuer_cnpj });
    },
  };
}

/**
 * Reads keys out of bare text, whatever stands between them. `add` gets what is or was meant as a key, `other` is told
 * of every run of letters and digits that was not.
 */
export function createKeyText(add: (key: string) => void, other: () => void) {
  let held = '';

  function take(run: string): void {
    if (isKeyShaped(run) || isMeantAsKey(run)) add(run);
    else other();
  }

  return {
    write(text: string): void {
      const runs = (held + text).split(/[^0-9A-Za-z]+/);
      held = runs.pop() ?? '';
      requireWithin(held.length, LONGEST_RUN);
      for (const run of runs) if (run !== '') take(run);
    },
    /** Only a text that was quoted is known to be whole; in any other a piece of a key at the end means a cut. */
    end(isQuoted: boolean): void {
      const last = held;
      held = '';
      if (!isQuoted && /^\d/.test(last) && !isKeyShaped(last)) throw new Unreadable('truncated');
      if (last !== '') take(last);
    },
  };
}
