import { isDecimal } from '../../decimals.ts';
import { withoutLeadingZeros } from '../../identity/keys.ts';
import { below, type Collected, together } from '../../summary/fields.ts';
import {
  either,
  fill,
  isoMoment,
  isoMonth,
  meantMoment,
  municipalLayout,
  serviceFromLines,
  sumOfLines,
  yesOrNo,
} from './municipal-note.ts';

const federalTaxes = {
  pis: 'ValorPIS',
  cofins: 'ValorCOFINS',
  inss: 'ValorINSS',
  income_tax: 'ValorIR',
  csll: 'ValorCSLL',
};

/** OpcaoSimples of the Simples Nacional; 0 may be it or not, 1 to 3 are of before. Source: docs/fiscal/layouts.md. */
const simplesNacional = ['4', '6'];

/**
 * The city of São Paulo, version 1 and what version 2 adds for IBS and CBS; its notes have no net value. Source:
 * docs/fiscal/layouts.md.
 */
export const prodam = municipalLayout({
  layout: 'nfse prodam',
  fields: {
    document: [
      { in: 'ChaveNFe', number: 'NumeroNFe', verification_code: 'CodigoVerificacao' },
      { in: 'ChaveNFe', key: 'ChaveNotaNacional' },
      { issued_at: 'DataEmissaoNFe', competence: 'DataFatoGeradorNFe' },
    ],
    issuer: [
      { municipal_registration: 'ChaveNFe/InscricaoPrestador', name: 'RazaoSocialPrestador' },
      { in: 'CPFCNPJPrestador', cnpj: 'CNPJ', cpf: 'CPF' },
      { in: 'EnderecoPrestador', state: 'UF', city_code: 'Cidade' },
    ],
    clue: [
      { situation: 'StatusNFe', cancelled_at: 'DataCancelamento', simples_code: 'OpcaoSimples' },
      { iss_withheld: 'ISSRetido' },
      { in: 'RetornoComplementarIBSCBS', ibs_state: 'ValorEstadualIBS', ibs_city: 'ValorMunicipalIBS' },
    ],
    recipient: [
      { in: 'CPFCNPJTomador', cnpj: 'CNPJ', cpf: 'CPF', foreign: 'NIF' },
      { municipal_registration: 'InscricaoMunicipalTomador', name: 'RazaoSocialTomador' },
      { in: 'EnderecoTomador', state: 'UF', city_code: 'Cidade' },
    ],
    totals: [
      { services: 'ValorServicos', deductions: 'ValorDeducoes', iss: 'ValorISS' },
      { in: 'RetornoComplementarIBSCBS', ibs_cbs_base: 'ValorBCIBSCBS', ibs: 'ValorIBS', cbs: 'ValorCBS' },
    ],
    withheld: federalTaxes,
    service: [
      { code: 'CodigoServico', rate: 'AliquotaServicos', nbs: 'NBS', city: 'MunicipioPrestacao' },
      { description: 'Discriminacao' },
    ],
    taxation: { class_trib: 'IBSCBS/valores/trib/gIBSCBS/cClassTrib' },
  },
  // N normal, C cancelled, E lost.
  status: { authorized: /^N$/, cancelled: /^C$/ },
  prepare({ clue, issuer }) {
    if (simplesNacional.includes(clue.simples_code ?? '')) issuer.is_under_simples = '1';
  },
});

/** Bauru: São Paulo's layout with other words, decimal commas, and CPFs in the element for the CNPJ. */
export const bauru = municipalLayout({
  layout: 'nfse bauru',
  fields: together(prodam.fields, {
    document: { in: 'ChaveNFe', series: 'SerieNFe', issued_at: 'DataEmissaoNFe' },
    issuer: [
      { municipal_registration: 'InscricaoPrestador', tax_id: 'CPFCNPJPrestador/CNPJ' },
      { city: 'EnderecoPrestador/Cidade' },
    ],
    recipient: [
      { tax_id: 'CPFCNPJTomador/CNPJ', city: 'EnderecoTomador/Cidade' },
      { municipal_registration: 'InscricaoTomador' },
    ],
    service: { base: 'ValorBase' },
  }),
  status: { authorized: /^ativa$/i, cancelled: /^cancelad[ao]$/i },
});

