import { brazilianDate } from '../data/calendar.ts';
import type { Nfe } from '../data/nfe/book.ts';
import { nfeContent } from '../data/nfe/content.ts';
import { brazilianMoney, formatQuantity } from '../data/taxes/cents.ts';
import { type Column, printForm } from './printed-form.ts';

const COLUMNS: readonly Column[] = [
  { title: 'CÓDIGO', x: 36, width: 12 },
  { title: 'DESCRIÇÃO', x: 90, width: 48 },
  { title: 'NCM', x: 300, width: 8 },
  { title: 'CFOP', x: 345, width: 4 },
  { title: 'UN', x: 375, width: 4 },
  { title: 'QUANTIDADE', x: 400, width: 12 },
  { title: 'UNITÁRIO', x: 455, width: 12 },
  { title: 'TOTAL', x: 510, width: 14 },
];

/** The DANFE of a note. */
export function danfePdf(note: Nfe, seed: string): Buffer {
  const { operation, items, totals, notes } = nfeContent(note, seed);
  return printForm({
    title: 'DANFE',
    subtitle: `Documento Auxiliar da Nota Fiscal Eletrônica - ${note.isEntry ? 'Entrada' : 'Saída'}`,
    key: note.key,
    facts: [
      ['Número', `${note.number}   Série: ${note.series}`],
      ['Emissão', brazilianDate(note.issuedAt)],
      ['Natureza da operação', operation],
      ['Protocolo de autorização', note.protocol],
    ],
    parties: [
      ['EMITENTE', note.issuer],
      ['DESTINATÁRIO', note.recipient],
    ],
    columns: COLUMNS,
    rows: items.map((item) => [
      item.product.code,
      item.product.description,
      item.product.ncm,
      item.cfop,
      item.product.unit,
      formatQuantity(item.quantity).replace('.', ','),
      brazilianMoney(item.unitPrice),
      brazilianMoney(item.gross),
    ]),
    totals: [
      ['Valor dos produtos', brazilianMoney(totals.products)],
      ['Valor do ICMS', brazilianMoney(totals.icms)],
      ['Valor do ICMS-ST', brazilianMoney(totals.substitution)],
      ['Valor do IPI', brazilianMoney(totals.ipi)],
      ['Frete', brazilianMoney(totals.freight)],
      ['Desconto', brazilianMoney(totals.discount)],
      ['VALOR TOTAL DA NOTA', brazilianMoney(totals.total)],
    ],
    remarks: notes,
  });
}
