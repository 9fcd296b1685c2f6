/**
 * Reads the documents service's replies, whose form its contract does not specify. Every function takes a reply
 * that is still arriving and throws `NotUnderstood` for what is cut, mixed or unknown and `Refused` for what
 * carries the service's own no; an empty list comes only from a reply that was understood and empty.
 */
import type { ReplyKind } from '../operations.ts';
import type { Asked } from './asked.ts';
import { readDocument } from './documents.ts';
import { readEventRecord, readEventRecords } from './event-records.ts';
import { readAccessKeys, readKeys } from './keys.ts';
import { readNfse, readPdf } from './pdf.ts';
import type { ReplyBody } from './results.ts';
import { readInteger, readText, readUrl } from './scalars.ts';
import { readUndocumented } from './undocumented.ts';

export { limitsOf } from '../decoding/limits.ts';
export { RepliedWithUrl } from './decode.ts';
export { readDocuments } from './documents.ts';
export { isNoAction } from './envelope.ts';
export type * from './results.ts';
export {
  readAccessKeys,
  readDocument,
  readEventRecord,
  readEventRecords,
  readInteger,
  readKeys,
  readNfse,
  readPdf,
  readText,
  readUndocumented,
  readUrl,
};

/** Readers of whole replies; lists of documents are read one by one (`readDocuments`). */
export const readers = {
  text: readText,
  integer: readInteger,
  url: readUrl,
  record: readEventRecord,
  records: readEventRecords,
  document: readDocument,
  service_document: readNfse,
  pdf: readPdf,
  access_keys: readAccessKeys,
  service_keys: readKeys,
  undocumented: readUndocumented,
} as const satisfies Record<
  Exclude<ReplyKind, 'documents'>,
  (reply: ReplyBody, asked: Asked) => Promise<unknown>
>;

/** What each of them gives. */
export type Results = { [K in keyof typeof readers]: Awaited<ReturnType<(typeof readers)[K]>> };
