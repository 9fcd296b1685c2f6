import type { TaxDocumentsClient } from '../../clients/documents/client.ts';
import { type OperationName, operationLabel } from '../../clients/documents/operations.ts';
import { isNumbered } from '../../clients/documents/replies/documents.ts';
import type {
  ReceivedDocument,
  ReplyWarning,
  ServiceChecks,
} from '../../clients/documents/replies/results.ts';
import { NotUnderstood } from '../../clients/errors.ts';
import type { DocumentReference } from '../references.ts';

export interface Download {
  readonly document: ReceivedDocument;
  readonly otherContents: readonly ReceivedDocument[];
  readonly events: readonly ReceivedDocument[];
  readonly checks?: ServiceChecks | undefined;
  /** How the reply was wrapped, from the outside in. */
  readonly forms: readonly string[];
  readonly warnings: readonly ReplyWarning[];
  readonly pdf?: Uint8Array | undefined;
}

type NfseReference = Extract<DocumentReference, { document: 'nfse' }>;

function lacking(name: OperationName, reason: string, kind: string): NotUnderstood {
  const call = { service: 'documents', operation: operationLabel(name) } as const;
  return new NotUnderstood(call, reason, { kind, bytes: 0, start: '' });
}

function downloadNfse(client: TaxDocumentsClient, reference: NfseReference, signal?: AbortSignal) {
  const { number, issueDate, issuer } = reference;
  return client.call('nfseDocument', { number, issueDate, issuer }, { signal });
}

async function nfse(
  client: TaxDocumentsClient,
  reference: NfseReference,
  signal?: AbortSignal,
): Promise<Download> {
  const reply = await downloadNfse(client, reference, signal);
  const { document, otherContents, service_checks: checks, pdf, forms, warnings } = reply;
  if (document === undefined) throw lacking('nfseDocument', 'pdf without xml', 'pdf');
  if (!isNumbered(document.summary.number, reference.number)) {
    throw lacking('nfseDocument', 'another document than the one asked for', 'xml');
  }
  const bytes = pdf instanceof Uint8Array ? pdf : undefined;
  return { document, otherContents, events: [], checks, forms, warnings, pdf: bytes };
}

/**
 * Downloads one document.
 * @throws the client's errors; NotUnderstood if another document came than the requested one
 */
export async function downloadDocument(
  client: TaxDocumentsClient,
  reference: DocumentReference,
  signal?: AbortSignal,
): Promise<Download> {
  if (reference.document === 'nfse') return nfse(client, reference, signal);
  const name = reference.document === 'nfe' ? 'nfeXml' : 'cteXml';
  const reply = await client.call(name, { key: reference.key }, { signal });
  if (reply.summary.key !== undefined && reply.summary.key !== reference.key) {
    throw lacking(name, 'another document than the one asked for', 'xml');
  }
  const { otherContents, events, service_checks: checks, forms, warnings } = reply;
  return { document: reply, otherContents, events, checks, forms, warnings };
}

/**
 * Downloads the service's own PDF of an NF-e or NFS-e. @throws the client's errors; NotUnderstood where there is
 * none
 */
export async function downloadPdf(
  client: TaxDocumentsClient,
  reference: DocumentReference,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (reference.document !== 'nfse') return client.call('nfePdf', { key: reference.key }, { signal });
  const { pdf } = await downloadNfse(client, reference, signal);
  if (pdf === undefined) throw lacking('nfseDocument', 'xml without pdf', 'xml');
  return 'url' in pdf ? client.fetchPdf(pdf.url, signal) : pdf;
}
