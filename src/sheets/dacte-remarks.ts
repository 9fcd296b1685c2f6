import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { modals } from './dacte-cargo.ts';
import { leavesOf } from './parties.ts';
import { day, described, moment, money } from './printed.ts';
import { type Block, field, fieldBlock, inFullRows, sentence, textBlock } from './sheet.ts';

const ROAD = '01';

/** What the fields of the modals are called on the form; those of other names keep the file's. */
const modalLabels: Readonly<Record<string, string>> = {
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
  const fields = leavesOf(modal).map(({ names, value }) => {
    const last = names.at(-1) ?? '';
    return field(Object.hasOwn(modalLabels, last) ? (modalLabels[last] ?? '') : last, day(value), 25);
  });
  if (fields.length === 0) return [];
  const code = textAt(cte, 'ide/modal') ?? '';
  const name = modals[code]?.toUpperCase() ?? '';
  return [
    fieldBlock(`DADOS ESPECÍFICOS DO MODAL ${name}`.trim(), inFullRows(fields, 4)),
    ...(code === ROAD
      ? [sentence('ESTE CONHECIMENTO DE TRANSPORTE ATENDE À LEGISLAÇÃO DE TRANSPORTE RODOVIÁRIO EM VIGOR')]
      : []),
  ];
}

/** Which way the goods are planned to take, where the document says it. */
export function flowBlocks(cte: XmlElement): Block[] {
  const flow = elementAt(cte, 'compl/fluxo');
  if (flow === undefined) return [];
  const through = elementsAt(flow, 'pass').flatMap((one) => textAt(one, 'xPass') ?? []);
  return [
    fieldBlock('PREVISÃO DO FLUXO DA CARGA', [
      [
        field('ORIGEM', textAt(flow, 'xOrig'), 20),
        field('PASSAGEM', through.join(', '), 40),
        field('DESTINO', textAt(flow, 'xDest'), 20),
        field('ROTA', textAt(flow, 'xRota'), 20),
      ],
    ]),
  ];
}

/** Who insures. Source: layouts 2.00 and 3.00. */
const insured: Readonly<Record<string, string>> = {
  0: 'Remetente',
  1: 'Expedidor',
  2: 'Recebedor',
  3: 'Destinatário',
  4: 'Emitente do CT-e',
  5: 'Tomador do serviço',
};

/** The insurance of the goods, which layouts before 4.00 and a CT-e OS have. */
export function insuranceBlocks(cte: XmlElement): Block[] {
  return elementsAt(cte, 'infCTeNorm/seg').map((one) =>
    fieldBlock('SEGURO DA CARGA', [
      [
        field('RESPONSÁVEL', described(textAt(one, 'respSeg'), insured), 25),
        field('NOME DA SEGURADORA', textAt(one, 'xSeg'), 35),
        field('Nº DA APÓLICE', textAt(one, 'nApol'), 20),
        field(
          'Nº DA AVERBAÇÃO / VALOR',
          [textAt(one, 'nAver'), money(textAt(one, 'vCarga'))].filter(Boolean).join(' / '),
          20,
        ),
      ],
    ]),
  );
}

const ownText = (one: XmlElement): string => `${one.attributes.xCampo ?? ''}: ${textAt(one, 'xTexto') ?? ''}`;

/** What the issuer says of the carriage. */
export function remarks(cte: XmlElement): Block {
  const [since, why] = [textAt(cte, 'ide/dhCont'), textAt(cte, 'ide/xJust')];
  const contingency =
    since === undefined && why === undefined ? '' : `Contingência desde ${moment(since)}: ${why ?? ''}`;
  const states = elementsAt(cte, 'ide/infPercurso').flatMap((one) => textAt(one, 'UFPer') ?? []);
  const text = [
    contingency,
    textAt(cte, 'compl/xObs') ?? '',
    states.length === 0 ? '' : `Percurso: ${states.join(', ')}`,
  ];
  return textBlock(
    'OBSERVAÇÕES',
    [field('', text.filter(Boolean).join('\n'), 100)],
    { least: 4, most: 14 },
    'bottom',
  );
}

/** What is the issuer's own and the authority's. */
export function reserved(cte: XmlElement): Block {
  const issuer = elementsAt(cte, 'compl/ObsCont').map(ownText);
  const authority = [
    textAt(cte, 'imp/infAdFisco') ?? '',
    ...elementsAt(cte, 'compl/ObsFisco').map(ownText),
  ].filter(Boolean);
  return textBlock(
    undefined,
    [
      field('USO EXCLUSIVO DO EMISSOR DO CT-E', issuer.join('\n'), 65),
      field('RESERVADO AO FISCO', authority.join('\n'), 35),
    ],
    { least: 4, most: 10 },
    'bottom',
  );
}
