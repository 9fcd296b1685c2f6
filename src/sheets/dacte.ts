import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { carriageBlocks, modals } from './dacte-carriage.ts';
import {
  addressOf,
  authorizationOf,
  cityOf,
  type Entry,
  fieldsOf,
  idOf,
  issuerLines,
  remarkOf,
  section,
  streetOf,
  together,
} from './entries.ts';
import {
  type Codes,
  described,
  documentNumber,
  joined,
  knownMeaning,
  moment,
  phone,
  postalCode,
} from './printed.ts';
import { type Block, field, fieldBlock, type SheetHead, textBlock } from './sheet.ts';

/** Meanings of a CT-e's codes. Source: MOC CT-e 4.00, layouts of CT-e, CT-e OS and simplified CT-e. */
const purposes: Codes = {
  0: 'Normal',
  1: 'Complemento de valores',
  2: 'Anulação',
  3: 'Substituto',
  5: 'Simplificado',
  6: 'Substituto simplificado',
};

const services: Codes = {
  0: 'Normal',
  1: 'Subcontratação',
  2: 'Redespacho',
  3: 'Redespacho intermediário',
  4: 'Serviço vinculado a multimodal',
  6: 'Transporte de pessoas',
  7: 'Transporte de valores',
  8: 'Excesso de bagagem',
};

const takers: Codes = {
  0: 'Remetente',
  1: 'Expedidor',
  2: 'Recebedor',
  3: 'Destinatário',
  4: 'Outros',
};

const partiesByTaker: Codes = { 0: 'rem', 1: 'exped', 2: 'receb', 3: 'dest' };

const OTHER_SERVICES_MODEL = '67';
const CONSULTATION =
  'Consulta de autenticidade no portal nacional do CT-e, no site da Sefaz Autorizadora, ou em www.cte.fazenda.gov.br/portal';

/** Printed instead of the consultation for contingency issue. Source: MOC CT-e, Anexo II. */
const contingencies: Codes = {
  4: `DACTE impresso em contingência - EPEC regularmente recebido. ${CONSULTATION}`,
  5: 'DACTE em Contingência - impresso em decorrência de problemas técnicos',
};

const isOtherService = (cte: XmlElement): boolean => textAt(cte, 'ide/mod') === OTHER_SERVICES_MODEL;
const isSimplified = (cte: XmlElement): boolean => elementAt(cte, 'det') !== undefined;

/** The head of a CT-e, CT-e OS or simplified CT-e. */
export function dacteHead(cte: XmlElement, supplement: XmlElement | undefined): SheetHead {
  const isOther = isOtherService(cte);
  const issuer = elementAt(cte, 'emit');
  const plainTitle = isSimplified(cte) ? 'DACTE SIMPLIFICADO' : 'DACTE';
  return {
    title: isOther ? 'DACTE OS' : plainTitle,
    subtitle: [
      'Documento Auxiliar do Conhecimento',
      isOther ? 'de Transporte Eletrônico - Outros Serviços' : 'de Transporte Eletrônico',
      `Modal: ${described(textAt(cte, 'ide/modal'), modals)}`,
    ],
    issuer: [...issuerLines(issuer), `CNPJ/CPF: ${idOf(issuer)}  IE: ${textAt(issuer, 'IE') ?? ''}`],
    facts: [
      { label: 'MODELO', value: textAt(cte, 'ide/mod') ?? '' },
      { label: 'SÉRIE', value: textAt(cte, 'ide/serie') ?? '' },
      { label: 'Nº', value: documentNumber(textAt(cte, 'ide/nCT')) },
      { label: 'EMISSÃO', value: moment(textAt(cte, 'ide/dhEmi')) },
    ],
    key: cte.attributes.Id?.replace(/^CTe/, '') || undefined,
    qr: textAt(supplement, 'qrCodCTe'),
    consultation: knownMeaning(textAt(cte, 'ide/tpEmis'), contingencies) ?? CONSULTATION,
    corner: [],
  };
}

const RECEIPT =
  'DECLARO QUE RECEBI OS VOLUMES DESTE CONHECIMENTO EM PERFEITO ESTADO PELO QUE DOU POR CUMPRIDO O PRESENTE CONTRATO DE TRANSPORTE';

function receipt(cte: XmlElement): Block {
  const number = `Nº ${documentNumber(textAt(cte, 'ide/nCT'))} SÉRIE ${textAt(cte, 'ide/serie') ?? ''}`;
  const rows = [
    [field('', RECEIPT, 82), field('CT-E', number, 18, 'center')],
    [
      field('NOME', '', 30),
      field('RG', '', 14),
      field('ASSINATURA / CARIMBO', '', 20),
      field('INÍCIO DA PRESTAÇÃO - DATA/HORA', '', 18),
      field('TÉRMINO DA PRESTAÇÃO - DATA/HORA', '', 18),
    ],
  ];
  return fieldBlock(undefined, rows, 'top');
}

