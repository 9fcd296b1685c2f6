import { describe, expect, it } from 'vitest';
import { isAvailable, listColumns, textPlaces } from '../../src/archive/ask/question.ts';
import { amountMeasures } from '../../src/archive/schema/measures.ts';
import { groupings, measures } from '../../src/tools/query/groups.ts';
import { askSandbox } from '../support/asked-sandbox.ts';

const { ask } = askSandbox();
const period = { from: '2026-10-01', to: '2026-10-31' } as const;

/** A value that each filter understands. */
const filters = {
  ...{ ncm: ['7318'], unit: ['UN'], credit_type: ['03'], debit_type: ['06'], pis_cofins_cst: ['01'] },
  ...{ di: ['26/1'], due_from: '2026-10-01', due_to: '2026-12-31', competence: ['2026-10'] },
  ...{ iss_city: ['3550308'], payer: ['48152036000117'], origin_state: ['SP'], destination_state: ['SP'] },
  ...{ cfop: ['5'], cst: ['00'], purpose: ['1'], issuer: ['48152036000117'], state: ['SP'], number: ['1'] },
  ...{
    city: ['3550308'],
    nature: ['sale'],
    class_trib: ['000001'],
    regime: ['3'],
    min_total: '1',
    text: 'luz',
  },
};

interface Answer {
  readonly unavailable: readonly { argument: string; value: string; document: string; reason: string }[];
  readonly rows: readonly { readonly measures: object; readonly group: object }[];
  readonly sums: readonly { readonly measures: object }[];
  readonly listed: readonly { readonly columns: object }[];
}

async function query(args: object) {
  const { data, text } = await ask('query_documents', { ...period, ...args });
  const { unavailable = [], rows = [], sums = [], listed = [] } = data as Partial<Answer>;
  const lacked = unavailable.filter(({ reason }) => reason === 'not_in_kind');
  const given = [...[...rows, ...sums].map((row) => row.measures), ...listed.map((row) => row.columns)];
  return { unavailable, lacked, rows, given, text };
}

const words = (text: string) => text.split(' ');

/** Names that only some layouts have, groupings aside. Source: docs/fiscal/layouts.md. */
const goods = words(
  'products products_net icms_st icms_credit icms_relieved icms_mono fcp fcp_st difal import_duty ipi is freight ' +
    'insurance other items due quantity average_price min_price max_price credit_type debit_type di due_from due_to ' +
    'due_dates text_in.codes text_in.orders',
);
const goodsAndServices = words(
  'discount services iss iss_withheld irrf csll inss pis_withheld cofins_withheld text_in.items',
);
const goodsAndFreight = words('icms icms_base weight event.correction_letter');

it.each([
  ['nfe', []],
  ['nfse', [...goods, ...goodsAndFreight]],
  ['cte', [...goods, ...goodsAndServices]],
] as const)('%s lacks what only other layouts have, and nothing else', (document, lacked) => {
  const names = [...goods, ...goodsAndServices, ...goodsAndFreight];
  const every = [...names, ...words('count total pis cofins ibs cbs')];
  expect(every.filter((name) => !isAvailable(name, document)).sort()).toEqual([...lacked].sort());
  expect([...measures, ...amountMeasures].filter((name) => !every.includes(name))).toEqual([]);
});

describe.each(['nfe', 'nfse', 'cte'] as const)('what %s does not have is not available', (document) => {
  const lackedOf = (names: readonly string[], prefix = '') =>
    names.filter((name) => !isAvailable(prefix + name, document)).toSorted();
  const codes = ['correction_letter', 'cancellation'];

  it.each<[what: string, args: object, lacked: readonly string[]]>([
    ['measures', { measures }, lackedOf(measures)],
    ['columns', { columns: listColumns, limit: 20 }, lackedOf(listColumns)],
    ['search places', { text: 'luz', text_in: textPlaces }, lackedOf(textPlaces, 'text_in.')],
    ['events', { event: codes }, lackedOf(codes, 'event.')],
  ])('of %s: neither blank nor zero, in words and in data', async (what, args, names) => {
    const { lacked, given, text } = await query({ document, ...args });
    expect(lacked.map(({ value }) => value).sort()).toEqual(names);
    for (const values of given)
      expect(Object.keys(values ?? {}).filter((name) => names.includes(name))).toEqual([]);
    for (const name of names) expect(text).toContain(name);
    if (what !== 'measures') return;
    const [header = ''] = text.split('\n').filter((line) => line.includes('count'));
    expect(header.split(',').filter((name) => names.includes(name))).toEqual([]);
  });

  it('of filters: that no document can meet it is said, not just that none does', async () => {
    const { lacked, text } = await query({ document, ...filters });
    expect(lacked.map(({ argument }) => argument).sort()).toEqual(lackedOf(Object.keys(filters)));
    expect(text).toMatch(/can meet this filter/);
  });

  it('of groupings: each is reported and has no values, and only what is available has some', async () => {
    const reported: string[] = [];
    for (const name of groupings) {
      const { lacked, rows, text } = await query({ document, group_by: [name], measures: ['count'] });
      reported.push(...lacked.map(({ value }) => value));
      const hasValues = rows.some(({ group }) => name in group);
      // A month may have no event.
      if (name !== 'event') expect([name, hasValues]).toEqual([name, lacked.length === 0]);
      if (lacked.length === 0) continue;
      const lines = text.split('\n');
      const below = lines.slice(lines.indexOf(`${name},count`) + 1);
      expect(below.filter((line) => !/^(?:n\/a|TOTAL),/.test(line))).toEqual([]);
    }
    expect(reported.sort()).toEqual(lackedOf(groupings));
  });

  it('of measures of instalments, whose only ones are their count and amount', async () => {
    const answer = await query({ document, group_by: ['due_month'], measures });
    const said = answer.unavailable.filter(({ argument }) => argument === 'measures');
    const own = document === 'nfe' ? ['count', 'due'] : ['count'];
    const left = measures.filter((name) => !said.some(({ value }) => value === name));
    expect(left.toSorted()).toEqual(own);
    for (const values of answer.given)
      expect(Object.keys(values).filter((name) => !own.includes(name))).toEqual([]);
  });
});
