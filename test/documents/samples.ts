import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { decodeText } from '../../src/documents/xml/encoding.ts';

/** Our own documents in test/samples; in the suite `samples`, public files of real layouts from outside the repository. */
const folder = inject('samples');

export function sampleBytes(path: string): Buffer {
  return readFileSync(join(folder, path));
}

export function sampleText(path: string): string {
  return decodeText(sampleBytes(path));
}

export function samplePaths(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(xml|txt)$/.test(path),
  );
}

export function documentsIn(path: string): DocumentSummary[] {
  return readDocuments(sampleText(path));
}
