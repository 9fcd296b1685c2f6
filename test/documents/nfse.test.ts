import { expect, it } from 'vitest';
import { regimeOf } from '../../src/documents/summary/parties.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { differences } from './differences.ts';
import { one } from './one-document.ts';
import { sampleText } from './samples.ts';

/** A sample of test/samples/nfse, the changes to it, and the expected result. */
type Row = readonly [sample: string, changes: Readonly<Record<string, string>>, expected: object];

/** Replaces the content of elements by name, or a longer part of the text. */
function changed(sample: string, changes: Row[1]): string {
  let xml = sampleText(`nfse/${sample}.xml`);
  for (const [part, other] of Object.entries(changes)) {
    const element = new RegExp(`<((?:\\w+:)?${part})(?:\\s[^>]*)?(?:/>|>[^<]*</\\1>)`);
    const [found = part, tag = ''] = (/^\w+$/.test(part) && element.exec(xml)) || [];
    if (!xml.includes(found)) throw new Error(`${sample} has no ${part}`);
    xml = xml.replace(found, tag === '' || other.startsWith('<') ? other : `<${tag}>${other}</${tag}>`);
  }
  return xml;
}

const cancelled = { status: 'cancelled' };
const authorized = { status: 'authorized' };
const unknown = { status: 'unknown' };

const ipm = (name: string, text: string, expected: object): Row => [
  'ipm',
  { '<valor_total>': `<${name}>${text}</${name}><valor_total>` },
  expected,
];
const ipmRecipient = (more: string, id: string | null): Row => [
  'ipm',
  {
    '<tipo>F': '<tipo>E',
    '<cpfcnpj>52998224725</cpfcnpj>': `<cpfcnpj>0</cpfcnpj>${more}`,
    valor_issrf: '<a/>',
  },
  { recipient: { id, id_type: 'foreign', state: 'EX' }, iss_withheld: null, totals: { net_derived: null } },
];
const secondLine =
  '</lista><lista><codigo_item_lista_servico>412</codigo_item_lista_servico><descritivo>CONSULTA</descritivo>' +
  '<aliquota_item_lista_servico>2,00</aliquota_item_lista_servico><valor_tributavel>500,00</valor_tributavel>' +
  '<valor_issrf>10,00</valor_issrf></lista>';

const ofIpm: readonly Row[] = [
  ['ipm', { '<nfse>': '<retorno><mensagem/><nfse>', '</nfse>': '</nfse></retorno>' }, authorized],
  ipm('situacao', 'C', cancelled),
  ipm('situacao_codigo_nfse', '1', authorized),
  ipm('situacao_codigo_nfse', '2', cancelled),
  ipm('situacao', 'X', unknown),
  ipm('situacao_codigo_nfse', '3', unknown),
  ipm(
    'IBSCBS',
    '<valores><vBC>1.000,00</vBC></valores><totCIBS><vTotNF>1.010,00</vTotNF><gIBS><vIBSTot>1,00</vIBSTot></gIBS>' +
      '<gCBS><vCBS>9,00</vCBS></gCBS></totCIBS>',
    { totals: { ibs_cbs_base: '1000.00', total_with_ibs_cbs: '1010.00', ibs: '1.00', cbs: '9.00' } },
  ),
  // Lines are summed; values common to all apply to the note.
  [
    'ipm',
    {
      '<valor_total>': '<data_fato>28/02/2026</data_fato><valor_total>',
      ...{ valor_tributavel: '1.000,00', valor_issrf: '33,00', '</lista>': secondLine },
    },
    {
      ...{ competence: '2026-02-28', iss_withheld: true },
      service: { code: '412', base: '1500.00', rate: null },
      // 22.50 + 5.00 + 33.00 + 10.00; 1500.00 - 70.50 - 100.00
      totals: { withheld: '70.50', iss_withheld: '43.00', net_derived: '1329.50' },
    },
  ],
  ipmRecipient('<identificador>CHE-123.456</identificador>', 'CHE-123.456'),
  ipmRecipient('', null),
];

