import { statusByCode } from '../documents/events/statuses.ts';
import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { consultationOf, contingencyLine, secondCodeOf } from './danfe-contingency.ts';
import { itemsBlock } from './danfe-items.ts';
import { addressOf, cityOf, idOf, issuerLines, streetOf } from './parties.ts';
import {
  clock,
  day,
  described,
  documentNumber,
  keyGroups,
  moment,
  money,
  phone,
  postalCode,
  quantity,
} from './printed.ts';
import {
  amounts,
  andMore,
  type Block,
  type Field,
  field,
  fieldBlock,
  inRows,
  type SheetHead,
  textBlock,
} from './sheet.ts';

const regimes: Readonly<Record<string, string>> = {
  1: 'Simples Nacional',
  2: 'Simples Nacional, excesso de sublimite de receita bruta',
  3: 'Regime Normal',
  4: 'Simples Nacional - MEI',
};

const freightModes: Readonly<Record<string, string>> = {
  0: 'Por conta do Remetente (CIF)',
  1: 'Por conta do Destinatário (FOB)',
  2: 'Por conta de Terceiros',
  3: 'Próprio por conta do Remetente',
  4: 'Próprio por conta do Destinatário',
  9: 'Sem Ocorrência de Transporte',
};

/** Volumes and instalments that a sheet names; how many more there are stands below them. */
const MOST_LISTED = 60;

/** The issuer's tax regime, where the note says it. */
export function regimeLine(note: XmlElement): string[] {
  const regime = textAt(note, 'emit/CRT');
  return regime === undefined ? [] : [`CRT: ${described(regime, regimes)}`];
}

/** The head of an NF-e. */
export function danfeHead(note: XmlElement, supplement: XmlElement | undefined): SheetHead {
  const flow = textAt(note, 'ide/tpNF');
  const qr = textAt(supplement, 'qrCode');
  const key = note.attributes.Id?.replace(/^NFe/, '');
  return {
    title: 'DANFE',
    subtitle: ['Documento Auxiliar da', 'Nota Fiscal Eletrônica'],
    issuer: [...issuerLines(elementAt(note, 'emit')), ...regimeLine(note)],
    facts: [
      { label: 'Nº', value: documentNumber(textAt(note, 'ide/nNF')) },
      { label: 'SÉRIE', value: textAt(note, 'ide/serie') ?? '' },
    ],
    ...(flow !== undefined && { flow: { code: flow, meanings: ['0 - ENTRADA', '1 - SAÍDA'] } }),
    ...(key && { key }),
    secondCode: secondCodeOf(note),
    ...(qr !== undefined && { qr }),
    consultation: consultationOf(note),
    corner: [],
  };
}

function receipt(note: XmlElement): Block {
  const text =
    `RECEBEMOS DE ${textAt(note, 'emit/xNome') ?? ''} OS PRODUTOS E/OU SERVIÇOS CONSTANTES DA NOTA FISCAL ELETRÔNICA ` +
    `INDICADA AO LADO. EMISSÃO: ${day(textAt(note, 'ide/dhEmi', 'ide/dEmi'))} VALOR TOTAL: R$ ${money(textAt(note, 'total/ICMSTot/vNF'))} ` +
    `DESTINATÁRIO: ${textAt(note, 'dest/xNome') ?? ''} - ${streetOf(addressOf(elementAt(note, 'dest')))}`;
  const number = `Nº ${documentNumber(textAt(note, 'ide/nNF'))} SÉRIE ${textAt(note, 'ide/serie') ?? ''}`;
  return fieldBlock(
    undefined,
    [
      [field('', text, 82), field('NF-e', number, 18, 'center')],
      [field('DATA DE RECEBIMENTO', '', 25), field('IDENTIFICAÇÃO E ASSINATURA DO RECEBEDOR', '', 75)],
    ],
    'top',
  );
}

function identification(note: XmlElement, protocol: XmlElement | undefined): Block {
  const issuer = elementAt(note, 'emit');
  const number = textAt(protocol, 'nProt');
  const authorization =
    number === undefined
      ? 'SEM PROTOCOLO DE AUTORIZAÇÃO'
      : `${number} - ${moment(textAt(protocol, 'dhRecbto'))}`;
  const isDenied = statusByCode(textAt(protocol, 'cStat')) === 'denied';
  return fieldBlock(
    undefined,
    [
      [
        field('NATUREZA DA OPERAÇÃO', textAt(note, 'ide/natOp'), 58),
        field(
          isDenied ? 'PROTOCOLO DE DENEGAÇÃO DE USO' : 'PROTOCOLO DE AUTORIZAÇÃO DE USO',
          authorization,
          42,
          'center',
        ),
      ],
      [
        field('INSCRIÇÃO ESTADUAL', textAt(issuer, 'IE'), 34),
        field('INSCRIÇÃO ESTADUAL DO SUBST. TRIB.', textAt(issuer, 'IEST'), 33),
        field('CNPJ / CPF', idOf(issuer), 33),
      ],
    ],
    'every',
  );
}

