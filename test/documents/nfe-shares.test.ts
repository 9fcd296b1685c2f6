import { Big } from 'big.js';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { one } from './one-document.ts';
import { documentsIn, samplePaths, sampleText } from './samples.ts';

interface Detail {
  readonly prod?: string;
  readonly tax?: string;
  readonly after?: string;
}

/** A note of these items; `totals` is what stands in ICMSTot. */
function note(details: readonly Detail[], totals: string, more = ''): DocumentSummary {
  const items = details.map(
    ({ prod = '', tax = '', after = '' }, i) =>
      `<det nItem="${i + 1}"><prod><xProd>P${i + 1}</xProd><CFOP>5102</CFOP>${prod}</prod><imposto>${tax}</imposto>${after}</det>`,
  );
  return one(
    `<nfeProc><NFe><infNFe Id="NFe35260711222333000181550010000000011000000010" versao="4.00"><ide><nNF>1</nNF><finNFe>1</finNFe>` +
      `<dhEmi>2026-07-05T10:00:00-03:00</dhEmi></ide>${items.join('')}<total><ICMSTot>${totals}</ICMSTot>${more}</total></infNFe></NFe></nfeProc>`,
  );
}

/** Each item's part of the note, which is its gross value where nothing else is said. */
const shares = ({ items }: DocumentSummary) => items.map(({ share, total }) => share ?? total);

describe('an item’s share of its note', () => {
  it('is goods less discount with all that is charged on them', () => {
    const charged =
      '<vProd>100.00</vProd><vFrete>10.00</vFrete><vSeg>1.00</vSeg><vDesc>5.00</vDesc><vOutro>2.00</vOutro><indTot>1</indTot>';
    const taxed =
      '<ICMS><ICMS10><CST>10</CST><vICMS>18.00</vICMS><vICMSST>7.00</vICMSST><vFCPST>0.50</vFCPST></ICMS10></ICMS>' +
      '<IPI><IPITrib><CST>50</CST><vIPI>4.00</vIPI></IPITrib></IPI><II><vII>3.00</vII></II>';
    const found = note([{ prod: charged, tax: taxed }], '<vProd>100.00</vProd><vNF>122.50</vNF>');
    expect(shares(found)).toEqual(['122.50']);
    expect(found.items[0]).toMatchObject({
      total: '100.00',
      freight: '10.00',
      insurance: '1.00',
      other: '2.00',
    });
  });

  it('has its single-phase ICMS retained, its IPI given back, and PIS and COFINS by substitution where they count', () => {
    const goods = '<vProd>100.00</vProd><indTot>1</indTot>';
    const st = (counts: string) =>
      `<PISST><vPIS>1.00</vPIS><indSomaPISST>${counts}</indSomaPISST></PISST><COFINSST><vCOFINS>2.00</vCOFINS><indSomaCOFINSST>${counts}</indSomaCOFINSST></COFINSST>`;
    const found = note(
      [
        {
          prod: goods,
          tax: '<ICMS><ICMS15><CST>15</CST><vICMSMono>9.00</vICMSMono><vICMSMonoReten>6.00</vICMSMonoReten></ICMS15></ICMS>',
        },
        {
          prod: goods,
          after: '<impostoDevol><pDevol>100</pDevol><IPI><vIPIDevol>3.00</vIPIDevol></IPI></impostoDevol>',
        },
        { prod: goods, tax: st('1') },
        { prod: goods, tax: st('0') },
      ],
      '<vProd>400.00</vProd><vNF>412.00</vNF>',
    );
    expect(shares(found)).toEqual(['106.00', '103.00', '103.00', '100.00']);
    expect(found.items[0]?.taxes.icms_mono).toBe('15.00');
  });

  it('is without goods that don’t count in the total', () => {
    const found = note(
      [
        { prod: '<vProd>100.00</vProd><indTot>1</indTot>' },
        { prod: '<vProd>40.00</vProd><vFrete>5.00</vFrete><indTot>0</indTot>' },
      ],
      '<vProd>100.00</vProd><vFrete>5.00</vFrete><vNF>105.00</vNF>',
    );
    expect(shares(found)).toEqual(['100.00', '5.00']);
  });

  const relieved = (flag = '') =>
    `<ICMS><ICMS40><CST>40</CST><vICMSDeson>12.00</vICMSDeson><motDesICMS>9</motDesICMS>${flag}</ICMS40></ICMS>`;
  const goods = '<vProd>100.00</vProd><indTot>1</indTot>';

  it.each([
    ['taken off as the file says', relieved('<indDeduzDeson>1</indDeduzDeson>'), '88.00', '88.00'],
    ['not taken off as the file says', relieved('<indDeduzDeson>0</indDeduzDeson>'), '100.00', '100.00'],
    ['taken off, which only the total says', relieved(), '88.00', '88.00'],
    ['not taken off, which only the total says', relieved(), '100.00', '100.00'],
    ['not taken off where the total says neither', relieved(), '93.00', '100.00'],
  ])('has its relieved ICMS %s', (_, tax, total, share) => {
    const found = note(
      [{ prod: goods, tax }],
      `<vProd>100.00</vProd><vICMSDeson>12.00</vICMSDeson><vNF>${total}</vNF>`,
    );
    expect(shares(found)).toEqual([share]);
  });

  it.each([
    ['on top', '130.00', '130.00'],
    ['in the price already', '100.00', '100.00'],
  ])('of an import has its duty %s', (_, total, share) => {
    const duty = '<II><vII>30.00</vII></II>';
    const found = note(
      [{ prod: goods, tax: duty }],
      `<vProd>100.00</vProd><vII>30.00</vII><vNF>${total}</vNF>`,
    );
    expect(shares(found)).toEqual([share]);
  });

  it('is what the file says it is (vItem), unless that is not what the note comes to', () => {
    const stated = (amount: string) => ({ prod: `${goods}`, after: `<vItem>${amount}</vItem>` });
    const total = '<vProd>200.00</vProd><vNF>200.00</vNF>';
    expect(shares(note([stated('120.00'), stated('80.00')], total))).toEqual(['120.00', '80.00']);
    // With IBS and CBS of 2026 in them, which are in vNFTot and not in vNF.
    expect(shares(note([stated('101.00'), stated('101.00')], total, '<vNFTot>202.00</vNFTot>'))).toEqual([
      '100.00',
      '100.00',
    ]);
    expect(shares(note([stated('120.00'), { prod: goods }], total))).toEqual(['100.00', '100.00']);
  });
});