const cancellation = '<Cancelamento><data>2026-02-04T09:00:00</data><Motivo>erro</Motivo></Cancelamento>';
const onCancellation = { ...cancelled, event: { at: '2026-02-04T09:00:00' }, number: '1204' };
const abroadInDsf =
  '<CPFCNPJTomador>77777777777</CPFCNPJTomador><DocTomadorEstrangeiro>X-12.3</DocTomadorEstrangeiro>';

const ofCities: readonly Row[] = [
  [
    'dsf',
    {
      ...{ SituacaoRPS: 'C', NumeroNFSeSubstituida: '70', CPFCNPJTomador: abroadInDsf },
      TipoRecolhimento:
        '<TipoRecolhimento>R</TipoRecolhimento><MotCancelamento>erro no valor</MotCancelamento>',
    },
    {
      ...{ ...cancelled, event: { text: 'erro no valor' }, references: [{ number: '70' }] },
      recipient: { id: 'X-12.3', id_type: 'foreign' },
      // The ISS is withheld, but no amount is given.
      ...{ iss_withheld: true, totals: { net_derived: null } },
    },
  ],
  ['dsf', {}, { issuer: { id: null, id_type: null } }],
  ['dsf-exportada', {}, { event: null }],
  ['dsf-exportada', { '<VALOR_ISS>27,7': '<VALOR_ISS>.8' }, { totals: { iss: '0.8' } }],
  [
    'dsf-exportada',
    {
      ...{ SITUACAO_NF: 'Cancelada', DATA_HORA_CANCELAMENTO: '02/07/2026 08:00:00' },
      ...{ TIPO_RECOLHIMENTO: 'R', VALOR_ISS_RET: '27,70' },
    },
    {
      ...{ ...cancelled, event: { at: '2026-07-02T08:00:00' }, iss_withheld: true },
      // 1387.36 - 27.70
      totals: { withheld: '27.70', iss_withheld: '27.70', net_derived: '1359.66' },
    },
  ],
  ['dsf-exportada', { SITUACAO_NF: 'Extraviada' }, unknown],
  [
    'el',
    { '<Servicos>': '<Servicos><Servico>', '</Servicos>': '</Servico></Servicos>' },
    { service: { code: '4.12', rate: '2.00', description: 'CONSULTA' } },
  ],
  [
    'el',
    { IssRetido: '2', Status: '2' },
    {
      ...{ ...cancelled, iss_withheld: true },
      // 1030.00 - 15.45 - 20.60
      warnings: [{ code: 'net_against_parts', values: { found: '1014.55', expected: '993.95' } }],
    },
  ],
  ['el', { Status: '3' }, unknown],
  ['osasco', {}, { environment: null }],
  [
    'osasco',
    { SubstituicaoTributaria: 'true' },
    // 2000.00 - 30.00 - 100.00
    { iss_withheld: true, totals: { withheld: '130.00', net_derived: '1870.00' } },
  ],
  ['osasco', { SomarISSAoValorTotal: 'true' }, { totals: { net_derived: null } }],
  ['osasco', { DataCancelamento: '2026-08-02T10:00:00-03:00' }, cancelled],
  ['osasco', { DataCancelamento: '0001-01-01T00:00:00' }, authorized],
  [
    'osasco',
    { Serie: '<EmitidaParaPreVisualizacao>true</EmitidaParaPreVisualizacao>' },
    { status: 'no_protocol' },
  ],
  ['osasco', { Serie: '<EmitidaParaPreVisualizacao>false</EmitidaParaPreVisualizacao>' }, authorized],
  [
    'osasco',
    { Serie: '<EmitidaParaHomologacao>true</EmitidaParaHomologacao>' },
    { environment: 'test', warnings: [{ code: 'test_environment' }] },
  ],
  [
    'bauru',
    { StatusNFe: 'Cancelada', ISSRetido: 'SIM' },
    // 1250.50 - 18.76 - 25.01
    { ...cancelled, iss_withheld: true, totals: { withheld: '43.77', net_derived: '1206.73' } },
  ],
  ['bauru', { StatusNFe: 'Substituída', ISSRetido: 'TALVEZ' }, { ...unknown, iss_withheld: null }],
  ['ginfes', { '</ns2:Nfse>': `${cancellation}</ns2:Nfse>` }, onCancellation],
  [
    'ginfes',
    { '<ns2:NFSE>': '<ListaNfse><CompNfse>', '</ns2:NFSE>': `${cancellation}</CompNfse></ListaNfse>` },
    { ...onCancellation, layout: 'nfse ginfes' },
  ],
];

