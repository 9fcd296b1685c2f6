import { expect, it } from 'vitest';
import { documentsIn, samplePaths, sampleText } from '../documents/samples.ts';

// Parties, amounts and keys are invented; the expectations were written from the files by another reader, with Python's
// xml.etree and decimal and the layouts' documentation.
it.each(samplePaths().sort())('%s says what another reader found in it', (path) => {
  expect(documentsIn(path)).toMatchObject(JSON.parse(sampleText(path.replace(/\.xml$/, '.expected.json'))));
});
