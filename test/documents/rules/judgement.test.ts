import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { currentRules, judge } from '../../../src/documents/rules/index.ts';
import { documentsIn, samplePaths } from '../samples.ts';
import { carriage, note, noteOf, service } from './hand-made.ts';

/** What the rules apply to and find in documents of our own, and in some with a fault each. */
function findings(): string {
  const faulty = [{ cfop: '9999', cst: '40' }, { cst: '00' }, { cfop: '6102' }].map((item) =>
    noteOf(item, { icms: '1.00' }),
  );
  const documents = [...faulty, service(), carriage(), ...samplePaths().flatMap(documentsIn)];
  return JSON.stringify(documents.map(judge).map(({ found, applied }) => [found, applied]));
}

describe('what is judged of a document', () => {
  it('has another number whenever the rules find anything else', () => {
    // Archives keep what the rules found: raise `currentRules` and put its number and the digest here.
    const digest = createHash('sha256').update(findings()).digest('hex').slice(0, 12);
    expect({ currentRules, digest }).toEqual({ currentRules: 7, digest: 'c42a178ea12b' });
  });

  it('is the same for a cancelled document, which may turn out not to be', () => {
    const wrong = noteOf({ cfop: '9999', cst: '40' }, { icms: '1.00' });
    const { found } = judge(wrong);
    expect(found.map(([rule]) => rule)).toEqual(expect.arrayContaining(['cfop_form', 'icms_not_due']));
    expect(judge({ ...wrong, status: 'cancelled' }).found).toEqual(found);
  });

  it('is text that says the same when it comes back', () => {
    const all = [note(), service(), carriage(), noteOf({ cfop: '9999' })];
    for (const one of all) expect(JSON.parse(JSON.stringify(judge(one)))).toEqual(judge(one));
  });
});
