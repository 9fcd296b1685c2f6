import { describe, expect, it } from 'vitest';
import { createChecker, judge, rules } from '../../../src/documents/rules/index.ts';
import type { DocumentSummary } from '../../../src/documents/summary/summary.ts';
import { createTranslator } from '../../../src/messages/index.ts';
import { summaryOf } from '../../support/summaries.ts';
import { brokenRules, carriage, company, nfeKey, noteOf, service, supplier } from './hand-made.ts';

function check(documents: Iterable<DocumentSummary>) {
  const checker = createChecker({ company, direction: 'inbound' });
  return [...[...documents].flatMap((document) => checker.take(judge(document))), ...checker.finish()];
}

it('the table of rules has each rule once, with its source and when that was verified', () => {
  expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length);
  for (const { source, verified_on } of rules) {
    expect(source.length).toBeGreaterThan(10);
    expect(verified_on).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});

describe('a run over documents', () => {
  it('finds nothing in documents with nothing wrong', () => {
    const taxes = { icms: '18.00', ibs_cbs_base: '100.00', ibs: '0.10', cbs: '0.90' };
    const totals = { total: '100.00', ...taxes, total_with_ibs_cbs: '101.00' };
    const sound = noteOf({ cst: '00' }, { ...taxes, ibs_cbs_cst: '000', class_trib: '000001' }, { totals });
    const carried = carriage({ linked_keys: [nfeKey(1)], taxation: { class_trib: '000001' } });
    expect(check([sound, service({ number: '7' }), carried])).toEqual([]);
  });

  it('a finding names rule, document and both values, and has words in both languages', () => {
    const [finding, ...others] = check([
      noteOf(
        { cst: '40', number: '3' },
        { icms: '18.00', class_trib: '000001' },
        { issued_at: '2025-11-05' },
      ),
    ]);
    expect(others).toEqual([]);
    const deviation = { found: '18.00', expected: '0.00', values: { item: '3', cst: '40', field: 'vICMS' } };
    expect(finding).toEqual({
      rule: expect.objectContaining({ code: 'icms_not_due' }),
      ...{ key: nfeKey(1), number: '1', issuer: supplier, issuer_name: 'METALURGICA', total: '100.00' },
      ...deviation,
    });
    const { values, ...found } = deviation;
    const words = finding?.rule.finding ?? ['', ''];
    expect(createTranslator('pt-BR').textOf(words, { ...found, ...values })).toBe(
      'item 3: CST 40 com vICMS R$ 18,00; o esperado é R$ 0,00',
    );
  });

  it('asks only the rules that are wanted', () => {
    const only = rules.filter(({ code }) => code === 'icms_due');
    const checker = createChecker({}, only);
    const found = checker.take(judge(noteOf({ cst: '00', cfop: '9999' })));
    expect(found.map(({ rule }) => rule)).toEqual(only);
  });

  it('throws for nothing a document may lack', () => {
    const kinds = ['nfe', 'nfce', 'cte', 'cteos', 'nfse', 'event', 'summary'] as const;
    const bare = kinds.map((kind) =>
      summaryOf({ kind, layout: kind, status: 'unknown', items: [{ taxes: {} }] }),
    );
    expect(() => check(bare)).not.toThrow();
  });

  it('amounts that are no numbers are not compared', () => {
    const odd = noteOf(
      { cst: '00', total: 'abc' },
      { icms: 'abc', ibs_cbs_cst: '000', ibs_cbs_base: 'x', cbs: 'y' },
      { totals: { icms: '1.00', total: 'abc' } },
    );
    expect(() =>
      check([odd, service({ iss_withheld: true, totals: { iss: 'x', services: 'y', total: 'z' } })]),
    ).not.toThrow();
  });
});

it('a cancelled document is judged as well, since it may turn out not to be', () => {
  const wrong = noteOf({ cfop: '9999', cst: '40' }, { icms: '1.00' });
  const judgement = judge(wrong);
  expect(brokenRules(judgement)).toEqual(expect.arrayContaining(['cfop_form', 'icms_not_due']));
  expect(judge({ ...wrong, status: 'cancelled' }).verdicts).toEqual(judgement.verdicts);
});
