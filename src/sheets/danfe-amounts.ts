import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { amountsOf, at, type Entry, tableOf } from './entries.ts';
import { joined, money, quantity, unitValue } from './printed.ts';
import { type Block, fieldBlock, type TableBlock } from './sheet.ts';

/** What the column of the tax situation is called: companies of the Simples Nacional have codes of their own. */
function situationHeading(items: readonly XmlElement[]): string {
  const has = (name: string) => items.some((item) => textAt(item, `imposto/ICMS/*/${name}`) !== undefined);
  if (!has('CSOSN')) return 'CST';
  return has('CST') ? 'CST/CSOSN' : 'CSOSN';
}

/** Origin and code of an item's tax situation. */
const situation = at('imposto/ICMS/*', (icms) =>
  joined('', textAt(icms, 'orig'), textAt(icms, 'CST', 'CSOSN')),
);

const columnsOf = (heading: string): readonly Entry[] => [
  ['CÓDIGO', 'prod/cProd', 8.5, { lines: 3 }],
  ['DESCRIÇÃO DO PRODUTO / SERVIÇO', 'prod/xProd', 23, { lines: 6 }],
  ['NCM/SH', 'prod/NCM', 6, 'center'],
  [heading, situation, 3.6, 'center'],
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

const consumerColumnsOf = (heading: string): readonly Entry[] => [
  ['CÓDIGO', 'prod/cProd', 13, { lines: 2 }],
  ['DESCRIÇÃO', 'prod/xProd', 35, { lines: 4 }],
  ['NCM', 'prod/NCM', 8, 'center'],
  [heading, situation, 6, 'center'],
  ['CFOP', 'prod/CFOP', 5, 'center'],
  ['QTDE.', 'prod/qCom', 8, quantity, 'right'],
  ['UN', 'prod/uCom', 5, 'center'],
  ['VL. UNIT.', 'prod/vUnCom', 10, unitValue, 'right'],
  ['VL. TOTAL', 'prod/vProd', 10, money, 'right'],
];

/** Pieces of a line, of which those without a value are left out. */
function named(pieces: readonly (readonly [name: string, value: string | undefined])[]): string {
  return joined('  ', ...pieces.map(([name, value]) => value && `${name} ${value}`));
}

function amountsIn(
  element: XmlElement | undefined,
  pieces: readonly (readonly [name: string, path: string])[],
): string {
  return named(pieces.map(([name, path]) => [name, money(textAt(element, path))]));
}

/** The effective rate where there is one, else the one in force. Source: NT 2026.010 v1.00, section 4.3. */
function rateAndValue(group: XmlElement | undefined, rate: string, value: string): string {
  const percent = textAt(group, 'gRed/pAliqEfet', rate);
  return joined(' ', percent && `${unitValue(percent)}%`, money(textAt(group, value)));
}

/** What NT 2026.010 adds to an item, as a line of its own below it. */
function ibsCbsLine(tax: XmlElement | undefined): string {
  const group = elementAt(tax, 'IBSCBS/gIBSCBS');
  const selective = elementAt(tax, 'IS');
  return named([
    ['IBS/CBS CST', textAt(tax, 'IBSCBS/CST')],
    ['cClassTrib', textAt(tax, 'IBSCBS/cClassTrib')],
    ['BC', money(textAt(group, 'vBC'))],
    ['IBS UF', rateAndValue(elementAt(group, 'gIBSUF'), 'pIBSUF', 'vIBSUF')],
    ['IBS Mun', rateAndValue(elementAt(group, 'gIBSMun'), 'pIBSMun', 'vIBSMun')],
    ['CBS', rateAndValue(elementAt(group, 'gCBS'), 'pCBS', 'vCBS')],
    ['IBS mono', money(textAt(tax, 'IBSCBS/gIBSCBSMono/vTotIBSMonoItem'))],
    ['CBS mono', money(textAt(tax, 'IBSCBS/gIBSCBSMono/vTotCBSMonoItem'))],
    ['IS cClassTrib', textAt(selective, 'cClassTribIS')],
    ['BC IS', money(textAt(selective, 'vBCIS'))],
    ['IS', rateAndValue(selective, 'pIS', 'vIS')],
  ]);
}

/** What stands below an item, line by line: its remark, amounts that have no column, service, new taxes. */
function itemDetails(item: XmlElement): string[] {
  const tax = elementAt(item, 'imposto');
  const service = elementAt(tax, 'ISSQN');
  const lines = [
    textAt(item, 'infAdProd') ?? '',
    amountsIn(elementAt(tax, 'ICMS/*'), [
      ['BC ICMS ST', 'vBCST'],
      ['ICMS ST', 'vICMSST'],
      ['FCP', 'vFCP'],
      ['FCP ST', 'vFCPST'],
      ['ICMS desonerado', 'vICMSDeson'],
      ['Crédito ICMS SN', 'vCredICMSSN'],
      ['ICMS mono', 'vICMSMono'],
      ['ICMS mono retido antes', 'vICMSMonoRet'],
    ]),
    named([
      ['BC ISSQN', money(textAt(service, 'vBC'))],
      ['% ISSQN', unitValue(textAt(service, 'vAliq'))],
      ['ISSQN', money(textAt(service, 'vISSQN'))],
    ]),
    ibsCbsLine(tax),
  ];
  return lines.filter((line) => line !== '');
}

/** The items of an NF-e. */
export function itemsBlock(items: readonly XmlElement[]): TableBlock {
  return tableOf('DADOS DOS PRODUTOS / SERVIÇOS', columnsOf(situationHeading(items)), items, itemDetails);
}

/** The items of an NFC-e. */
export function consumerItemsBlock(items: readonly XmlElement[]): TableBlock {
  return tableOf('ITENS', consumerColumnsOf(situationHeading(items)), items, itemDetails);
}

/** ICMS, IPI, PIS, COFINS and what else makes up the note's total. */
export function taxTotals(note: XmlElement): Block {
  const total = elementAt(note, 'total/ICMSTot');
  return fieldBlock('CÁLCULO DO IMPOSTO', [
    amountsOf(total, [
      ['BASE DE CÁLC. DO ICMS', 'vBC'],
      ['VALOR DO ICMS', 'vICMS'],
      ['BASE CÁLC. ICMS ST', 'vBCST'],
      ['VALOR DO ICMS ST', 'vST'],
      ['VALOR DO FCP', 'vFCP'],
      ['V. FCP ST', 'vFCPST'],
      ['VALOR DO PIS', 'vPIS'],
      ['V. TOTAL DOS PRODUTOS', 'vProd'],
    ]),
    amountsOf(total, [
      ['VALOR DO FRETE', 'vFrete'],
      ['VALOR DO SEGURO', 'vSeg'],
      ['DESCONTO', 'vDesc'],
      ['OUTRAS DESPESAS', 'vOutro'],
      ['V. IMP. IMPORTAÇÃO', 'vII'],
      ['VALOR DO IPI', 'vIPI'],
      ['VALOR DA COFINS', 'vCOFINS'],
      ['VALOR TOTAL DA NOTA', 'vNF'],
    ]),
  ]);
}

/** The block after that of ICMS and IPI, where the note has any of its fields. Source: NT 2026.010 v1.00, section 4.1. */
export function reformTotals(note: XmlElement): Block[] {
  const total = elementAt(note, 'total');
  const rows = [
    amountsOf(total, [
      ['VALOR DA CBS', 'IBSCBSTot/gCBS/vCBS'],
      ['VALOR DO IBS UF', 'IBSCBSTot/gIBS/gIBSUF/vIBSUF'],
      ['VALOR DO IBS MUNICÍPIO', 'IBSCBSTot/gIBS/gIBSMun/vIBSMun'],
      ['VALOR DO IMPOSTO SELETIVO', 'ISTot/vIS'],
    ]),
    amountsOf(total, [
      ['VALOR DO IBS MONOFÁSICO', 'IBSCBSTot/gMono/vIBSMono'],
      ['VALOR DA CBS MONOFÁSICA', 'IBSCBSTot/gMono/vCBSMono'],
      ['IBS MONOF. POR RETENÇÃO', 'IBSCBSTot/gMono/vIBSMonoReten'],
      ['CBS MONOF. POR RETENÇÃO', 'IBSCBSTot/gMono/vCBSMonoReten'],
      ['V. TOTAL COM IBS/CBS/IS', 'vNFTot'],
    ]),
  ];
  // The total is the note's own where there are no such taxes.
  const isEmpty = rows
    .flat()
    .slice(0, -1)
    .every(({ value }) => value === '');
  return isEmpty ? [] : [fieldBlock('TOTAL DO IBS / CBS / IS', rows)];
}
