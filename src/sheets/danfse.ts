import { addDecimals, sameDecimal } from '../documents/decimals.ts';
import { stateOfCity } from '../documents/identity/keys.ts';
import { cityName } from '../documents/tables/cities.ts';
import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import * as codes from './danfse-codes.ts';
import { approximateTaxes, complements, DPS, percent, reais } from './danfse-codes.ts';
import { type Entry, rowsOf, together } from './entries.ts';
import { type Codes, DASH, day, joined, meaningOf, moment, phone, postalCode, taxId } from './printed.ts';
import { type Block, type Field, field, fieldBlock, type SheetHead, sentence, textBlock } from './sheet.ts';

type Rows = readonly (readonly Entry[])[];
type Element = XmlElement | undefined;

const VALUES = `${DPS}/valores`;
const CITY_TAX = `${VALUES}/trib/tribMun`;
const FEDERAL_TAX = `${VALUES}/trib/tribFed`;
const CONTRIBUTIONS = `${FEDERAL_TAX}/piscofins`;
const DISCOUNTS = `${VALUES}/vDescCondIncond`;
const NEW_TAXES = 'IBSCBS/totCIBS';

const coded = (table: Codes) => (code: string | undefined) => meaningOf(code, table);

const rates =
  (...paths: readonly string[]) =>
  (note: Element) =>
    joined(' / ', ...paths.map((path) => percent(textAt(note, `IBSCBS/valores/${path}`))));

/** Rows with a dash for empty fields. */
function dashedRows(element: Element, rows: Rows): Field[][] {
  return rowsOf(element, rows).map((row) => row.map((one) => ({ ...one, value: one.value || DASH })));
}

const isEmpty = (row: readonly Field[]): boolean => row.every(({ value }) => value === DASH);

const cityTax: Rows = [
  [
    ['Tipo de Tributação do ISSQN', `${CITY_TAX}/tribISSQN`, 25, coded(codes.issTaxations)],
    ['Município / Sigla UF / País da Incidência do ISSQN', issPlace, 50],
  ],
  [
    ['Regime Especial de Tributação do ISSQN', specialRegime, 25],
    ['Tipo de Imunidade do ISSQN', `${CITY_TAX}/tpImunidade`, 25, coded(codes.immunities)],
    ['Suspensão da Exigibilidade do ISSQN', `${CITY_TAX}/exigSusp/tpSusp`, 25, coded(codes.suspensions)],
    ['Número Processo Suspensão', `${CITY_TAX}/exigSusp/nProcesso`, 25],
  ],
  [
    ['Benefício Municipal', `${CITY_TAX}/BM/nBM`, 25],
    ['Cálculo do BM', 'valores/vCalcBM', 25, reais],
    ['Total Deduções/Reduções', `valores/vCalcDR|${VALUES}/vDedRed/vDR`, 25, reais],
    ['Desconto Incondicionado', `${DISCOUNTS}/vDescIncond`, 25, reais],
  ],
  [
    ['BC ISSQN', 'valores/vBC', 25, reais],
    ['Alíquota Aplicada', `valores/pAliqAplic|${CITY_TAX}/pAliq`, 25, percent],
    ['Retenção do ISSQN', `${CITY_TAX}/tpRetISSQN`, 25, coded(codes.issWithholdings)],
    ['ISSQN Apurado', 'valores/vISSQN', 25, reais],
  ],
];

function issPlace(note: Element): string {
  const city = textAt(note, 'cLocIncid');
  const name = textAt(note, 'xLocIncid') ?? city;
  return joined(' / ', name, stateOfCity(city), textAt(note, `${CITY_TAX}/cPaisResult`));
}

function specialRegime(note: Element): string {
  const code = textAt(note, `${DPS}/prest/regTrib/regEspTrib`);
  return code === '0' ? '' : meaningOf(code, codes.specialRegimes);
}

/** ISSQN, or the sentence that none is due; two rows are omitted if empty. Source: NT 008 v1.02, note 5. */
function cityTaxBlock(note: XmlElement): Block {
  const kind = textAt(note, `${CITY_TAX}/tribISSQN`);
  if (kind === undefined || kind === '4') {
    return sentence('TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN');
  }
  const rows = dashedRows(note, cityTax).filter((row, i) => i === 0 || i === 3 || !isEmpty(row));
  return fieldBlock('TRIBUTAÇÃO MUNICIPAL (ISSQN)', rows);
}

