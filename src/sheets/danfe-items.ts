import { setImmediate as letOthersRun } from 'node:timers/promises';
import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { money, quantity, unitValue } from './printed.ts';
import type { Column, TableBlock, TableRow } from './sheet.ts';

const columns: readonly Column[] = [
  { heading: 'CÓDIGO', width: 8.5, lines: 3 },
  { heading: 'DESCRIÇÃO DO PRODUTO / SERVIÇO', width: 23, lines: 6 },
  { heading: 'NCM/SH', width: 6, align: 'center' },
  { heading: 'CST', width: 3.6, align: 'center' },
  { heading: 'CFOP', width: 3.6, align: 'center' },
  { heading: 'UN', width: 3.6, align: 'center' },
  { heading: 'QUANT.', width: 7, align: 'right' },
  { heading: 'V. UNITÁRIO', width: 8, align: 'right' },
  { heading: 'V. DESC.', width: 5.2, align: 'right' },
  { heading: 'V. TOTAL', width: 7, align: 'right' },
  { heading: 'BC ICMS', width: 6.5, align: 'right' },
  { heading: 'V. ICMS', width: 5.5, align: 'right' },
  { heading: 'V. IPI', width: 5.1, align: 'right' },
  { heading: '% ICMS', width: 3.7, align: 'right' },
  { heading: '% IPI', width: 3.7, align: 'right' },
];

/** Pieces of a line, of which those without a value are left out. */
function named(pieces: readonly (readonly [name: string, value: string])[]): string {
  return pieces
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name} ${value}`)
    .join('  ');
}

/** The effective rate where there is one, else the one in force. Source: NT 2026.010 v1.00, section 4.3. */
function rateAndValue(group: XmlElement | undefined, rate: string, value: string): string {
  const effective = textAt(group, 'gRed/pAliqEfet');
  const percent = effective ?? textAt(group, rate);
  const amount = textAt(group, value);
  return [percent === undefined ? '' : `${unitValue(percent)}%`, money(amount)].filter(Boolean).join(' ');
}

/** What NT 2026.010 adds to an item, as a line of its own below it. */
function ibsCbsLine(tax: XmlElement | undefined): string {
  const group = elementAt(tax, 'IBSCBS/gIBSCBS');
  const single = elementAt(tax, 'IBSCBS/gIBSCBSMono');
  const selective = elementAt(tax, 'IS');
  return named([
    ['IBS/CBS CST', textAt(tax, 'IBSCBS/CST') ?? ''],
    ['cClassTrib', textAt(tax, 'IBSCBS/cClassTrib') ?? ''],
    ['BC', money(textAt(group, 'vBC'))],
    ['IBS UF', rateAndValue(elementAt(group, 'gIBSUF'), 'pIBSUF', 'vIBSUF')],
    ['IBS Mun', rateAndValue(elementAt(group, 'gIBSMun'), 'pIBSMun', 'vIBSMun')],
    ['CBS', rateAndValue(elementAt(group, 'gCBS'), 'pCBS', 'vCBS')],
    ['IBS mono', money(textAt(single, 'vTotIBSMonoItem'))],
    ['CBS mono', money(textAt(single, 'vTotCBSMonoItem'))],
    ['IS cClassTrib', textAt(selective, 'cClassTribIS') ?? ''],
    ['BC IS', money(textAt(selective, 'vBCIS'))],
    ['IS', rateAndValue(selective, 'pIS', 'vIS')],
  ]);
}

/** Amounts of the ICMS that have no column. */
function icmsLine(icms: XmlElement | undefined): string {
  return named([
    ['BC ICMS ST', money(textAt(icms, 'vBCST'))],
    ['ICMS ST', money(textAt(icms, 'vICMSST'))],
    ['FCP', money(textAt(icms, 'vFCP'))],
    ['FCP ST', money(textAt(icms, 'vFCPST'))],
    ['ICMS desonerado', money(textAt(icms, 'vICMSDeson'))],
    ['Crédito ICMS SN', money(textAt(icms, 'vCredICMSSN'))],
    ['ICMS mono', money(textAt(icms, 'vICMSMono'))],
    ['ICMS mono retido antes', money(textAt(icms, 'vICMSMonoRet'))],
  ]);
}

/** What the column of the tax situation is called: companies of the Simples Nacional have codes of their own. */
export function situationHeading(items: readonly XmlElement[]): string {
  const has = (name: string) => items.some((item) => textAt(item, `imposto/ICMS/*/${name}`) !== undefined);
  if (!has('CSOSN')) return 'CST';
  return has('CST') ? 'CST/CSOSN' : 'CSOSN';
}

/** Origin and code of an item's tax situation. */
export function situationOf(icms: XmlElement | undefined): string {
  return [textAt(icms, 'orig'), textAt(icms, 'CST', 'CSOSN')].filter(Boolean).join('');
}

/** What stands below an item, line by line. */
export function itemDetails(item: XmlElement): string[] {
  const tax = elementAt(item, 'imposto');
  const service = elementAt(tax, 'ISSQN');
  return [
    textAt(item, 'infAdProd') ?? '',
    icmsLine(elementAt(tax, 'ICMS/*')),
    named([
      ['BC ISSQN', money(textAt(service, 'vBC'))],
      ['% ISSQN', unitValue(textAt(service, 'vAliq'))],
      ['ISSQN', money(textAt(service, 'vISSQN'))],
    ]),
    ibsCbsLine(tax),
  ].filter((line) => line !== '');
}

function itemRow(item: XmlElement): TableRow {
  const product = elementAt(item, 'prod');
  const tax = elementAt(item, 'imposto');
  const icms = elementAt(tax, 'ICMS/*');
  return {
    cells: [
      textAt(product, 'cProd') ?? '',
      textAt(product, 'xProd') ?? '',
      textAt(product, 'NCM') ?? '',
      situationOf(icms),
      textAt(product, 'CFOP') ?? '',
      textAt(product, 'uCom') ?? '',
      quantity(textAt(product, 'qCom')),
      unitValue(textAt(product, 'vUnCom')),
      money(textAt(product, 'vDesc')),
      money(textAt(product, 'vProd')),
      money(textAt(icms, 'vBC')),
      money(textAt(icms, 'vICMS')),
      money(textAt(tax, 'IPI/IPITrib/vIPI')),
      unitValue(textAt(icms, 'pICMS')),
      unitValue(textAt(tax, 'IPI/IPITrib/pIPI')),
    ],
    details: itemDetails(item),
  };
}

/** Items between two turns of everything else. */
const ITEMS_AT_ONCE = 200;

/** The items of an NF-e. */
export async function itemsBlock(note: XmlElement): Promise<TableBlock> {
  const rows: TableRow[] = [];
  const items = elementsAt(note, 'det');
  for (const item of items) {
    rows.push(itemRow(item));
    if (rows.length % ITEMS_AT_ONCE === 0) await letOthersRun();
  }
  return {
    kind: 'table',
    title: 'DADOS DOS PRODUTOS / SERVIÇOS',
    columns: columns.map((one) =>
      one.heading === 'CST' ? { ...one, heading: situationHeading(items) } : one,
    ),
    rows,
  };
}
