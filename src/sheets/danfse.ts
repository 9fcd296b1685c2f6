import { stateOfCity } from '../documents/identity/states.ts';
import { cityName } from '../documents/tables/cities.ts';
import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import {
  emitters,
  environments,
  generators,
  purposes,
  simplesOptions,
  simplesRegimes,
  situations,
} from './danfse-codes.ts';
import { shown, word } from './danfse-fields.ts';
import { approximateTaxes, complements } from './danfse-remarks.ts';
import { cityTax, federalTax, newTaxes, totalsBlock } from './danfse-taxes.ts';
import { DASH, day, moment, phone, postalCode, taxId } from './printed.ts';
import { type Block, type Field, field, type SheetHead } from './sheet.ts';

/** The public look-up of the national NFS-e. Source: NT SE/CGNFS-e 008 v1.02, section 2.4.3. */
const LOOK_UP = 'https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=';
const AUTHENTICITY =
  'A autenticidade desta NFS-e pode ser verificada pela leitura deste código QR ou pela consulta da chave de acesso no portal nacional da NFS-e';

/** Head of a DANFSe: the key, its QR code and nine fields. */
export function danfseHead(note: XmlElement): SheetHead {
  const declaration = elementAt(note, 'DPS/infDPS');
  const key = note.attributes.Id?.replace(/^NFS/, '');
  const state = textAt(note, 'emit/enderNac/UF') ?? stateOfCity(textAt(declaration, 'cLocEmi'));
  const isTest = textAt(declaration, 'tpAmb') === '2';
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['NÚMERO DA NFS-e', textAt(note, 'nNFSe')],
    ['COMPETÊNCIA DA NFS-e', day(textAt(declaration, 'dCompet'))],
    ['DATA E HORA DA EMISSÃO DA NFS-e', moment(textAt(note, 'dhProc'))],
    ['NÚMERO DA DPS', textAt(declaration, 'nDPS')],
    ['SÉRIE DA DPS', textAt(declaration, 'serie')],
    ['DATA E HORA DA EMISSÃO DA DPS', moment(textAt(declaration, 'dhEmi'))],
    ['EMITENTE DA NFS-e', word(textAt(declaration, 'tpEmit'), emitters)],
    ['SITUAÇÃO DA NFS-e', word(textAt(note, 'cStat'), situations)],
    ['FINALIDADE', word(textAt(declaration, 'IBSCBS/finNFSe'), purposes)],
  ];
  return {
    title: 'DANFSe v2.0',
    subtitle: ['Documento Auxiliar da NFS-e'],
    issuer: [],
    facts: facts.map(([label, value]) => ({ label, value: value || DASH })),
    ...(key && { key, qr: `${LOOK_UP}${key}` }),
    consultation: AUTHENTICITY,
    ...(isTest && { warning: 'NFS-e SEM VALIDADE JURÍDICA' }),
    corner: [
      `Município: ${[textAt(note, 'xLocEmi'), state].filter(Boolean).join(' / ')}`,
      `Ambiente Gerador: ${word(textAt(note, 'ambGer'), generators) ?? DASH}`,
      `Tipo de Ambiente: ${word(textAt(declaration, 'tpAmb'), environments) ?? DASH}`,
    ],
  };
}

/** City and state, then their codes: addresses have the city's code alone. */
function placeOf(address: XmlElement | undefined): readonly [city: string, codes: string] {
  const abroad = elementAt(address, 'endExt');
  if (abroad !== undefined) {
    return [
      [textAt(abroad, 'xCidade'), textAt(abroad, 'xEstProvReg')].filter(Boolean).join(' / '),
      [textAt(abroad, 'cPais'), textAt(abroad, 'cEndPost')].filter(Boolean).join(' / '),
    ];
  }
  const home = elementAt(address, 'endNac') ?? address;
  const code = textAt(home, 'cMun');
  return [
    [textAt(home, 'xMun') ?? cityName(code ?? '') ?? code, textAt(home, 'UF') ?? stateOfCity(code)]
      .filter(Boolean)
      .join(' / '),
    [code, postalCode(textAt(home, 'CEP'))].filter(Boolean).join(' / '),
  ];
}

/** Three lines that every party has. `emit` has its address by another name than the parties of the declaration. */
function partyRows(party: XmlElement | undefined, own?: XmlElement): Field[][] {
  const address = elementAt(party, 'end') ?? elementAt(own, 'enderNac') ?? elementAt(own, 'end');
  const [city, codes] = placeOf(address);
  const home = elementAt(address, 'endNac');
  const street = ['xLgr', 'nro', 'xCpl', 'xBairro']
    .flatMap((name) => textAt(address, name) ?? textAt(home, name) ?? textAt(address, `endExt/${name}`) ?? [])
    .join(', ');
  const of = (name: string) => textAt(party, name) ?? textAt(own, name);
  const id = taxId(of('CNPJ') ?? of('CPF') ?? of('NIF'));
  return [
    [
      shown('CNPJ / CPF / NIF', id, 25),
      shown('Indicador Municipal (Inscrição)', of('IM'), 25),
      shown('Telefone', phone(of('fone')), 25),
    ],
    [
      shown('Nome / Nome Empresarial', of('xNome'), 50),
      shown('Município / Sigla UF', city, 25),
      shown('Código IBGE / CEP', codes, 25),
    ],
    [shown('Endereço', street, 50), shown('E-mail', of('email'), 50)],
  ];
}