/** Code of the service recipient (tomador), which layouts 2.00 to 4.00 have in four places. */
function takerCode(cte: XmlElement | undefined): string | undefined {
  return textAt(cte, 'ide/toma3/toma', 'ide/toma03/toma', 'ide/toma4/toma', 'ide/toma04/toma', 'toma/toma');
}

function identification(cte: XmlElement, protocol: XmlElement | undefined): Block {
  const taker = described(takerCode(cte), takers) || textAt(cte, 'toma/xNome');
  const rows: readonly Entry[][] = [
    [
      ['TIPO DO CT-E', 'ide/tpCTe', 30, (code) => described(code, purposes)],
      ['TIPO DO SERVIÇO', 'ide/tpServ', 35, (code) => described(code, services)],
      ['TOMADOR DO SERVIÇO', () => taker, 35],
    ],
    [
      ['CFOP - NATUREZA DA PRESTAÇÃO', together(' - ', 'ide/CFOP', 'ide/natOp'), 58],
      ['PROTOCOLO DE AUTORIZAÇÃO DE USO', () => authorizationOf(protocol), 42, 'center'],
    ],
    [
      ['INÍCIO DA PRESTAÇÃO', together(' - ', 'ide/xMunIni', 'ide/UFIni'), 50],
      ['TÉRMINO DA PRESTAÇÃO', together(' - ', 'ide/xMunFim', 'ide/UFFim'), 50],
    ],
  ];
  return section(undefined, cte, rows, 'every');
}

const partyEntries: readonly Entry[] = [
  ['NOME / RAZÃO SOCIAL', 'xNome', 46],
  ['CNPJ / CPF', idOf, 20, 'center'],
  ['INSCRIÇÃO ESTADUAL', 'IE', 18, 'center'],
  ['FONE', (party) => textAt(party, 'fone') ?? textAt(addressOf(party), 'fone'), 16, phone, 'center'],
];

const addressEntries: readonly Entry[] = [
  ['ENDEREÇO', streetOf, 42],
  ['BAIRRO', 'xBairro', 20],
  ['MUNICÍPIO', cityOf, 18],
  ['CEP', 'CEP', 9, postalCode, 'center'],
  ['PAÍS', 'xPais', 11],
];

/** The service recipient (tomador), who pays: one of the other parties, or a separate one. */
function takerOf(cte: XmlElement): XmlElement | undefined {
  const own = elementAt(cte, 'ide/toma4') ?? elementAt(cte, 'ide/toma04') ?? elementAt(cte, 'toma');
  const party = knownMeaning(takerCode(cte), partiesByTaker);
  return own ?? (party === undefined ? undefined : elementAt(cte, party));
}

/** The form's parties; empty boxes for absent ones, except on forms without them. */
function partyBlocks(cte: XmlElement): Block[] {
  const hasAll = !isOtherService(cte) && !isSimplified(cte);
  const parties = [
    ['REMETENTE', elementAt(cte, 'rem')],
    ['DESTINATÁRIO', elementAt(cte, 'dest')],
    ['EXPEDIDOR', elementAt(cte, 'exped')],
    ['RECEBEDOR', elementAt(cte, 'receb')],
    ['TOMADOR DO SERVIÇO', takerOf(cte)],
  ] as const;
  return parties
    .filter(([, party]) => party !== undefined || hasAll)
    .map(([title, party]) =>
      fieldBlock(title, [fieldsOf(party, partyEntries), fieldsOf(addressOf(party), addressEntries)]),
    );
}

function remarks(cte: XmlElement): Block {
  const [since, why] = [textAt(cte, 'ide/dhCont'), textAt(cte, 'ide/xJust')];
  const states = elementsAt(cte, 'ide/infPercurso').flatMap((one) => textAt(one, 'UFPer') ?? []);
  const text = joined(
    '\n',
    (since ?? why) && `Contingência desde ${moment(since)}: ${why ?? ''}`,
    textAt(cte, 'compl/xObs'),
    states.length === 0 ? '' : `Percurso: ${states.join(', ')}`,
  );
  return textBlock('OBSERVAÇÕES', [field('', text, 100)], [4, 14], 'bottom');
}

function reserved(cte: XmlElement): Block {
  const issuer = elementsAt(cte, 'compl/ObsCont').map(remarkOf).join('\n');
  const ofAuthority = elementsAt(cte, 'compl/ObsFisco').map(remarkOf);
  const authority = joined('\n', textAt(cte, 'imp/infAdFisco'), ...ofAuthority);
  const parts = [
    field('USO EXCLUSIVO DO EMISSOR DO CT-E', issuer, 65),
    field('RESERVADO AO FISCO', authority, 35),
  ];
  return textBlock(undefined, parts, [4, 10], 'bottom');
}

/** The blocks of a DACTE below its head. `protocol` is `protCTe/infProt`, if present. */
export function dacteBlocks(cte: XmlElement, protocol: XmlElement | undefined): Block[] {
  return [
    receipt(cte),
    identification(cte, protocol),
    ...partyBlocks(cte),
    ...carriageBlocks(cte),
    remarks(cte),
    reserved(cte),
  ];
}
