import { checkAccessKey, checkNationalNfseKey, normalizeKey } from '../../../documents/identity/keys.ts';
import { flatten } from '../../../documents/untrusted.ts';
import { clearText } from '../../http/redact.ts';
import { limits, type Piece, requireWithin, Unreadable } from '../decoding/reading.ts';
import { decodeWhole, type PieceReader } from './decode.ts';
import { type EnvelopeReader, refuseText } from './envelope.ts';
import type { KeyList, NfseIdentifier, RejectedKey, ReplyBody } from './results.ts';

const KEY_ELEMENT = /^ch(ave)?(nfe|cte|nfse|acesso|dfe)?$/i;
/** Content of a document itself, whose references would pass as keys of the list. */
const DOCUMENT_CONTENT = new Set(['infNFe', 'infCte', 'infNFSe', 'InfNfse']);
/** Positions of the key of a national NFS-e. */
const NATIONAL_KEY = 50;
const KEY_SHAPE = /^(?:[0-9]{6}[0-9A-Z]{12}[0-9]{26}|[0-9]{9}[0-9A-Z]{14}[0-9]{27})$/;
/** Characters of a key as people write it, in groups. */
const LONGEST_WRITTEN = 200;
/** An identifier of this length and mostly of digits counts as a wrong key. */
const MEANT_AS_KEY = 20;
const SHOWN_LENGTH = 100;
/** Characters of a text without keys that may be a refusal. */
const TELLING_START = 1000;

const IDENTIFIER_MEMBERS: Readonly<Record<string, keyof NfseIdentifier>> = {
  NumeroNFe: 'number',
  NumeroNFSe: 'number',
  DataEmissaoNFe: 'issue_date',
  DataEmissaoNFSe: 'issue_date',
  CNPJ: 'issuer_cnpj',
};

function identifierMember(name: string): keyof NfseIdentifier | undefined {
  return Object.hasOwn(IDENTIFIER_MEMBERS, name) ? IDENTIFIER_MEMBERS[name] : undefined;
}

function isKeyShaped(text: string): boolean {
  return text.length <= LONGEST_WRITTEN && KEY_SHAPE.test(normalizeKey(text));
}

/** `YYYY-MM-DD` for the two forms the service is known to write dates in. Source: docs/upstream-services.md. */
function isoDate(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text)) return text.slice(0, 10);
  const local = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: |$)/.exec(text);
  if (local === null) return text;
  const [, day = '', month = '', year = ''] = local;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Reads a list of keys into one shape, whatever its form. */
class KeyReader implements PieceReader<never, KeyList> {
  readonly #reply: ReplyBody;
  readonly #envelope: EnvelopeReader;
  readonly #keys = new Set<string>();
  readonly #identifiers = new Map<string, NfseIdentifier>();
  readonly #rejected: RejectedKey[] = [];
  #entry: Partial<Record<keyof NfseIdentifier, string>> = {};
  #repeated = 0;
  #otherRuns = 0;
  #isCut = false;
  #bareStart: string | undefined;

  constructor(reply: ReplyBody, envelope: EnvelopeReader) {
    this.#reply = reply;
    this.#envelope = envelope;
  }

  take(piece: Piece, isEnvelopes: boolean): undefined {
    if (piece.kind === 'text') this.#takeText(piece.text, piece.isQuoted);
    else if (piece.kind === 'open') {
      if (DOCUMENT_CONTENT.has(piece.element.name)) throw new Unreadable('documents instead of keys');
    } else if (piece.kind === 'close') {
      if (identifierMember(piece.element.name) === undefined) this.#endEntry();
    } else if (piece.kind === 'value' && !isEnvelopes && !this.#takeValue(piece.element.name, piece.text)) {
      this.#envelope.unread(piece.element);
    }
  }

