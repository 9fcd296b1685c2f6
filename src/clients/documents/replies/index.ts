/**
 * Reads the documents service's replies, whose form its contract does not specify. Every function takes a reply
 * that is still arriving and throws `NotUnderstood` for what is cut, mixed or unknown and `Refused` for what
 * carries the service's own no; an empty list comes only from a reply that was understood and empty.
 */
import { longest } from '../../../documents/untrusted.ts';
import { clearText } from '../../http/redact.ts';
import { httpUrl } from '../decoding/forms.ts';
import { Unreadable } from '../decoding/reading.ts';
import type { ReplyKind } from '../operations.ts';
import { decodeWhole } from './decode.ts';
import { type Asked, readDownload, readPdf } from './documents.ts';
import { refuseNoAction } from './envelope.ts';
import { readKeys } from './keys.ts';
import { readEventRecord, readEventRecords, readUndocumented } from './records.ts';
import type { ReplyBody } from './results.ts';

export { limitsOf } from '../decoding/reading.ts';
export { RepliedWithUrl } from './decode.ts';
export { readDocuments } from './documents.ts';
export { isNoAction } from './envelope.ts';
export type * from './results.ts';

/**
 * Reads a reply of one value: bare, quoted, in an element, or its envelope's message. An empty value is ''; null
 * (JSON's null, a nil element) is undefined.
 */
function readScalar<T>(
  reply: ReplyBody,
  kind: 'text' | 'integer' | 'url',
  accept: (text: string | undefined) => T,
): Promise<T> {
  return decodeWhole(reply, kind, { markup: true }, async ({ pieces, envelope }) => {
    const values: (string | undefined)[] = [];
    for await (const piece of pieces) {
      if (piece.kind === 'empty' && piece.form === 'empty string') values.push('');
      else if (piece.kind === 'element') {
        const { text, attributes, ofEnvelope } = piece.element;
        if (/^(?:true|1)$/.test(attributes.nil ?? '')) values.push(undefined);
        if (text !== undefined && !ofEnvelope) values.push(text);
      } else if (piece.kind === 'text') {
        const text = piece.text.trim();
        values.push(text === 'null' && !piece.isQuoted ? undefined : text);
      }
    }
    if (values.length > 1) throw new Unreadable('several values');
    const value = values.length === 0 ? envelope.words() : values[0];
    if (value === undefined && values.length === 0) throw envelope.nothing();
    if (value !== undefined) refuseNoAction(reply, value);
    return accept(value);
  });
}

/** Readers of whole replies; lists of documents are read one by one (`readDocuments`). */
export const readers = {
  /** One short text, cleaned, at most 2,000 characters. */
  text: (reply: ReplyBody): Promise<string> =>
    readScalar(reply, 'text', (text = '') => {
      const clear = clearText(text, longest.answer, reply.redact);
      if (clear === '' && text !== '') throw new Unreadable('no text');
      return clear;
    }),
  /** An integer, interpreted by the caller. Undefined for an empty reply. */
  integer: (reply: ReplyBody): Promise<number | undefined> =>
    readScalar(reply, 'integer', (text) => {
      if (text === undefined) return undefined;
      if (!/^-?\d{1,15}$/.test(text)) throw new Unreadable('not an integer');
      return Number(text);
    }),
  /** An http or https URL, unchanged. It may carry a shared-access signature: a secret. */
  url: (reply: ReplyBody): Promise<string> =>
    readScalar(reply, 'url', (text = '') => {
      const url = httpUrl(text);
      if (url === undefined) throw new Unreadable('not a url');
      return url;
    }),
  record: readEventRecord,
  records: readEventRecords,
  document: (reply: ReplyBody, asked?: Asked) => readDownload(reply, 'document', asked),
  service_document: (reply: ReplyBody, asked?: Asked) => readDownload(reply, 'service_document', asked),
  pdf: readPdf,
  access_keys: (reply: ReplyBody) => readKeys(reply, 'access_keys'),
  service_keys: (reply: ReplyBody) => readKeys(reply, 'service_keys'),
  undocumented: readUndocumented,
} as const satisfies Record<
  Exclude<ReplyKind, 'documents'>,
  (reply: ReplyBody, asked: Asked) => Promise<unknown>
>;

/** Results of the readers. */
export type Results = { [K in keyof typeof readers]: Awaited<ReturnType<(typeof readers)[K]>> };