/** A city that uses eGoverne ISS, such as Osasco: under substitution the recipient keeps the ISS. Source: docs/fiscal/layouts.md. */
export const osasco = municipalLayout({
  layout: 'nfse osasco',
  fields: {
    document: {
      number: 'Numero',
      series: 'Serie',
      verification_code: 'CodigoAutenticidade',
      issued_at: 'DataEmissao',
    },
    clue: [
      { cancelled_at: 'DataCancelamento', iss_withheld: 'SubstituicaoTributaria' },
      { is_test: 'EmitidaParaHomologacao', is_preview: 'EmitidaParaPreVisualizacao' },
      { iss_on_top: 'SomarISSAoValorTotal' },
    ],
    references: { each: 'NotaFiscalSubstituida', number: '.' },
    issuer: [
      {
        in: 'Prestador',
        cnpj: 'CNPJ',
        cpf: 'CPF',
        name: 'Nome',
        municipal_registration: 'InscricaoMunicipal',
      },
      { in: 'Prestador/Endereco', city: 'Cidade', state: 'Estado' },
    ],
    recipient: [
      { in: 'Tomador', cnpj: 'CNPJ', cpf: 'CPF', municipal_registration: 'InscricaoMunicipal', name: 'Nome' },
      { in: 'Tomador/Endereco', city: 'Cidade', state: 'Estado' },
    ],
    totals: { services: 'Valor', deductions: 'ValorDeducao', iss: 'ValorIss' },
    service: [
      { base: 'BaseCalculo', rate: 'Aliquota', code: 'DescricaoAtividade' },
      { description: 'DescricaoServicos' },
    ],
    withheld: [
      { income_tax: 'ValorIR', inss: 'ValorINSS', cofins: 'ValorCofins', pis: 'ValorPisPasep' },
      { csll: 'ValorCSLL', other: 'ValorOutrosImpostos' },
    ],
    notes: { issuer: 'InformacoesAdicionais' },
  },
  prepare({ clue, service }) {
    const code = /^\d+(?:\.\d+)*/.exec(service.code ?? '')?.[0];
    if (code !== undefined) service.code = code;
    if (yesOrNo(clue.is_test) === true) clue.environment = '2';
  },
  status({ clue }) {
    // A preview is no note yet.
    if (yesOrNo(clue.is_preview) === true) return 'no_protocol';
    return meantMoment(clue.cancelled_at) === undefined ? 'authorized' : 'cancelled';
  },
  issOnTop: ({ clue }) => yesOrNo(clue.iss_on_top) === true,
});

/** E&L's system; services in `Servicos` or, by the schema, in `Servico`. Source: docs/fiscal/layouts.md. */
export const el = municipalLayout({
  layout: 'nfse el',
  fields: {
    document: [
      { verification_code: 'Id', issued_at: 'DataEmissao' },
      { in: 'IdentificacaoNfse', number: 'Numero', series: 'Serie' },
    ],
    clue: { iss_withheld: 'IssRetido', situation: 'Status' },
    notes: { issuer: 'Observacao' },
    issuer: [
      { in: 'DadosPrestador/IdentificacaoPrestador', tax_id: 'CpfCnpj' },
      { in: 'DadosPrestador/IdentificacaoPrestador', municipal_registration: 'InscricaoMunicipal' },
      { name: 'DadosPrestador/RazaoSocial' },
      { in: 'DadosPrestador/Endereco', state: 'Uf', city: 'Municipio', city_code: 'CodigoMunicipio' },
    ],
    recipient: [
      { in: 'DadosTomador/IdentificacaoTomador', tax_id: 'CpfCnpj' },
      { in: 'DadosTomador/IdentificacaoTomador', municipal_registration: 'InscricaoMunicipal' },
      { name: 'DadosTomador/RazaoSocial' },
      { in: 'DadosTomador/Endereco', state: 'Uf', city: 'Municipio', city_code: 'CodigoMunicipio' },
    ],
    service: { city: 'CodigoMunicipioPrestacao' },
    totals: [
      { in: 'Valores', services: 'ValorServicos', deductions: 'ValorDeducoes', iss: 'ValorIss' },
      { in: 'Valores', discount: 'OutrosDescontos', total: 'ValorLiquidoNfse' },
    ],
    withheld: [
      { in: 'Valores', pis: 'ValorPis', cofins: 'ValorCofins', inss: 'ValorInss', income_tax: 'ValorIr' },
      { in: 'Valores', csll: 'ValorCsll', other: 'ValorOutrasRetencoes', iss: 'ValorIssRetido' },
    ],
    parts: [
      { each: 'Servicos Servicos/Servico', code: 'CodigoServico116' },
      { in: 'Servicos Servicos/Servico', description: 'Descricao', rate: 'Aliquota' },
    ],
  },
  prepare: serviceFromLines,
  status: { authorized: /^1$/, cancelled: /^2$/ },
  // The reverse of ABRASF's, whose element has the same name.
  issWithheld: ({ clue }) => either(clue.iss_withheld, '2', '1'),
});

