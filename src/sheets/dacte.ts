import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import {
  cargoBlocks,
  deliveryBlocks,
  modals,
  originBlocks,
  partiesByTaker,
  priceBlock,
  purposes,
  services,
  takers,
  taxBlock,
  wayOf,
} from './dacte-cargo.ts';
import { flowBlocks, insuranceBlocks, modalBlocks, remarks, reserved } from './dacte-remarks.ts';
import { addressOf, cityOf, idOf, issuerLines, streetOf } from './parties.ts';
import { described, documentNumber, moment, phone, postalCode } from './printed.ts';
import { type Block, field, fieldBlock, type SheetHead } from './sheet.ts';

const OTHER_SERVICES_MODEL = '67';
const CONSULTATION =
  'Consulta de autenticidade no portal nacional do CT-e, no site da Sefaz Autorizadora, ou em www.cte.fazenda.gov.br/portal';

/** Printed instead of the consultation when the CT-e was issued without its authority. Source: MOC CT-e, Anexo II. */
const contingencies: Readonly<Record<string, string>> = {
  4: `DACTE impresso em contingência - EPEC regularmente recebido. ${CONSULTATION}`,
  5: 'DACTE em Contingência - impresso em decorrência de problemas técnicos',
};

/** The head of a CT-e, CT-e OS or simplified CT-e. */
export function dacteHead(cte: XmlElement, supplement: XmlElement | undefined): SheetHead {
  const isOther = textAt(cte, 'ide/mod') === OTHER_SERVICES_MODEL;
  const isSimplified = elementsAt(cte, 'det').length > 0;
  const key = cte.attributes.Id?.replace(/^CTe/, '');
  const qr = textAt(supplement, 'qrCodCTe');
  const title = isOther ? 'DACTE OS' : isSimplified ? 'DACTE SIMPLIFICADO' : 'DACTE';
  return {
    title,
    subtitle: [
      'Documento Auxiliar do Conhecimento',
      isOther ? 'de Transporte Eletrônico - Outros Serviços' : 'de Transporte Eletrônico',
      `Modal: ${described(textAt(cte, 'ide/modal'), modals)}`,
    ],
    issuer: [
      ...issuerLines(elementAt(cte, 'emit')),
      `CNPJ/CPF: ${idOf(elementAt(cte, 'emit'))}  IE: ${textAt(cte, 'emit/IE') ?? ''}`,
    ],
    facts: [
      { label: 'MODELO', value: textAt(cte, 'ide/mod') ?? '' },
      { label: 'SÉRIE', value: textAt(cte, 'ide/serie') ?? '' },
      { label: 'Nº', value: documentNumber(textAt(cte, 'ide/nCT')) },
      { label: 'EMISSÃO', value: moment(textAt(cte, 'ide/dhEmi')) },
    ],
    ...(key && { key }),
    ...(qr !== undefined && { qr }),
    consultation: contingencies[textAt(cte, 'ide/tpEmis') ?? ''] ?? CONSULTATION,
    corner: [],
  };
}

function receipt(cte: XmlElement): Block {
  const number = `Nº ${documentNumber(textAt(cte, 'ide/nCT'))} SÉRIE ${textAt(cte, 'ide/serie') ?? ''}`;
  return fieldBlock(
    undefined,
    [
      [
        field(
          '',
          'DECLARO QUE RECEBI OS VOLUMES DESTE CONHECIMENTO EM PERFEITO ESTADO PELO QUE DOU POR CUMPRIDO O PRESENTE CONTRATO DE TRANSPORTE',
          82,
        ),
        field('CT-E', number, 18, 'center'),
      ],
      [
        field('NOME', '', 30),
        field('RG', '', 14),
        field('ASSINATURA / CARIMBO', '', 20),
        field('INÍCIO DA PRESTAÇÃO - DATA/HORA', '', 18),
        field('TÉRMINO DA PRESTAÇÃO - DATA/HORA', '', 18),
      ],
    ],
    'top',
  );
}

/** The code of who takes the service; layouts 2.00 to 4.00 have it in four places. */
function takerCode(cte: XmlElement): string | undefined {
  return textAt(cte, 'ide/toma3/toma', 'ide/toma03/toma', 'ide/toma4/toma', 'ide/toma04/toma', 'toma/toma');
}

