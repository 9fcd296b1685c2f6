import { describe, expect, it } from 'vitest';
import type { Grouping, Measure } from '../../src/archive/archive.ts';
import { openArchive } from '../../src/archive/archive.ts';
import { everyStatus } from '../../src/archive/references.ts';
import { documentsIn, samplePaths, sampleText } from '../documents/samples.ts';

/**
 * Every measure of the sample NF-e against sums made here of the files' own text: its field in the totals, its group
 * and field in an item. Source: docs/fiscal/layouts.md; MOC 7.0, groups I, N to W.
 */
const fields = new Map(
  `total vNF - -
  products vProd prod vProd
  freight vFrete prod vFrete
  insurance vSeg prod vSeg
  discount vDesc prod vDesc
  other vOutro prod vOutro
  icms_base vBC ICMS vBC
  icms vICMS ICMS vICMS
  icms_st vST ICMS vICMSST
  icms_credit - ICMS vCredICMSSN
  icms_relieved vICMSDeson ICMS vICMSDeson
  fcp vFCP ICMS vFCP
  fcp_st vFCPST ICMS vFCPST
  difal vICMSUFDest ICMSUFDest vICMSUFDest
  import_duty vII II vII
  ipi vIPI IPI vIPI
  pis vPIS PIS vPIS
  cofins vCOFINS COFINS vCOFINS
  quantity - prod qCom`
    .split('\n')
    .map((line) => line.trim().split(' '))
    .map(([measure, ofNote = '', group = '', ofItem = '']) => [
      measure as Measure,
      { ofNote, group, ofItem },
    ]),
);

const part = (xml: string, name: string): string =>
  new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(xml)?.[1] ?? '';
const textIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>\\s*([^<]*?)\\s*</${name}>`).exec(xml)?.[1];

/** Millionths. */
function units(text: string | null | undefined): bigint | undefined {
  const [whole = '0', decimals = ''] = text?.split('.') ?? [];
  return text ? BigInt(whole + decimals.padEnd(6, '0').slice(0, 6)) : undefined;
}

const add = (one: bigint | undefined, other: bigint | undefined) =>
  one === undefined && other === undefined ? undefined : (one ?? 0n) + (other ?? 0n);

/** A measure of these items; undefined where none has it. */
function ofItems(items: readonly string[], measure: Measure): bigint | undefined {
  const { group = '', ofItem = '' } = fields.get(measure) ?? {};
  return items.map((item) => units(textIn(part(item, group), ofItem))).reduce(add, undefined);
}

const paths = samplePaths().filter((path) => {
  if (!path.startsWith('nfe/')) return false;
  const xml = sampleText(path);
  // Of the production environment; documents of the other are in no sum.
  return textIn(xml, 'tpAmb') === '1' && xml.includes('<ICMSTot>');
});

it('there are as many sample notes as there should be', () => {
  expect(paths.length).toBeGreaterThan(7);
});

describe.each(paths)('measures of %s, as its issuer has it, are those', (path) => {
  const xml = sampleText(path);
  const [items, totals] = [xml.match(/<det [\s\S]*?<\/det>/g) ?? [], part(xml, 'ICMSTot')];

  async function rowsBy(groupBy: readonly Grouping[], measures: readonly Measure[]) {
    const company = part(xml, 'emit').match(/<(?:CNPJ|CPF)>([^<]+)</)?.[1] ?? '';
    const day = (textIn(xml, 'dhEmi') ?? textIn(xml, 'dEmi') ?? '').slice(0, 10);
    const place = { company, area: 'nfe', by: 'issue', from: day, to: day } as const;
    const archive = await openArchive({ mode: 'memory', keepXml: false });
    const arrivals = documentsIn(path).map((summary) => ({ summary }));
    await archive.store({ ...place, fetchedAt: new Date() }, arrivals);
    const filters = { status: everyStatus };
    const { rows } = await archive.ask({ ...place, filters, groupBy, measures, limit: 100 });
    await archive.close();
    return rows;
  }

  it('of the whole note', async () => {
    const measures = [...fields].flatMap(([name, { ofNote }]) => (ofNote === '-' ? [] : [name]));
    const [row] = await rowsBy([], measures);
    for (const name of measures) {
      // Where the totals leave a field out, which older layouts do, the items have it.
      const written = units(textIn(totals, fields.get(name)?.ofNote ?? ''));
      expect(units(row?.measures[name]), name).toBe(written ?? ofItems(items, name));
    }
  });

  it('of its items by CFOP, which add up to the note', async () => {
    const measures = [...fields.keys()].filter((name) => name !== 'total' && name !== 'quantity');
    const rows = await rowsBy(['cfop'], [...measures, 'items', 'total']);
    const cfops = new Set(items.map((item) => textIn(item, 'CFOP')));
    expect(rows.filter(({ group }) => group.cfop !== undefined)).toHaveLength(cfops.size);
    for (const cfop of cfops) {
      const ofCfop = items.filter((item) => textIn(item, 'CFOP') === cfop);
      const row = rows.find(({ group }) => group.cfop === cfop);
      expect(row?.measures.items).toBe(String(ofCfop.length));
      for (const name of measures)
        expect(units(row?.measures[name]), `${cfop} ${name}`).toBe(ofItems(ofCfop, name));
    }
    const shares = rows.map(({ measures: { total } }) => units(total));
    expect(shares.reduce(add, undefined)).toBe(units(textIn(totals, 'vNF')));
  });

  it('of quantities and prices by unit', async () => {
    const rows = await rowsBy(['unit'], ['quantity', 'min_price', 'max_price']);
    const unitOf = (item: string) => textIn(item, 'uCom')?.toUpperCase();
    for (const unit of new Set(items.map(unitOf))) {
      const ofUnit = items.filter((item) => unitOf(item) === unit);
      const measures = rows.find(({ group }) => group.unit === unit)?.measures;
      expect(units(measures?.quantity), unit).toBe(ofItems(ofUnit, 'quantity'));
      const prices = ofUnit.map((item) => Number(textIn(item, 'vUnCom')));
      expect(Number(measures?.min_price)).toBeCloseTo(Math.min(...prices), 3);
      expect(Number(measures?.max_price)).toBeCloseTo(Math.max(...prices), 3);
    }
  });
});
