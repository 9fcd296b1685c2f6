import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Resumable } from '../../src/tools/shared/paging.ts';
import { everyPage } from '../support/asked-sandbox.ts';
import {
  accessKey,
  company,
  cteXml,
  documentListReply,
  emptyReply,
  nfeXml,
  supplier,
} from '../support/documents.ts';
import { failing, holding } from '../support/documents-service.ts';
import { setToday } from '../support/passing-time.ts';
import { daysAsked, json } from '../support/recording-upstream.ts';
import { type Served, serve } from '../support/served.ts';

const customer = '07391455000124';

interface Answer extends Readonly<Record<string, unknown>> {
  readonly documents: number;
  readonly total: number;
  readonly by_rule: readonly { readonly rule: string; readonly count: number }[];
  readonly not_applied: readonly string[];
  readonly findings: readonly Record<'rule' | 'source' | 'message', string>[];
  readonly text: string;
}

/** Checks, and gives the answer with its text. */
async function check({ ask }: Served, args: object): Promise<Answer> {
  const { data, text } = await ask('check_documents', args);
  return { ...(data as Answer), text };
}

// No day is open that a test is about.
beforeEach(() => setToday('2026-12-20T15:00:00Z'));
afterEach(() => void vi.useRealTimers());

const keyIn = (xml: string) => /Id="(?:NFe|CTe)(\d{44})"/.exec(xml)?.[1] ?? '';
const bought = (number: number, day: string) => nfeXml({ number, day });
const sold = (number: number, day = '2026-11-05') =>
  nfeXml({ number, day, issuer: company, recipient: customer });

describe('the answer about planted mistakes', () => {
  const november = { from: '2026-11-01', to: '2026-11-15' } as const;
  const documents = [
    nfeXml({ number: 1 }),
    // One invoice in two series.
    nfeXml({ number: 20, items: 3 }),
    nfeXml({ number: 20, items: 3, series: '2' }),
    // Items worth 20.00 under a total of 25.00.
    nfeXml({ number: 30, items: 2 }).replace('<vProd>20.00</vProd><vNF>', '<vProd>25.00</vProd><vNF>'),
    // Numbers 103 and 104 are missing.
    ...[101, 102, 105].map((number) => sold(number)),
    cteXml({ number: 1 }, [accessKey({ number: 1 })]),
    cteXml({ number: 2 }, [accessKey({ number: 900 })]),
  ];
  const service = serve({ respond: holding(documents) });
  const ask = (args: object) => check(service, { ...november, ...args });

  it('names every rule that applied with its count, those that found something with source and day', async () => {
    const { by_rule, not_applied, text } = await ask({ document: 'cte' });
    const codes = by_rule.map(({ rule }) => rule);
    expect(codes).toEqual(expect.arrayContaining(['cte_without_nfe', 'duplicate_invoice', 'cfop_unknown']));
    expect(not_applied).toEqual(expect.arrayContaining(['nfe_without_cte', 'icms_due']));
    expect(new Set([...codes, ...not_applied]).size).toBe(codes.length + not_applied.length);
    expect(by_rule).toContainEqual({ rule: 'duplicate_invoice', count: 0, applied_to: 2 });
    expect(by_rule[0]).toEqual({
      ...{ rule: 'cte_without_nfe', count: 1, applied_to: 2, severity: 'warning' },
      ...{ title: 'CT-e without its NF-e', source: 'MOC CT-e 4.00, grupo infDoc', verified_on: '2026-11-22' },
    });
    expect(text).toMatch(new RegExp(`in 2 documents, ${by_rule.length} rules applied`));
    expect(text).toMatch(/applied to none .*icms_due/);
  });

  it.each<[what: string, asked: object, answered: object, ...said: string[]]>([
    [
      'items that do not add up, with whose note it is and what to do',
      { document: 'nfe', rule: ['items_against_products'] },
      {
        by_rule: [{ rule: 'items_against_products', count: 1 }],
        findings: [
          {
            number: '30',
            key: accessKey({ number: 30 }),
            issuer: supplier,
            issuer_name: expect.stringMatching(/./),
            ...{ amount: '20.00', severity: 'error', found: '20.00', expected: '25.00' },
            todo: expect.stringContaining('issuer'),
          },
        ],
      },
      'BRL 20.00',
    ],
    [
      'none, of how many, where the rule applied to none',
      { document: 'nfe', rule: 'simples_credit_due' },
      { total: 0, documents: 7, by_rule: [], not_applied: ['simples_credit_due'] },
      '0 findings in 7 documents, 0 rules applied',
      '1 rule applied to none of the documents and checked nothing: simples_credit_due',
    ],
    [
      'none, by a rule of one of two kinds',
      { document: ['nfe', 'cte'], rule: ['cfop_form'] },
      { by_rule: [{ rule: 'cfop_form' }], not_applied: [] },
    ],
  ])('tells %s', async (_, asked, answered, ...said) => {
    const { text, ...answer } = await ask(asked);
    expect(answer).toMatchObject(answered);
    for (const { source, message } of answer.findings) {
      expect(source).not.toBe('');
      expect(text).toContain(message);
    }
    for (const words of said) expect(text).toContain(words);
  });

  it('adds up several kinds, each by its own rules, and comes in pages without a request', async () => {
    const kinds = ['nfe', 'cte'];
    const both = await ask({ document: kinds, limit: 200 });
    const [nfe, cte] = [
      await ask({ document: 'nfe', limit: 200 }),
      await ask({ document: 'cte', limit: 200 }),
    ];
    expect(both).toMatchObject({ documents: nfe.documents + cte.documents, total: nfe.total + cte.total });
    expect(both.findings).toEqual([...nfe.findings, ...cte.findings]);
    const ran = (...answers: Answer[]) =>
      new Set(answers.flatMap(({ by_rule }) => by_rule.map(({ rule }) => rule)));
    expect(ran(both)).toEqual(ran(nfe, cte));
    service.seen.length = 0;
    const findings = await everyPage(async (cursor) => {
      const part = await ask({ document: kinds, limit: 2, ...cursor });
      expect(part.total).toBe(both.total);
      return { entries: part.findings, next: part.next_cursor };
    });
    expect(findings).toEqual(both.findings);
    expect(service.seen).toEqual([]);
  });

  it('is the same in the end if each call has time for a single document', async () => {
    const asked = { document: ['nfe', 'cte'], limit: 200 };
    const { documents: all, total, by_rule, not_applied, findings } = await ask(asked);
    const { proceed } = Resumable.prototype;
    vi.spyOn(Resumable.prototype, 'proceed').mockImplementation(function (this: Resumable<never>, call) {
      return proceed.call(this, call, () => true);
    });
    let answer = await ask(asked);
    for (let before = 0; answer.next_cursor !== undefined; ) {
      expect(answer).toMatchObject({ complete: false, not_applied: [] });
      expect(answer.documents - before).toBeLessThanOrEqual(1);
      before = answer.documents;
      answer = await ask({ ...asked, cursor: answer.next_cursor });
    }
    vi.restoreAllMocks();
    expect(answer).toMatchObject({ documents: all, complete: true, total, by_rule, not_applied, findings });
  });

  it.each(['nfe', 'cte'])('gives a rule of %s that is named alone all that it needs', async (document) => {
    const { by_rule } = await ask({ document });
    for (const one of by_rule) expect((await ask({ document, rule: one.rule })).by_rule).toEqual([one]);
  });

  it('refuses a rule that does not exist with those that do', async () => {
    const asked = { document: 'nfe', ...november, rule: ['nope'] };
    expect(await service.refused('check_documents', asked)).toContain('items_against_products');
  });
});

