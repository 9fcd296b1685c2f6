import { expect, it } from 'vitest';
import { XmlError } from '../../src/documents/xml/xml.ts';
import { differences } from './differences.ts';
import expectations from './open-samples.json' with { type: 'json' };
import { documentsIn, samplePaths } from './samples.ts';

// Taken from the files by hand and with Python's xml.etree and decimal, not with this program.
it.each(Object.entries(expectations))('%s says what others read in it', (path, expected) => {
  expect(differences(documentsIn(path), expected)).toEqual([]);
});

it('a JSON string is not XML', () => {
  expect(() => documentsIn('vendor-envelopes/retChavesNfe-json-quoted.txt')).toThrow(XmlError);
});

it('every sample is looked at', () => {
  const paths = Object.keys(expectations);
  expect(samplePaths().toSorted()).toEqual(
    [...paths, 'vendor-envelopes/retChavesNfe-json-quoted.txt'].sort(),
  );
});
