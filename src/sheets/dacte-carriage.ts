import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import {
  amountRow,
  type Entry,
  fieldsOf,
  leavesOf,
  optional,
  section,
  tableOf,
  together,
} from './entries.ts';
import {
  type Codes,
  day,
  described,
  joined,
  keyGroups,
  knownMeaning,
  meaningOf,
  money,
  quantity,
  taxId,
} from './printed.ts';
import { type Block, field, fieldBlock, inRows, sentence } from './sheet.ts';

const units: Codes = {
  '00': 'M3',
  '01': 'KG',
  '02': 'TON',
  '03': 'UN',
  '04': 'LITROS',
  '05': 'MMBTU',
};

const goods: readonly Entry[] = [
  ['PRODUTO PREDOMINANTE', 'proPred', 40],
  ['OUTRAS CARACTERÍSTICAS DA CARGA', 'xOutCat', 36],
  ['VALOR TOTAL DA CARGA', 'vCarga', 24, money, 'right'],
];

function cargoBlocks(cte: XmlElement): Block[] {
  const cargo = elementAt(cte, 'infCTeNorm/infCarga') ?? elementAt(cte, 'infCarga');
  const service = elementAt(cte, 'infCTeNorm/infServico');
  if (cargo === undefined && service === undefined) return [];
  const measured = [...elementsAt(cargo, 'infQ'), ...elementsAt(service, 'infQ')].map((one) => {
    const unit = meaningOf(textAt(one, 'cUnid'), units);
    const label = joined(' / ', textAt(one, 'tpMed') ?? 'QUANTIDADE', unit);
    return field(label.toUpperCase(), quantity(textAt(one, 'qCarga')), 20);
  });
  const title = service === undefined ? 'INFORMAÇÕES DA CARGA' : 'INFORMAÇÕES DA PRESTAÇÃO DO SERVIÇO';
  const described = fieldsOf(service, [['DESCRIÇÃO DO SERVIÇO PRESTADO', 'xDescServ', 100]]);
  const head = service === undefined ? fieldsOf(cargo, goods) : described;
  return [fieldBlock(title, [head, ...inRows(measured, 5, true)])];
}

const priceTotals = amountRow(
  ['VALOR TOTAL DO SERVIÇO', 'vPrest/vTPrest|total/vTPrest'],
  ['VALOR A RECEBER', 'vPrest/vRec|total/vTRec'],
  ['VALOR TOTAL DO DOCUMENTO', 'imp/vTotDFe|total/vTotDFe'],
);

function priceBlock(cte: XmlElement): Block {
  const parts = elementsAt(cte, 'vPrest/Comp').map((one) =>
    field(textAt(one, 'xNome') ?? '', money(textAt(one, 'vComp')), 25, 'right'),
  );
  const shown = parts.length > 0 ? parts : [field('NOME / VALOR', '', 25)];
  const rows = [...inRows(shown, 4, true), fieldsOf(cte, priceTotals)];
  return fieldBlock('COMPONENTES DO VALOR DA PRESTAÇÃO DO SERVIÇO', rows);
}

const federal = amountRow(
  ['VALOR DO PIS', 'vPIS'],
  ['VALOR DA COFINS', 'vCOFINS'],
  ['VALOR DO IR', 'vIR'],
  ['VALOR DO INSS', 'vINSS'],
  ['VALOR DA CSLL', 'vCSLL'],
);

const reform: readonly Entry[] = [
  ['CST IBS/CBS', 'CST', 10, 'center'],
  ['cClassTrib', 'cClassTrib', 10, 'center'],
  ['BASE IBS/CBS', 'gIBSCBS/vBC', 20, money, 'right'],
  ['% IBS UF', 'gIBSCBS/gIBSUF/pIBSUF', 9, money, 'right'],
  ['VALOR IBS UF', 'gIBSCBS/gIBSUF/vIBSUF', 12, money, 'right'],
  ['% IBS MUN', 'gIBSCBS/gIBSMun/pIBSMun', 9, money, 'right'],
  ['VALOR IBS MUN', 'gIBSCBS/gIBSMun/vIBSMun', 12, money, 'right'],
  ['% CBS', 'gIBSCBS/gCBS/pCBS', 7, money, 'right'],
  ['VALOR CBS', 'gIBSCBS/gCBS/vCBS', 11, money, 'right'],
];

function situationOf(icms: XmlElement | undefined): string {
  return joined(' - ', textAt(icms, 'CST'), textAt(icms, 'indSN') === '1' ? 'SIMPLES NACIONAL' : '');
}

const icmsEntries: readonly Entry[] = [
  ['SITUAÇÃO TRIBUTÁRIA', situationOf, 24],
  ['BASE DE CÁLCULO', 'vBC|vBCOutraUF|vBCSTRet', 18, money, 'right'],
  ['ALÍQ. ICMS', 'pICMS|pICMSOutraUF|pICMSSTRet', 10, money, 'right'],
  ['VALOR DO ICMS', 'vICMS|vICMSOutraUF', 15, money, 'right'],
  ['% RED. BC', 'pRedBC|pRedBCOutraUF', 9, money, 'right'],
  ['ICMS ST', 'vICMSSTRet', 13, money, 'right'],
  ['CRÉDITO', 'vCred', 11, money, 'right'],
];

