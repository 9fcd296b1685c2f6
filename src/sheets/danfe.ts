import { statusByCode } from '../documents/events/statuses.ts';
import { modulo11 } from '../documents/identity/tax-ids.ts';
import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import {
  addressOf,
  at,
  authorizationOf,
  cityOf,
  type Entry,
  fieldsOf,
  idOf,
  issuerLines,
  optional,
  remarkOf,
  rowsOf,
  section,
  streetOf,
} from './entries.ts';
import { danfeColumns, itemsBlock, reformTotals, taxTotals } from './nfe-items.ts';
import {
  type Codes,
  clock,
  day,
  described,
  documentNumber,
  joined,
  keyGroups,
  moment,
  money,
  phone,
  postalCode,
  quantity,
} from './printed.ts';
import { andMore, type Block, field, fieldBlock, inRows, type SheetHead, textBlock } from './sheet.ts';

const regimes: Codes = {
  1: 'Simples Nacional',
  2: 'Simples Nacional, excesso de sublimite de receita bruta',
  3: 'Regime Normal',
  4: 'Simples Nacional - MEI',
};

const freightModes: Codes = {
  0: 'Por conta do Remetente (CIF)',
  1: 'Por conta do Destinatário (FOB)',
  2: 'Por conta de Terceiros',
  3: 'Próprio por conta do Remetente',
  4: 'Próprio por conta do Destinatário',
  9: 'Sem Ocorrência de Transporte',
};

/** Types of credit and debit notes (finNFe 5 and 6). Source: NT 2025.002-RTC v1.52, B25.1 and B25.2. */
const creditTypes: Codes = {
  '01': 'multa e juros',
  '02': 'crédito presumido de IBS sobre o saldo devedor na ZFM',
  '03': 'retorno por recusa total na entrega ou destinatário não localizado',
  '04': 'redução de valores',
  '05': 'transferência de crédito na sucessão',
  '06': 'retorno por recusa parcial na entrega',
};
const debitTypes: Codes = {
  '01': 'transferência de créditos para cooperativas',
  '02': 'anulação de crédito por saídas imunes ou isentas',
  '03': 'débitos de notas não processadas na apuração',
  '04': 'multa e juros',
  '05': 'transferência de crédito na sucessão',
  '06': 'pagamento antecipado',
  '07': 'perda em estoque',
  '08': 'desenquadramento do Simples Nacional',
};

export const CONSUMER_MODEL = '65';

/** Volumes and instalments listed; the number of others follows. */
const MOST_LISTED = 60;

/** tpEmis of contingency on security paper. */
const ON_SECURITY_PAPER: ReadonlySet<string | undefined> = new Set(['2', '5']);
const BY_EVENT = '4';
const NORMAL = '1';

const CONSULTATION =
  'Consulta de autenticidade no portal nacional da NF-e www.nfe.fazenda.gov.br/portal ou no site da Sefaz Autorizadora';

/** Text of the consultation field. Source: MOC 7.0, Anexo II, fields of variable content; Ajuste SINIEF 07/05. */
function consultationOf(note: XmlElement): string {
  const emission = textAt(note, 'ide/tpEmis');
  if (ON_SECURITY_PAPER.has(emission)) {
    return 'DANFE em Contingência - impresso em decorrência de problemas técnicos';
  }
  return emission === BY_EVENT
    ? `DANFE impresso em contingência - EPEC regularmente recebido pela Receita Federal do Brasil. ${CONSULTATION}`
    : CONSULTATION;
}

/** The second bar code on security paper, 36 positions. Source: MOC 7.0, Anexo II, "Dados da NF-e". */
function secondCodeOf(note: XmlElement): SheetHead['secondCode'] {
  const emission = textAt(note, 'ide/tpEmis');
  if (emission === undefined || !ON_SECURITY_PAPER.has(emission)) return undefined;
  const [whole = '0', places = ''] = (textAt(note, 'total/ICMSTot/vNF') ?? '0').split('.');
  const isZero = (name: string) => !/[1-9]/.test(textAt(note, `total/ICMSTot/${name}`) ?? '');
  const code = [
    textAt(note, 'ide/cUF') ?? '',
    emission,
    (textAt(note, 'dest/CNPJ', 'dest/CPF') ?? '').padStart(14, '0'),
    `${whole}${places.padEnd(2, '0').slice(0, 2)}`.padStart(14, '0'),
    isZero('vICMS') ? '2' : '1',
    isZero('vST') ? '2' : '1',
    textAt(note, 'ide/dhEmi')?.slice(8, 10) ?? '',
  ].join('');
  return /^\d{3}[0-9A-Z]{12}\d{20}$/.test(code)
    ? { label: 'DADOS DA NF-E', code: `${code}${modulo11(code)}` }
    : undefined;
}

