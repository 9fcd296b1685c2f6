import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { amountRow, at, type Entry, section, tableOf } from './entries.ts';
import { joined, money, quantity, unitValue } from './printed.ts';
import type { Block, TableBlock } from './sheet.ts';

const situation = at('imposto/ICMS/*', (icms) =>
  joined('', textAt(icms, 'orig'), textAt(icms, 'CST', 'CSOSN')),
);

/** Heading of the situation column; CSOSN for items under the Simples Nacional. */
const SITUATION = 'CST';

export const danfeColumns: readonly Entry[] = [
  ['CÓDIGO', 'prod/cProd', 8.5, { lines: 3 }],
  ['DESCRIÇÃO DO PRODUTO / SERVIÇO', 'prod/xProd', 23, { lines: 6 }],
  ['NCM/SH', 'prod/NCM', 6, 'center'],
  [SITUATION, situation, 3.6, 'center'],
  ['CFOP', 'prod/CFOP', 3.6, 'center'],
  ['UN', 'prod/uCom', 3.6, 'center'],
  ['QUANT.', 'prod/qCom', 7, quantity, 'right'],
  ['V. UNITÁRIO', 'prod/vUnCom', 8, unitValue, 'right'],
  ['V. DESC.', 'prod/vDesc', 5.2, money, 'right'],
  ['V. TOTAL', 'prod/vProd', 7, money, 'right'],
  ['BC ICMS', 'imposto/ICMS/*/vBC', 6.5, money, 'right'],
  ['V. ICMS', 'imposto/ICMS/*/vICMS', 5.5, money, 'right'],
  ['V. IPI', 'imposto/IPI/IPITrib/vIPI', 5.1, money, 'right'],
  ['% ICMS', 'imposto/ICMS/*/pICMS', 3.7, unitValue, 'right'],
  ['% IPI', 'imposto/IPI/IPITrib/pIPI', 3.7, unitValue, 'right'],
];

export const consumerColumns: readonly Entry[] = [
  ['CÓDIGO', 'prod/cProd', 13, { lines: 2 }],
  ['DESCRIÇÃO', 'prod/xProd', 35, { lines: 4 }],
  ['NCM', 'prod/NCM', 8, 'center'],
  [SITUATION, situation, 6, 'center'],
  ['CFOP', 'prod/CFOP', 5, 'center'],
  ['QTDE.', 'prod/qCom', 8, quantity, 'right'],
  ['UN', 'prod/uCom', 5, 'center'],
  ['VL. UNIT.', 'prod/vUnCom', 10, unitValue, 'right'],
  ['VL. TOTAL', 'prod/vProd', 10, money, 'right'],
];

const named = (...pieces: readonly (readonly [name: string, value: string | undefined])[]) =>
  joined('  ', ...pieces.map(([name, value]) => value && `${name} ${value}`));

/** The effective rate if present, else the nominal one. Source: NT 2026.010 v1.00, section 4.3. */
function rateAndValue(group: XmlElement | undefined, rate: string, value: string): string {
  const percent = textAt(group, 'gRed/pAliqEfet', rate);
  return joined(' ', percent && `${unitValue(percent)}%`, money(textAt(group, value)));
}

/** Lines below an item: its remark, amounts without a column, service, taxes of the reform. */
function itemDetails(item: XmlElement): string[] {
  const tax = elementAt(item, 'imposto');
  const [icms, service] = [elementAt(tax, 'ICMS/*'), elementAt(tax, 'ISSQN')];
  const [reform, selective] = [elementAt(tax, 'IBSCBS'), elementAt(tax, 'IS')];
  const group = elementAt(reform, 'gIBSCBS');
  const amount = (element: XmlElement | undefined, path: string) => money(textAt(element, path));
  const lines = [
    textAt(item, 'infAdProd') ?? '',
    named(
      ['BC ICMS ST', amount(icms, 'vBCST')],
      ['ICMS ST', amount(icms, 'vICMSST')],
      ['FCP', amount(icms, 'vFCP')],
      ['FCP ST', amount(icms, 'vFCPST')],
      ['ICMS desonerado', amount(icms, 'vICMSDeson')],
      ['Crédito ICMS SN', amount(icms, 'vCredICMSSN')],
      ['ICMS mono', amount(icms, 'vICMSMono')],
      ['ICMS mono retido antes', amount(icms, 'vICMSMonoRet')],
    ),
    named(
      ['BC ISSQN', amount(service, 'vBC')],
      ['% ISSQN', unitValue(textAt(service, 'vAliq'))],
      ['ISSQN', amount(service, 'vISSQN')],
    ),
    // Added by NT 2026.010.
    named(
      ['IBS/CBS CST', textAt(reform, 'CST')],
      ['cClassTrib', textAt(reform, 'cClassTrib')],
      ['BC', amount(group, 'vBC')],
      ['IBS UF', rateAndValue(elementAt(group, 'gIBSUF'), 'pIBSUF', 'vIBSUF')],
      ['IBS Mun', rateAndValue(elementAt(group, 'gIBSMun'), 'pIBSMun', 'vIBSMun')],
      ['CBS', rateAndValue(elementAt(group, 'gCBS'), 'pCBS', 'vCBS')],
      ['IBS mono', amount(reform, 'gIBSCBSMono/vTotIBSMonoItem')],
      ['CBS mono', amount(reform, 'gIBSCBSMono/vTotCBSMonoItem')],
      ['IS cClassTrib', textAt(selective, 'cClassTribIS')],
      ['BC IS', amount(selective, 'vBCIS')],
      ['IS', rateAndValue(selective, 'pIS', 'vIS')],
    ),
  ];
  return lines.filter((line) => line !== '');
}

