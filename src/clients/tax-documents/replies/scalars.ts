import { cleanText } from '../../../documents/untrusted.ts';
import { httpUrl, Unreadable } from '../pieces/forms.ts';
import { decodeWhole } from './decoding.ts';
import { createEnvelopeReader, refuseNoAction } from './envelope.ts';
import type { ReplyBody } from './results.ts';

const SHOWN_LENGTH = 2000;
const INTEGER = /^-?\d{1,15}$/;

/** The one value a reply consists of: bare, quoted, in a frame, or the words of its envelope. An empty one is ''. */
function readScalar<T>(
  reply: ReplyBody,
  kind: 'text' | 'integer' | 'url',
  accept: (text: string) => T,
): Promise<T> {
  return decodeWhole(reply, kind, { markup: true }, async (arrival) => {
    const envelope = createEnvelopeReader(reply.call);
    const values: string[] = [];
    for await (const pieces of arrival.pieces) {
      for (const piece of pieces) {
        if (piece.kind === 'empty' && piece.form === 'empty string') values.push('');
        else if (envelope.follow(piece)) continue;
        else if (piece.kind === 'value' || piece.kind === 'text') values.push(piece.text.trim());
      }
    }
    const [value = envelope.words(), ...others] = values;
    if (others.length > 0) throw new Unreadable('several values');
    if (value === undefined) throw envelope.nothing();
    refuseNoAction(reply.call, value);
    return accept(value);
  });
}

/** Reads an integer; its meaning is the caller's. */
export function readInteger(reply: ReplyBody): Promise<number> {
  return readScalar(reply, 'integer', (text) => {
    if (!INTEGER.test(text)) throw new Unreadable('not an integer');
    return Number(text);
  });
}

/** Reads one short text, cleaned, at most 2,000 characters. */
export function readText(reply: ReplyBody): Promise<string> {
  return readScalar(reply, 'text', (text) => cleanText(text, SHOWN_LENGTH));
}

/** Reads an http or https URL, unchanged. It may carry a shared-access signature: a secret. */
export function readUrl(reply: ReplyBody): Promise<string> {
  return readScalar(reply, 'url', (text) => {
    const url = httpUrl(text);
    if (url === undefined) throw new Unreadable('not a url');
    return url;
  });
}