/** The parts of the head common to NF-e and NFC-e. */
export function noteHead(
  note: XmlElement,
  supplement: XmlElement | undefined,
): Pick<SheetHead, 'issuer' | 'facts' | 'key' | 'qr' | 'corner'> {
  const issuer = elementAt(note, 'emit');
  const isConsumers = textAt(note, 'ide/mod') === CONSUMER_MODEL;
  const regime = textAt(issuer, 'CRT');
  return {
    issuer: [
      ...issuerLines(issuer),
      ...(isConsumers ? [`CNPJ: ${idOf(issuer)}  IE: ${textAt(issuer, 'IE') ?? ''}`] : []),
      ...(regime === undefined ? [] : [`CRT: ${described(regime, regimes)}`]),
    ],
    facts: [
      { label: 'Nº', value: documentNumber(textAt(note, 'ide/nNF')) },
      { label: 'SÉRIE', value: textAt(note, 'ide/serie') ?? '' },
    ],
    key: note.attributes.Id?.replace(/^NFe/, '') || undefined,
    qr: textAt(supplement, 'qrCode'),
    corner: [],
  };
}

/** The head of an NF-e. */
export function danfeHead(note: XmlElement, supplement: XmlElement | undefined): SheetHead {
  const flow = textAt(note, 'ide/tpNF');
  return {
    title: 'DANFE',
    subtitle: ['Documento Auxiliar da', 'Nota Fiscal Eletrônica'],
    ...noteHead(note, supplement),
    flow: flow === undefined ? undefined : { code: flow, meanings: ['0 - ENTRADA', '1 - SAÍDA'] },
    secondCode: secondCodeOf(note),
    consultation: consultationOf(note),
  };
}

function receipt(note: XmlElement): Block {
  const text =
    `RECEBEMOS DE ${textAt(note, 'emit/xNome') ?? ''} OS PRODUTOS E/OU SERVIÇOS CONSTANTES DA NOTA FISCAL ELETRÔNICA ` +
    `INDICADA AO LADO. EMISSÃO: ${day(textAt(note, 'ide/dhEmi', 'ide/dEmi'))} VALOR TOTAL: R$ ${money(textAt(note, 'total/ICMSTot/vNF'))} ` +
    `DESTINATÁRIO: ${textAt(note, 'dest/xNome') ?? ''} - ${streetOf(addressOf(elementAt(note, 'dest')))}`;
  const number = `Nº ${documentNumber(textAt(note, 'ide/nNF'))} SÉRIE ${textAt(note, 'ide/serie') ?? ''}`;
  const rows = [
    [field('', text, 82), field('NF-e', number, 18, 'center')],
    [field('DATA DE RECEBIMENTO', '', 25), field('IDENTIFICAÇÃO E ASSINATURA DO RECEBEDOR', '', 75)],
  ];
  return fieldBlock(undefined, rows, 'top');
}

function identification(note: XmlElement, protocol: XmlElement | undefined): Block {
  const granted = statusByCode(textAt(protocol, 'cStat')) === 'denied' ? 'DENEGAÇÃO' : 'AUTORIZAÇÃO';
  const rows: readonly Entry[][] = [
    [
      ['NATUREZA DA OPERAÇÃO', 'ide/natOp', 58],
      [`PROTOCOLO DE ${granted} DE USO`, () => authorizationOf(protocol), 42, 'center'],
    ],
    [
      ['INSCRIÇÃO ESTADUAL', 'emit/IE', 34],
      ['INSCRIÇÃO ESTADUAL DO SUBST. TRIB.', 'emit/IEST', 33],
      ['CNPJ / CPF', at('emit', idOf), 33],
    ],
  ];
  return section(undefined, note, rows, 'every');
}

/** Hour of dispatch or arrival of the goods; layout 2.00 has separate fields for day and hour. */
function hourOfMove(note: XmlElement | undefined): string {
  const moved = textAt(note, 'ide/dhSaiEnt');
  return moved === undefined ? (textAt(note, 'ide/hSaiEnt') ?? '') : clock(moved);
}

