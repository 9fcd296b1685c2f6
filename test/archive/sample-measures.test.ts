import { describe, expect, it } from 'vitest';
import type { Measure, Question } from '../../src/archive/archive.ts';
import { openArchive } from '../../src/archive/archive.ts';
import { documentsIn, samplePaths, sampleText } from '../documents/samples.ts';

/**
 * Every measure of the sample NF-e, by the documents and by their items, against sums made here of the files' own text.
 * What a measure is the sum of stands in docs/fiscal/layouts.md; the names are those of MOC 7.0, groups I, N to W.
 */
const ofNote: Readonly<Partial<Record<Measure, string>>> = {
  total: 'vNF',
  products: 'vProd',
  freight: 'vFrete',
  insurance: 'vSeg',
  discount: 'vDesc',
  other: 'vOutro',
  icms_base: 'vBC',
  icms: 'vICMS',
  icms_st: 'vST',
  icms_relieved: 'vICMSDeson',
  fcp: 'vFCP',
  fcp_st: 'vFCPST',
  difal: 'vICMSUFDest',
  import_duty: 'vII',
  ipi: 'vIPI',
  pis: 'vPIS',
  cofins: 'vCOFINS',
};

/** Where in an item each stands: the group, and the field in it. */
const ofItem: Readonly<Partial<Record<Measure, readonly [group: string, field: string]>>> = {
  products: ['prod', 'vProd'],
  freight: ['prod', 'vFrete'],
  insurance: ['prod', 'vSeg'],
  discount: ['prod', 'vDesc'],
  other: ['prod', 'vOutro'],
  quantity: ['prod', 'qCom'],
  icms: ['ICMS', 'vICMS'],
  icms_base: ['ICMS', 'vBC'],
  icms_st: ['ICMS', 'vICMSST'],
  icms_credit: ['ICMS', 'vCredICMSSN'],
  icms_relieved: ['ICMS', 'vICMSDeson'],
  fcp: ['ICMS', 'vFCP'],
  fcp_st: ['ICMS', 'vFCPST'],
  difal: ['ICMSUFDest', 'vICMSUFDest'],
  import_duty: ['II', 'vII'],
  ipi: ['IPI', 'vIPI'],
  pis: ['PIS', 'vPIS'],
  cofins: ['COFINS', 'vCOFINS'],
};

const part = (xml: string, name: string): string =>
  new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(xml)?.[1] ?? '';
const textIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(xml)?.[1];

/** Millionths. */
function units(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(6, '0').slice(0, 6));
}

/** The sum of what is given; undefined where nothing is. */
function sum(texts: readonly (string | undefined)[]): bigint | undefined {
  const given = texts.filter((text) => text !== undefined && text !== '');
  return given.length === 0 ? undefined : given.reduce((all, text) => all + units(text ?? ''), 0n);
}

const paths = samplePaths().filter((path) => {
  if (!path.startsWith('nfe/')) return false;
  const xml = sampleText(path);
  // Of the production environment; documents of the other are in no sum.
  return textIn(xml, 'tpAmb') === '1' && xml.includes('<ICMSTot>');
});

interface Sample {
  readonly items: readonly string[];
  readonly totals: string;
  ask(question: Partial<Question> & Pick<Question, 'measures'>): Promise<{
    readonly rows: readonly {
      readonly group: Readonly<Record<string, string | undefined>>;
      readonly measures: Readonly<Record<string, string | null | undefined>>;
    }[];
  }>;
  close(): Promise<void>;
}

/** An archive of one sample, as its issuer has it. */
async function opened(path: string): Promise<Sample> {
  const xml = sampleText(path);
  const [summary] = documentsIn(path);
  const company = part(xml, 'emit').match(/<(?:CNPJ|CPF)>([^<]+)</)?.[1] ?? '';
  const day = (textIn(xml, 'dhEmi') ?? textIn(xml, 'dEmi') ?? '').slice(0, 10);
  const place = { company, area: 'nfe', by: 'issue', from: day, to: day } as const;
  const archive = await openArchive({ mode: 'memory', keepXml: false });
  if (summary === undefined) throw new Error(`${path} has no document`);
  await archive.store({ ...place, fetchedAt: new Date() }, [{ summary }]);
  const statuses = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'] as const;
  return {
    items: xml.match(/<det [\s\S]*?<\/det>/g) ?? [],
    totals: part(xml, 'ICMSTot'),
    ask: ({ filters = {}, ...question }) =>
      archive.ask({
        ...place,
        groupBy: [],
        limit: 100,
        filters: { status: statuses, ...filters },
        ...question,
      }),
    close: () => archive.close(),
  };
}