const federalTax: Rows = [
  [
    ['IRRF', `${FEDERAL_TAX}/vRetIRRF`, 25, reais],
    ['Contribuição Previdenciária - Retida', `${FEDERAL_TAX}/vRetCP`, 25, reais],
    ['Contribuições Sociais - Retidas', `${FEDERAL_TAX}/vRetCSLL`, 25, reais],
  ],
  [
    ['PIS - Débito Apuração Própria', `${CONTRIBUTIONS}/vPis`, 25, reais],
    ['COFINS - Débito Apuração Própria', `${CONTRIBUTIONS}/vCofins`, 25, reais],
    [
      'Descrição Contrib. Sociais - Retidas',
      `${CONTRIBUTIONS}/tpRetPisCofins`,
      50,
      coded(codes.contributions),
    ],
  ],
];

/** Deductions before IBS and CBS, if the file's parts reconcile the value with the base. */
function excludedFrom(note: Element): string | undefined {
  const base = textAt(note, 'IBSCBS/valores/vBC');
  const value = textAt(note, `${VALUES}/vServPrest/vServ`);
  const sum = addDecimals([
    textAt(note, `${DISCOUNTS}/vDescIncond`),
    textAt(note, 'IBSCBS/valores/vCalcReeRepRes'),
    textAt(note, 'valores/vISSQN'),
    textAt(note, `${CONTRIBUTIONS}/vPis`),
    textAt(note, `${CONTRIBUTIONS}/vCofins`),
  ]);
  const whole = sum === undefined || base === undefined ? undefined : addDecimals([sum, base]);
  return whole !== undefined && value !== undefined && sameDecimal(whole, value) ? sum : undefined;
}

function newTaxPlace(note: Element): string {
  const city = textAt(note, 'IBSCBS/cLocalidadeIncid');
  const name = textAt(note, 'IBSCBS/xLocalidadeIncid');
  return joined(' / ', textAt(note, `${DPS}/IBSCBS/cIndOp`), city, name, stateOfCity(city));
}

const GROUP = `${DPS}/IBSCBS/valores/trib/gIBSCBS`;
const reductions = rates('uf/pRedAliqUF', 'mun/pRedAliqMun', 'fed/pRedAliqCBS');

/** IBS and CBS: calculated by the national system in the note, declared by the issuer in the DPS. */
const newTaxes: Rows = [
  [
    ['CST / cClassTrib', together(' / ', `${GROUP}/CST`, `${GROUP}/cClassTrib`), 25],
    ['Indicador Op. / IBGE Incidência / Município Incidência / UF', newTaxPlace, 50],
  ],
  [
    ['Exclusões e Reduções da Base de Cálculo', excludedFrom, 25, reais],
    ['Base de Cálculo Após Exclusões e Reduções', 'IBSCBS/valores/vBC', 25, reais],
    ['Red. Alíquota IBS / Red. Alíquota CBS', reductions, 25],
    ['Alíquota - IBS UF / IBS Mun', rates('uf/pIBSUF', 'mun/pIBSMun'), 25],
  ],
  [
    ['Alíq. Efetiva Municipal - IBS', rates('mun/pAliqEfetMun'), 25],
    ['Valor Apurado Municipal - IBS', `${NEW_TAXES}/gIBS/gIBSMunTot/vIBSMun`, 25, reais],
    ['Alíq. Efetiva Estadual - IBS', rates('uf/pAliqEfetUF'), 25],
    ['Valor Apurado Estadual - IBS', `${NEW_TAXES}/gIBS/gIBSUFTot/vIBSUF`, 25, reais],
  ],
  [
    ['Valor Total Apurado - IBS', `${NEW_TAXES}/gIBS/vIBSTot`, 25, reais],
    ['Alíquota - CBS', rates('fed/pCBS'), 25],
    ['Alíq. Efetiva - CBS', rates('fed/pAliqEfetCBS'), 25],
    ['Valor Total Apurado - CBS', `${NEW_TAXES}/gCBS/vCBS`, 25, reais],
  ],
];

/** Total withheld; the sum of its parts, marked as such, if the note states no total. */
function totalWithheld(note: Element): string {
  const given = textAt(note, 'valores/vTotalRet');
  if (given !== undefined) return reais(given);
  const isIssWithheld = ['2', '3'].includes(textAt(note, `${CITY_TAX}/tpRetISSQN`) ?? '');
  const federal = ['vRetCP', 'vRetIRRF', 'vRetCSLL'].map((name) => textAt(note, `${FEDERAL_TAX}/${name}`));
  const sum = addDecimals([isIssWithheld ? textAt(note, 'valores/vISSQN') : undefined, ...federal]);
  return sum === undefined ? '' : `${reais(sum)} (calculado)`;
}

function sumOfNewTaxes(note: Element): string | undefined {
  return addDecimals([textAt(note, `${NEW_TAXES}/gIBS/vIBSTot`), textAt(note, `${NEW_TAXES}/gCBS/vCBS`)]);
}