/** Elements next to a note in ABRASF. */
const beside = (part: string, expected: object): Row => [
  'abrasf-1',
  { '</CompNfse>': `${part}</CompNfse>` },
  expected,
];
const confirmed = (part: string) => `<NfseCancelamento><Confirmacao>${part}</Confirmacao></NfseCancelamento>`;
const answered = (part: string) =>
  confirmed(`<InfConfirmacaoCancelamento>${part}</InfConfirmacaoCancelamento>`);
const requested = (part: string) =>
  `<NfseCancelamento><Pedido><InfPedidoCancelamento/></Pedido>${part}</NfseCancelamento>`;
const amounts = (IssRetido: string, totals: object, more = {}): Row => [
  'abrasf-1',
  { IssRetido },
  { totals, ...more },
];
const net = (part: string, amount: string | null) => amounts(part, { net_derived: amount, total: amount });
const place = (CodigoMunicipio: string, state: string | null): Row => [
  'abrasf-1',
  { CodigoMunicipio },
  { recipient: { state } },
];
const on = (name: string, moment = '2026-01-02T00:00:00') => `<${name}>${moment}</${name}>`;
const key = '31367021211222333000181000000056753126080574690042';
const stated = { OutrasInformacoes: `[CHAVE NFSE NACIONAL: ${key}]` };
const inRoot = (root: string): Row => [
  'abrasf-1',
  {
    '<CompNfse>': `<ListaNfse><${root}>`,
    '</CompNfse>': `${requested(on('DataHoraCancelamento'))}</${root}></ListaNfse>`,
  },
  { number: '5', ...cancelled, event: { at: '2026-01-02T00:00:00' } },
];

const inNote = (part: string, expected: object): Row => [
  'abrasf-1',
  { '<OutrasInformacoes>': `${part}<OutrasInformacoes>` },
  expected,
];
const inDeclaration = (part: string, expected: object): Row => [
  'abrasf-2',
  { '</InfDeclaracaoPrestacaoServico>': `${part}</InfDeclaracaoPrestacaoServico>` },
  expected,
];
const services =
  '<Servico>\n              <Valores><ValorServicos>100.00</ValorServicos><ValorPis>0.65</ValorPis><ValorIr>1.50</ValorIr><ValorIss>5.00</ValorIss></Valores>\n              <IssRetido>1</IssRetido>\n            </Servico>';
const computed =
  '<totCIBS><gIBS><gIBSUFTot><vIBSUF>0.10</vIBSUF></gIBSUFTot></gIBS><gCBS><vCBS>0.90</vCBS></gCBS></totCIBS>';

