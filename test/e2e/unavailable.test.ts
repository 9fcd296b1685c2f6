import { describe, expect, it } from 'vitest';
import { isAvailable } from '../../src/archive/ask/question.ts';
import { amountMeasures } from '../../src/archive/schema/measures.ts';
import { amountsOf } from '../../src/archive/write/amounts.ts';
import { documentsIn, samplePaths } from '../documents/samples.ts';
import { askSandbox } from '../support/asked-sandbox.ts';

const { ask } = askSandbox();
const month = { from: '2026-10-01', to: '2026-10-31' } as const;
const words = (text: string) => text.split(' ');

/** What there is of some kinds only. Source: the layouts, docs/fiscal/layouts.md. */
const groupings = {
  nfe: words('ncm unit pis_cofins_cst due_day due_week due_month'),
  nfse: words('competence iss_city'),
  cte: words('payer origin_state destination_state'),
  'nfe cte': words('cfop cst purpose'),
  'nfe nfse': words('item'),
} as const;
const everyKindsGroupings = words(
  'issuer recipient counterparty state month week day kind status issuer_root recipient_root city regime event class_trib nature',
);
const measures = {
  nfe: words(
    'items due products products_net icms_st icms_credit icms_relieved icms_mono fcp fcp_st difal import_duty ipi is ' +
      'freight insurance other quantity average_price min_price max_price',
  ),
  'nfe nfse': words('discount services iss iss_withheld irrf csll inss pis_withheld cofins_withheld'),
  'nfe cte': words('icms icms_base weight'),
} as const;
const everyKindsMeasures = words('count total pis cofins ibs cbs');
const columns = { nfe: words('due_dates'), cte: words('payer'), 'nfe cte': words('purpose') } as const;
const everyKindsColumns = words(
  'authorized_at cancelled_at entered_on references events nature counterparty',
);
/** Filters with a value that is understood. */
const filters = {
  nfe: {
    ncm: ['7318'],
    unit: ['UN'],
    credit_type: ['03'],
    debit_type: ['06'],
    pis_cofins_cst: ['01'],
    di: ['26/1'],
    due_from: '2026-10-01',
    due_to: '2026-12-31',
  },
  nfse: { competence: ['2026-10'], iss_city: ['3550308'] },
  cte: { payer: ['48152036000117'], origin_state: ['SP'], destination_state: ['SP'] },
  'nfe cte': { cfop: ['5'], cst: ['00'], purpose: ['1'] },
} as const;
const everyKindsFilters = {
  issuer: ['48152036000117'],
  state: ['SP'],
  city: ['3550308'],
  nature: ['sale'],
  class_trib: ['000001'],
  regime: ['3'],
  number: ['1'],
  min_total: '1',
  text: 'luz',
};

const lackedBy = (kind: string, table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table)
    .flatMap(([kinds, names]) => (words(kinds).includes(kind) ? [] : names))
    .sort();
const all = (table: Readonly<Record<string, readonly string[]>>, rest: readonly string[]) => [
  ...Object.values(table).flat(),
  ...rest,
];

interface Answer {
  readonly unavailable?: readonly { argument: string; value: string; document: string; reason: string }[];
  readonly rows: readonly { readonly measures: object; readonly group: object }[];
  readonly sums: readonly { readonly measures: object }[];
  readonly listed: readonly { readonly columns: object }[];
}

async function query(args: object) {
  const { data, text } = await ask('query_documents', { ...month, ...args });
  const answer = data as unknown as Answer;
  const lacked = (answer.unavailable ?? [])
    .filter(({ reason }) => reason === 'not_in_kind')
    .map(({ argument, value }) => [argument, value] as const);
  return { ...answer, lacked, text };
}

