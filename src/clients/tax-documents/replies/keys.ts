import { decodeReply } from './arrival.ts';
import type { Content } from './content.ts';
import { createEnvelopeReader, refuseText } from './envelope.ts';
import {
  createIdentifierCollection,
  createKeyCollection,
  createKeyText,
  isKeyShaped,
} from './key-collection.ts';
import type { KeyList, ReplyBody, ReplyWarning } from './results.ts';
import type { TextSink } from './text-sink.ts';
import { readContent } from './text-stream.ts';
import { Unreadable } from './unreadable.ts';

const VALUE_LIMIT = 16 * 1024 * 1024;
const KEY_ELEMENT = /^ch(ave)?(nfe|cte|nfse|acesso|dfe)?$/i;
/** Content of a document itself, which a list of keys has no place for: its references would pass as entries. */
const DOCUMENT_CONTENT = new Set(['infNFe', 'infCte', 'infNFSe', 'InfNfse']);
/** Characters of a text without keys that are looked at for what it says. */
const TELLING_START = 1000;

/** The list that a reply is read into, whatever its form. */
function createKeyListReader(reply: ReplyBody) {
  const envelope = createEnvelopeReader(reply.call);
  const keys = createKeyCollection();
  const entries = createIdentifierCollection();
  let otherRuns = 0;
  let bareStart: string | undefined;

  function bareText(quoted: boolean): TextSink {
    const runs = createKeyText({ key: keys.add, other: () => otherRuns++ }, quoted);
    bareStart ??= '';
    return {
      write(text) {
        if (bareStart !== undefined && bareStart.length < TELLING_START)
          bareStart += text.slice(0, TELLING_START);
        runs.write(text);
      },
      end: runs.end,
    };
  }

  const content: Content = {
    valueLimit: VALUE_LIMIT,
    opensValues: true,
    open(name) {
      if (DOCUMENT_CONTENT.has(name)) throw new Unreadable('documents instead of keys');
      envelope.open(name);
    },
    value(name, text) {
      if (KEY_ELEMENT.test(name)) {
        for (const key of text.split(/[\s,;|]+/)) if (key !== '') keys.add(key);
      } else if (isKeyShaped(text)) keys.add(text);
      else if (!entries.take(name, text) && !envelope.value(name, text)) envelope.unread();
    },
    close(name) {
      entries.endOf(name);
      envelope.close();
    },
    bareText,
    empty: envelope.empty,
  };

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
    content,
    result(forms: readonly string[]): KeyList {
      const { identifiers } = entries;
      const valid = keys.valid.length + identifiers.length;
      if (valid === 0 && bareStart !== undefined) refuseText(reply.call, bareStart, 'no key in the text');
      const found = valid + keys.rejected.length + keys.repeated + entries.repeated;
      const { warnings, ...frame } = envelope.verdict(found);
      return {
        keys: keys.valid,
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
 * Reads a list of keys: bare text, a JSON array, an envelope. A reply in which nothing is a key is not understood,
 * unless it says that there is nothing.
 */
export function readKeys(reply: ReplyBody): Promise<KeyList> {
  return decodeReply(reply, Number.POSITIVE_INFINITY, async (arrival) => {
    const list = createKeyListReader(reply);
    await readContent(arrival, list.content);
    return list.result(arrival.forms.met);
  });
}
