import { longest } from '../../../documents/untrusted.ts';
import type { XmlAttributes } from '../../../documents/xml/xml.ts';
import { clearText } from '../../http/redact.ts';
import { httpUrl } from '../decoding/forms.ts';
import { Unreadable } from '../decoding/limits.ts';
import type { Piece } from '../decoding/reading.ts';
import { decodeWhole } from './decode.ts';
import { refuseNoAction } from './envelope.ts';
import type { ReplyBody } from './results.ts';

const INTEGER = /^-?\d{1,15}$/;

/**
 * The one value a reply consists of: bare, quoted, in a frame, or the words of its envelope. An empty one is '', one that
 * is nothing at all (JSON's null, an element that is nil) is undefined.
 */
function readScalar<T>(
  reply: ReplyBody,
  kind: 'text' | 'integer' | 'url',
  accept: (text: string | undefined) => T,
): Promise<T> {
  return decodeWhole(reply, kind, { markup: true }, (envelope) => {
    const values: (string | undefined)[] = [];
    return {
      take(piece, isEnvelopes) {
        if (piece.kind === 'empty' && piece.form === 'empty string') values.push('');
        else if (piece.kind === 'open' && isNil(piece.element.attributes)) values.push(undefined);
        else if (piece.kind === 'value' && !isEnvelopes) values.push(piece.text);
        else if (piece.kind === 'text') values.push(bareValue(piece));
      },
      end() {
        if (values.length > 1) throw new Unreadable('several values');
        const value = values.length === 0 ? envelope.words() : values[0];
        if (value === undefined && values.length === 0) throw envelope.nothing();
        if (value !== undefined) refuseNoAction(reply, value);
        return accept(value);
      },
    };
  });
}

function isNil({ nil }: XmlAttributes): boolean {
  return nil === 'true' || nil === '1';
}

function bareValue({ text, isQuoted }: Piece & { kind: 'text' }): string | undefined {
  const value = text.trim();
  return value === 'null' && !isQuoted ? undefined : value;
}

/** Reads an integer; its meaning is the caller's. Undefined where the service answered with nothing. */
export function readInteger(reply: ReplyBody): Promise<number | undefined> {
  return readScalar(reply, 'integer', (text) => {
    if (text === undefined) return undefined;
    if (!INTEGER.test(text)) throw new Unreadable('not an integer');
    return Number(text);
  });
}

/** Reads one short text, cleaned, at most 2,000 characters. */
export function readText(reply: ReplyBody): Promise<string> {
  return readScalar(reply, 'text', (text = '') => {
    const clear = clearText(text, longest.answer, reply.redact);
    if (clear === '' && text !== '') throw new Unreadable('no text');
    return clear;
  });
}

/** Reads an http or https URL, unchanged. It may carry a shared-access signature: a secret. */
export function readUrl(reply: ReplyBody): Promise<string> {
  return readScalar(reply, 'url', (text = '') => {
    const url = httpUrl(text);
    if (url === undefined) throw new Unreadable('not a url');
    return url;
  });
}
