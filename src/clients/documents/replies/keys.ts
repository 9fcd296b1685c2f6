import {
  checkAccessKey,
  checkNationalNfseKey,
  NATIONAL_KEY_LENGTH,
  normalizeKey,
} from '../../../documents/identity/keys.ts';
import { flatten } from '../../../documents/untrusted.ts';
import { clearText } from '../../http/redact.ts';
import { type Element, limits, requireWithin, Unreadable } from '../decoding/reading.ts';
import { type Decoded, decodeWhole } from './decode.ts';
import { refuseText } from './envelope.ts';
import type { KeyList, NfseIdentifier, RejectedKey, ReplyBody } from './results.ts';

const KEY_ELEMENT = /^ch(ave)?(nfe|cte|nfse|acesso|dfe)?$/i;
/** Content of a document, whose references would pass as keys of the list. */
const DOCUMENT_CONTENT = new Set(['infNFe', 'infCte', 'infNFSe', 'InfNfse']);
const KEY_SHAPE = /^(?:[0-9]{6}[0-9A-Z]{12}[0-9]{26}|[0-9]{9}[0-9A-Z]{14}[0-9]{27})$/;
/** Characters of a key written in groups. */
const LONGEST_WRITTEN = 200;
/** An identifier of this length and mostly digits counts as an invalid key. */
const MEANT_AS_KEY = 20;
const SHOWN_LENGTH = 100;
/** Characters of an NFS-e identifier: a page lists up to 500. */
const LONGEST_IDENTIFIER = 75;
/** Invalid keys listed at most; a warning counts all. */
const MOST_REJECTED_NAMED = 100;
/** Characters examined of a text without keys, which may be a refusal. */
const TELLING_START = 1000;

const IDENTIFIER_MEMBERS: Readonly<Record<string, keyof NfseIdentifier>> = {
  NumeroNFe: 'number',
  NumeroNFSe: 'number',
  DataEmissaoNFe: 'issue_date',
  DataEmissaoNFSe: 'issue_date',
  CNPJ: 'issuer_cnpj',
};

function identifierMember({ name }: Element): keyof NfseIdentifier | undefined {
  return Object.hasOwn(IDENTIFIER_MEMBERS, name) ? IDENTIFIER_MEMBERS[name] : undefined;
}

function isKeyShaped(text: string): boolean {
  return text.length <= LONGEST_WRITTEN && KEY_SHAPE.test(normalizeKey(text));
}

function isIdentifierPart(element: Element): boolean {
  const { text } = element;
  return text !== undefined && !isKeyShaped(text) && identifierMember(element) !== undefined;
}

/** Converts the service's two known date formats to `YYYY-MM-DD`. Source: docs/upstream-services.md. */
function isoDate(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text)) return text.slice(0, 10);
  const local = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: |$)/.exec(text);
  if (local === null) return text;
  const [, day = '', month = '', year = ''] = local;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Collects the keys of a list in any form. */
