import { Unreadable } from '../pieces/forms.ts';
import { requireWithin } from '../pieces/limits.ts';
import type { Piece } from '../pieces/piece.ts';
import { decodeWhole } from './decoding.ts';
import { createEnvelopeReader, refuseText } from './envelope.ts';
import {
  createIdentifierCollection,
  createKeyCollection,
  createKeyText,
  isKeyShaped,
} from './key-collection.ts';
import type { KeyList, ReplyBody, ReplyWarning } from './results.ts';

const KEY_ELEMENT = /^ch(ave)?(nfe|cte|nfse|acesso|dfe)?$/i;
/** Content of a document itself, which a list of keys has no place for: its references would pass as entries. */
const DOCUMENT_CONTENT = new Set(['infNFe', 'infCte', 'infNFSe', 'InfNfse']);
/** Positions of a key of a national NFS-e. */
const NATIONAL_KEY = 50;
/** Characters of the keys that stand in one element. */
const LONGEST_KEYS = 512 * 1024;
/** Characters of a text without keys that are looked at for what it says. */
const TELLING_START = 1000;

/** The list that a reply is read into, whatever its form. */
function createKeyList(reply: ReplyBody) {
  const envelope = createEnvelopeReader(reply);
  const keys = createKeyCollection(reply.redact);
  const entries = createIdentifierCollection();
  let otherRuns = 0;
  let bareStart: string | undefined;
  const runs = createKeyText(keys.add, () => otherRuns++);

  function takeText({ text, isLast, isQuoted }: Piece & { kind: 'text' }): void {
    bareStart ??= '';
    if (bareStart.length < TELLING_START) bareStart += text.slice(0, TELLING_START);
    runs.write(text);
    if (isLast) runs.end(isQuoted);
  }

  /** True where the value is a key or a part of an identifier. */
  function takeEntry(name: string, text: string): boolean {
    if (KEY_ELEMENT.test(name)) {
      requireWithin(text.length, LONGEST_KEYS);
      for (const key of text.split(/[\s,;|]+/)) if (key !== '') keys.add(key);
    } else if (isKeyShaped(text)) keys.add(text);
    else return entries.take(name, text);
    return true;
  }

  function ownWarnings(): ReplyWarning[] {
    const counts = {
      duplicates: keys.repeated + entries.repeated,
      keys_rejected: keys.rejected.length,
      text_between_keys: otherRuns,
    } as const;
    return (['duplicates', 'keys_rejected', 'text_between_keys'] as const)
      .filter((code) => counts[code] > 0)
      .map((code) => ({ code, values: { count: String(counts[code]) } }));
  }

  return {
    take(piece: Piece): void {
      if (piece.kind === 'text') {
        takeText(piece);
        return;
      }
      if (piece.kind === 'open' && DOCUMENT_CONTENT.has(piece.name)) {
        throw new Unreadable('documents instead of keys');
      }
      if (piece.kind === 'close') entries.endOf(piece.name);
      if (piece.kind === 'value' && takeEntry(piece.name, piece.text)) return;
      if (!envelope.follow(piece)) envelope.unread();
    },
    result(forms: readonly string[]): KeyList {
      const [accessKeys, identifiers] = [keys.valid(), entries.identifiers()];
      const valid = accessKeys.length + identifiers.length;
      if (valid === 0 && bareStart !== undefined) refuseText(reply, bareStart, 'no key in the text');
      if (valid === 0 && keys.rejected.length > 0) {
        envelope.requireNoRefusal();
        throw new Unreadable('no key is valid');
      }
      const found = valid + keys.rejected.length + keys.repeated + entries.repeated;
      const { warnings, ...frame } = envelope.verdict(found);
      return {
        keys: accessKeys,
        identifiers,
        rejected: keys.rejected,
        forms,
        warnings: [...warnings, ...ownWarnings()],
        ...frame,
      };
    },
  };
}

/**
 * Reads a list of keys, also of those of NFS-e: bare text, a JSON array, an envelope. A reply in which nothing is a key
 * is not understood, unless it says that there is nothing.
 */
export function readKeys(reply: ReplyBody): Promise<KeyList> {
  return decodeWhole(reply, 'service_keys', { markup: true, textInParts: true }, async (arrival) => {
    const list = createKeyList(reply);
    for await (const pieces of arrival.pieces) for (const piece of pieces) list.take(piece);
    return list.result(arrival.forms.met);
  });
}

/** Reads a list of keys of NF-e or CT-e. One that names NFS-e is the answer to another question. */
export function readAccessKeys(reply: ReplyBody): Promise<KeyList> {
  return decodeWhole(reply, 'access_keys', { markup: true, textInParts: true }, async (arrival) => {
    const list = createKeyList(reply);
    for await (const pieces of arrival.pieces) for (const piece of pieces) list.take(piece);
    const result = list.result(arrival.forms.met);
    const isOfServices =
      result.identifiers.length > 0 || result.keys.some((key) => key.length === NATIONAL_KEY);
    if (isOfServices) throw new Unreadable('NFS-e instead of keys');
    return result;
  });
}