/** ICMS (one element per situation), federal taxes, and the reform's taxes. */
function taxBlock(cte: XmlElement): Block {
  const federalTaxes = elementAt(cte, 'imp/infTribFed');
  const ibsCbs = elementAt(cte, 'imp/IBSCBS');
  return fieldBlock('INFORMAÇÕES RELATIVAS AO IMPOSTO', [
    fieldsOf(elementAt(cte, 'imp/ICMS/*'), icmsEntries),
    ...(federalTaxes ? [fieldsOf(federalTaxes, federal)] : []),
    ...(ibsCbs ? [fieldsOf(ibsCbs, reform)] : []),
  ]);
}

/** Documents identified by key: label, path, and element of the key. */
type Keyed = readonly [label: string, path: string, key: string];

const keyedOrigins: readonly Keyed[] = [
  ['NF-E', 'infCTeNorm/infDoc/infNFe', 'chave'],
  ['DC-E', 'infCTeNorm/infDoc/infDCe', 'chave'],
];
const keyedRelations: readonly Keyed[] = [
  ['CT-E ANTERIOR', 'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle', 'chCTe|chave'],
  ['CT-E COMPLEMENTADO', 'infCteComp', 'chCTe'],
  ['CT-E SUBSTITUÍDO', 'infCTeNorm/infCteSub', 'chCte'],
  ['CT-E SUBSTITUÍDO', 'infCteSub', 'chCte'],
];

/** Source documents of the goods: type, issuer or key, series and number. */
function originsOf(cte: XmlElement): string[][] {
  const keyed = ([label, path, names]: Keyed) =>
    elementsAt(cte, path).flatMap((one) => {
      const key = textAt(one, ...names.split('|'));
      return key === undefined ? [] : [[label, keyGroups(key), '']];
    });
  const sender = taxId(textAt(cte, 'rem/CNPJ', 'rem/CPF'));
  const number = together(' / ', 'serie', 'nDoc');
  return [
    ...keyedOrigins.flatMap(keyed),
    ...elementsAt(cte, 'infCTeNorm/infDoc/infNF').map((one) => ['NF', sender, number(one)]),
    ...elementsAt(cte, 'infCTeNorm/infDoc/infOutros').map((one) => {
      const number = joined(' ', textAt(one, 'nDoc'), day(textAt(one, 'dEmi')));
      return [textAt(one, 'descOutros') ?? 'OUTROS', '', number];
    }),
    ...keyedRelations.flatMap(keyed),
  ];
}

const originColumns = [
  { heading: 'TIPO', width: 10 },
  { heading: 'CHAVE DE ACESSO / CNPJ', width: 32 },
  { heading: 'SÉRIE / Nº', width: 8 },
];

function originBlocks(cte: XmlElement): Block[] {
  const origins = originsOf(cte);
  if (origins.length === 0) return [];
  const rows = Array.from({ length: Math.ceil(origins.length / 2) }, (_, i) => {
    const [left, right] = [origins[2 * i], origins[2 * i + 1]];
    return { cells: [...(left ?? []), ...(right ?? ['', '', ''])] };
  });
  const columns = [...originColumns, ...originColumns];
  return [{ kind: 'table', title: 'DOCUMENTOS ORIGINÁRIOS', columns, rows }];
}

/** Price components of a delivery, its notes, and the previous CT-e with the notes carried on from them. */
function deliveryDetails(delivery: XmlElement): string[] {
  const keyed = (kind: string, parent: XmlElement, path: string, name: string) =>
    elementsAt(parent, path).map((one) => `${kind} ${keyGroups(textAt(one, name) ?? '')}`);
  return [
    ...elementsAt(delivery, 'Comp').map(
      (one) => `${textAt(one, 'xNome') ?? ''}: ${money(textAt(one, 'vComp'))}`,
    ),
    ...keyed('NF-E', delivery, 'infNFe', 'chNFe'),
    ...elementsAt(delivery, 'infDocAnt').flatMap((earlier) => [
      `CT-E ANTERIOR ${keyGroups(textAt(earlier, 'chCTe') ?? '')}`,
      ...keyed('NF-E', earlier, 'infNFeTranspParcial', 'chNFe'),
    ]),
  ];
}

const deliveryColumns: readonly Entry[] = [
  ['INÍCIO', together('/', 'xMunIni|cMunIni', 'UFIni'), 30],
  ['TÉRMINO', together('/', 'xMunFim|cMunFim', 'UFFim'), 30],
  ['VALOR DA PRESTAÇÃO', 'vPrest', 20, money, 'right'],
  ['VALOR A RECEBER', 'vRec', 20, money, 'right'],
];

function deliveryBlocks(cte: XmlElement): Block[] {
  const deliveries = elementsAt(cte, 'det');
  return deliveries.length === 0 ? [] : [tableOf('ENTREGAS', deliveryColumns, deliveries, deliveryDetails)];
}