const byAbrasf: readonly Row[] = [
  ['abrasf-1', {}, { event: null }],
  // The status in the note itself, with nothing next to it.
  inNote('<tsStatusNfse>1</tsStatusNfse>', authorized),
  inNote('<tsStatusRps>2</tsStatusRps><tsStatusNfse>2</tsStatusNfse>', cancelled),
  inNote('<StatusNfse>EM</StatusNfse>', authorized),
  inNote('<StatusNfse>CA</StatusNfse>', cancelled),
  inNote('<StatusNfse>SC</StatusNfse>', unknown),
  // The note's own status in version 2; in version 1 possibly that of its RPS.
  ['abrasf-2', { '<Competencia>': '<Status>2</Status><Competencia>' }, cancelled],
  inNote('<Status>1</Status>', authorized),
  inNote('<Status>2</Status>', unknown),
  // Date formats of some cities.
  inNote('<Competencia>202610</Competencia>', { competence: '2026-10' }),
  inNote('<Competencia>202610Z</Competencia>', { competence: '2026-10' }),
  inNote('<Competencia>10/2026</Competencia>', { competence: '2026-10' }),
  inNote('<Competencia>01/10/2026</Competencia>', { competence: '2026-10-01' }),
  // Month before year, unambiguously.
  inNote('<Competencia>102012</Competencia>', { competence: '102012' }),
  ...Object.entries({
    '2026-10-06 09:00:00.0 BRT': '2026-10-06T09:00:00',
    '06/10/2026 09:00': '2026-10-06T09:00',
    // Suffixes that change the time are kept.
    '2026-10-06 01:00:00.0 UTC': '2026-10-06 01:00:00.0 UTC',
    '06/10/2026 09:00 PM': '2026-10-06 09:00 PM',
    '2026-10-06T09:00:00-03:00': '2026-10-06T09:00:00-03:00',
  }).map(([text, issued_at]): Row => ['abrasf-1', { '2026-10-06T09:00:00': text }, { issued_at }]),
  // The provider's address, with its city by code or name, also from the declaration.
  inNote(
    '<EnderecoPrestadorServico><CodigoMunicipio>3106200</CodigoMunicipio><Uf>MG</Uf></EnderecoPrestadorServico>',
    { issuer: { id: '11222333000181', state: 'MG', city_code: '3106200' } },
  ),
  place('<Cidade>3106200</Cidade><Estado>MG</Estado>', 'MG'),
  [
    'abrasf-1',
    { '<CodigoMunicipio>3106200</CodigoMunicipio>': '<Cidade>Betim</Cidade>' },
    { recipient: { city: 'Betim', city_code: null } },
  ],
  inDeclaration(
    '<DadosPrestador><IdentificacaoPrestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj></IdentificacaoPrestador>' +
      '<RazaoSocial>PRESTADORA</RazaoSocial></DadosPrestador>' +
      '<Tomador><IdentificacaoTomador><InscricaoEstadual>110042490114</InscricaoEstadual></IdentificacaoTomador></Tomador>',
    {
      issuer: { id: '11222333000181', name: 'PRESTADORA' },
      recipient: { state_registration: '110042490114' },
    },
  ),
  // Taxes marked as not withheld.
  [
    'abrasf-2',
    {
      '<ValorPis>':
        '<RetidoPis>2</RetidoPis><RetidoIr>1</RetidoIr><RetidoCsll>2</RetidoCsll><ValorCsll>1.00</ValorCsll><ValorPis>',
      '92.85': '93.50',
    },
    // 100.00 - 1.50 - 5.00
    {
      totals: { pis: '0.65', pis_withheld: null, csll: null, irrf: '1.50', withheld: '6.50' },
      warnings: [],
    },
  ],
  // Services in a list, or in a separate group.
  [
    'abrasf-2',
    {
      '<IssRetido>':
        '<ListaItensServico><ItemServico><ItemListaServico>0107</ItemListaServico></ItemServico><ItemServico>' +
        '<ItemListaServico>0107</ItemListaServico></ItemServico></ListaItensServico><IssRetido>',
    },
    { service: { code: '0107' } },
  ],
  [
    'abrasf-2',
    { '<Servico>': '<Servico><tcDadosServico>', '</Servico>': '</tcDadosServico></Servico>' },
    { totals: { services: '100.00' }, iss_withheld: true, warnings: [] },
  ],
  [
    'abrasf-2',
    { [services]: '<ValoresServico><ValorServicos>100.00</ValorServicos></ValoresServico>' },
    { totals: { services: '100.00', total: '92.85' } },
  ],
  // IBS and CBS, declared and computed.
  [
    'abrasf-2',
    {
      '<IssRetido>':
        '<IBSCBS><ValoresTributos><SituacaoTributaria>000</SituacaoTributaria>' +
        '<ClassificacaoTributaria>000001</ClassificacaoTributaria></ValoresTributos></IBSCBS><IssRetido>',
    },
    { taxation: { ibs_cbs_cst: '000', class_trib: '000001' } },
  ],
  [
    'abrasf-2',
    {
      '<Servico>':
        '<IBSCBS><valores><trib><gIBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></gIBSCBS></trib></valores></IBSCBS><Servico>',
      '</DeclaracaoPrestacaoServico>': `<IBSCBS>${computed}</IBSCBS></DeclaracaoPrestacaoServico>`,
    },
    { taxation: { class_trib: '000001' }, totals: { ibs: '0.10', cbs: '0.90' } },
  ],
  beside(`<IBSCBSTotal>${computed}</IBSCBSTotal>`, { totals: { ibs: '0.10', cbs: '0.90' } }),
  beside('<NfseCancelamento/>', authorized),
  beside(confirmed(on('DataHora')), { ...cancelled, event: { at: '2026-01-02T00:00:00' } }),
  beside(answered(`<Sucesso>false</Sucesso>${on('DataHora')}`), authorized),
  beside(answered('<Sucesso>true</Sucesso>'), cancelled),
  beside(
    `<NfseCancelamento><ConfirmacaoCancelamento>${on('DataHora')}</ConfirmacaoCancelamento></NfseCancelamento>`,
    cancelled,
  ),
  beside(confirmed(on('DataHoraCancelamento')), cancelled),
  beside(requested(on('DataHoraCancelamento')), cancelled),
  beside(requested(`<Sucesso>false</Sucesso>${on('DataHoraCancelamento')}`), authorized),
  beside(requested(''), authorized),
  beside(confirmed(on('DataHora', '0001-01-01T00:00:00')), authorized),
  beside(
    '<NfseSubstituicao><SubstituicaoNfse><NfseSubstituidora>8</NfseSubstituidora></SubstituicaoNfse></NfseSubstituicao>',
    cancelled,
  ),
  inRoot('CompNfse'),
  inRoot('ComplNfse'),
  inRoot('tcCompNfse'),

  // A national key in the free text counts if it belongs to the note.
  ['abrasf-1', stated, { key: null }],
  ['abrasf-1', { ...stated, Numero: '567531' }, { key }],
  ['abrasf-1', { '<Numero>5<': `<ChaveADN>NFS${key}</ChaveADN><Numero>567531<` }, { key }],
  inNote(`<ChaveADN>NFS${key}</ChaveADN>`, { key: null }),
  ['abrasf-1', { ...stated, '<Numero>5<': '<ChaveADN>0</ChaveADN><Numero>567531<' }, { key }],
  [
    'abrasf-1',
    { Numero: '567531', '</CompNfse>': `<ChaveNotaNacional>${key}</ChaveNotaNacional></CompNfse>` },
    { key },
  ],

  // A missing net value is computed from all deductions, or not at all.
  net(
    // 500.00 - 3.25 - 15.00 - 10.00 - 2.00
    '<ValorPis>3.25</ValorPis><ValorCofins>15.00</ValorCofins><IssRetido>2</IssRetido>' +
      '<DescontoIncondicionado>10.00</DescontoIncondicionado><DescontoCondicionado>2.00</DescontoCondicionado>',
    '469.75',
  ),
  net('<IssRetido>1</IssRetido><ValorIssRetido>25.00</ValorIssRetido>', '475.00'),
  net('<IssRetido>2</IssRetido><ValorIss>25.00</ValorIss>', '500.00'),
  // Withheld without an amount; no statement about withholding.
  net('1', null),
  net('<ValorIss>25.00</ValorIss>', null),
  amounts('<IssRetido>2</IssRetido><ValorLiquidoNfse>480.00</ValorLiquidoNfse>', {
    net_derived: null,
    total: '480.00',
  }),
  amounts(
    '<ValorIss>0.00</ValorIss><IssRetido>1</IssRetido><ValorIssRetido>25.00</ValorIssRetido>',
    { iss: '0.00', iss_withheld: '25.00' },
    { iss_withheld: true },
  ),
  ...Object.entries({ 1: true, true: true, 2: false, false: false, S: true, Não: false, talvez: null }).map(
    ([text, iss_withheld]) => amounts(text, {}, { iss_withheld }),
  ),
  // Masks and commas don't change amounts and ids.
  [
    'abrasf-1',
    {
      ValorServicos: '1.234,56',
      IssRetido: '<IssRetido>2</IssRetido><BaseCalculo>1234.56</BaseCalculo><Aliquota>0,02</Aliquota>',
      Cnpj: '11.222.333/0001-81',
      '<RazaoSocial>':
        '<IdentificacaoTomador><CpfCnpj><Cpf>529.982.247-25</Cpf></CpfCnpj></IdentificacaoTomador><RazaoSocial>',
      '<OutrasInformacoes>': '<NfseSubstituida>0</NfseSubstituida><OutrasInformacoes>',
    },
    {
      issuer: { id: '11222333000181', id_type: 'cnpj' },
      recipient: { id: '52998224725', id_type: 'cpf' },
      service: { rate: '0.02', base: '1234.56' },
      totals: { services: '1234.56', net_derived: '1234.56' },
      references: [],
      warnings: [],
    },
  ],

  // Without a state in the file, the recipient's state is that of its city.
  place('<CodigoMunicipio>3106200</CodigoMunicipio><Uf>MG</Uf>', 'MG'),
  place('3106200', 'MG'),
  place('9999999', 'EX'),
  // The tax office's own code, and one that belongs to no state.
  place('4123', null),
  place('9906200', null),
];