const recipientRows: readonly (readonly Entry[])[] = [
  [
    ['NOME / RAZÃO SOCIAL', 'dest/xNome', 60],
    ['CNPJ / CPF', at('dest', idOf), 24, 'center'],
    ['DATA DA EMISSÃO', 'ide/dhEmi|ide/dEmi', 16, day, 'center'],
  ],
  [
    ['ENDEREÇO', at('dest/enderDest', streetOf), 48],
    ['BAIRRO / DISTRITO', 'dest/enderDest/xBairro', 24],
    ['CEP', 'dest/enderDest/CEP', 12, postalCode, 'center'],
    ['DATA DA SAÍDA/ENTRADA', 'ide/dhSaiEnt|ide/dSaiEnt', 16, day, 'center'],
  ],
  [
    ['MUNICÍPIO', 'dest/enderDest/xMun', 38],
    ['UF', 'dest/enderDest/UF', 6, 'center'],
    ['FONE / FAX', 'dest/enderDest/fone', 18, phone, 'center'],
    ['INSCRIÇÃO ESTADUAL', 'dest/IE', 22, 'center'],
    ['HORA DA SAÍDA/ENTRADA', hourOfMove, 16, 'center'],
  ],
];

const placeRows: readonly (readonly Entry[])[] = [
  [
    ['NOME / RAZÃO SOCIAL', 'xNome', 54],
    ['CNPJ / CPF', idOf, 24, 'center'],
    ['INSCRIÇÃO ESTADUAL', 'IE', 22, 'center'],
  ],
  [
    ['ENDEREÇO', streetOf, 46],
    ['BAIRRO / DISTRITO', 'xBairro', 20],
    ['MUNICÍPIO', cityOf, 22],
    ['CEP', 'CEP', 12, postalCode, 'center'],
  ],
];

const billEntries: readonly Entry[] = [
  ['FATURA Nº', 'nFat', 34],
  ['VALOR ORIGINAL', 'vOrig', 22, money, 'right'],
  ['VALOR DO DESCONTO', 'vDesc', 22, money, 'right'],
  ['VALOR LÍQUIDO', 'vLiq', 22, money, 'right'],
];

function billing(note: XmlElement): Block[] {
  const bill = elementAt(note, 'cobr/fat');
  const all = elementsAt(note, 'cobr/dup');
  if (bill === undefined && all.length === 0) return [];
  const parts = all.slice(0, MOST_LISTED).map((part) => {
    const text = joined('  ', day(textAt(part, 'dVenc')), `R$ ${money(textAt(part, 'vDup'))}`);
    return field(`DUPLICATA ${textAt(part, 'nDup') ?? ''}`.trim(), text, 20);
  });
  const head = bill === undefined ? [] : [fieldsOf(bill, billEntries)];
  return [
    fieldBlock('FATURA / DUPLICATAS', [...head, ...inRows(parts, 5)]),
    ...andMore(all.length - parts.length, 'DUPLICATAS'),
  ];
}

const carrierRows: readonly (readonly Entry[])[] = [
  [
    ['NOME / RAZÃO SOCIAL', 'transporta/xNome', 36],
    ['FRETE', 'modFrete', 22, (code) => described(code, freightModes)],
    ['CÓDIGO ANTT', 'veicTransp/RNTC', 11],
    ['PLACA', 'veicTransp/placa', 9, 'center'],
    ['UF', 'veicTransp/UF', 4, 'center'],
    ['CNPJ / CPF', at('transporta', idOf), 18, 'center'],
  ],
  [
    ['ENDEREÇO', 'transporta/xEnder', 48],
    ['MUNICÍPIO', 'transporta/xMun', 30],
    ['UF', 'transporta/UF', 4, 'center'],
    ['INSCRIÇÃO ESTADUAL', 'transporta/IE', 18, 'center'],
  ],
];

const volumeEntries: readonly Entry[] = [
  ['QUANTIDADE', 'qVol', 14, quantity],
  ['ESPÉCIE', 'esp', 20],
  ['MARCA', 'marca', 18],
  ['NUMERAÇÃO', 'nVol', 18],
  ['PESO BRUTO', 'pesoB', 15, quantity, 'right'],
  ['PESO LÍQUIDO', 'pesoL', 15, quantity, 'right'],
];

