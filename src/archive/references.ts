import type { DateField } from '../clients/documents/listings.ts';
import type { Direction } from '../clients/documents/operations.ts';
import type { NfseIdentifier } from '../clients/documents/replies/results.ts';
import type { DocumentArea } from '../documents/days.ts';
import { checkAccessKey } from '../documents/identity/keys.ts';
import { type DocumentSummary, familyOf } from '../documents/summary/summary.ts';

export type { DateField } from '../clients/documents/listings.ts';
export type { Direction } from '../clients/documents/operations.ts';
export { type DocumentArea, everyArea } from '../documents/days.ts';
export { everyStatus } from '../documents/summary/summary.ts';

/** Identity of a document at the service: its key, or an NFS-e's number, day of issue and issuer. */
export type DocumentReference =
  | { readonly document: 'nfe' | 'cte'; readonly key: string }
  | ({ readonly document: 'nfse' } & NfseIdentifier);

export type ResourceFormat = keyof typeof mimeTypes;

/** URI of a document without format, e.g. `dfe://nfe/3526…`. Source: docs/tools.md, Resources. */
export function baseUri(reference: DocumentReference): string {
  const parts =
    reference.document === 'nfse'
      ? [reference.issuer_cnpj, reference.number, reference.issue_date]
      : [reference.key];
  return `dfe://${reference.document}/${parts.map(encodeURIComponent).join('/')}`;
}

/** URI of a document's resource, e.g. `dfe://nfe/3526…/xml`. */
export function resourceUri(reference: DocumentReference, format: ResourceFormat): string {
  return `${baseUri(reference)}/${format}`;
}

export const mimeTypes = {
  summary: 'application/json',
  xml: 'application/xml',
  pdf: 'application/pdf',
} as const;

export const resourceFormats = Object.keys(mimeTypes) as ResourceFormat[];

/** Name of a saved file, without extension. */
export function fileNameOf(reference: DocumentReference): string {
  const name =
    reference.document === 'nfse'
      ? `${reference.issuer_cnpj}-${reference.number}-${reference.issue_date}`
      : reference.key;
  return name.replace(/[^0-9A-Za-z-]/g, '_');
}

/** Reference to fetch a listed document by; undefined for an event, or an NFS-e without number, date or issuer. */
export function referenceOf(summary: DocumentSummary): DocumentReference | undefined {
  if (summary.kind === 'event') return undefined;
  if (summary.kind === 'nfse') {
    const { number, issued_at, issuer } = summary;
    const issue_date = issued_at?.slice(0, 10);
    return number && issue_date && issuer?.id
      ? { document: 'nfse', number, issue_date, issuer_cnpj: issuer.id }
      : undefined;
  }
  return summary.key === undefined ? undefined : referenceOfKey(summary.key);
}

/** Whether the service knows this key: wrong check digits exist in files only. */
export function isOfService(reference: DocumentReference): boolean {
  return reference.document === 'nfse' || checkAccessKey(reference.key).ok;
}

/** Reference of a 44-digit access key; undefined for other texts. */
export function referenceOfKey(text: string): DocumentReference | undefined {
  const key = checkAccessKey(text);
  if (!key.ok) return undefined;
  return { document: familyOf(key.value.kind), key: key.value.key };
}

/** A company's documents of one interface of the service. */
export interface Holding {
  /** CNPJ without mask. */
  readonly company: string;
  readonly area: DocumentArea;
}

/** A company's documents by date field, in one direction or both. */
export interface Scope extends Holding {
  readonly by: DateField;
  readonly direction?: Direction | undefined;
}
