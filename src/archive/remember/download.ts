import type { TaxDocumentsClient } from '../../clients/documents/client.ts';
import { type OperationName, operationLabel } from '../../clients/documents/operations.ts';
import { isNumbered } from '../../clients/documents/replies/documents.ts';
import type { ReceivedDocument, Download as Reply } from '../../clients/documents/replies/results.ts';
import { NotUnderstood } from '../../clients/errors.ts';
import type { DocumentReference } from '../references.ts';

export interface Download extends Pick<Reply, 'otherContents' | 'events' | 'checks' | 'forms' | 'warnings'> {
  readonly document: ReceivedDocument;
  readonly pdf: Uint8Array | undefined;
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

/**
 * Downloads one document.
 * @throws the client's errors; NotUnderstood if another document came than the requested one
 */
export async function downloadDocument(
  client: TaxDocumentsClient,
  reference: DocumentReference,
  signal?: AbortSignal,
): Promise<Download> {
  const other = 'another document than the one asked for';
  if (reference.document === 'nfse') {
    const reply = await downloadNfse(client, reference, signal);
    const { document, pdf } = reply;
    if (document === undefined) throw lacking('nfseDocument', 'pdf without xml', 'pdf');
    const isAsked = isNumbered(document.summary.number, reference.number);
    if (!isAsked) throw lacking('nfseDocument', other, 'xml');
    return { ...reply, document, events: [], pdf: pdf instanceof Uint8Array ? pdf : undefined };
  }
  const name = reference.document === 'nfe' ? 'nfeXml' : 'cteXml';
  const { document, ...reply } = await client.call(name, { key: reference.key }, { signal });
  const isAsked = (document?.summary.key ?? reference.key) === reference.key;
  if (document === undefined || !isAsked) throw lacking(name, other, 'xml');
  return { ...reply, document, pdf: undefined };
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
