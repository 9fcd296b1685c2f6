import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { additional, reformTotals, regimeLine } from './danfe.ts';
import { itemDetails, situationHeading, situationOf } from './danfe-items.ts';
import { addressOf, cityOf, idOf, issuerLines, streetOf } from './parties.ts';
import { described, documentNumber, moment, money, quantity, unitValue } from './printed.ts';
import { amounts, type Block, field, fieldBlock, inRows, type SheetHead, sentence } from './sheet.ts';

/** Means of payment (tPag). Source: Informe Técnico 2024.002 of the NF-e, up to v1.11; looked up on 2026-11-26. */
const payments: Readonly<Record<string, string>> = {
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

/** Issued without its authority, which must be stated to the consumer. */
const CONTINGENCY = '9';

/** The head of an NFC-e: no direction; QR code and address are as the file has them. */
export function nfceHead(note: XmlElement, supplement: XmlElement | undefined): SheetHead {
  const key = note.attributes.Id?.replace(/^NFe/, '');
  const qr = textAt(supplement, 'qrCode');
  const site = textAt(supplement, 'urlChave');
  return {
    title: 'DANFE NFC-e',
    subtitle: ['Documento Auxiliar da Nota Fiscal', 'de Consumidor Eletrônica'],
    issuer: [
      ...issuerLines(elementAt(note, 'emit')),
      `CNPJ: ${idOf(elementAt(note, 'emit'))}  IE: ${textAt(note, 'emit/IE') ?? ''}`,
      ...regimeLine(note),
    ],
    facts: [
      { label: 'Nº', value: documentNumber(textAt(note, 'ide/nNF')) },
      { label: 'SÉRIE', value: textAt(note, 'ide/serie') ?? '' },
    ],
    ...(key && { key }),
    ...(qr !== undefined && { qr }),
    consultation: `Consulte pela Chave de Acesso em ${site ?? 'site da Sefaz Autorizadora'}`,
    corner: [],
  };
}

function identification(note: XmlElement, protocol: XmlElement | undefined): Block[] {
  const number = textAt(protocol, 'nProt');
  const isContingent = textAt(note, 'ide/tpEmis') === CONTINGENCY;
  const authorization =
    number === undefined
      ? 'SEM PROTOCOLO DE AUTORIZAÇÃO'
      : `${number} - ${moment(textAt(protocol, 'dhRecbto'))}`;
  return [
    fieldBlock(
      undefined,
      [
        [
          field('DATA E HORA DA EMISSÃO', moment(textAt(note, 'ide/dhEmi', 'ide/dEmi')), 30),
          field('NATUREZA DA OPERAÇÃO', textAt(note, 'ide/natOp'), 32),
          field('PROTOCOLO DE AUTORIZAÇÃO', authorization, 38, 'center'),
        ],
      ],
      'every',
    ),
    ...(isContingent ? [sentence('EMITIDA EM CONTINGÊNCIA')] : []),
  ];
}

function itemTable(note: XmlElement): Block {
  const items = elementsAt(note, 'det');
  return {
    kind: 'table',
    title: 'ITENS',
    columns: [
      { heading: 'CÓDIGO', width: 13, lines: 2 },
      { heading: 'DESCRIÇÃO', width: 35, lines: 4 },
      { heading: 'NCM', width: 8, align: 'center' },
      { heading: situationHeading(items), width: 6, align: 'center' },
      { heading: 'CFOP', width: 5, align: 'center' },
      { heading: 'QTDE.', width: 8, align: 'right' },
      { heading: 'UN', width: 5, align: 'center' },
      { heading: 'VL. UNIT.', width: 10, align: 'right' },
      { heading: 'VL. TOTAL', width: 10, align: 'right' },
    ],
    rows: items.map((item) => ({
      cells: [
        textAt(item, 'prod/cProd') ?? '',
        textAt(item, 'prod/xProd') ?? '',
        textAt(item, 'prod/NCM') ?? '',
        situationOf(elementAt(item, 'imposto/ICMS/*')),
        textAt(item, 'prod/CFOP') ?? '',
        quantity(textAt(item, 'prod/qCom')),
        textAt(item, 'prod/uCom') ?? '',
        unitValue(textAt(item, 'prod/vUnCom')),
        money(textAt(item, 'prod/vProd')),
      ],
      details: itemDetails(item),
    })),
  };
}

function totals(note: XmlElement): Block {
  const total = (name: string) => money(textAt(note, `total/ICMSTot/${name}`));
  return fieldBlock('TOTAIS', [
    amounts([
      ['QTDE. TOTAL DE ITENS', String(elementsAt(note, 'det').length)],
      ['VALOR TOTAL R$', total('vProd')],
      ['DESCONTO R$', total('vDesc')],
      ['FRETE R$', total('vFrete')],
      ['SEGURO R$', total('vSeg')],
      ['OUTRAS DESPESAS R$', total('vOutro')],
      ['VALOR A PAGAR R$', total('vNF')],
    ]),
  ]);
}

/** How it was paid; layout 3.10 has each payment in a group of its own. */
function paymentBlock(note: XmlElement): Block[] {
  const details = elementsAt(note, 'pag/detPag');
  const all = details.length > 0 ? details : elementsAt(note, 'pag');
  const parts = all.map((one) =>
    field(
      (textAt(one, 'xPag') ?? described(textAt(one, 'tPag'), payments)).toUpperCase(),
      money(textAt(one, 'vPag')),
      25,
      'right',
    ),
  );
  const change = textAt(note, 'pag/vTroco');
  if (change !== undefined) parts.push(field('TROCO R$', money(change), 25, 'right'));
  return parts.length === 0 ? [] : [fieldBlock('FORMA DE PAGAMENTO / VALOR PAGO R$', inRows(parts, 4))];
}

function consumer(note: XmlElement): Block {
  const party = elementAt(note, 'dest');
  if (party === undefined) return sentence('CONSUMIDOR NÃO IDENTIFICADO');
  const address = addressOf(party);
  return fieldBlock('CONSUMIDOR', [
    [
      field('NOME', textAt(party, 'xNome'), 62),
      field('CNPJ / CPF / ID. ESTRANGEIRO', idOf(party), 38, 'center'),
    ],
    [
      field('ENDEREÇO', [streetOf(address), textAt(address, 'xBairro')].filter(Boolean).join(', '), 62),
      field('MUNICÍPIO', cityOf(address), 38),
    ],
  ]);
}

/**
 * What the DANFE of an NFC-e shows below its head: what a till prints, on A4. Source: Manual de Especificações Técnicas
 * do DANFE NFC-e e QR Code, divisions I to IX.
 */
export function nfceBlocks(note: XmlElement, protocol: XmlElement | undefined): Block[] {
  return [
    ...identification(note, protocol),
    itemTable(note),
    totals(note),
    ...paymentBlock(note),
    ...reformTotals(note),
    consumer(note),
    additional(note),
  ];
}
