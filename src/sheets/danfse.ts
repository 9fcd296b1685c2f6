import { addDecimals, sameDecimal } from '../documents/decimals.ts';
import { stateOfCity } from '../documents/identity/states.ts';
import { cityName } from '../documents/tables/cities.ts';
import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import {
  approximateTaxes,
  complements,
  contributions,
  emitters,
  environments,
  generators,
  immunities,
  issTaxations,
  issWithholdings,
  percent,
  purposes,
  reais,
  shown,
  simplesOptions,
  simplesRegimes,
  situations,
  specialRegimes,
  suspensions,
  word,
} from './danfse-codes.ts';
import { DASH, day, moment, phone, postalCode, taxId } from './printed.ts';
import { type Block, type Field, field, fieldBlock, type SheetHead, sentence, textBlock } from './sheet.ts';

/** A row that may be left out, and is where none of its fields has a value. Source: NT 008 v1.02, note 5. */
function rowUnlessEmpty(fields: readonly Field[]): Field[][] {
  return fields.every(({ value }) => value === DASH || value === '0 - Nenhum') ? [] : [[...fields]];
}

/** ISSQN, or the sentence that there is none. */
function cityTax(note: XmlElement): Block {
  const declaration = elementAt(note, 'DPS/infDPS');
  const values = elementAt(note, 'valores');
  const tax = elementAt(declaration, 'valores/trib/tribMun');
  const kind = textAt(tax, 'tribISSQN');
  if (kind === undefined || kind === '4') {
    return sentence('TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN');
  }
  const where = [
    textAt(note, 'xLocIncid') ?? textAt(note, 'cLocIncid'),
    stateOfCity(textAt(note, 'cLocIncid')),
    textAt(tax, 'cPaisResult'),
  ];
  const special = textAt(declaration, 'prest/regTrib/regEspTrib');
  return fieldBlock('TRIBUTAÇÃO MUNICIPAL (ISSQN)', [
    [
      shown('Tipo de Tributação do ISSQN', word(kind, issTaxations), 25),
      shown('Município / Sigla UF / País da Incidência do ISSQN', where.filter(Boolean).join(' / '), 50),
    ],
    ...rowUnlessEmpty([
      shown(
        'Regime Especial de Tributação do ISSQN',
        special === '0' ? undefined : word(special, specialRegimes),
        25,
      ),
      shown('Tipo de Imunidade do ISSQN', word(textAt(tax, 'tpImunidade'), immunities), 25),
      shown('Suspensão da Exigibilidade do ISSQN', word(textAt(tax, 'exigSusp/tpSusp'), suspensions), 25),
      shown('Número Processo Suspensão', textAt(tax, 'exigSusp/nProcesso'), 25),
    ]),
    ...rowUnlessEmpty([
      shown('Benefício Municipal', textAt(tax, 'BM/nBM'), 25),
      shown('Cálculo do BM', reais(textAt(values, 'vCalcBM')), 25),
      shown(
        'Total Deduções/Reduções',
        reais(textAt(values, 'vCalcDR') ?? textAt(declaration, 'valores/vDedRed/vDR')),
        25,
      ),
      shown('Desconto Incondicionado', reais(textAt(declaration, 'valores/vDescCondIncond/vDescIncond')), 25),
    ]),
    [
      shown('BC ISSQN', reais(textAt(values, 'vBC')), 25),
      shown('Alíquota Aplicada', percent(textAt(values, 'pAliqAplic') ?? textAt(tax, 'pAliq')), 25),
      shown('Retenção do ISSQN', word(textAt(tax, 'tpRetISSQN'), issWithholdings), 25),
      shown('ISSQN Apurado', reais(textAt(values, 'vISSQN')), 25),
    ],
  ]);
}

