/**
 * Reads the documents service's replies, whose form its contract does not specify. Every function takes a reply
 * that is still arriving and throws `NotUnderstood` for what is cut, mixed or unknown and `Refused` for what
 * carries the service's own no; an empty list comes only from a reply that was understood and empty.
 */
export { readDocument, readDocuments } from './documents.ts';
export { isNoAction } from './envelope.ts';
export { readEventRecord, readEventRecords } from './event-records.ts';
export { readKeys } from './keys.ts';
export { readNfse, readPdf } from './pdf.ts';
export { redact } from './redaction.ts';
export type * from './results.ts';
export { readInteger, readText, readUrl } from './scalars.ts';
export { readUndocumented } from './undocumented.ts';
