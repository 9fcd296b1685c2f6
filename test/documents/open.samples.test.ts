import { expect, it } from 'vitest';
import { XmlError } from '../../src/documents/xml/xml.ts';
import expectations from './open-samples.json' with { type: 'json' };
import { documentsIn, samplePaths } from './samples.ts';

/**
 * Where a value is not as expected. Fields that are not named are not looked at; `null` is a field that is not there,
 * `contains` a part of its text, `length` how many a list has.
 */
function differences(found: unknown, expected: unknown, place = ''): string[] {
  const differs = [`${place}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`];
  if (expected === null) return found === undefined ? [] : differs;
  if (typeof expected !== 'object') return found === expected ? [] : differs;
  if ('contains' in expected) return String(found).includes(String(expected.contains)) ? [] : differs;
  if (Array.isArray(expected) && (found as unknown[]).length !== expected.length) return differs;
  return Object.entries(expected).flatMap(([name, value]) =>
    differences((found as Record<string, unknown> | undefined)?.[name], value, `${place}.${name}`),
  );
}

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