const national = 'nacional-emitida-pelo-prestador';
const parties =
  '<tpEmit>1</tpEmit><prest><CNPJ>58716523000119</CNPJ></prest>\n        <toma><CPF>52998224725</CPF><xNome>X</xNome></toma>';
const declared = (part: string, expected: object): Row => [national, { [parties]: part }, expected];
const provider =
  '<prest><CNPJ>11222333000181</CNPJ><xNome>QUEM PRESTOU</xNome><end><endNac><cMun>3106200</cMun></endNac></end></prest>';
const taker = '<toma><CNPJ>58716523000119</CNPJ><xNome>QUEM TOMOU</xNome></toma>';
const served = {
  ...{ id: '11222333000181', id_type: 'cnpj', name: 'QUEM PRESTOU' },
  ...{ state: 'MG', city_code: '3106200', municipal_registration: null },
};
const abroad =
  '<prest><NIF>GB-123.456/7</NIF><xNome>CLOUD LTD</xNome><end><endExt><cPais>GB</cPais></endExt></end></prest>';
const living = (address: string, state: string | null): Row => [
  national,
  { '<xNome>X</xNome>': address },
  { recipient: { state } },
];
/** In the wrapper used by cities. */
const wrapped = (opening: string, closing: string, more: object = authorized): Row => [
  national,
  { '<NFSe versao="1.01">': opening, '</NFSe>': closing },
  { layout: 'nfse national 1.01', number: '12', totals: { total: '100.00' }, warnings: [], ...more },
];
const listed = '<EnviarLoteDpsSincronoResposta><ListaNfse><CompNfse>';
const ended = '</CompNfse></ListaNfse></EnviarLoteDpsSincronoResposta>';

