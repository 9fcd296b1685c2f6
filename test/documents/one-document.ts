import { readDocuments } from '../../src/documents/summary/read-document.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';

/** The one document in a text. */
export function one(xml: string): DocumentSummary {
  const [document, ...others] = readDocuments(xml);
  if (document === undefined || others.length > 0) throw new Error('should be one document');
  return document;
}
