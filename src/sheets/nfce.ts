import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { additional, noteHead } from './danfe.ts';
import {
  amountRow,
  asItIs,
  at,
  authorizationOf,
  cityOf,
  type Entry,
  idOf,
  section,
  streetOf,
} from './entries.ts';
import { consumerColumns, itemsBlock, reformTotals } from './nfe-items.ts';
import { type Codes, described, joined, moment, money } from './printed.ts';
import { type Block, field, fieldBlock, inRows, type SheetHead, sentence } from './sheet.ts';

/** Means of payment (tPag). Source: Informe Técnico 2024.002 of the NF-e, up to v1.11; looked up on 2026-11-26. */
const payments: Codes = {
  '01': 'Dinheiro',
  '02': 'Cheque',
  '03': 'Cartão de Crédito',
  '04': 'Cartão de Débito',
  '05': 'Cartão da Loja, Crediário',
  10: 'Vale Alimentação',
  11: 'Vale Refeição',
  12: 'Vale Presente',
  13: 'Vale Combustível',
  15: 'Boleto Bancário',
  16: 'Depósito Bancário',
  17: 'PIX Dinâmico',
  18: 'Transferência, Carteira Digital',
  19: 'Fidelidade, Cashback',
  20: 'PIX Estático',
  21: 'Crédito em Loja',
  22: 'Eletrônico não Informado',
  23: 'PIX Automático',
  24: 'TEF Book Transfer',
  90: 'Sem Pagamento',
  91: 'Pagamento Posterior',
  99: 'Outros',
};

/** tpEmis of offline contingency, which must be stated to the consumer. */
const CONTINGENCY = '9';

/** The head of an NFC-e: no direction; QR code and look-up address from the file. */
export function nfceHead(note: XmlElement, supplement: XmlElement | undefined): SheetHead {
  const site = textAt(supplement, 'urlChave') ?? 'site da Sefaz Autorizadora';
  return {
    title: 'DANFE NFC-e',
    subtitle: ['Documento Auxiliar da Nota Fiscal', 'de Consumidor Eletrônica'],
    ...noteHead(note, supplement),
    consultation: `Consulte pela Chave de Acesso em ${site}`,
  };
}

const totals: readonly Entry[][] = [
  amountRow(
    ['QTDE. TOTAL DE ITENS', (note) => String(elementsAt(note, 'det').length), asItIs],
    ['VALOR TOTAL R$', 'total/ICMSTot/vProd'],
    ['DESCONTO R$', 'total/ICMSTot/vDesc'],
    ['FRETE R$', 'total/ICMSTot/vFrete'],
    ['SEGURO R$', 'total/ICMSTot/vSeg'],
    ['OUTRAS DESPESAS R$', 'total/ICMSTot/vOutro'],
    ['VALOR A PAGAR R$', 'total/ICMSTot/vNF'],
  ),
];

/** Payments; layout 3.10 has a group for each. */
function paymentBlock(note: XmlElement): Block[] {
  const details = elementsAt(note, 'pag/detPag');
  const parts = (details.length > 0 ? details : elementsAt(note, 'pag')).map((one) => {
    const means = textAt(one, 'xPag') ?? described(textAt(one, 'tPag'), payments);
    return field(means.toUpperCase(), money(textAt(one, 'vPag')), 25, 'right');
  });
  const change = textAt(note, 'pag/vTroco');
  if (change !== undefined) parts.push(field('TROCO R$', money(change), 25, 'right'));
  return parts.length === 0 ? [] : [fieldBlock('FORMA DE PAGAMENTO / VALOR PAGO R$', inRows(parts, 4))];
}

const consumerRows: readonly (readonly Entry[])[] = [
  [
    ['NOME', 'xNome', 62],
    ['CNPJ / CPF / ID. ESTRANGEIRO', idOf, 38, 'center'],
  ],
  [
    ['ENDEREÇO', at('enderDest', (one) => joined(', ', streetOf(one), textAt(one, 'xBairro'))), 62],
    ['MUNICÍPIO', at('enderDest', cityOf), 38],
  ],
];

/**
 * The blocks of an NFC-e's DANFE below its head: a till receipt on A4. Source: Manual de Especificações Técnicas
 * do DANFE NFC-e e QR Code, divisions I to IX.
 */
export function nfceBlocks(note: XmlElement, protocol: XmlElement | undefined): Block[] {
  const identification: readonly Entry[] = [
    ['DATA E HORA DA EMISSÃO', 'ide/dhEmi|ide/dEmi', 30, moment],
    ['NATUREZA DA OPERAÇÃO', 'ide/natOp', 32],
    ['PROTOCOLO DE AUTORIZAÇÃO', () => authorizationOf(protocol), 38, 'center'],
  ];
  const isContingent = textAt(note, 'ide/tpEmis') === CONTINGENCY;
  const consumer = elementAt(note, 'dest');
  return [
    section(undefined, note, [identification], 'every'),
    ...(isContingent ? [sentence('EMITIDA EM CONTINGÊNCIA')] : []),
    itemsBlock('ITENS', consumerColumns, note),
    section('TOTAIS', note, totals),
    ...paymentBlock(note),
    ...reformTotals(note),
    consumer === undefined
      ? sentence('CONSUMIDOR NÃO IDENTIFICADO')
      : section('CONSUMIDOR', consumer, consumerRows),
    additional(note),
  ];
}
