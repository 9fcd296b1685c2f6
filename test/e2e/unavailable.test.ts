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

type Table = Readonly<Record<string, readonly string[]>>;
const lackedBy = (kind: string, table: Table) =>
  Object.entries(table).flatMap(([kinds, names]) => (words(kinds).includes(kind) ? [] : names));
const all = (table: Table, rest: readonly string[]) => [...Object.values(table).flat(), ...rest];
const everyMeasure = all(measures, everyKindsMeasures);
const asColumns = (names: readonly string[]) =>
  names.filter((name) => !/^(?:quantity|\w+_price)$/.test(name));
const namesOf = (table: Readonly<Record<string, object>>): Table =>
  Object.fromEntries(Object.entries(table).map(([kinds, of]) => [kinds, Object.keys(of)]));

interface Answer {
  readonly unavailable: readonly { argument: string; value: string; document: string; reason: string }[];
  readonly rows: readonly { readonly measures: object; readonly group: object }[];
  readonly sums: readonly { readonly measures: object }[];
  readonly listed: readonly { readonly columns: object }[];
}

async function query(args: object) {
  const { data, text } = await ask('query_documents', { ...month, ...args });
  const { unavailable = [], rows = [], sums = [], listed = [] } = data as Partial<Answer>;
  const lacked = unavailable.filter(({ reason }) => reason === 'not_in_kind');
  const given = [...[...rows, ...sums].map((row) => row.measures), ...listed.map((row) => row.columns)];
  return { unavailable, lacked, rows, given, text };
}

describe.each(['nfe', 'nfse', 'cte'] as const)('what %s does not have is not available', (document) => {
  const places = { 'nfe nfse': ['items'], nfe: ['codes', 'orders'] };
  const events = { 'nfe cte': ['correction_letter'] };
  it.each<[what: string, args: object, lacked: readonly string[]]>([
    ['measures', { measures: everyMeasure }, lackedBy(document, measures)],
    [
      'columns',
      { columns: asColumns([...all(columns, everyKindsColumns), ...everyMeasure]), limit: 20 },
      asColumns([...lackedBy(document, columns), ...lackedBy(document, measures)]),
    ],
    [
      'places that text is looked for in',
      { text: 'luz', text_in: [...all(places, ['names', 'remarks'])] },
      lackedBy(document, places),
    ],
    ['events', { event: ['correction_letter', 'cancellation'] }, lackedBy(document, events)],
  ])('of %s: neither blank nor zero, in words and in data', async (what, args, names) => {
    const { lacked, given, text } = await query({ document, ...args });
    expect(lacked.map(({ value }) => value).sort()).toEqual(names.toSorted());
    for (const values of given)
      expect(Object.keys(values ?? {}).filter((name) => names.includes(name))).toEqual([]);
    for (const name of names) expect(text).toContain(name);
    if (what !== 'measures') return;
    const [header = ''] = text.split('\n').filter((line) => line.includes('count'));
    expect(header.split(',').filter((name) => names.includes(name))).toEqual([]);
  });

  it('of filters: that no document can meet it is said, not just that none does', async () => {
    const asked = Object.assign({}, everyKindsFilters, ...Object.values(filters));
    const { lacked, text } = await query({ document, ...asked });
    const names = lackedBy(document, namesOf(filters)).toSorted();
    expect(lacked.map(({ argument }) => argument).sort()).toEqual(names);
    expect(text).toMatch(/can meet this filter/);
  });

  it('of groupings: each is told, and its column holds nothing that looks like a value', async () => {
    const told: string[] = [];
    for (const name of all(groupings, everyKindsGroupings)) {
      const { lacked, rows, text } = await query({ document, group_by: [name], measures: ['count'] });
      told.push(...lacked.map(({ value }) => value));
      if (lacked.length === 0) continue;
      expect(rows.map(({ group }) => group)).toEqual(rows.map(() => ({})));
      const lines = text.split('\n');
      const below = lines.slice(lines.indexOf(`${name},count`) + 1);
      expect(below.filter((line) => !/^(?:n\/a|TOTAL),/.test(line))).toEqual([]);
    }
    expect(told.sort()).toEqual(lackedBy(document, groupings).toSorted());
  });

  it('of measures of instalments, whose only ones are their count and amount', async () => {
    const answer = await query({ document, group_by: ['due_month'], measures: everyMeasure });
    const said = answer.unavailable.filter(({ argument }) => argument === 'measures');
    const own = document === 'nfe' ? ['due', 'count'] : ['count'];
    const left = everyMeasure.filter((name) => !said.some(({ value }) => value === name));
    expect(left).toEqual(own);
    for (const values of answer.given)
      expect(Object.keys(values).filter((name) => !own.includes(name))).toEqual([]);
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