function transport(note: XmlElement): Block[] {
  const carriage = elementAt(note, 'transp');
  const volumes = elementsAt(carriage, 'vol');
  const listed = volumes.length === 0 ? [undefined] : volumes.slice(0, MOST_LISTED);
  return [
    fieldBlock('TRANSPORTADOR / VOLUMES TRANSPORTADOS', [
      ...rowsOf(carriage, carrierRows),
      ...listed.map((volume) => fieldsOf(volume, volumeEntries)),
    ]),
    ...andMore(volumes.length - MOST_LISTED, 'VOLUMES'),
  ];
}

const serviceRows: readonly Entry[][] = [
  [
    ['INSCRIÇÃO MUNICIPAL', 'emit/IM', 25],
    ['VALOR TOTAL DOS SERVIÇOS', 'total/ISSQNtot/vServ', 25, money, 'right'],
    ['BASE DE CÁLCULO DO ISSQN', 'total/ISSQNtot/vBC', 25, money, 'right'],
    ['VALOR DO ISSQN', 'total/ISSQNtot/vISS', 25, money, 'right'],
  ],
];

/** Start and reason of a contingency; undefined for other notes. */
function contingencyLine(note: XmlElement): string | undefined {
  const emission = textAt(note, 'ide/tpEmis');
  if (emission === undefined || emission === NORMAL) return undefined;
  const [since, why] = [textAt(note, 'ide/dhCont'), textAt(note, 'ide/xJust')];
  return [
    `Emitida em contingência (tpEmis ${emission})`,
    since && ` desde ${moment(since)}`,
    why && `. Motivo: ${why}`,
  ].join('');
}

/** Texts of the note, and facts without a field on the form. */
export function additional(note: XmlElement): Block {
  const [credit, debit] = [textAt(note, 'ide/tpNFCredito'), textAt(note, 'ide/tpNFDebito')];
  const taxes = textAt(note, 'total/ICMSTot/vTotTrib');
  const text = joined(
    '\n',
    contingencyLine(note),
    textAt(note, 'infAdic/infCpl'),
    ...elementsAt(note, 'infAdic/obsCont').map(remarkOf),
    credit && `Nota de crédito: ${described(credit, creditTypes)}`,
    debit && `Nota de débito: ${described(debit, debitTypes)}`,
    ...elementsAt(note, 'ide/NFref').map((one) => {
      const key = textAt(one, 'refNFe', 'refNFeSig', 'refCTe');
      return key && `Documento referenciado: ${keyGroups(key)}`;
    }),
    ...elementsAt(note, 'gPgtoVinc/gPgto').map(
      ({ attributes }) => `Pagamento vinculado: transação ${attributes.idTransacao ?? ''}`,
    ),
    taxes && `Valor aproximado dos tributos: R$ ${money(taxes)}`,
  );
  const authority = textAt(note, 'infAdic/infAdFisco');
  const parts = [field('INFORMAÇÕES COMPLEMENTARES', text, 65), field('RESERVADO AO FISCO', authority, 35)];
  return textBlock('DADOS ADICIONAIS', parts, [6, 16], 'bottom');
}

/** The blocks of a DANFE below its head. `protocol` is `protNFe/infProt`, if present. */
export function danfeBlocks(note: XmlElement, protocol: XmlElement | undefined): Block[] {
  const hasServices = elementAt(note, 'total/ISSQNtot') !== undefined;
  return [
    receipt(note),
    identification(note, protocol),
    section('DESTINATÁRIO / REMETENTE', note, recipientRows),
    // Present only if different from the parties' addresses.
    ...optional('INFORMAÇÕES DO LOCAL DE RETIRADA', elementAt(note, 'retirada'), placeRows),
    ...optional('INFORMAÇÕES DO LOCAL DE ENTREGA', elementAt(note, 'entrega'), placeRows),
    ...billing(note),
    section('CÁLCULO DO IMPOSTO', note, taxTotals),
    ...reformTotals(note),
    ...transport(note),
    itemsBlock('DADOS DOS PRODUTOS / SERVIÇOS', danfeColumns, note),
    ...(hasServices ? [section('CÁLCULO DO ISSQN', note, serviceRows, 'bottom')] : []),
    additional(note),
  ];
}
