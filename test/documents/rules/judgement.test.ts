import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { currentRules, judge } from '../../../src/documents/rules/index.ts';
import { carriage, note, noteOf, service } from './hand-made.ts';

const documents = new URL('../../../src/documents/', import.meta.url);

/** What the rules about one document by itself are made of, without comments and blanks. */
function codeOfRules(): string {
  const files = [
    ...readdirSync(new URL('rules/', documents), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `rules/${name}`),
    'tables/cfop.ts',
    'tables/class-trib.ts',
    'decimals.ts',
  ].sort();
  const code = files.map((name) => readFileSync(new URL(name, documents), 'utf8'));
  return code.join('\n').replace(/\/\*[\s\S]*?\*\/|\/\/.*|\s+/g, '');
}

describe('what is judged of a document', () => {
  it('has another number whenever the rules are others', () => {
    // Archives keep what the rules found. After a change that lets a rule find anything else, or look into another table,
    // raise `currentRules` and put its number here; after one that can't, only the digest.
    const digest = createHash('sha256').update(codeOfRules()).digest('hex').slice(0, 12);
    expect({ currentRules, digest }).toEqual({ currentRules: 2, digest: '1f8c5471735a' });
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