const nationally: readonly Row[] = [
  wrapped(`${listed}<Nfse versao="1.01">`, `</Nfse>${ended}`),
  wrapped(`${listed}<Nfse><NFSe versao="1.01">`, `</NFSe></Nfse>${ended}`),
  wrapped(`${listed}<NFSe versao="1.01">`, `</NFSe>${ended}`),
  wrapped('<Nfse versao="1.01">', '</Nfse>'),
  wrapped(
    `${listed}<Nfse versao="1.01">`,
    `</Nfse>${confirmed('<DataHora>2026-01-14T12:00:00</DataHora>')}${ended}`,
    cancelled,
  ),
  // Issued by its recipient (tpEmit 2): the provider is in prest, and the key has the emitter's id.
  declared(`<tpEmit>2</tpEmit>${provider}${taker}`, {
    issuer: served,
    recipient: { id: '58716523000119', id_type: 'cnpj', name: 'QUEM TOMOU', state: null },
    warnings: [],
  }),
  // The recipient is not repeated in the declaration.
  declared(`<tpEmit>2</tpEmit>${provider}`, {
    issuer: { id: '11222333000181' },
    recipient: { id: '58716523000119', name: 'QUEM EMITIU', state: 'SP' },
  }),
  // Issued by an intermediary (tpEmit 3): neither party is in emit.
  declared(`<tpEmit>3</tpEmit>${provider}<toma><CNPJ>00000000000191</CNPJ><xNome>BANCO</xNome></toma>`, {
    issuer: { id: '11222333000181' },
    recipient: { id: '00000000000191' },
  }),
  declared(`<tpEmit>3</tpEmit>${provider}`, { recipient: null }),
  declared(`<tpEmit>2</tpEmit>${abroad}${taker}`, {
    issuer: { id: 'GB-123.456/7', id_type: 'foreign', name: 'CLOUD LTD', state: 'EX', city_code: null },
  }),
  [
    national,
    { '<valores><vLiq>': '<valores><vCalcDR>20.00</vCalcDR><vLiq>' },
    { totals: { deductions: '20.00', total: '100.00' } },
  ],
  // The key belongs to another emitter.
  [
    national,
    { '<CNPJ>58716523000119': '<CNPJ>00000000000191', [parties]: `<tpEmit>2</tpEmit>${provider}` },
    {
      warnings: [
        { code: 'key_against_issuer', values: { found: '58716523000119', expected: '00000000000191' } },
      ],
    },
  ],
  living('<end><endNac><cMun>2211001</cMun></endNac></end>', 'PI'),
  living('<end><endExt><cPais>US</cPais></endExt></end>', 'EX'),
  living('<end><endNac><cMun>221</cMun></endNac></end>', null),
  living('', null),
];