/** The items of an NF-e or NFC-e. */
export function itemsBlock(title: string, columns: readonly Entry[], note: XmlElement): TableBlock {
  const items = elementsAt(note, 'det');
  const has = (name: string) => items.some((item) => textAt(item, `imposto/ICMS/*/${name}`) !== undefined);
  const heading = has('CSOSN') ? (has('CST') ? 'CST/CSOSN' : 'CSOSN') : SITUATION;
  const headed = columns.map(([label, ...how]): Entry => [label === SITUATION ? heading : label, ...how]);
  return tableOf(title, headed, items, itemDetails);
}

export const taxTotals: readonly Entry[][] = [
  amountRow(
    ['BASE DE CÁLC. DO ICMS', 'total/ICMSTot/vBC'],
    ['VALOR DO ICMS', 'total/ICMSTot/vICMS'],
    ['BASE CÁLC. ICMS ST', 'total/ICMSTot/vBCST'],
    ['VALOR DO ICMS ST', 'total/ICMSTot/vST'],
    ['VALOR DO FCP', 'total/ICMSTot/vFCP'],
    ['V. FCP ST', 'total/ICMSTot/vFCPST'],
    ['VALOR DO PIS', 'total/ICMSTot/vPIS'],
    ['V. TOTAL DOS PRODUTOS', 'total/ICMSTot/vProd'],
  ),
  amountRow(
    ['VALOR DO FRETE', 'total/ICMSTot/vFrete'],
    ['VALOR DO SEGURO', 'total/ICMSTot/vSeg'],
    ['DESCONTO', 'total/ICMSTot/vDesc'],
    ['OUTRAS DESPESAS', 'total/ICMSTot/vOutro'],
    ['V. IMP. IMPORTAÇÃO', 'total/ICMSTot/vII'],
    ['VALOR DO IPI', 'total/ICMSTot/vIPI'],
    ['VALOR DA COFINS', 'total/ICMSTot/vCOFINS'],
    ['VALOR TOTAL DA NOTA', 'total/ICMSTot/vNF'],
  ),
];

const reform: readonly Entry[][] = [
  amountRow(
    ['VALOR DA CBS', 'IBSCBSTot/gCBS/vCBS'],
    ['VALOR DO IBS UF', 'IBSCBSTot/gIBS/gIBSUF/vIBSUF'],
    ['VALOR DO IBS MUNICÍPIO', 'IBSCBSTot/gIBS/gIBSMun/vIBSMun'],
    ['VALOR DO IMPOSTO SELETIVO', 'ISTot/vIS'],
  ),
  amountRow(
    ['VALOR DO IBS MONOFÁSICO', 'IBSCBSTot/gMono/vIBSMono'],
    ['VALOR DA CBS MONOFÁSICA', 'IBSCBSTot/gMono/vCBSMono'],
    ['IBS MONOF. POR RETENÇÃO', 'IBSCBSTot/gMono/vIBSMonoReten'],
    ['CBS MONOF. POR RETENÇÃO', 'IBSCBSTot/gMono/vCBSMonoReten'],
    ['V. TOTAL COM IBS/CBS/IS', 'vNFTot'],
  ),
];

/** The block after ICMS and IPI, if the note has any of its fields. Source: NT 2026.010 v1.00, section 4.1. */
export function reformTotals(note: XmlElement): Block[] {
  const block = section('TOTAL DO IBS / CBS / IS', elementAt(note, 'total'), reform);
  // Without these taxes the last field, the total, is the note's own.
  const taxes = block.rows.flat().slice(0, -1);
  return taxes.some(({ value }) => value !== '') ? [block] : [];
}
