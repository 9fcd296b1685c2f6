import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { decodeText } from '../../src/documents/xml/encoding.ts';

const folder = join(import.meta.dirname, '../../../shared/samples/open');

/** The sample documents are no part of the repository; tests of them are skipped where they are not. */
export const haveSamples = existsSync(folder);
// Vitest shows it under the name of the test file.
if (!haveSamples) console.error('skipped: what reads ../shared/samples/open, which is not there');

export function sampleBytes(path: string): Buffer {
  return readFileSync(join(folder, path));
}

export function sampleText(path: string): string {
  return decodeText(sampleBytes(path));
}

export function samplePaths(): string[] {
  if (!haveSamples) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(xml|txt)$/.test(path),
  );
}

export function documentsIn(path: string): DocumentSummary[] {
  return readDocuments(sampleText(path));
}

export function documentIn(path: string): DocumentSummary {
  const [document, ...others] = documentsIn(path);
  if (document === undefined || others.length > 0) throw new Error(`${path} should hold one document`);
  return document;
}

export function warningCodes(document: DocumentSummary): string[] {
  return document.warnings.map(({ code }) => code);
}