type Node = { readonly [name: string]: Node | readonly Node[] | string | undefined };

const parser = new XMLParser({
  parseTagValue: false,
  removeNSPrefix: true,
  isArray: (name) => name === 'det',
});

/** Every element of this name below a node. */
function* below(node: unknown, name: string): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === name) yield* (Array.isArray(value) ? value : [value]) as Node[];
    else yield* below(value, name);
  }
}

describe('in every sample', () => {
  const paths = samplePaths().filter((path) => path.startsWith('nfe/'));

  /** Files whose vNF is that of one item, and their goods: what vNF leaves out is no share of it. */
  const inconsistent: Readonly<Record<string, string>> = {
    'nfe/enviNFe-rtc-510-620-monofasico.xml': '13305.60',
    'nfe/nfce-mod65-3itens-cdata.xml': '89.10',
  };

  it.each(paths)('%s: shares add up to vNF as the file has it', (path) => {
    const notes = [...below(parser.parse(sampleText(path)), 'infNFe')];
    const declared = notes.map((one) => String([...below(one, 'vNF')][0]));
    const found = documentsIn(path).filter(({ kind }) => kind === 'nfe' || kind === 'nfce');
    expect(found).toHaveLength(declared.length);
    const sums = found.map((document) =>
      shares(document)
        .reduce((sum, share) => sum.plus(share ?? '0'), new Big(0))
        .toFixed(2),
    );
    const expected = inconsistent[path];
    expect(sums).toEqual(expected === undefined ? declared : [expected]);
  });
});
