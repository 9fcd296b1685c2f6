import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { everyPage } from '../support/asked-sandbox.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import {
  accessKey,
  company,
  cteXml,
  keyCheckDigit,
  type Note,
  nfeXml,
  supplier,
} from '../support/documents.ts';
import { listing } from '../support/listing-service.ts';
import { setToday } from '../support/passing-time.ts';
import { json } from '../support/recording-upstream.ts';

const customer = '07391455000124';
const november = { from: '2026-11-01', to: '2026-11-15' } as const;

/** The same note in another series, whose key is right. */
function inSeries(note: Note, series: string): string {
  const key = accessKey(note);
  const first43 = `${key.slice(0, 22)}${series.padStart(3, '0')}${key.slice(25, 43)}`;
  return nfeXml(note)
    .replaceAll(key, `${first43}${keyCheckDigit(first43)}`)
    .replace('<serie>1</serie>', `<serie>${series}</serie>`);
}

const sold = (number: number) => nfeXml({ number, issuer: company, recipient: customer });
const carried = accessKey({ number: 1 });
const lost = accessKey({ number: 900 });

const documents = [
  nfeXml({ number: 1 }),
  // One invoice in two series.
  nfeXml({ number: 20, items: 3 }),
  inSeries({ number: 20, items: 3 }, '2'),
  // Items worth 20.00 under a total of 25.00.
  nfeXml({ number: 30, items: 2 }).replace('<vProd>20.00</vProd><vNF>', '<vProd>25.00</vProd><vNF>'),
  // Sold, with the code of a purchase.
  nfeXml({ number: 40 }).replace('<CFOP>5102', '<CFOP>1102'),
  // Numbers 103 and 104 are missing.
  sold(101),
  sold(102),
  sold(105),
  cteXml({ number: 1 }, [carried]),
  cteXml({ number: 2 }, [lost]),
];

interface Found {
  readonly rule: string;
  readonly key?: string;
  readonly number?: string;
  readonly found: string;
  readonly expected: string;
  readonly source: string;
  readonly message: string;
}

interface Answer {
  readonly documents: number;
  readonly total: number;
  readonly by_rule: readonly {
    rule: string;
    count: number;
    applied_to: number;
    title?: string;
    source?: string;
    verified_on?: string;
    severity?: string;
  }[];
  readonly not_applied: readonly string[];
  readonly findings: readonly Found[];
  readonly next_cursor?: string;
}

let program: ConfiguredServer;
beforeAll(async () => {
  // Nothing is missed on days that are not over.
  setToday('2026-12-20T15:00:00Z');
  program = await startConfigured({ respond: listing(documents) });
});
afterAll(async () => {
  await program.close();
  vi.useRealTimers();
});

async function check(args: object): Promise<Answer & { text: string }> {
  const { isError, text, structured } = await program.call('check_documents', { ...november, ...args });
  expect(isError, text).toBe(false);
  return { ...(structured as unknown as Answer), text };
}

/** The rules that found something. */
function firedIn(byRule: Answer['by_rule']): string[] {
  return byRule.flatMap(({ rule, count }) => (count > 0 ? rule : []));
}

describe('the answer', () => {
  it('names every rule that applied with its count, those that found something with source and day', async () => {
    const { by_rule, not_applied, text } = await check({ document: 'cte' });
    const codes = by_rule.map(({ rule }) => rule);
    expect(codes).toEqual(expect.arrayContaining(['cte_without_nfe', 'duplicate_invoice', 'cfop_unknown']));
    expect(codes).not.toContain('nfe_without_cte');
    expect(codes).not.toContain('icms_due');
    expect(not_applied).toEqual(expect.arrayContaining(['nfe_without_cte', 'icms_due']));
    expect(new Set([...codes, ...not_applied]).size).toBe(codes.length + not_applied.length);
    for (const { count, applied_to, source, verified_on, severity, title } of by_rule) {
      expect(applied_to).toBeGreaterThan(0);
      expect(applied_to).toBeLessThanOrEqual(2);
      if (count === 0) {
        expect([source, verified_on, severity, title]).toEqual([undefined, undefined, undefined, undefined]);
        continue;
      }
      expect(source).toMatch(/./);
      expect(title).toMatch(/./);
      expect(verified_on).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(['error', 'warning', 'info']).toContain(severity);
    }
    expect(text).toMatch(new RegExp(`in 2 documents, ${by_rule.length} rules applied`));
    expect(text).toMatch(/applied to none .*icms_due/);
  });

  it('says 0 of how many, and for a kind of document without any', async () => {
    const { total, documents: count, text } = await check({ document: 'nfe', rule: 'simples_credit_due' });
    expect([total, count]).toEqual([0, 8]);
    expect(text).toContain('0 findings in 8 documents, 0 rules applied');
    expect(text).toContain('1 rule applied to none of the documents and checked nothing: simples_credit_due');
    const none = await check({ document: 'nfse' });
    expect(none.documents).toBe(0);
    expect(none.text).toContain('0 findings in 0 documents');
    expect(none.by_rule).toEqual([]);
    expect(none.not_applied.length).toBeGreaterThan(50);
  });

  it('a finding has number, issuer, its name, amount, severity and what to do', async () => {
    const { findings, text } = await check({ document: 'nfe', rule: ['items_against_products'] });
    expect(findings).toMatchObject([
      {
        number: '30',
        issuer: supplier,
        issuer_name: expect.stringMatching(/./),
        amount: '20.00',
        severity: 'error',
        found: '20.00',
        expected: '25.00',
        todo: expect.stringContaining('issuer'),
      },
    ]);
    expect(text).toContain('BRL 20.00');
  });

  it('a rule that does not exist is refused with those that do', async () => {
    const { isError, text } = await program.call('check_documents', {
      document: 'nfe',
      ...november,
      rule: ['nope'],
    });
    expect(isError).toBe(true);
    expect(text).toContain('items_against_products');
  });
});

