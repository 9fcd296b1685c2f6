import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { type Entry, leavesOf, optional, section } from './entries.ts';
import { type Codes, day, described, joined, knownMeaning, meaningOf, money } from './printed.ts';
import { type Block, field, fieldBlock, inRows, sentence } from './sheet.ts';

export const modals: Codes = {
  '01': 'Rodoviário',
  '02': 'Aéreo',
  '03': 'Aquaviário',
  '04': 'Ferroviário',
  '05': 'Dutoviário',
  '06': 'Multimodal',
};

const ROAD = '01';

/** What the fields of the modals are called on the form; those of other names keep the file's. */
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

/** What belongs to the modal: six modals have little in common. */
export function modalBlocks(cte: XmlElement): Block[] {
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

/** Who insures. Source: layouts 2.00 and 3.00. */
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

/** The way that is planned for the goods, and their insurance, which layouts before 4.00 and a CT-e OS have. */
export function flowAndInsurance(cte: XmlElement): Block[] {
  return [
    ...optional('PREVISÃO DO FLUXO DA CARGA', elementAt(cte, 'compl/fluxo'), [flow]),
    ...elementsAt(cte, 'infCTeNorm/seg').map((one) => section('SEGURO DA CARGA', one, [insurance])),
  ];
}
