import { checkAccessKey } from '../documents/identity/keys.ts';
import type { DocumentSummary } from '../documents/summary/summary.ts';

export type { DocumentArea } from '../clients/documents/listings.ts';

/** What names one document to the service: a key, or for an NFS-e its number, issue date and issuer. */
export type DocumentReference =
  | { readonly document: 'nfe' | 'cte'; readonly key: string }
  | {
      readonly document: 'nfse';
      readonly number: string;
      /** `YYYY-MM-DD`. */
      readonly issueDate: string;
      /** CNPJ or CPF, without mask. */
      readonly issuer: string;
    };

/** What a resource of a document holds. */
export type ResourceFormat = 'summary' | 'xml' | 'pdf';

/** The document's URI without its format, e.g. `dfe://nfe/3526…`. Source: docs/tools.md, Resources. */
export function baseUri(reference: DocumentReference): string {
  const parts =
    reference.document === 'nfse'
      ? [reference.issuer, reference.number, reference.issueDate]
      : [reference.key];
  return `dfe://${reference.document}/${parts.map(encodeURIComponent).join('/')}`;
}

/** The URI of one resource of a document, e.g. `dfe://nfe/3526…/xml`. */
export function resourceUri(reference: DocumentReference, format: ResourceFormat): string {
  return `${baseUri(reference)}/${format}`;
}

/** What every document can be had as. */
export const resourceFormats: readonly ResourceFormat[] = ['summary', 'xml', 'pdf'];

/** A name for a saved file, without its ending. */
export function fileNameOf(reference: DocumentReference): string {
  const name =
    reference.document === 'nfse'
      ? `${reference.issuer}-${reference.number}-${reference.issueDate}`
      : reference.key;
  return name.replace(/[^0-9A-Za-z-]/g, '_');
}

/**
 * How a document that came in a list is fetched alone, or undefined where it lacks what that takes (an event, an
 * NFS-e without number, date or issuer).
 */
export function referenceOf(summary: DocumentSummary): DocumentReference | undefined {
  if (summary.kind === 'event') return undefined;
  if (summary.kind === 'nfse') {
    const { number, issued_at, issuer } = summary;
    const issueDate = issued_at?.slice(0, 10);
    return number && issueDate && issuer?.id
      ? { document: 'nfse', number, issueDate, issuer: issuer.id }
      : undefined;
  }
  return summary.key === undefined ? undefined : referenceOfKey(summary.key);
}

/** Whether the service can be asked for it: keys with a wrong check digit are in the user's files alone. */
export function isOfService(reference: DocumentReference): boolean {
  return reference.document === 'nfse' || checkAccessKey(reference.key).ok;
}

/** The document of an access key of 44 positions; undefined for what is none. */
export function referenceOfKey(text: string): DocumentReference | undefined {
  const key = checkAccessKey(text);
  if (!key.ok) return undefined;
  const document = key.value.kind === 'cte' || key.value.kind === 'cteos' ? 'cte' : 'nfe';
  return { document, key: key.value.key };
}
