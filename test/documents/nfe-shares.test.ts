import { describe, expect, it } from 'vitest';
import { addDecimals } from '../../src/documents/decimals.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { one } from './one-document.ts';
import { documentsIn, samplePaths } from './samples.ts';

interface Detail {
  readonly prod?: string;
  readonly tax?: string;
  readonly after?: string;
}

/** A note with these items; `totals` is the content of ICMSTot. */
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

/** Each item's share of the note; by default its gross value. */
const shares = ({ items }: DocumentSummary) => items.map(({ share, total }) => share ?? total);

const goods = '<vProd>100.00</vProd><indTot>1</indTot>';
const charged =
  '<vProd>100.00</vProd><vFrete>10.00</vFrete><vSeg>1.00</vSeg><vDesc>5.00</vDesc><vOutro>2.00</vOutro><indTot>1</indTot>';
const taxed =
  '<ICMS><ICMS10><CST>10</CST><vICMS>18.00</vICMS><vICMSST>7.00</vICMSST><vFCPST>0.50</vFCPST></ICMS10></ICMS>' +
  '<IPI><IPITrib><CST>50</CST><vIPI>4.00</vIPI></IPITrib></IPI><II><vII>3.00</vII></II>';
const substituted = (counts: string) =>
  `<PISST><vPIS>1.00</vPIS><indSomaPISST>${counts}</indSomaPISST></PISST><COFINSST><vCOFINS>2.00</vCOFINS><indSomaCOFINSST>${counts}</indSomaCOFINSST></COFINSST>`;
const singlePhase =
  '<ICMS><ICMS15><CST>15</CST><vICMSMono>9.00</vICMSMono><vICMSMonoReten>6.00</vICMSMonoReten></ICMS15></ICMS>';
const givenBack = '<impostoDevol><pDevol>100</pDevol><IPI><vIPIDevol>3.00</vIPIDevol></IPI></impostoDevol>';
const relieved = (flag = '') =>
  `<ICMS><ICMS40><CST>40</CST><vICMSDeson>12.00</vICMSDeson><motDesICMS>9</motDesICMS>${flag}</ICMS40></ICMS>`;
const withRelief = (total: string, share: string, flag = ''): Row => [
  [{ prod: goods, tax: relieved(flag) }],
  `<vProd>100.00</vProd><vICMSDeson>12.00</vICMSDeson><vNF>${total}</vNF>`,
  [share],
];
const imported = (total: string): Row => [
  [{ prod: goods, tax: '<II><vII>30.00</vII></II>' }],
  `<vProd>100.00</vProd><vII>30.00</vII><vNF>${total}</vNF>`,
  [total],
];
const stated = (amount: string): Detail => ({ prod: goods, after: `<vItem>${amount}</vItem>` });
const twoHundred = '<vProd>200.00</vProd><vNF>200.00</vNF>';

type Row = [details: readonly Detail[], totals: string, shares: readonly string[], more?: string];

/** Items and totals of a note, and each item's share of it. */
it.each<Row>([
  // Goods less discount, with all charges.
  [[{ prod: charged, tax: taxed }], '<vProd>100.00</vProd><vNF>122.50</vNF>', ['122.50']],
  // Single-phase ICMS retained, IPI returned, and PIS and COFINS by substitution if they count.
  [
    [
      { prod: goods, tax: singlePhase },
      { prod: goods, after: givenBack },
      { prod: goods, tax: substituted('1') },
      { prod: goods, tax: substituted('0') },
    ],
    '<vProd>400.00</vProd><vNF>412.00</vNF>',
    ['106.00', '103.00', '103.00', '100.00'],
  ],
  // Goods outside the total are excluded.
  [
    [{ prod: goods }, { prod: '<vProd>40.00</vProd><vFrete>5.00</vFrete><indTot>0</indTot>' }],
    '<vProd>100.00</vProd><vFrete>5.00</vFrete><vNF>105.00</vNF>',
    ['100.00', '5.00'],
  ],
  // Relieved ICMS is deducted or not as stated in the file, else as implied by the total.
  withRelief('88.00', '88.00', '<indDeduzDeson>1</indDeduzDeson>'),
  withRelief('100.00', '100.00', '<indDeduzDeson>0</indDeduzDeson>'),
  withRelief('88.00', '88.00'),
  withRelief('100.00', '100.00'),
  withRelief('93.00', '100.00'),
  // Import duty is added or already in the price.
  imported('130.00'),
  imported('100.00'),
  // The stated values (vItem), unless they don't add up to the total.
  [[stated('120.00'), stated('80.00')], twoHundred, ['120.00', '80.00']],
  // Stated values that include IBS and CBS of 2026, which are in vNFTot but not in vNF.
  [[stated('101.00'), stated('101.00')], twoHundred, ['100.00', '100.00'], '<vNFTot>202.00</vNFTot>'],
  [[stated('120.00'), { prod: goods }], twoHundred, ['100.00', '100.00']],
])('items %j of %s have the shares %j', (details, totals, expected, more) => {
  expect(shares(note(details, totals, more))).toEqual(expected);
});

it('an item has its charges, and both amounts of single-phase ICMS, by name', () => {
  const [first] = note([{ prod: charged, tax: taxed }], '<vNF>122.50</vNF>').items;
  expect(first).toMatchObject({ total: '100.00', freight: '10.00', insurance: '1.00', other: '2.00' });
  const [fuel] = note([{ prod: goods, tax: singlePhase }], '<vNF>106.00</vNF>').items;
  expect(fuel?.taxes.icms_mono).toBe('15.00');
});

describe('in every sample', () => {
  const paths = samplePaths().filter((path) => path.startsWith('nfe/'));

  /** Files whose vNF covers one item only, with the sum of their goods: shares then exceed vNF. */
  const inconsistent: Readonly<Record<string, string>> = {
    'nfe/enviNFe-rtc-510-620-monofasico.xml': '13305.60',
    'nfe/nfce-mod65-3itens-cdata.xml': '89.10',
  };

  it.each(paths)('%s: shares add up to vNF as the file has it', (path) => {
    const found = documentsIn(path).filter(({ kind }) => kind === 'nfe' || kind === 'nfce');
    const declared = found.map(({ totals }) => totals.total);
    const expected = inconsistent[path] === undefined ? declared : [inconsistent[path]];
    expect(found.map((document) => addDecimals(shares(document)))).toEqual(expected);
  });
});
