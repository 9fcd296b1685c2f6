import { withoutLeadingZeros } from '../../identity/keys.ts';
import { federalTaxes, municipalLayout } from './municipal-note.ts';

/** DSF: N normal, C cancelled; exports use words. */
const dsfStatus = { authorized: /^(?:N|Normal)$/, cancelled: /^(?:C|cancelad[ao])$/i };

/** R: withheld; A: the provider pays the ISS. */
const dsfIssWithheld = ['r', 'a'] as const;

/** A note from DSF's web service: the provider has no tax id, and the amount is the sum of its items. */
export const dsf = municipalLayout({
  layout: 'nfse dsf',
  fields: {
    document: [
      { number: 'NumeroNota', series: 'SeriePrestacao', verification_code: 'CodigoVerificacao' },
      { issued_at: 'DataProcessamento' },
    ],
    raw: [
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
  prepare({ document: header, raw, recipient }) {
    header.issued_at ??= raw.sent_at;
    if (/^0+$/.test(recipient.foreign ?? '')) delete recipient.foreign;
  },
});

/** A note exported from the site of a city that uses DSF's system. */
export const dsfExport = municipalLayout({
  layout: 'nfse dsf export',
  fields: {
    document: [
      { number: 'NUM_NOTA', series: 'SERIE_PRESTACAO', verification_code: 'CODIGO_VERIFICACAO' },
      { issued_at: 'DATA_HORA_EMISSAO', competence: 'MES_COMPETENCIA' },
    ],
    raw: [
      { situation: 'SITUACAO_NF', cancelled_at: 'DATA_HORA_CANCELAMENTO' },
      { iss_withheld: 'TIPO_RECOLHIMENTO' },
    ],
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
  prepare({ document: header }) {
    // Padded to fifteen digits.
    header.number = header.number && withoutLeadingZeros(header.number);
  },
});