/** Withheld and own federal taxes. */
function federalTax(declaration: XmlElement | undefined): Block {
  const tax = elementAt(declaration, 'valores/trib/tribFed');
  const own = elementAt(tax, 'piscofins');
  return fieldBlock('TRIBUTAÇÃO FEDERAL (EXCETO CBS)', [
    [
      shown('IRRF', reais(textAt(tax, 'vRetIRRF')), 25),
      shown('Contribuição Previdenciária - Retida', reais(textAt(tax, 'vRetCP')), 25),
      shown('Contribuições Sociais - Retidas', reais(textAt(tax, 'vRetCSLL')), 25),
    ],
    [
      shown('PIS - Débito Apuração Própria', reais(textAt(own, 'vPis')), 25),
      shown('COFINS - Débito Apuração Própria', reais(textAt(own, 'vCofins')), 25),
      shown('Descrição Contrib. Sociais - Retidas', word(textAt(own, 'tpRetPisCofins'), contributions), 50),
    ],
  ]);
}

/** What was taken off the value before IBS and CBS, where the parts the file names lead from the value to the base. */
function excludedFrom(note: XmlElement): string | undefined {
  const declared = elementAt(note, 'DPS/infDPS/valores');
  const base = textAt(note, 'IBSCBS/valores/vBC');
  const value = textAt(declared, 'vServPrest/vServ');
  const parts = [
    textAt(declared, 'vDescCondIncond/vDescIncond'),
    textAt(note, 'IBSCBS/valores/vCalcReeRepRes'),
    textAt(note, 'valores/vISSQN'),
    textAt(declared, 'trib/tribFed/piscofins/vPis'),
    textAt(declared, 'trib/tribFed/piscofins/vCofins'),
  ].filter((part) => part !== undefined);
  const sum = addDecimals(parts);
  const whole = sum === undefined || base === undefined ? undefined : addDecimals([sum, base]);
  return whole !== undefined && value !== undefined && sameDecimal(whole, value) ? sum : undefined;
}

/** IBS and CBS, as the note has them from the national system and the declaration from its issuer. */
function newTaxes(note: XmlElement): Block {
  const declared = elementAt(note, 'DPS/infDPS/IBSCBS');
  const values = elementAt(note, 'IBSCBS/valores');
  const totals = elementAt(note, 'IBSCBS/totCIBS');
  const group = elementAt(declared, 'valores/trib/gIBSCBS');
  const city = textAt(note, 'IBSCBS/cLocalidadeIncid');
  const where = [
    textAt(declared, 'cIndOp'),
    city,
    textAt(note, 'IBSCBS/xLocalidadeIncid'),
    stateOfCity(city),
  ];
  const rates = (...paths: readonly string[]) =>
    paths.flatMap((path) => percent(textAt(values, path)) || []).join(' / ');
  return fieldBlock('TRIBUTAÇÃO IBS / CBS', [
    [
      shown(
        'CST / cClassTrib',
        [textAt(group, 'CST'), textAt(group, 'cClassTrib')].filter(Boolean).join(' / '),
        25,
      ),
      shown(
        'Indicador Op. / IBGE Incidência / Município Incidência / UF',
        where.filter(Boolean).join(' / '),
        50,
      ),
    ],
    [
      shown('Exclusões e Reduções da Base de Cálculo', reais(excludedFrom(note)), 25),
      shown('Base de Cálculo Após Exclusões e Reduções', reais(textAt(values, 'vBC')), 25),
      shown(
        'Red. Alíquota IBS / Red. Alíquota CBS',
        rates('uf/pRedAliqUF', 'mun/pRedAliqMun', 'fed/pRedAliqCBS'),
        25,
      ),
      shown('Alíquota - IBS UF / IBS Mun', rates('uf/pIBSUF', 'mun/pIBSMun'), 25),
    ],
    [
      shown('Alíq. Efetiva Municipal - IBS', rates('mun/pAliqEfetMun'), 25),
      shown('Valor Apurado Municipal - IBS', reais(textAt(totals, 'gIBS/gIBSMunTot/vIBSMun')), 25),
      shown('Alíq. Efetiva Estadual - IBS', rates('uf/pAliqEfetUF'), 25),
      shown('Valor Apurado Estadual - IBS', reais(textAt(totals, 'gIBS/gIBSUFTot/vIBSUF')), 25),
    ],
    [
      shown('Valor Total Apurado - IBS', reais(textAt(totals, 'gIBS/vIBSTot')), 25),
      shown('Alíquota - CBS', rates('fed/pCBS'), 25),
      shown('Alíq. Efetiva - CBS', rates('fed/pAliqEfetCBS'), 25),
      shown('Valor Total Apurado - CBS', reais(textAt(totals, 'gCBS/vCBS')), 25),
    ],
  ]);
}