describe('several kinds of document', () => {
  it('are checked in one call, each by its own rules, and counted together', async () => {
    const both = await check({ document: ['nfe', 'cte'], limit: 200 });
    const [nfe, cte] = [
      await check({ document: 'nfe', limit: 200 }),
      await check({ document: 'cte', limit: 200 }),
    ];
    expect(both.documents).toBe(nfe.documents + cte.documents);
    expect(both.total).toBe(nfe.total + cte.total);
    expect(both.findings).toEqual([...nfe.findings, ...cte.findings]);
    const ran = (answer: Answer) => answer.by_rule.map(({ rule }) => rule);
    expect(new Set(ran(both))).toEqual(new Set([...ran(nfe), ...ran(cte)]));
  });

  it('go on to the next page without asking the service again', async () => {
    const first = await check({ document: ['nfe', 'cte'], limit: 2 });
    program.upstream.seen.length = 0;
    const second = await check({ document: ['nfe', 'cte'], limit: 2, cursor: first.next_cursor });
    expect(program.upstream.seen).toEqual([]);
    expect(second.total).toBe(first.total);
    expect(second.findings).not.toEqual(first.findings);
  });
});

describe('planted mistakes', () => {
  it.each([
    ['duplicate_invoice', 'nfe', [{ number: '20' }]],
    ['items_against_products', 'nfe', [{ number: '30', key: accessKey({ number: 30 }) }]],
    ['cfop_against_flow', 'nfe', [{ number: '40', key: accessKey({ number: 40 }) }]],
    ['cte_without_nfe', 'cte', [{ key: accessKey({ number: 2, model: '57' }), found: '0', expected: '1' }]],
  ])('%s', async (rule, document, expected) => {
    const { findings, by_rule, total, text } = await check({ document, rule });
    expect(findings).toMatchObject(expected.map((one) => ({ ...one, rule })));
    expect(total).toBe(expected.length);
    expect(by_rule).toMatchObject([{ rule, count: expected.length }]);
    for (const { source, message } of findings) {
      expect(source).not.toBe('');
      expect(text).toContain(message);
    }
  });

  it('of numbers that are missing between its own', async () => {
    const { findings } = await check({ document: 'nfe', rule: 'number_gap' });
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toMatch(/103/);
    expect(findings[0]?.message).toMatch(/104/);
  });

  it('are found in pages without loss', async () => {
    const whole = await check({ document: 'nfe', limit: 200 });
    const findings = await everyPage(async (cursor) => {
      const part = await check({ document: 'nfe', limit: 2, ...cursor });
      return { entries: part.findings, next: part.next_cursor };
    });
    expect(findings).toEqual(whole.findings);
  });

  it('of one direction only', async () => {
    const inbound = await check({ document: 'nfe', direction: 'inbound', limit: 200 });
    expect(inbound.documents).toBe(5);
    expect(firedIn(inbound.by_rule)).not.toContain('number_gap');
    const outbound = await check({ document: 'nfe', direction: 'outbound', limit: 200 });
    expect(outbound.documents).toBe(3);
    expect(firedIn(outbound.by_rule)).not.toContain('duplicate_invoice');
  });

  it('of another kind of document is named, and nothing is said to be checked', async () => {
    const none = await check({ document: 'cte', rule: ['cfop_form'] });
    expect([none.by_rule, none.not_applied]).toEqual([[], ['cfop_form']]);
    expect(none.text).toContain('checked nothing: cfop_form');
    const both = await check({ document: ['nfe', 'cte'], rule: ['cfop_form'] });
    expect(both.by_rule.map(({ rule }) => rule)).toEqual(['cfop_form']);
    expect(both.not_applied).toEqual([]);
  });
});

describe('the other side of the link between goods and freight', () => {
  it('is fetched only for rules about it', async () => {
    program.upstream.seen.length = 0;
    await check({ document: 'nfe', rule: 'number_gap', from: '2026-09-01', to: '2026-09-02' });
    expect(program.upstream.seen.some(({ path }) => path.includes('/Transporte/'))).toBe(false);
    await check({ document: 'nfe', rule: 'nfe_without_cte', from: '2026-09-01', to: '2026-09-02' });
    expect(program.upstream.seen.some(({ path }) => path.includes('/Transporte/'))).toBe(true);
  });

  it('makes the answer incomplete where it cannot be had, and does not prevent it', async () => {
    const respond = listing(documents);
    program.upstream.respond((request, response, count) =>
      request.path.includes('/Transporte/')
        ? json(response, { Message: 'An error has occurred.' }, 500)
        : respond(request, response, count),
    );
    const answer = await check({ document: 'nfe', from: '2026-06-01', to: '2026-06-02' });
    expect(answer).toMatchObject({ complete: false, missing: [{ document: 'cte', from: '2026-06-01' }] });
    expect(answer.text).toContain('CT-e: ⚠ INCOMPLETE');
    expect(answer.text).toContain('nothing is said');
    program.upstream.respond(respond);
  });
});