function provider(note: XmlElement): Block {
  const declaration = elementAt(note, 'DPS/infDPS');
  const isEmitter = (textAt(declaration, 'tpEmit') ?? '1') === '1';
  const regime = elementAt(declaration, 'prest/regTrib');
  return {
    kind: 'fields',
    title: 'PRESTADOR / FORNECEDOR',
    rows: [
      ...partyRows(elementAt(declaration, 'prest'), isEmitter ? elementAt(note, 'emit') : undefined),
      [
        shown(
          'Simples Nacional na Data de Competência',
          word(textAt(regime, 'opSimpNac'), simplesOptions),
          50,
        ),
        shown(
          'Regime de Apuração Tributária pelo SN',
          word(textAt(regime, 'regApTribSN'), simplesRegimes),
          50,
        ),
      ],
    ],
  };
}

/** A party, or the sentence that stands for one that isn't there. */
function partyBlock(title: string, party: XmlElement | undefined, sentence: string): Block {
  return party === undefined
    ? { kind: 'sentence', text: sentence }
    : { kind: 'fields', title, rows: partyRows(party) };
}

/** indDest 0: who receives is who takes the service. */
function receiver(note: XmlElement): Block {
  const declaration = elementAt(note, 'DPS/infDPS');
  const party = elementAt(declaration, 'IBSCBS/dest');
  const taker = elementAt(declaration, 'toma');
  const id = textAt(party, 'CNPJ', 'CPF', 'NIF');
  const isTaker =
    party === undefined
      ? textAt(declaration, 'IBSCBS/indDest') === '0' && taker !== undefined
      : id !== undefined && id === textAt(taker, 'CNPJ', 'CPF', 'NIF');
  if (isTaker) {
    return { kind: 'sentence', text: 'O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO' };
  }
  return partyBlock('DESTINATÁRIO DA OPERAÇÃO', party, 'DESTINATÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e');
}

function service(note: XmlElement): Block[] {
  const declaration = elementAt(note, 'DPS/infDPS');
  const code = elementAt(declaration, 'serv/cServ');
  const national = textAt(code, 'cTribNac')?.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1.$2.$3');
  const place = elementAt(declaration, 'serv/locPrest');
  const where = [
    textAt(note, 'xLocPrestacao') ?? textAt(place, 'cLocPrestacao'),
    stateOfCity(textAt(place, 'cLocPrestacao')),
    textAt(place, 'cPaisPrestacao'),
  ];
  const described = textAt(note, 'xTribMun', 'xTribNac');
  return [
    {
      kind: 'fields',
      title: 'SERVIÇO PRESTADO',
      rows: [
        [
          shown(
            'Código de Tributação Nacional / Municipal',
            [national, textAt(code, 'cTribMun')].filter(Boolean).join(' / '),
            25,
          ),
          shown('Código da NBS', textAt(code, 'cNBS'), 25),
          shown('Local da Prestação / Sigla UF / País', where.filter(Boolean).join(' / '), 25),
        ],
        [shown('Descrição do Código de Tributação', described, 100)],
      ],
    },
    {
      kind: 'text',
      parts: [shown('Descrição do Serviço', textAt(code, 'xDescServ'), 100)],
      lines: { least: 1, most: 9 },
    },
  ];
}

/** What a DANFSe shows below its head, all on one page. Source: NT SE/CGNFS-e 008 v1.02. */
export function danfseBlocks(note: XmlElement): Block[] {
  const declaration = elementAt(note, 'DPS/infDPS');
  return [
    provider(note),
    partyBlock(
      'TOMADOR / ADQUIRENTE',
      elementAt(declaration, 'toma'),
      'TOMADOR/ADQUIRENTE DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e',
    ),
    receiver(note),
    partyBlock(
      'INTERMEDIÁRIO DA OPERAÇÃO',
      elementAt(declaration, 'interm'),
      'INTERMEDIÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e',
    ),
    ...service(note),
    cityTax(note),
    federalTax(declaration),
    newTaxes(note),
    totalsBlock(note),
    {
      kind: 'text',
      title: 'INFORMAÇÕES COMPLEMENTARES',
      parts: [field('', [...complements(note), approximateTaxes(declaration)].join(' | '), 100)],
      lines: { least: 2, most: 22 },
    },
  ];
}