describe.each(['nfe', 'nfse', 'cte'] as const)('what %s does not have is not available', (document) => {
  it('of measures: neither blank nor zero, in words and in data', async () => {
    const answer = await query({ document, measures: all(measures, everyKindsMeasures) });
    const lacked = lackedBy(document, measures);
    expect(answer.lacked.map(([, value]) => value).sort()).toEqual(lacked);
    for (const { measures: values } of [...answer.rows, ...answer.sums])
      expect(Object.keys(values).filter((name) => lacked.includes(name))).toEqual([]);
    const [header = ''] = answer.text.split('\n').filter((line) => line.includes('count'));
    expect(header.split(',').filter((name) => lacked.includes(name))).toEqual([]);
    for (const name of lacked) expect(answer.text).toContain(name);
  });

  it('of groupings: each is told, and its column holds nothing that looks like a value', async () => {
    const names = all(groupings, everyKindsGroupings);
    const told: string[] = [];
    for (const name of names) {
      const answer = await query({ document, group_by: [name], measures: ['count'] });
      told.push(...answer.lacked.map(([, value]) => value));
      if (answer.lacked.length === 0) continue;
      expect(
        answer.rows.flatMap(({ group }) => Object.keys(group)),
        name,
      ).toEqual([]);
      const lines = answer.text.split('\n').slice(answer.text.split('\n').indexOf(`${name},count`) + 1);
      expect(
        lines.every((line) => /^(?:n\/a|TOTAL),/.test(line)),
        answer.text,
      ).toBe(true);
    }
    expect(told.sort()).toEqual(lackedBy(document, groupings));
  });

  it('of measures of instalments, whose only ones are their count and amount', async () => {
    const names = all(measures, everyKindsMeasures);
    const answer = await query({ document, group_by: ['due_month'], measures: names });
    const said = (answer.unavailable ?? []).flatMap(({ argument, value }) =>
      argument === 'measures' ? [value] : [],
    );
    const own = document === 'nfe' ? ['due', 'count'] : ['count'];
    expect(names.filter((name) => !said.includes(name))).toEqual(own);
    for (const { measures: values } of answer.rows)
      expect(Object.keys(values).filter((name) => !own.includes(name))).toEqual([]);
  });

  it('of columns', async () => {
    const names = [...all(columns, everyKindsColumns), ...all(measures, everyKindsMeasures)].filter(
      (name) => !/^(?:quantity|\w+_price)$/.test(name),
    );
    const lacked = [...lackedBy(document, columns), ...lackedBy(document, measures)].filter((name) =>
      names.includes(name),
    );
    const answer = await query({ document, columns: names, limit: 20 });
    expect(answer.lacked.map(([, value]) => value).sort()).toEqual(lacked.sort());
    for (const { columns: values } of answer.listed)
      expect(Object.keys(values).filter((name) => lacked.includes(name))).toEqual([]);
  });

  it('of filters: that no document can meet it is said, not just that none does', async () => {
    const asked = Object.assign({}, everyKindsFilters, ...Object.values(filters));
    const { lacked, text } = await query({ document, ...asked });
    const byKind = Object.fromEntries(Object.entries(filters).map(([kinds, of]) => [kinds, Object.keys(of)]));
    expect(lacked.map(([argument]) => argument).sort()).toEqual(lackedBy(document, byKind));
    expect(text).toMatch(/can meet this filter/);
  });

  it('of places that text is looked for in, and of events', async () => {
    const places = { 'nfe nfse': ['items'], nfe: ['codes', 'orders'] };
    const text_in = [...Object.values(places).flat(), 'names', 'remarks'];
    const { lacked } = await query({ document, text: 'luz', text_in });
    expect(lacked.map(([, value]) => value).sort()).toEqual(lackedBy(document, places));
    const letters = await query({ document, event: ['correction_letter', 'cancellation'] });
    expect(letters.lacked).toEqual(document === 'nfse' ? [['event', 'correction_letter']] : []);
  });
});

it('no sample of a kind has an amount that is told to be none of it', () => {
  const areas = { nfe: 'nfe', nfce: 'nfe', cte: 'cte', cteos: 'cte', nfse: 'nfse' } as const;
  let amounts = 0;
  for (const summary of samplePaths().flatMap(documentsIn)) {
    const area = areas[summary.kind as keyof typeof areas];
    if (area === undefined) continue;
    const { document } = amountsOf(summary);
    const given = amountMeasures.filter((name) => document[name] !== null && document[name] !== 0);
    amounts += given.length;
    expect(
      given.filter((name) => !isAvailable(name, area)),
      `${summary.kind} ${summary.key}`,
    ).toEqual([]);
  }
  expect(amounts).toBeGreaterThan(100);
});