const totals: Rows = [
  [
    ['Valor da Operação / Serviço', `${VALUES}/vServPrest/vServ`, 25, reais],
    ['Desconto Incondicionado', `${DISCOUNTS}/vDescIncond`, 25, reais],
    ['Desconto Condicionado', `${DISCOUNTS}/vDescCond`, 25, reais],
  ],
  [
    ['Total das Retenções (ISSQN / Federais)', totalWithheld, 25],
    ['Valor Líquido da NFS-e', 'valores/vLiq', 25, reais],
    ['Total do IBS/CBS', sumOfNewTaxes, 25, reais],
    ['Valor Líquido da NFS-e + IBS/CBS', `${NEW_TAXES}/vTotNF`, 25, reais],
  ],
];

/** The public look-up of the national NFS-e. Source: NT SE/CGNFS-e 008 v1.02, section 2.4.3. */
const LOOK_UP = 'https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=';
const AUTHENTICITY =
  'A autenticidade desta NFS-e pode ser verificada pela leitura deste código QR ou pela consulta da chave de acesso no portal nacional da NFS-e';

const facts: readonly Entry[] = [
  ['NÚMERO DA NFS-e', 'nNFSe', 0],
  ['COMPETÊNCIA DA NFS-e', `${DPS}/dCompet`, 0, day],
  ['DATA E HORA DA EMISSÃO DA NFS-e', 'dhProc', 0, moment],
  ['NÚMERO DA DPS', `${DPS}/nDPS`, 0],
  ['SÉRIE DA DPS', `${DPS}/serie`, 0],
  ['DATA E HORA DA EMISSÃO DA DPS', `${DPS}/dhEmi`, 0, moment],
  ['EMITENTE DA NFS-e', `${DPS}/tpEmit`, 0, coded(codes.emitters)],
  ['SITUAÇÃO DA NFS-e', 'cStat', 0, coded(codes.situations)],
  ['FINALIDADE', `${DPS}/IBSCBS/finNFSe`, 0, coded(codes.purposes)],
];

/** Head of a DANFSe: the key, its QR code and nine fields. */
export function danfseHead(note: XmlElement): SheetHead {
  const key = note.attributes.Id?.replace(/^NFS/, '') || undefined;
  const state = textAt(note, 'emit/enderNac/UF') ?? stateOfCity(textAt(note, `${DPS}/cLocEmi`));
  const environment = textAt(note, `${DPS}/tpAmb`);
  return {
    title: 'DANFSe v2.0',
    subtitle: ['Documento Auxiliar da NFS-e'],
    issuer: [],
    facts: dashedRows(note, [facts]).flatMap((row) => row.map(({ label, value }) => ({ label, value }))),
    key,
    qr: key && `${LOOK_UP}${key}`,
    consultation: AUTHENTICITY,
    warning: environment === '2' ? 'NFS-e SEM VALIDADE JURÍDICA' : undefined,
    corner: [
      `Município: ${joined(' / ', textAt(note, 'xLocEmi'), state)}`,
      `Ambiente Gerador: ${meaningOf(textAt(note, 'ambGer'), codes.generators) || DASH}`,
      `Tipo de Ambiente: ${meaningOf(environment, codes.environments) || DASH}`,
    ],
  };
}

/** City and state, then their codes; addresses hold only the city's code. */
function placeOf(address: Element): readonly [city: string, codes: string] {
  const abroad = elementAt(address, 'endExt');
  if (abroad !== undefined)
    return [together(' / ', 'xCidade', 'xEstProvReg')(abroad), together(' / ', 'cPais', 'cEndPost')(abroad)];
  const home = elementAt(address, 'endNac') ?? address;
  const code = textAt(home, 'cMun');
  const name = textAt(home, 'xMun') ?? cityName(code ?? '') ?? code;
  const city = joined(' / ', name, textAt(home, 'UF') ?? stateOfCity(code));
  return [city, joined(' / ', code, postalCode(textAt(home, 'CEP')))];
}

