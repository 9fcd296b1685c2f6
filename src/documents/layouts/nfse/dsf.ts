import type { Collected } from '../../summary/fields.ts';
import {
  either,
  fill,
  isoMoment,
  isoMonth,
  municipalLayout,
  serviceFromLines,
  sumOfLines,
} from './municipal-note.ts';

/** N normal, C cancelled; an export has the words. */
const status = { authorized: /^(?:N|Normal)$/, cancelled: /^(?:C|cancelad[ao])$/i };

/** R it is withheld, A the provider pays the ISS. */
const issWithheld = ({ sections }: Collected) => either(sections.clue.iss_withheld, 'R', 'A');

/** A note as DSF's web service answers it: it names the provider without a tax id, and its amount is the sum of its items. */
export const dsf = municipalLayout({
  layout: 'nfse dsf',
  fields: {
    fields: {
      NumeroNota: 'document.number',
      SeriePrestacao: 'document.series',
      CodigoVerificacao: 'document.verification_code',
      DataProcessamento: 'document.issued_at',
      DataEmissaoRPS: 'clue.sent_at',
      SituacaoRPS: 'clue.situation',
      MotCancelamento: 'clue.cancelled_for',
      NumeroNFSeSubstituida: 'references.number',
      InscricaoMunicipalPrestador: 'issuer.municipal_registration',
      RazaoSocialPrestador: 'issuer.name',
      CPFCNPJTomador: 'recipient.tax_id',
      DocTomadorEstrangeiro: 'recipient.foreign',
      InscricaoMunicipalTomador: 'recipient.municipal_registration',
      RazaoSocialTomador: 'recipient.name',
      CidadeTomadorDescricao: 'recipient.city',
      CodigoAtividade: 'service.code',
      AliquotaAtividade: 'service.rate',
      TipoRecolhimento: 'clue.iss_withheld',
      ValorPIS: 'withheld.pis',
      ValorCOFINS: 'withheld.cofins',
      ValorINSS: 'withheld.inss',
      ValorIR: 'withheld.income_tax',
      ValorCSLL: 'withheld.csll',
      DescricaoRPS: 'notes.issuer',
      'Deducoes/Deducao/ValorDeduzir': 'parts.deduction',
      'Itens/Item/DiscriminacaoServico': 'parts.description',
      'Itens/Item/ValorTotal': 'parts.total',
    },
    lists: {
      NumeroNFSeSubstituida: ['references'],
      'Deducoes/Deducao': ['parts'],
      'Itens/Item': ['parts'],
    },
  },
  status,
  issWithheld,
  prepare(collected) {
    const { document: header, clue, recipient, totals } = collected.sections;
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
    fields: {
      NUM_NOTA: 'document.number',
      SERIE_PRESTACAO: 'document.series',
      CODIGO_VERIFICACAO: 'document.verification_code',
      DATA_HORA_EMISSAO: 'document.issued_at',
      MES_COMPETENCIA: 'document.competence',
      SITUACAO_NF: 'clue.situation',
      DATA_HORA_CANCELAMENTO: 'clue.cancelled_at',
      SUB_NUM: 'references.number',
      PRESTADOR_CPF_CNPJ: 'issuer.tax_id',
      PRESTADOR_INSCRICAO_MUNICIPAL: 'issuer.municipal_registration',
      PRESTADOR_RAZAO_SOCIAL: 'issuer.name',
      PRESTADOR_CIDADE: 'issuer.city',
      PRESTADOR_UF: 'issuer.state',
      TOMADOR_CPF_CNPJ: 'recipient.tax_id',
      TOMADOR_INSCRICAO_MUNICIPAL: 'recipient.municipal_registration',
      TOMADOR_RAZAO_SOCIAL: 'recipient.name',
      TOMADOR_CIDADE: 'recipient.city',
      TOMADOR_UF: 'recipient.state',
      COS_SERVICO: 'service.code',
      DESCRICAO_NOTA: 'service.description',
      ALIQUOTA: 'service.rate',
      TIPO_RECOLHIMENTO: 'clue.iss_withheld',
      VALOR_SERVICO: 'totals.services',
      VALOR_DEDUCAO: 'totals.deductions',
      VALOR_ISS: 'totals.iss',
      VALOR_ISS_RET: 'withheld.iss',
      VALOR_PIS: 'withheld.pis',
      VALOR_COFINS: 'withheld.cofins',
      VALOR_INSS: 'withheld.inss',
      VALOR_IR: 'withheld.income_tax',
      VALOR_CSLL: 'withheld.csll',
    },
    lists: { SUB_NUM: ['references'] },
  },
  status,
  issWithheld,
  prepare({ sections: { document: header, clue } }) {
    header.issued_at = isoMoment(header.issued_at);
    header.competence = isoMonth(header.competence);
    clue.cancelled_at = isoMoment(clue.cancelled_at);
    // Filled up to fifteen digits.
    header.number = header.number?.replace(/^0+(?=\d)/, '');
  },
});