/** The day and the time stand apart, and the time may have an offset after a dash. */
function issuedAt({ document, clue }: Collected): string | undefined {
  const day = isoMoment(document.issued_at);
  const time = /^\d{2}:\d{2}(?::\d{2})?/.exec(clue.issued_time ?? '')?.[0];
  return day === undefined || time === undefined ? day : `${day}T${time}`;
}

/**
 * A note of a city that uses IPM's Atende.Net, without the provider's name and with cities by the tax office's codes.
 * Source: docs/fiscal/layouts.md.
 */
export const ipm = municipalLayout({
  layout: 'nfse ipm',
  fields: together(
    {
      clue: { recipient_type: 'tomador/tipo' },
      issuer: { tax_id: 'prestador/cpfcnpj' },
      recipient: [
        { in: 'tomador', tax_id: 'cpfcnpj', foreign: 'identificador', name: 'nome_razao_social' },
        { in: 'tomador', state_registration: 'ie' },
      ],
      parts: [
        { each: 'itens/lista itens/item', code: 'codigo_item_lista_servico', description: 'descritivo' },
        { in: 'itens/lista itens/item', rate: 'aliquota_item_lista_servico', base: 'valor_tributavel' },
        { in: 'itens/lista itens/item', deduction: 'valor_deducao', iss_withheld: 'valor_issrf' },
      ],
    },
    below('nf nfe', {
      document: [
        { number: 'numero_nfse numero', series: 'serie_nfse' },
        { issued_at: 'data_nfse', competence: 'data_fato' },
        { verification_code: 'cod_verificador_autenticidade codigo_autenticidade' },
      ],
      clue: { issued_time: 'hora_nfse', situation: 'situacao', situation_code: 'situacao_codigo_nfse' },
      totals: { services: 'valor_total', discount: 'valor_desconto' },
      withheld: [
        { income_tax: 'valor_ir', inss: 'valor_inss', csll: 'valor_contribuicao_social', other: 'valor_rps' },
        { pis: 'valor_pis', cofins: 'valor_cofins' },
      ],
      notes: { issuer: 'observacao' },
    }),
  ),
  /** Requests to issue or to cancel a note look like one: the city adds the day and the code to check it by. */
  isNote({ document: header }) {
    return header.issued_at !== undefined || header.verification_code !== undefined;
  },
  prepare(collected) {
    const { document: header, clue, recipient, service, totals, withheld } = collected;
    header.issued_at = issuedAt(collected);
    header.competence = isoMoment(header.competence);
    if (clue.recipient_type === 'E') recipient.state = 'EX';
    fill(withheld, { iss: sumOfLines(collected, 'iss_withheld') });
    fill(service, { base: sumOfLines(collected, 'base') });
    fill(totals, { deductions: sumOfLines(collected, 'deduction') });
    serviceFromLines(collected);
  },
  /** 1 issued, 2 cancelled; a note saved from a city's site says only `C`, once it is cancelled. */
  status({ clue }) {
    const { situation, situation_code: code } = clue;
    if (situation === 'C' || code === '2') return 'cancelled';
    return situation === undefined && (code === undefined || code === '1') ? 'authorized' : 'unknown';
  },
  issWithheld({ withheld }) {
    return withheld.iss === undefined || !isDecimal(withheld.iss) ? undefined : Number(withheld.iss) > 0;
  },
});

/** DSF: N normal, C cancelled; an export has the words. */
const dsfStatus = { authorized: /^(?:N|Normal)$/, cancelled: /^(?:C|cancelad[ao])$/i };

/** R it is withheld, A the provider pays the ISS. */
const dsfIssWithheld = ({ clue }: Collected) => either(clue.iss_withheld, 'R', 'A');