/** Three rows for each party. The address element of `emit` differs from that of the DPS's parties. */
function partyRows(party: Element, own?: XmlElement): Field[][] {
  const address = elementAt(party, 'end') ?? elementAt(own, 'enderNac') ?? elementAt(own, 'end');
  const [city, cityCodes] = placeOf(address);
  const street = ['xLgr', 'nro', 'xCpl', 'xBairro'].map((name) =>
    textAt(address, name, `endNac/${name}`, `endExt/${name}`),
  );
  const of = (name: string) => () => textAt(party, name) ?? textAt(own, name);
  const id = () => of('CNPJ')() ?? of('CPF')() ?? of('NIF')();
  return dashedRows(party, [
    [
      ['CNPJ / CPF / NIF', id, 25, taxId],
      ['Indicador Municipal (Inscrição)', of('IM'), 25],
      ['Telefone', of('fone'), 25, phone],
    ],
    [
      ['Nome / Nome Empresarial', of('xNome'), 50],
      ['Município / Sigla UF', () => city, 25],
      ['Código IBGE / CEP', () => cityCodes, 25],
    ],
    [
      ['Endereço', () => joined(', ', ...street), 50],
      ['E-mail', of('email'), 50],
    ],
  ]);
}

const regime: Rows = [
  [
    ['Simples Nacional na Data de Competência', 'opSimpNac', 50, coded(codes.simplesOptions)],
    ['Regime de Apuração Tributária pelo SN', 'regApTribSN', 50, coded(codes.simplesRegimes)],
  ],
];

function provider(note: XmlElement): Block {
  const party = elementAt(note, `${DPS}/prest`);
  const isEmitter = (textAt(note, `${DPS}/tpEmit`) ?? '1') === '1';
  return fieldBlock('PRESTADOR / FORNECEDOR', [
    ...partyRows(party, isEmitter ? elementAt(note, 'emit') : undefined),
    ...dashedRows(elementAt(party, 'regTrib'), regime),
  ]);
}

function partyBlock(title: string, party: Element, who = title): Block {
  return party ? fieldBlock(title, partyRows(party)) : sentence(`${who} NÃO IDENTIFICADO NA NFS-e`);
}

/** The recipient (destinatário); with indDest 0 it is the service recipient (tomador). */
function receiver(note: XmlElement): Block {
  const party = elementAt(note, `${DPS}/IBSCBS/dest`);
  const taker = elementAt(note, `${DPS}/toma`);
  const id = textAt(party, 'CNPJ', 'CPF', 'NIF');
  const isTaker =
    party === undefined
      ? textAt(note, `${DPS}/IBSCBS/indDest`) === '0' && taker !== undefined
      : id !== undefined && id === textAt(taker, 'CNPJ', 'CPF', 'NIF');
  if (isTaker) return sentence('O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO');
  return partyBlock('DESTINATÁRIO DA OPERAÇÃO', party);
}

function taxationCode(note: Element): string {
  const national = textAt(note, `${DPS}/serv/cServ/cTribNac`)?.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1.$2.$3');
  return joined(' / ', national, textAt(note, `${DPS}/serv/cServ/cTribMun`));
}

function servicePlace(note: Element): string {
  const place = elementAt(note, `${DPS}/serv/locPrest`);
  const city = textAt(place, 'cLocPrestacao');
  const name = textAt(note, 'xLocPrestacao') ?? city;
  return joined(' / ', name, stateOfCity(city), textAt(place, 'cPaisPrestacao'));
}

const service: Rows = [
  [
    ['Código de Tributação Nacional / Municipal', taxationCode, 25],
    ['Código da NBS', `${DPS}/serv/cServ/cNBS`, 25],
    ['Local da Prestação / Sigla UF / País', servicePlace, 25],
  ],
  [['Descrição do Código de Tributação', 'xTribMun|xTribNac', 100]],
];

/** The blocks of a DANFSe below its head, all on one page. Source: NT SE/CGNFS-e 008 v1.02. */
export function danfseBlocks(note: XmlElement): Block[] {
  const description = textAt(note, `${DPS}/serv/cServ/xDescServ`) ?? DASH;
  const more = joined(' | ', ...complements(note), approximateTaxes(note));
  return [
    provider(note),
    partyBlock('TOMADOR / ADQUIRENTE', elementAt(note, `${DPS}/toma`), 'TOMADOR/ADQUIRENTE DA OPERAÇÃO'),
    receiver(note),
    partyBlock('INTERMEDIÁRIO DA OPERAÇÃO', elementAt(note, `${DPS}/interm`)),
    fieldBlock('SERVIÇO PRESTADO', dashedRows(note, service)),
    textBlock(undefined, [field('Descrição do Serviço', description, 100)], [1, 9]),
    cityTaxBlock(note),
    fieldBlock('TRIBUTAÇÃO FEDERAL (EXCETO CBS)', dashedRows(note, federalTax)),
    fieldBlock('TRIBUTAÇÃO IBS / CBS', dashedRows(note, newTaxes)),
    fieldBlock('VALOR TOTAL DA NFS-e', dashedRows(note, totals)),
    textBlock('INFORMAÇÕES COMPLEMENTARES', [field('', more, 100)], [2, 22]),
  ];
}
