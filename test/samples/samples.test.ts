import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { decodeText } from '../../src/documents/xml/encoding.ts';

const folder = import.meta.dirname;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.xml'),
);

const expectationsOf = (name: string): Record<string, unknown>[] =>
  JSON.parse(readFileSync(join(folder, name.replace(/\.xml$/, '.expected.json')), 'utf8'));

// Parties, amounts and keys are invented; the expectations were written from the files by another reader, with Python's
// xml.etree and decimal and the layouts' documentation.
describe('a document of our own', () => {
  it.each(files.sort())('%s says what another reader found in it', (name) => {
    const documents = readDocuments(decodeText(readFileSync(join(folder, name))));
    const expected = expectationsOf(name);
    expect(documents).toHaveLength(expected.length);
    expect(documents).toMatchObject(expected);
  });
});