/** A note as DSF's web service answers it: it names the provider without a tax id, and its amount is the sum of its items. */
export const dsf = municipalLayout({
  layout: 'nfse dsf',
  fields: {
    document: [
      { number: 'NumeroNota', series: 'SeriePrestacao', verification_code: 'CodigoVerificacao' },
      { issued_at: 'DataProcessamento' },
    ],
    clue: [
      { sent_at: 'DataEmissaoRPS', situation: 'SituacaoRPS', cancelled_for: 'MotCancelamento' },
      { iss_withheld: 'TipoRecolhimento' },
    ],
    references: { each: 'NumeroNFSeSubstituida', number: '.' },
    issuer: { municipal_registration: 'InscricaoMunicipalPrestador', name: 'RazaoSocialPrestador' },
    recipient: [
      { tax_id: 'CPFCNPJTomador', foreign: 'DocTomadorEstrangeiro' },
      { municipal_registration: 'InscricaoMunicipalTomador', name: 'RazaoSocialTomador' },
      { city: 'CidadeTomadorDescricao' },
    ],
    service: { code: 'CodigoAtividade', rate: 'AliquotaAtividade' },
    withheld: federalTaxes,
    notes: { issuer: 'DescricaoRPS' },
    parts: [
      { each: 'Deducoes/Deducao', deduction: 'ValorDeduzir' },
      { each: 'Itens/Item', description: 'DiscriminacaoServico', total: 'ValorTotal' },
    ],
  },
  status: dsfStatus,
  issWithheld: dsfIssWithheld,
  prepare(collected) {
    const { document: header, clue, recipient, totals } = collected;
    header.issued_at ??= clue.sent_at;
    fill(totals, {
      services: sumOfLines(collected, 'total'),
      deductions: sumOfLines(collected, 'deduction'),
    });
    if (/^0+$/.test(recipient.foreign ?? '')) delete recipient.foreign;
    serviceFromLines(collected);
  },
});

/** A note as the site of a city that uses DSF's system exports it. */
export const dsfExport = municipalLayout({
  layout: 'nfse dsf export',
  fields: {
    document: [
      { number: 'NUM_NOTA', series: 'SERIE_PRESTACAO', verification_code: 'CODIGO_VERIFICACAO' },
      { issued_at: 'DATA_HORA_EMISSAO', competence: 'MES_COMPETENCIA' },
    ],
    clue: {
      situation: 'SITUACAO_NF',
      cancelled_at: 'DATA_HORA_CANCELAMENTO',
      iss_withheld: 'TIPO_RECOLHIMENTO',
    },
    references: { each: 'SUB_NUM', number: '.' },
    issuer: [
      { tax_id: 'PRESTADOR_CPF_CNPJ', municipal_registration: 'PRESTADOR_INSCRICAO_MUNICIPAL' },
      { name: 'PRESTADOR_RAZAO_SOCIAL', city: 'PRESTADOR_CIDADE', state: 'PRESTADOR_UF' },
    ],
    recipient: [
      { tax_id: 'TOMADOR_CPF_CNPJ', municipal_registration: 'TOMADOR_INSCRICAO_MUNICIPAL' },
      { name: 'TOMADOR_RAZAO_SOCIAL', city: 'TOMADOR_CIDADE', state: 'TOMADOR_UF' },
    ],
    service: { code: 'COS_SERVICO', description: 'DESCRICAO_NOTA', rate: 'ALIQUOTA' },
    totals: { services: 'VALOR_SERVICO', deductions: 'VALOR_DEDUCAO', iss: 'VALOR_ISS' },
    withheld: [
      { iss: 'VALOR_ISS_RET', pis: 'VALOR_PIS', cofins: 'VALOR_COFINS', inss: 'VALOR_INSS' },
      { income_tax: 'VALOR_IR', csll: 'VALOR_CSLL' },
    ],
  },
  status: dsfStatus,
  issWithheld: dsfIssWithheld,
  prepare({ document: header, clue }) {
    header.issued_at = isoMoment(header.issued_at);
    header.competence = isoMonth(header.competence);
    clue.cancelled_at = isoMoment(clue.cancelled_at);
    // Filled up to fifteen digits.
    header.number = header.number && withoutLeadingZeros(header.number);
  },
});