/** When the goods went out or came in; layout 2.00 has day and hour apart. */
function movedAt(note: XmlElement): readonly [day: string, hour: string] {
  const at = textAt(note, 'ide/dhSaiEnt');
  if (at !== undefined) return [day(at), clock(at)];
  return [day(textAt(note, 'ide/dSaiEnt')), textAt(note, 'ide/hSaiEnt') ?? ''];
}

function recipient(note: XmlElement): Block {
  const party = elementAt(note, 'dest');
  const address = addressOf(party);
  const [movedDay, movedHour] = movedAt(note);
  return fieldBlock('DESTINATÁRIO / REMETENTE', [
    [
      field('NOME / RAZÃO SOCIAL', textAt(party, 'xNome'), 60),
      field('CNPJ / CPF', idOf(party), 24, 'center'),
      field('DATA DA EMISSÃO', day(textAt(note, 'ide/dhEmi', 'ide/dEmi')), 16, 'center'),
    ],
    [
      field('ENDEREÇO', streetOf(address), 48),
      field('BAIRRO / DISTRITO', textAt(address, 'xBairro'), 24),
      field('CEP', postalCode(textAt(address, 'CEP')), 12, 'center'),
      field('DATA DA SAÍDA/ENTRADA', movedDay, 16, 'center'),
    ],
    [
      field('MUNICÍPIO', textAt(address, 'xMun'), 38),
      field('UF', textAt(address, 'UF'), 6, 'center'),
      field('FONE / FAX', phone(textAt(address, 'fone')), 18, 'center'),
      field('INSCRIÇÃO ESTADUAL', textAt(party, 'IE'), 22, 'center'),
      field('HORA DA SAÍDA/ENTRADA', movedHour, 16, 'center'),
    ],
  ]);
}

/** The place of collection or delivery, where it isn't the parties' own. */
function place(note: XmlElement, name: 'retirada' | 'entrega', title: string): Block[] {
  const party = elementAt(note, name);
  if (party === undefined) return [];
  return [
    fieldBlock(title, [
      [
        field('NOME / RAZÃO SOCIAL', textAt(party, 'xNome'), 54),
        field('CNPJ / CPF', idOf(party), 24, 'center'),
        field('INSCRIÇÃO ESTADUAL', textAt(party, 'IE'), 22, 'center'),
      ],
      [
        field('ENDEREÇO', streetOf(party), 46),
        field('BAIRRO / DISTRITO', textAt(party, 'xBairro'), 20),
        field('MUNICÍPIO', cityOf(party), 22),
        field('CEP', postalCode(textAt(party, 'CEP')), 12, 'center'),
      ],
    ]),
  ];
}

function billing(note: XmlElement): Block[] {
  const bill = elementAt(note, 'cobr/fat');
  const all = elementsAt(note, 'cobr/dup');
  if (bill === undefined && all.length === 0) return [];
  const parts = all.slice(0, MOST_LISTED).map((part) => {
    const text = [day(textAt(part, 'dVenc')), `R$ ${money(textAt(part, 'vDup'))}`].filter(Boolean).join('  ');
    return field(`DUPLICATA ${textAt(part, 'nDup') ?? ''}`.trim(), text, 20);
  });
  const left = all.length - parts.length;
  const head: Field[] = [
    field('FATURA Nº', textAt(bill, 'nFat'), 34),
    field('VALOR ORIGINAL', money(textAt(bill, 'vOrig')), 22, 'right'),
    field('VALOR DO DESCONTO', money(textAt(bill, 'vDesc')), 22, 'right'),
    field('VALOR LÍQUIDO', money(textAt(bill, 'vLiq')), 22, 'right'),
  ];
  return [
    fieldBlock('FATURA / DUPLICATAS', [...(bill === undefined ? [] : [head]), ...inRows(parts, 5)]),
    ...andMore(left, 'DUPLICATAS'),
  ];
}

