import { createHash } from 'node:crypto';
import type { KeyList } from '../../clients/documents/replies/results.ts';
import { unmaskTaxId } from '../../documents/identity/tax-ids.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import type { DocumentArea, DocumentReference } from '../references.ts';
import type { Scope } from '../scope.ts';
import { anyDirection } from './schema.ts';

/** Equal for equal texts. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function nfseIdentity(issuer: string, number: string, issueDate: string): string {
  return `nfse|${unmaskTaxId(issuer)}|${number}|${issueDate}`;
}

/**
 * Equal for the same document: its key, or an NFS-e's number, date, issuer and verification code.
 * @param digest of its content, which identifies a document that has neither
 */
export function identityOf(area: DocumentArea, summary: DocumentSummary, digest: () => string): string {
  const { key, number, issued_at, issuer, verification_code } = summary;
  if (summary.kind !== 'nfse') return `${area}|${key ?? digest()}`;
  if (number !== undefined && issued_at !== undefined && issuer?.id !== undefined) {
    return `${nfseIdentity(issuer.id, number, issued_at.slice(0, 10))}|${verification_code ?? ''}`;
  }
  return `nfse|${key ?? digest()}`;
}

/** The beginning of the identity of the document a reference names; all of it for a key. */
export function identityOfReference(reference: DocumentReference): string {
  return reference.document === 'nfse'
    ? `${nfseIdentity(reference.issuer, reference.number, reference.issueDate)}|`
    : `${reference.document}|${reference.key}`;
}

/**
 * An event is one by its document, its kind and its number among those of the kind (the Id of the layouts); 110001 takes
 * the number of the event it cancels, so that event's code belongs to it.
 */
export function eventIdentityOf({ key, event }: DocumentSummary, digest: string): string {
  if (key === undefined || event?.code === undefined) return digest;
  const cancelled = event.details?.cancelled_code;
  const identity = `${key}|${event.code}|${Number(event.sequence ?? '1')}`;
  return cancelled === undefined ? identity : `${identity}|${cancelled}`;
}

/** The exact question of a listing. */
export interface AskedWindow extends Scope {
  /** The service's operation, or another name of the question. */
  readonly operation: string;
  /** Both ends as they were asked: `YYYY-MM-DDTHH:mm:ss`, without a zone. */
  readonly from: string;
  readonly to: string;
}

/** The columns that an answer is found by. */
export function questionColumns(tenant: string, question: AskedWindow) {
  const { company, area, operation, by, direction = anyDirection, from, to } = question;
  return { tenant, company, area, operation, date_field: by, direction, from_moment: from, to_moment: to };
}

const eventMark = 'event ';

/** An event's identity among those of documents. */
export function eventLine(identity: string): string {
  return eventMark + identity;
}

/** The identity of an event, undefined for a document's. */
export function eventIn(line: string): string | undefined {
  return line.startsWith(eventMark) ? line.slice(eventMark.length) : undefined;
}

/** The keys that a listing answered the last time it was asked. */
export interface KeptKeys {
  /** ISO 8601 in UTC. */
  readonly fetched_at: string;
  readonly list: KeyList;
}
