import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { currentRules, judge, rules } from '../../../src/documents/rules/index.ts';
import { createTranslator, languages } from '../../../src/messages/index.ts';
import { asked, checked, type Rows } from './hand-made.ts';
import { freight } from './rows/carriage.ts';
import { operations } from './rows/cfop.ts';
import { deadlines } from './rows/deadlines.ts';
import { duplicates } from './rows/duplicates.ts';
import { reform } from './rows/reform.ts';
import { situations } from './rows/tax-situations.ts';
import { services, totals } from './rows/totals.ts';

const rows: Rows = {
  ...{ ...totals, ...operations, ...situations, ...services },
  ...{ ...reform, ...duplicates, ...freight, ...deadlines },
};
/** The rule about a document's text is tested with the text: test/e2e/verify.test.ts. */
const tested = rules.filter(({ needs }) => needs !== 'text');
const translators = languages.map((language) => createTranslator(language));

it('every rule has rows that it finds something in, and beside them one that is right', () => {
  expect(Object.keys(rows).toSorted()).toEqual(tested.map(({ code }) => code).toSorted());
  for (const [code, its] of Object.entries(rows)) {
    const finds = its.map(([, ...expectations]) => expectations.some((one) => typeof one !== 'number'));
    expect([code, new Set(finds)]).toEqual([code, new Set([true, false])]);
  }
});

it.each(tested.map((rule) => [rule.code, rule] as const))('%s', (code, rule) => {
  for (const [given, ...expectations] of rows[code] ?? []) {
    const { findings, applied } = checked(rule, given);
    const expected = expectations.flatMap((one) => {
      if (typeof one === 'object') return one;
      const [found, due] = typeof one === 'string' ? one.split(' / ') : [];
      return typeof one === 'string' ? { found, expected: due } : [];
    });
    expect(findings, JSON.stringify(given)).toHaveLength(expected.length);
    expect(findings, JSON.stringify(given)).toMatchObject(expected);
    const [count = applied] = expectations.filter((one) => typeof one === 'number');
    expect(applied, JSON.stringify(given)).toBe(count);
    for (const { found, expected: due, values } of findings)
      for (const { textOf } of translators)
        for (const words of [rule.finding, rule.todo])
          expect(textOf(words, { found, expected: due, ...values })).not.toMatch(/[{}]|R\$ [\d,.]+%/);
  }
});

it('what the rules find in the rows, as documents of each kind, has another number whenever it changes', () => {
  const documents = Object.values(rows).flatMap((its) => its.flatMap(([given]) => asked(given).documents));
  const kinds = ['nfe', 'nfce', 'cte', 'cteos', 'nfse', 'event', 'summary'] as const;
  const ofEachKind = documents.flatMap((one) => kinds.map((kind) => ({ ...one, kind })));
  const verdicts = JSON.stringify(ofEachKind.map((one) => judge(one).verdicts));
  // Archives store the results of rules: increase `currentRules` if a rule changes; other rows only change the digest.
  const digest = createHash('sha256').update(verdicts).digest('hex').slice(0, 12);
  expect({ currentRules, digest }).toEqual({ currentRules: 8, digest: '9b152be54544' });
});
