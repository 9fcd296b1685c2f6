import type { Collected, FieldTable } from '../../summary/fields.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { isoMoment, isoMonth, municipalNote, serviceFromLines, sumOfLines } from './municipal-note.ts';

/** A note as DSF's web service answers it, from `Nota` down; it names the provider without a tax id. */
export const dsfFields: FieldTable = {
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
};

/** A note as the site of a city that uses DSF's system exports it, from `NOTA_FISCAL` down. */
export const dsfExportFields: FieldTable = {
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
};

/** A the provider pays the ISS, R it is withheld. */
function isIssWithheld(letter: string | undefined): boolean | undefined {
  return letter === 'R' ? true : letter === 'A' ? false : undefined;
}

/** N normal, C cancelled; an export has the words. */
function statusOf(situation: string | undefined): DocumentStatus {
  if (situation === 'N' || situation === 'Normal') return 'authorized';
  return /^C$|^cancelad[ao]$/i.test(situation ?? '') ? 'cancelled' : 'unknown';
}

/** A note in the layout of DSF's web service, whose amount is the sum of its items. */
export function summarizeDsfNfse(collected: Collected): DocumentSummary | undefined {
  const { document: header, clue, recipient, totals } = collected.sections;
  const services = sumOfLines(collected, 'total');
  const deductions = sumOfLines(collected, 'deduction');
  const issued_at = header.issued_at ?? clue.sent_at;
  if (issued_at !== undefined) header.issued_at = issued_at;
  if (services !== undefined) totals.services = services;
  if (deductions !== undefined) totals.deductions = deductions;
  if (/^0+$/.test(recipient.foreign ?? '')) delete recipient.foreign;
  serviceFromLines(collected);
  return municipalNote(collected, {
    layout: 'nfse dsf',
    status: statusOf(clue.situation),
    issWithheld: isIssWithheld(clue.iss_withheld),
  });
}

/** A note as a city's site exports it. */
export function summarizeDsfExport(collected: Collected): DocumentSummary | undefined {
  const { document: header, clue } = collected.sections;
  const issued_at = isoMoment(header.issued_at);
  const competence = isoMonth(header.competence);
  const cancelled_at = isoMoment(clue.cancelled_at);
  if (issued_at !== undefined) header.issued_at = issued_at;
  if (competence !== undefined) header.competence = competence;
  if (cancelled_at !== undefined) clue.cancelled_at = cancelled_at;
  // Filled up to fifteen digits.
  if (header.number !== undefined) header.number = header.number.replace(/^0+(?=\d)/, '');
  return municipalNote(collected, {
    layout: 'nfse dsf export',
    status: statusOf(clue.situation),
    issWithheld: isIssWithheld(clue.iss_withheld),
  });
}