  /** Keys in bare text, whatever stands between them. Only a quoted text is known to be whole. */
  #takeText(text: string, isQuoted: boolean): void {
    this.#bareStart ??= text.slice(0, TELLING_START);
    const runs = text.match(/[0-9A-Za-z]+/g) ?? [];
    const last = /[0-9A-Za-z]$/.test(text) ? (runs.at(-1) ?? '') : '';
    this.#isCut ||= !isQuoted && /^\d/.test(last) && !isKeyShaped(last);
    for (const run of runs) {
      const isMeantAsKey = run.length >= MEANT_AS_KEY && run.replace(/\D/g, '').length > run.length / 2;
      if (isMeantAsKey || isKeyShaped(run)) this.#add(run);
      else this.#otherRuns++;
    }
  }

  /** True where the value is a key, several, or a part of an identifier. */
  #takeValue(name: string, text: string): boolean {
    const member = identifierMember(name);
    if (KEY_ELEMENT.test(name)) {
      for (const key of text.split(/[\s,;|]+/)) if (key !== '') this.#add(key);
    } else if (isKeyShaped(text)) this.#add(text);
    else if (member !== undefined) this.#entry[member] = member === 'issue_date' ? isoDate(text) : text;
    else return false;
    return true;
  }

  #add(text: string): void {
    requireWithin(this.#keys.size + this.#rejected.length, limits.elements);
    const isNational = normalizeKey(text).length === NATIONAL_KEY;
    const checked = isNational ? checkNationalNfseKey(text) : checkAccessKey(text);
    if (!checked.ok) {
      const shown = clearText(text, SHOWN_LENGTH, this.#reply.redact);
      this.#rejected.push({ text: shown, problem: checked.problem });
    } else if (this.#keys.has(checked.value.key)) this.#repeated++;
    else this.#keys.add(flatten(checked.value.key));
  }

  #endEntry(): void {
    const { number, issue_date, issuer_cnpj } = this.#entry;
    this.#entry = {};
    if (number === undefined && issue_date === undefined) return;
    if (number === undefined || issue_date === undefined || issuer_cnpj === undefined) {
      throw new Unreadable('incomplete NFS-e identifier');
    }
    requireWithin(this.#identifiers.size, limits.elements);
    const id = `${issuer_cnpj} ${number} ${issue_date}`;
    if (this.#identifiers.has(id)) this.#repeated++;
    this.#identifiers.set(id, { number, issue_date, issuer_cnpj });
  }

  end(): KeyList {
    if (this.#isCut) throw new Unreadable('truncated');
    const [keys, identifiers, rejected] = [[...this.#keys], [...this.#identifiers.values()], this.#rejected];
    const valid = keys.length + identifiers.length;
    if (valid === 0 && this.#bareStart !== undefined) {
      refuseText(this.#reply, this.#bareStart, 'no key in the text');
    }
    if (valid === 0 && rejected.length > 0) {
      this.#envelope.requireNoRefusal();
      throw new Unreadable('no key is valid');
    }
    const warnings = this.#envelope.verdict(valid + rejected.length + this.#repeated);
    const counts = [
      ['duplicates', this.#repeated],
      ['keys_rejected', rejected.length],
      ['text_between_keys', this.#otherRuns],
    ] as const;
    for (const [code, count] of counts) {
      if (count > 0) warnings.push({ code, values: { count: String(count) } });
    }
    return { keys, identifiers, rejected, warnings };
  }
}

/** Reads a list of keys, also of NFS-e: bare text, a JSON array, an envelope. */
export function readKeys(reply: ReplyBody): Promise<KeyList> {
  return decodeWhole(reply, 'service_keys', { markup: true }, (envelope) => new KeyReader(reply, envelope));
}

/** Reads a list of keys of NF-e or CT-e. One that names NFS-e answers another question. */
export function readAccessKeys(reply: ReplyBody): Promise<KeyList> {
  return decodeWhole(reply, 'access_keys', { markup: true }, (envelope) => {
    const reader = new KeyReader(reply, envelope);
    return {
      take: (piece, isEnvelopes) => reader.take(piece, isEnvelopes),
      end() {
        const list = reader.end();
        const isOfServices =
          list.identifiers.length > 0 || list.keys.some((key) => key.length === NATIONAL_KEY);
        if (isOfServices) throw new Unreadable('NFS-e instead of keys');
        return list;
      },
    };
  });
}
