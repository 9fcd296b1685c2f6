import type { BlobResourceContents, TextResourceContents } from '@modelcontextprotocol/server';
import { type DocumentReference, type ResourceFormat, resourceUri } from '../../archive/references.ts';
import type { Company } from '../../company/company.ts';
import { documentPdf } from '../../company/document-pdf.ts';
import { summaryOutput } from './summary-output.ts';

/** A PDF as resource contents. */
export function pdfResource(uri: string, bytes: Uint8Array): BlobResourceContents {
  return { uri, mimeType: 'application/pdf', blob: Buffer.from(bytes).toString('base64') };
}

/** Reads a document's resource: summary, XML or PDF. @throws what the memory throws; Unfulfilled */
export async function readResource(
  reference: DocumentReference,
  format: ResourceFormat,
  company: Company,
  signal: AbortSignal,
): Promise<TextResourceContents | BlobResourceContents> {
  const uri = resourceUri(reference, format);
  if (format === 'pdf') {
    const { bytes } = await documentPdf(reference, company, { signal });
    return pdfResource(uri, bytes);
  }
  const needsXml = format === 'xml';
  const document = await company.memory.document(reference, { signal, needsXml });
  if (needsXml) return { uri, mimeType: 'application/xml', text: document.xml ?? '' };
  const summary = summaryOutput(document, company.settings.cnpj, company.translator);
  return { uri, mimeType: 'application/json', text: JSON.stringify(summary) };
}