export const modals: Codes = {
  '01': 'Rodoviário',
  '02': 'Aéreo',
  '03': 'Aquaviário',
  '04': 'Ferroviário',
  '05': 'Dutoviário',
  '06': 'Multimodal',
};

const ROAD = '01';

/** Labels of the modals' fields on the form; fields without one keep the file's name. */
const modalLabels: Codes = {
  RNTRC: 'RNTRC DA EMPRESA',
  CIOT: 'CIOT',
  dPrev: 'DATA PREVISTA DE ENTREGA',
  lota: 'LOTAÇÃO',
  nMinu: 'Nº DA MINUTA',
  nOCA: 'Nº OPERACIONAL DO CONHECIMENTO AÉREO',
  dPrevAereo: 'DATA PREVISTA DA ENTREGA',
  xDime: 'DIMENSÃO',
  cInfManu: 'INFORMAÇÕES DE MANUSEIO',
  CL: 'CLASSE DA TARIFA',
  cTar: 'CÓDIGO DA TARIFA',
  vTar: 'VALOR DA TARIFA',
  vPrest: 'VALOR DA PRESTAÇÃO BC DO AFRMM',
  vAFRMM: 'AFRMM',
  xNavio: 'IDENTIFICAÇÃO DO NAVIO',
  nViag: 'Nº DA VIAGEM',
  direc: 'DIREÇÃO',
  irin: 'IRIN DO NAVIO',
  xBalsa: 'IDENTIFICAÇÃO DA BALSA',
  nCont: 'IDENTIFICAÇÃO DO CONTÊINER',
  nLacre: 'LACRE',
  tpTraf: 'TIPO DE TRÁFEGO',
  fluxo: 'FLUXO FERROVIÁRIO',
  dIni: 'INÍCIO DA PRESTAÇÃO',
  dFim: 'FIM DA PRESTAÇÃO',
  placa: 'PLACA',
  UF: 'UF',
  xNome: 'NOME',
  CNPJ: 'CNPJ',
  CPF: 'CPF',
  NroRegEstadual: 'Nº DO REGISTRO ESTADUAL',
  TAF: 'TERMO DE AUTORIZAÇÃO DE FRETAMENTO',
};

/** All fields of the modal in the file's order; the six modals share few fields. */
function modalBlocks(cte: XmlElement): Block[] {
  const modal = elementAt(cte, 'infCTeNorm/infModal/*') ?? elementAt(cte, 'infModal/*');
  const fields = leavesOf(modal).map(({ names, value }) =>
    field(meaningOf(names.at(-1), modalLabels), day(value), 25),
  );
  if (fields.length === 0) return [];
  const code = textAt(cte, 'ide/modal');
  const name = knownMeaning(code, modals)?.toUpperCase() ?? '';
  return [
    fieldBlock(`DADOS ESPECÍFICOS DO MODAL ${name}`.trim(), inRows(fields, 4, true)),
    ...(code === ROAD
      ? [sentence('ESTE CONHECIMENTO DE TRANSPORTE ATENDE À LEGISLAÇÃO DE TRANSPORTE RODOVIÁRIO EM VIGOR')]
      : []),
  ];
}

const flow: readonly Entry[] = [
  ['ORIGEM', 'xOrig', 20],
  ['PASSAGEM', (one) => joined(', ', ...elementsAt(one, 'pass').map((stop) => textAt(stop, 'xPass'))), 40],
  ['DESTINO', 'xDest', 20],
  ['ROTA', 'xRota', 20],
];

/** The insuring party (respSeg). Source: layouts 2.00 and 3.00. */
const insured: Codes = {
  0: 'Remetente',
  1: 'Expedidor',
  2: 'Recebedor',
  3: 'Destinatário',
  4: 'Emitente do CT-e',
  5: 'Tomador do serviço',
};

const insurance: readonly Entry[] = [
  ['RESPONSÁVEL', 'respSeg', 25, (code) => described(code, insured)],
  ['NOME DA SEGURADORA', 'xSeg', 35],
  ['Nº DA APÓLICE', 'nApol', 20],
  ['Nº DA AVERBAÇÃO / VALOR', (one) => joined(' / ', textAt(one, 'nAver'), money(textAt(one, 'vCarga'))), 20],
];

/** Planned route and insurance; only layouts before 4.00 and the CT-e OS have insurance. */
function flowAndInsurance(cte: XmlElement): Block[] {
  return [
    ...optional('PREVISÃO DO FLUXO DA CARGA', elementAt(cte, 'compl/fluxo'), [flow]),
    ...elementsAt(cte, 'infCTeNorm/seg').map((one) => section('SEGURO DA CARGA', one, [insurance])),
  ];
}

/** Carriage blocks of a DACTE: goods, price, taxes, deliveries or source documents, modal. */
export function carriageBlocks(cte: XmlElement): Block[] {
  return [
    ...cargoBlocks(cte),
    priceBlock(cte),
    taxBlock(cte),
    ...deliveryBlocks(cte),
    ...originBlocks(cte),
    ...flowAndInsurance(cte),
    ...modalBlocks(cte),
  ];
}