it.each([...ofIpm, ...ofCities, ...byAbrasf, ...nationally])('%s with %j', (sample, changes, expected) => {
  expect(differences(one(changed(sample, changes)), expected)).toEqual([]);
});

/** Incomplete notes. */
it.each<[xml: string, expected: object]>([
  [
    '<retDownloadNFSes><retorno><NFSe NumeroDocumento="5"><Conteudo><NFe><ChaveNFe><NumeroNFe>5</NumeroNFe></ChaveNFe>' +
      '<StatusNFe>C</StatusNFe><ValorServicos>10</ValorServicos><ValorISS>0.5</ValorISS><ISSRetido>true</ISSRetido></NFe></Conteudo></NFSe></retorno></retDownloadNFSes>',
    {
      layout: 'nfse prodam',
      number: '5',
      ...cancelled,
      iss_withheld: true,
      totals: { services: '10', withheld: '0.5' },
    },
  ],
  // 0 is the normal regime, or the Simples with ISS paid separately to the city.
  ...Object.entries({ 4: true, 6: true, 0: null, 1: null }).map(([option, isUnder]): [string, object] => [
    `<NFe><ChaveNFe><NumeroNFe>5</NumeroNFe></ChaveNFe><StatusNFe>N</StatusNFe><DataEmissaoNFe>2026-10-05T10:00:00</DataEmissaoNFe><ValorServicos>10</ValorServicos><RazaoSocialPrestador>A</RazaoSocialPrestador><OpcaoSimples>${option}</OpcaoSimples></NFe>`,
    { issuer: { name: 'A', is_under_simples: isUnder } },
  ]),
  [
    '<NFe><ChaveNFe><NumeroNFe>5</NumeroNFe></ChaveNFe><StatusNFe>constructor</StatusNFe><DataEmissaoNFe>2026-10-05T10:00:00</DataEmissaoNFe><ValorPIS>dez</ValorPIS></NFe>',
    { ...unknown, totals: { pis: null, withheld: null, net_derived: null, total: null } },
  ],
  [
    '<DPS versao="1.01"><infDPS><tpAmb>1</tpAmb><dhEmi>2026-01-02T00:00:00-03:00</dhEmi></infDPS></DPS>',
    { kind: 'nfse', layout: 'nfse national 1.01', status: 'no_protocol', warnings: [] },
  ],
])('%s', (xml, expected) => {
  expect(differences(one(xml), expected)).toEqual([]);
});