/** What is withheld in all; where the note does not say it, the sum of its parts, marked as one. */
function totalWithheld(note: XmlElement): string {
  const given = textAt(note, 'valores/vTotalRet');
  if (given !== undefined) return reais(given);
  const declared = elementAt(note, 'DPS/infDPS/valores/trib');
  const isIssWithheld = ['2', '3'].includes(textAt(declared, 'tribMun/tpRetISSQN') ?? '');
  const federal = ['vRetCP', 'vRetIRRF', 'vRetCSLL'].map((name) => textAt(declared, `tribFed/${name}`));
  const sum = addDecimals([isIssWithheld ? textAt(note, 'valores/vISSQN') : undefined, ...federal]);
  return sum === undefined ? '' : `${reais(sum)} (calculado)`;
}

/** What the note is worth. */
function totalsBlock(note: XmlElement): Block {
  const declared = elementAt(note, 'DPS/infDPS/valores');
  const totals = elementAt(note, 'IBSCBS/totCIBS');
  const taxes = [textAt(totals, 'gIBS/vIBSTot'), textAt(totals, 'gCBS/vCBS')].filter(
    (one) => one !== undefined,
  );
  return fieldBlock('VALOR TOTAL DA NFS-e', [
    [
      shown('Valor da Operação / Serviço', reais(textAt(declared, 'vServPrest/vServ')), 25),
      shown('Desconto Incondicionado', reais(textAt(declared, 'vDescCondIncond/vDescIncond')), 25),
      shown('Desconto Condicionado', reais(textAt(declared, 'vDescCondIncond/vDescCond')), 25),
    ],
    [
      shown('Total das Retenções (ISSQN / Federais)', totalWithheld(note), 25),
      shown('Valor Líquido da NFS-e', reais(textAt(note, 'valores/vLiq')), 25),
      shown('Total do IBS/CBS', reais(addDecimals(taxes)), 25),
      shown('Valor Líquido da NFS-e + IBS/CBS', reais(textAt(totals, 'vTotNF')), 25),
    ],
  ]);
}

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
  return fieldBlock('PRESTADOR / FORNECEDOR', [
    ...partyRows(elementAt(declaration, 'prest'), isEmitter ? elementAt(note, 'emit') : undefined),
    [
      shown('Simples Nacional na Data de Competência', word(textAt(regime, 'opSimpNac'), simplesOptions), 50),
      shown('Regime de Apuração Tributária pelo SN', word(textAt(regime, 'regApTribSN'), simplesRegimes), 50),
    ],
  ]);
}

/** A party, or the sentence that stands for one that isn't there. */
function partyBlock(title: string, party: XmlElement | undefined, absent: string): Block {
  return party === undefined ? sentence(absent) : fieldBlock(title, partyRows(party));
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
    return sentence('O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO');
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
    fieldBlock('SERVIÇO PRESTADO', [
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
    ]),
    textBlock(undefined, [shown('Descrição do Serviço', textAt(code, 'xDescServ'), 100)], {
      least: 1,
      most: 9,
    }),
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
    textBlock(
      'INFORMAÇÕES COMPLEMENTARES',
      [field('', [...complements(note), approximateTaxes(declaration)].join(' | '), 100)],
      { least: 2, most: 22 },
    ),
  ];
}