function identification(cte: XmlElement, protocol: XmlElement | undefined): Block {
  const number = textAt(protocol, 'nProt');
  const taker = takerCode(cte);
  const nature = [textAt(cte, 'ide/CFOP'), textAt(cte, 'ide/natOp')].filter(Boolean).join(' - ');
  const authorization =
    number === undefined
      ? 'SEM PROTOCOLO DE AUTORIZAÇÃO'
      : `${number} - ${moment(textAt(protocol, 'dhRecbto'))}`;
  return fieldBlock(
    undefined,
    [
      [
        field('TIPO DO CT-E', described(textAt(cte, 'ide/tpCTe'), purposes), 30),
        field('TIPO DO SERVIÇO', described(textAt(cte, 'ide/tpServ'), services), 35),
        field('TOMADOR DO SERVIÇO', described(taker, takers) || (textAt(cte, 'toma/xNome') ?? ''), 35),
      ],
      [
        field('CFOP - NATUREZA DA PRESTAÇÃO', nature, 58),
        field('PROTOCOLO DE AUTORIZAÇÃO DE USO', authorization, 42, 'center'),
      ],
      [
        field('INÍCIO DA PRESTAÇÃO', wayOf(cte, 'Ini'), 50),
        field('TÉRMINO DA PRESTAÇÃO', wayOf(cte, 'Fim'), 50),
      ],
    ],
    'every',
  );
}

function partyBlock(title: string, party: XmlElement | undefined): Block[] {
  const address = addressOf(party);
  return [
    fieldBlock(title, [
      [
        field('NOME / RAZÃO SOCIAL', textAt(party, 'xNome'), 46),
        field('CNPJ / CPF', idOf(party), 20, 'center'),
        field('INSCRIÇÃO ESTADUAL', textAt(party, 'IE'), 18, 'center'),
        field('FONE', phone(textAt(party, 'fone') ?? textAt(address, 'fone')), 16, 'center'),
      ],
      [
        field('ENDEREÇO', streetOf(address), 42),
        field('BAIRRO', textAt(address, 'xBairro'), 20),
        field('MUNICÍPIO', cityOf(address), 18),
        field('CEP', postalCode(textAt(address, 'CEP')), 9, 'center'),
        field('PAÍS', textAt(address, 'xPais'), 11),
      ],
    ]),
  ];
}

/** Who takes the service and pays for it: one of the parties, or somebody of their own. */
function takerOf(cte: XmlElement): XmlElement | undefined {
  const own = elementAt(cte, 'ide/toma4') ?? elementAt(cte, 'ide/toma04') ?? elementAt(cte, 'toma');
  if (own !== undefined) return own;
  const party = partiesByTaker[takerCode(cte) ?? ''];
  return party === undefined ? undefined : elementAt(cte, party);
}

/** The parties that the form has; those that the document does not name stay empty, but for forms without them. */
function partyBlocks(cte: XmlElement): Block[] {
  const hasAll = textAt(cte, 'ide/mod') !== OTHER_SERVICES_MODEL && elementsAt(cte, 'det').length === 0;
  const parties = [
    ['REMETENTE', elementAt(cte, 'rem')],
    ['DESTINATÁRIO', elementAt(cte, 'dest')],
    ['EXPEDIDOR', elementAt(cte, 'exped')],
    ['RECEBEDOR', elementAt(cte, 'receb')],
    ['TOMADOR DO SERVIÇO', takerOf(cte)],
  ] as const;
  return parties.flatMap(([title, party]) => (party !== undefined || hasAll ? partyBlock(title, party) : []));
}

/** What a DACTE shows below its head. `protocol` is `protCTe/infProt`, where the file has one. */
export function dacteBlocks(cte: XmlElement, protocol: XmlElement | undefined): Block[] {
  return [
    receipt(cte),
    identification(cte, protocol),
    ...partyBlocks(cte),
    ...cargoBlocks(cte),
    priceBlock(cte),
    taxBlock(cte),
    ...deliveryBlocks(cte),
    ...originBlocks(cte),
    ...flowBlocks(cte),
    ...insuranceBlocks(cte),
    ...modalBlocks(cte),
    remarks(cte),
    reserved(cte),
  ];
}