const asUnits = (text: string | null | undefined) =>
  text === null || text === undefined ? undefined : units(text);

describe('measures of the sample notes', () => {
  it('are of as many files as there should be', () => {
    expect(paths.length).toBeGreaterThan(7);
  });

  it.each(paths)('%s: of the whole note', async (path) => {
    const sample = await opened(path);
    const measures = Object.keys(ofNote) as Measure[];
    const { rows } = await sample.ask({ measures });
    for (const measure of measures) {
      // Where the totals leave a field out, which older layouts do, the items have it.
      const [group, field] = ofItem[measure] ?? ['', ''];
      const ofItems = sum(sample.items.map((item) => textIn(part(item, group), field)));
      const written = textIn(sample.totals, ofNote[measure] ?? '');
      const expected = written === undefined ? ofItems : units(written);
      expect(asUnits(rows[0]?.measures[measure]), measure).toBe(expected);
    }
    await sample.close();
  });

  it.each(paths)('%s: of its items by CFOP, and of those that a filter lets in', async (path) => {
    const sample = await opened(path);
    const names = (Object.keys(ofItem) as Measure[]).filter((name) => name !== 'quantity');
    const cfopOf = (item: string) => textIn(item, 'CFOP');
    const { rows } = await sample.ask({ groupBy: ['cfop'], measures: [...names, 'items', 'total'] });
    const expectedOf = (items: readonly string[], name: Measure) => {
      const [group, field] = ofItem[name] ?? ['', ''];
      return sum(items.map((item) => textIn(part(item, group), field)));
    };
    const cfops = new Set(sample.items.map(cfopOf));
    expect(rows.filter(({ group }) => group.cfop !== undefined)).toHaveLength(cfops.size);
    for (const cfop of cfops) {
      const items = sample.items.filter((item) => cfopOf(item) === cfop);
      const row = rows.find(({ group }) => group.cfop === cfop);
      expect(row?.measures.items).toBe(String(items.length));
      const only = await sample.ask({ measures: names, filters: { cfop: [cfop ?? ''] } });
      for (const name of names) {
        const expected = expectedOf(items, name);
        expect(asUnits(row?.measures[name]), `${cfop} ${name}`).toBe(expected);
        expect(asUnits(only.rows[0]?.measures[name]), `only ${cfop} ${name}`).toBe(expected);
      }
      const none = await sample.ask({ measures: ['items'], filters: { cfop: ['7949'] } });
      expect(none.rows[0]?.measures.items ?? '0').toBe('0');
    }
    // The shares of the items and what is no item's are the note's total.
    const shares = rows.reduce((all, { measures }) => all + (asUnits(measures.total) ?? 0n), 0n);
    expect(shares).toBe(units(textIn(sample.totals, 'vNF') ?? ''));
    await sample.close();
  });

  it.each(paths)('%s: quantities and prices by unit', async (path) => {
    const sample = await opened(path);
    const unitOf = (item: string) => textIn(item, 'uCom')?.toUpperCase() ?? '';
    const measures = ['quantity', 'min_price', 'max_price'] as const;
    const { rows } = await sample.ask({ groupBy: ['unit'], measures });
    for (const unit of new Set(sample.items.map(unitOf))) {
      const items = sample.items.filter((item) => unitOf(item) === unit);
      const row = rows.find(({ group }) => group.unit === unit);
      expect(asUnits(row?.measures.quantity), unit).toBe(sum(items.map((item) => textIn(item, 'qCom'))));
      const prices = items.map((item) => Number(textIn(item, 'vUnCom')));
      expect(Number(row?.measures.min_price)).toBeCloseTo(Math.min(...prices), 3);
      expect(Number(row?.measures.max_price)).toBeCloseTo(Math.max(...prices), 3);
    }
    await sample.close();
  });
});