const request =
  '<nf><numero>20190013</numero><serie_nfse>1</serie_nfse><situacao>C</situacao><observacao>erro</observacao>';
const itsProvider = '<prestador><cpfcnpj>11222333000181</cpfcnpj><cidade>8291</cidade></prestador>';

/** Requests as kept by their senders: each has the number of a note but none of its data. */
it.each([
  `<nfse>${request}</nf>${itsProvider}</nfse>`,
  // The same with the values of the note to cancel.
  `<nfse>${request}<valor_total>10,00</valor_total></nf>${itsProvider}</nfse>`,
  '<nfse><nf><valor_total>10,00</valor_total></nf></nfse>',
  '<nfse><dados><numero>10</numero></dados></nfse>',
  '<Lote><Nota><InscricaoMunicipalPrestador>1</InscricaoMunicipalPrestador><NumeroNota>7</NumeroNota></Nota></Lote>',
  '<ReqCancelamentoNFSe><Lote><Nota><NumeroNota>5</NumeroNota><CodigoVerificacao>x</CodigoVerificacao><MotivoCancelamento>m</MotivoCancelamento></Nota></Lote></ReqCancelamentoNFSe>',
  '<CancelarNfseEnvio><Nfse><IdentificacaoNfse><Numero>5</Numero></IdentificacaoNfse></Nfse></CancelarNfseEnvio>',
  '<PedidoCancelamentoNFe><Detalhe><NFe><ChaveNFe><NumeroNFe>5</NumeroNFe></ChaveNFe></NFe></Detalhe></PedidoCancelamentoNFe>',
])('%s is no note', (xml) => {
  expect(readDocuments(xml)).toEqual([]);
});

const taxed = (part: string) => ({ '<OutrasInformacoes>': `${part}<OutrasInformacoes>` });
const mei = '<RegimeEspecialTributacao>5</RegimeEspecialTributacao>';
const optedFor = (code: string) => ({
  '</CNPJ></prest>': `</CNPJ><regTrib><opSimpNac>${code}</opSimpNac></regTrib></prest>`,
});

// opSimpNac: 1 no, 2 MEI, 3 ME or EPP, 4 pending. OptanteSimplesNacional: 1 yes, 2 no; RegimeEspecialTributacao 5: MEI.
it.each<[sample: string, changes: Row[1], isUnder: boolean | undefined, regime: string]>([
  [national, optedFor('1'), false, '3'],
  [national, optedFor('2'), true, '4'],
  [national, optedFor('3'), true, '1'],
  [national, optedFor('4'), undefined, ''],
  ['abrasf-1', taxed('<OptanteSimplesNacional>1</OptanteSimplesNacional>'), true, '1'],
  ['abrasf-1', taxed('<OptanteSimplesNacional>2</OptanteSimplesNacional>'), false, '3'],
  ['abrasf-1', taxed(`${mei}<OptanteSimplesNacional>1</OptanteSimplesNacional>`), true, '4'],
  ['abrasf-1', {}, undefined, ''],
])('%s with %j has a provider under the Simples: %s, of regime %j', (sample, changes, isUnder, regime) => {
  const { issuer } = one(changed(sample, changes));
  expect([issuer?.is_under_simples, regimeOf(issuer)]).toEqual([isUnder, regime]);
});