async function collectKeys(reply: ReplyBody, { pieces, envelope }: Decoded): Promise<KeyList> {
  const keys = new Set<string>();
  const identifiers = new Map<string, NfseIdentifier>();
  const rejected: RejectedKey[] = [];
  let rejectedCount = 0;
  let repeated = 0;
  let otherRuns = 0;
  let isCut = false;
  let bareStart: string | undefined;

  function add(text: string): void {
    requireWithin(keys.size + rejectedCount, limits.elements);
    const isNational = normalizeKey(text).length === NATIONAL_KEY_LENGTH;
    const checked = isNational ? checkNationalNfseKey(text) : checkAccessKey(text);
    if (!checked.ok) {
      rejectedCount++;
      if (rejected.length === MOST_REJECTED_NAMED) return;
      rejected.push({ text: clearText(text, SHOWN_LENGTH, reply.redact), problem: checked.problem });
    } else if (keys.has(checked.value.key)) repeated++;
    else keys.add(flatten(checked.value.key));
  }

  /** Takes the keys in bare text, with any separators. Only a quoted text is known to be complete. */
  function takeText(text: string, isQuoted: boolean): void {
    bareStart ??= text.slice(0, TELLING_START);
    const runs = text.match(/[0-9A-Za-z]+/g) ?? [];
    const last = /[0-9A-Za-z]$/.test(text) ? (runs.at(-1) ?? '') : '';
    isCut ||= !isQuoted && /^\d/.test(last) && !isKeyShaped(last);
    for (const run of runs) {
      const isMeantAsKey = run.length >= MEANT_AS_KEY && run.replace(/\D/g, '').length > run.length / 2;
      if (isMeantAsKey || isKeyShaped(run)) add(run);
      else otherRuns++;
    }
  }

  /** Takes a value: one or several keys, a part of an identifier, or unknown. */
  function takeValue(element: Element, text: string): void {
    if (KEY_ELEMENT.test(element.name)) {
      for (const key of text.split(/[\s,;|]+/)) if (key !== '') add(key);
    } else if (isKeyShaped(text)) add(text);
    else if (identifierMember(element) === undefined) envelope.unread(element);
  }

  /** Takes the identifier with these parts. */
  function takeIdentifier(parts: readonly Element[]): void {
    const { number, issue_date, issuer_cnpj }: Partial<Record<keyof NfseIdentifier, string>> =
      Object.fromEntries(parts.map((part) => [identifierMember(part), part.text]));
    if (number === undefined && issue_date === undefined) return;
    const isWhole = number !== undefined && issue_date !== undefined && issuer_cnpj !== undefined;
    if (!isWhole || parts.length > 3) throw new Unreadable('incomplete NFS-e identifier');
    const identifier = { number, issue_date: isoDate(issue_date), issuer_cnpj };
    const id = Object.values(identifier).join(' ');
    if (id.length > LONGEST_IDENTIFIER) throw new Unreadable('oversized NFS-e identifier');
    if (identifiers.has(id)) repeated++;
    identifiers.set(id, identifier);
  }

  for await (const piece of pieces) {
    if (piece.kind === 'text') takeText(piece.text, piece.isQuoted);
    if (piece.kind !== 'element') continue;
    const { element } = piece;
    if (DOCUMENT_CONTENT.has(element.name)) throw new Unreadable('documents instead of keys');
    if (element.text !== undefined && !element.ofEnvelope) takeValue(element, element.text);
    takeIdentifier(element.children.filter(isIdentifierPart));
  }
  if (isCut) throw new Unreadable('truncated');
  const valid = keys.size + identifiers.size;
  if (valid === 0 && bareStart !== undefined) refuseText(reply, bareStart, 'no key in the text');
  if (valid === 0 && rejectedCount > 0) {
    envelope.requireNoRefusal();
    throw new Unreadable('no key is valid');
  }
  const warnings = envelope.verdict(valid + rejectedCount + repeated);
  const counts = { duplicates: repeated, keys_rejected: rejectedCount, text_between_keys: otherRuns };
  for (const code of ['duplicates', 'keys_rejected', 'text_between_keys'] as const) {
    if (counts[code] > 0) warnings.push({ code, values: { count: String(counts[code]) } });
  }
  return { keys: [...keys], identifiers: [...identifiers.values()], rejected, warnings };
}

/** Reads a list of keys: bare text, a JSON array, an envelope. @throws NotUnderstood for access keys of NFS-e */
export function readKeys(reply: ReplyBody, kind: 'access_keys' | 'service_keys'): Promise<KeyList> {
  return decodeWhole(reply, kind, { markup: true }, async (decoded) => {
    const list = await collectKeys(reply, decoded);
    const isOfServices =
      list.identifiers.length > 0 || list.keys.some((key) => key.length === NATIONAL_KEY_LENGTH);
    if (isOfServices && kind === 'access_keys') throw new Unreadable('NFS-e instead of keys');
    return list;
  });
}