function taxTotals(note: XmlElement): Block {
  const total = (name: string) => money(textAt(note, `total/ICMSTot/${name}`));
  return fieldBlock('CÁLCULO DO IMPOSTO', [
    amounts([
      ['BASE DE CÁLC. DO ICMS', total('vBC')],
      ['VALOR DO ICMS', total('vICMS')],
      ['BASE CÁLC. ICMS ST', total('vBCST')],
      ['VALOR DO ICMS ST', total('vST')],
      ['VALOR DO FCP', total('vFCP')],
      ['V. FCP ST', total('vFCPST')],
      ['VALOR DO PIS', total('vPIS')],
      ['V. TOTAL DOS PRODUTOS', total('vProd')],
    ]),
    amounts([
      ['VALOR DO FRETE', total('vFrete')],
      ['VALOR DO SEGURO', total('vSeg')],
      ['DESCONTO', total('vDesc')],
      ['OUTRAS DESPESAS', total('vOutro')],
      ['V. IMP. IMPORTAÇÃO', total('vII')],
      ['VALOR DO IPI', total('vIPI')],
      ['VALOR DA COFINS', total('vCOFINS')],
      ['VALOR TOTAL DA NOTA', total('vNF')],
    ]),
  ]);
}

/** The block after that of ICMS and IPI, where the note has any of its fields. Source: NT 2026.010 v1.00, section 4.1. */
export function reformTotals(note: XmlElement): Block[] {
  const total = (path: string) => money(textAt(note, `total/${path}`));
  const fields = [
    ['VALOR DA CBS', total('IBSCBSTot/gCBS/vCBS')],
    ['VALOR DO IBS UF', total('IBSCBSTot/gIBS/gIBSUF/vIBSUF')],
    ['VALOR DO IBS MUNICÍPIO', total('IBSCBSTot/gIBS/gIBSMun/vIBSMun')],
    ['VALOR DO IMPOSTO SELETIVO', total('ISTot/vIS')],
    ['VALOR DO IBS MONOFÁSICO', total('IBSCBSTot/gMono/vIBSMono')],
    ['VALOR DA CBS MONOFÁSICA', total('IBSCBSTot/gMono/vCBSMono')],
    ['IBS MONOF. POR RETENÇÃO', total('IBSCBSTot/gMono/vIBSMonoReten')],
    ['CBS MONOF. POR RETENÇÃO', total('IBSCBSTot/gMono/vCBSMonoReten')],
  ] as const;
  if (fields.every(([, value]) => value === '')) return [];
  return [
    fieldBlock('TOTAL DO IBS / CBS / IS', [
      amounts(fields.slice(0, 4)),
      amounts([...fields.slice(4), ['V. TOTAL COM IBS/CBS/IS', total('vNFTot')]]),
    ]),
  ];
}

function volumeRow(volume: XmlElement | undefined): Field[] {
  return [
    field('QUANTIDADE', quantity(textAt(volume, 'qVol')), 14),
    field('ESPÉCIE', textAt(volume, 'esp'), 20),
    field('MARCA', textAt(volume, 'marca'), 18),
    field('NUMERAÇÃO', textAt(volume, 'nVol'), 18),
    field('PESO BRUTO', quantity(textAt(volume, 'pesoB')), 15, 'right'),
    field('PESO LÍQUIDO', quantity(textAt(volume, 'pesoL')), 15, 'right'),
  ];
}

function transport(note: XmlElement): Block[] {
  const carriage = elementAt(note, 'transp');
  const carrier = elementAt(carriage, 'transporta');
  const vehicle = elementAt(carriage, 'veicTransp');
  const volumes = elementsAt(carriage, 'vol');
  const left = volumes.length - MOST_LISTED;
  return [
    fieldBlock('TRANSPORTADOR / VOLUMES TRANSPORTADOS', [
      [
        field('NOME / RAZÃO SOCIAL', textAt(carrier, 'xNome'), 36),
        field('FRETE', described(textAt(carriage, 'modFrete'), freightModes), 22),
        field('CÓDIGO ANTT', textAt(vehicle, 'RNTC'), 11),
        field('PLACA', textAt(vehicle, 'placa'), 9, 'center'),
        field('UF', textAt(vehicle, 'UF'), 4, 'center'),
        field('CNPJ / CPF', idOf(carrier), 18, 'center'),
      ],
      [
        field('ENDEREÇO', textAt(carrier, 'xEnder'), 48),
        field('MUNICÍPIO', textAt(carrier, 'xMun'), 30),
        field('UF', textAt(carrier, 'UF'), 4, 'center'),
        field('INSCRIÇÃO ESTADUAL', textAt(carrier, 'IE'), 18, 'center'),
      ],
      ...(volumes.length === 0 ? [undefined] : volumes.slice(0, MOST_LISTED)).map(volumeRow),
    ]),
    ...andMore(left, 'VOLUMES'),
  ];
}