describe('what rests on other days, kinds and questions', () => {
  const october = { from: '2026-10-01', to: '2026-10-31' } as const;
  const lost = bought(900, '2026-10-07');
  const lostBefore = bought(901, '2026-09-28');
  const freight = (day: string, ...notes: string[]) => cteXml({ number: 1, day }, notes.map(keyIn));
  const its = freight('2026-10-10', lost);
  /** A note whose carriage the company pays to a third party. */
  const collected = (number: number, day: string) =>
    bought(number, day).replace(
      '</total>',
      `</total><transp><modFrete>1</modFrete><transporta><CNPJ>${customer}</CNPJ></transporta></transp>`,
    );
  const entered = (number: number, day: string) => sold(number, day).replace('<tpNF>1', '<tpNF>0');

  const service = serve({ anew: true, respond: holding([]) });

  const lostNote = { document: 'cte', rule: 'cte_without_nfe' } as const;
  const missedFreight = { document: 'nfe', rule: 'nfe_without_cte' } as const;
  const gap = { document: 'nfe', rule: 'number_gap' } as const;
  const ownNumbers = [
    sold(1, '2026-10-08'),
    entered(2, '2026-10-08'),
    sold(3, '2026-10-08'),
    sold(5, '2026-10-08'),
  ];
  const apart = [sold(1, '2026-10-08'), sold(4, '2026-10-12')];
  type Failing = readonly [area: string, day: string] | undefined;

  type Told = [
    what: string,
    held: readonly string[],
    Failing,
    asked: object,
    answered: object,
    ...said: RegExp[],
  ];

  it.each<Told>([
    [
      'a CT-e whose note is nowhere in the month before, with its key',
      [freight('2026-10-03', lostBefore), bought(1, '2026-09-12'), bought(2, '2026-10-20')],
      undefined,
      lostNote,
      { complete: true, findings: [{ message: expect.stringContaining(keyIn(lostBefore)) }] },
    ],
    [
      'nothing of it where a day of the notes is missing, with their kind',
      [its],
      ['/Mercadoria/', '2026-10-03'],
      lostNote,
      {
        complete: false,
        findings: [],
        missing: [{ document: 'nfe', from: '2026-10-03', to: '2026-10-03' }],
      },
      // With the age of the CT-e alone.
      /^As of (?!.*As of).*NF-e: ⚠ INCOMPLETE/ms,
    ],
    [
      'it where a day of the CT-e is missing, with their kind',
      [its],
      ['/Transporte/', '2026-10-04'],
      lostNote,
      {
        findings: [{ found: '0', expected: '1' }],
        missing: [{ document: 'cte', from: '2026-10-04', to: '2026-10-04' }],
      },
      /^(?!.*nothing is said)/s,
    ],
    [
      'nothing of a note whose month was not fetched as a whole',
      [
        freight('2026-10-05', bought(5, '2026-08-25'), bought(6, '2026-08-25')),
        ...[bought(5, '2026-08-25'), bought(7, '2026-08-31')],
      ],
      undefined,
      lostNote,
      { complete: true, findings: [], documents: 1 },
    ],
    [
      'a note whose freight the company pays and that has no CT-e, once half a month is over',
      [collected(1, '2026-10-05'), collected(2, '2026-12-10')],
      undefined,
      { ...missedFreight, to: '2026-12-15' },
      { complete: true, findings: [{ key: keyIn(collected(1, '2026-10-05')), found: '0', expected: '1' }] },
    ],
    [
      'it of those alone behind a day of the CT-e that could not be fetched',
      [collected(1, '2026-10-05'), collected(2, '2026-10-15')],
      ['/Transporte/', '2026-10-09'],
      missedFreight,
      {
        complete: false,
        missing: [{ document: 'cte', from: '2026-10-09' }],
        findings: [{ key: keyIn(collected(2, '2026-10-15')) }],
      },
      /CT-e: ⚠ INCOMPLETE.*nothing is said/s,
    ],
    [
      'nothing where the CT-e is of the month after',
      [collected(1, '2026-10-05'), freight('2026-11-02', bought(1, '2026-10-05'))],
      undefined,
      missedFreight,
      { findings: [] },
    ],
    ...(
      [
        ['outbound', 3, [{ found: '5', expected: '4' }]],
        ['inbound', 1, []],
      ] as const
    ).map(
      ([direction, documents, findings]): Told => [
        `own numbers through own notes of entry, asked for ${direction}`,
        ...([ownNumbers, undefined, { ...gap, direction }, { documents, findings }] as const),
      ],
    ),
    ['a gap between days', apart, undefined, gap, { findings: [{ found: '4', expected: '2' }] }],
    [
      'no gap over a day that could not be fetched',
      apart,
      ['/Mercadoria/', '2026-10-10'],
      gap,
      { findings: [] },
    ],
  ])('tells %s', async (_, held, fails, asked, answered, ...said) => {
    const [area, day] = fails ?? [];
    const answer = holding(held);
    service.respond(area === undefined ? answer : failing(answer, area, { from: day, to: day }));
    const { text, ...told } = await check(service, { ...october, ...asked });
    expect(told).toMatchObject(answered);
    for (const words of said) expect(text).toMatch(words);
  });

  it('takes no day for whole that was open when it was fetched, though it is over by now', async () => {
    setToday('2026-10-13T04:59:58Z');
    service.respond((request, response, count) => {
      // Midnight in the west of Brazil passes while the service answers.
      setToday('2026-10-13T05:00:01Z');
      return holding(apart)(request, response, count);
    });
    const asked = { ...gap, from: '2026-10-01', to: '2026-10-12' };
    expect(await check(service, asked)).toMatchObject({ documents: 2, findings: [] });
  });

  /** Other documents by day of entry; what a question by it has brought counts from then on. */
  async function beforeAndAfter(listed: string, byEntry: string, day: string, asked: object) {
    service.respond((request, response, count) => {
      if (!request.path.includes('PelaEntrada')) return holding([listed])(request, response, count);
      const isThatDay = daysAsked(request).from === day;
      json(response, isThatDay ? documentListReply([byEntry]) : emptyReply);
    });
    const before = await check(service, { ...october, ...asked });
    const question = {
      document: 'nfe',
      by: 'entry',
      from: day,
      to: day,
      status: ['authorized', 'cancelled'],
    };
    expect((await service.ask('query_documents', question)).data).toMatchObject({ documents: 1 });
    return [before.findings, (await check(service, { ...october, ...asked })).findings];
  }

  it('knows a note from another question', async () => {
    expect(await beforeAndAfter(its, lost, '2026-10-07', lostNote)).toMatchObject([[{ found: '0' }], []]);
  });

  it.each([
    ['cancelled_after_entry', '110111'],
    ['corrected_after_entry', '110110'],
  ])('knows a day of entry from another question, for %s alone', async (rule, code) => {
    const note = bought(1, '2026-10-05');
    const changed = note.replace(
      '</nfeProc>',
      '<retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><cStat>135</cStat>' +
        `<chNFe>${keyIn(note)}</chNFe><tpEvento>${code}</tpEvento><nSeqEvento>1</nSeqEvento>` +
        '<dhRegEvento>2026-10-09T09:00:00-03:00</dhRegEvento><nProt>135260000000002</nProt></infEvento></retEvento></nfeProc>',
    );
    // Entered on the day after its event.
    const asked = { document: 'nfe', rule };
    expect(await beforeAndAfter(changed, changed, '2026-10-10', asked)).toMatchObject([
      [{ found: '2026-10-09', expected: '2026-10-05' }],
      [],
    ]);
  });
});