function serviceTax(note: XmlElement): Block[] {
  const totals = elementAt(note, 'total/ISSQNtot');
  if (totals === undefined) return [];
  return [
    fieldBlock(
      'CÁLCULO DO ISSQN',
      [
        [
          field('INSCRIÇÃO MUNICIPAL', textAt(note, 'emit/IM'), 25),
          field('VALOR TOTAL DOS SERVIÇOS', money(textAt(totals, 'vServ')), 25, 'right'),
          field('BASE DE CÁLCULO DO ISSQN', money(textAt(totals, 'vBC')), 25, 'right'),
          field('VALOR DO ISSQN', money(textAt(totals, 'vISS')), 25, 'right'),
        ],
      ],
      'bottom',
    ),
  ];
}

function references(note: XmlElement): string[] {
  const keys = elementsAt(note, 'ide/NFref').flatMap(
    (one) => textAt(one, 'refNFe', 'refNFeSig', 'refCTe') ?? [],
  );
  return keys.map((key) => `Documento referenciado: ${keyGroups(key)}`);
}

/** Types of credit and debit notes (finNFe 5 and 6). Source: NT 2025.002-RTC v1.52, B25.1 and B25.2. */
const creditTypes: Readonly<Record<string, string>> = {
  '01': 'multa e juros',
  '02': 'crédito presumido de IBS sobre o saldo devedor na ZFM',
  '03': 'retorno por recusa total na entrega ou destinatário não localizado',
  '04': 'redução de valores',
  '05': 'transferência de crédito na sucessão',
  '06': 'retorno por recusa parcial na entrega',
};
const debitTypes: Readonly<Record<string, string>> = {
  '01': 'transferência de créditos para cooperativas',
  '02': 'anulação de crédito por saídas imunes ou isentas',
  '03': 'débitos de notas não processadas na apuração',
  '04': 'multa e juros',
  '05': 'transferência de crédito na sucessão',
  '06': 'pagamento antecipado',
  '07': 'perda em estoque',
  '08': 'desenquadramento do Simples Nacional',
};

function adjustments(note: XmlElement): string[] {
  const credit = textAt(note, 'ide/tpNFCredito');
  const debit = textAt(note, 'ide/tpNFDebito');
  return [
    ...(credit === undefined ? [] : [`Nota de crédito: ${described(credit, creditTypes)}`]),
    ...(debit === undefined ? [] : [`Nota de débito: ${described(debit, debitTypes)}`]),
  ];
}

function paymentLinks(note: XmlElement): string[] {
  return elementsAt(note, 'gPgtoVinc/gPgto').map(
    ({ attributes }) => `Pagamento vinculado: transação ${attributes.idTransacao ?? ''}`,
  );
}

/** Texts of the note, and what has no field of its own. */
export function additional(note: XmlElement): Block {
  const own = elementsAt(note, 'infAdic/obsCont').map(
    (one) => `${one.attributes.xCampo ?? ''}: ${textAt(one, 'xTexto') ?? ''}`,
  );
  const taxes = textAt(note, 'total/ICMSTot/vTotTrib');
  const text = [
    contingencyLine(note) ?? '',
    textAt(note, 'infAdic/infCpl') ?? '',
    ...own,
    ...adjustments(note),
    ...references(note),
    ...paymentLinks(note),
    taxes === undefined ? '' : `Valor aproximado dos tributos: R$ ${money(taxes)}`,
  ];
  return textBlock(
    'DADOS ADICIONAIS',
    [
      field('INFORMAÇÕES COMPLEMENTARES', text.filter(Boolean).join('\n'), 65),
      field('RESERVADO AO FISCO', textAt(note, 'infAdic/infAdFisco'), 35),
    ],
    { least: 6, most: 16 },
    'bottom',
  );
}

/** What a DANFE shows below its head. `protocol` is `protNFe/infProt`, where the file has one. */
export async function danfeBlocks(note: XmlElement, protocol: XmlElement | undefined): Promise<Block[]> {
  return [
    receipt(note),
    identification(note, protocol),
    recipient(note),
    ...place(note, 'retirada', 'INFORMAÇÕES DO LOCAL DE RETIRADA'),
    ...place(note, 'entrega', 'INFORMAÇÕES DO LOCAL DE ENTREGA'),
    ...billing(note),
    taxTotals(note),
    ...reformTotals(note),
    ...transport(note),
    await itemsBlock(note),
    ...serviceTax(note),
    additional(note),
  ];
}
