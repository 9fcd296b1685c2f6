import { type Collected, type FieldTable, together } from '../../summary/fields.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { municipalNote, yesOrNo } from './municipal-note.ts';

/**
 * The city of São Paulo, version 1 and what version 2 adds for IBS and CBS. Source: docs/fiscal/layouts.md.
 */
export const prodamFields: FieldTable = {
  fields: {
    'ChaveNFe/NumeroNFe': 'document.number',
    'ChaveNFe/CodigoVerificacao': 'document.verification_code',
    'ChaveNFe/ChaveNotaNacional': 'document.key',
    'ChaveNFe/InscricaoPrestador': 'issuer.municipal_registration',
    DataEmissaoNFe: 'document.issued_at',
    DataFatoGeradorNFe: 'document.competence',
    StatusNFe: 'clue.situation',
    DataCancelamento: 'clue.cancelled_at',
    'CPFCNPJPrestador/CNPJ': 'issuer.cnpj',
    'CPFCNPJPrestador/CPF': 'issuer.cpf',
    RazaoSocialPrestador: 'issuer.name',
    OpcaoSimples: 'clue.simples_code',
    'EnderecoPrestador/UF': 'issuer.state',
    'EnderecoPrestador/Cidade': 'issuer.city_code',
    'CPFCNPJTomador/CNPJ': 'recipient.cnpj',
    'CPFCNPJTomador/CPF': 'recipient.cpf',
    'CPFCNPJTomador/NIF': 'recipient.foreign',
    InscricaoMunicipalTomador: 'recipient.municipal_registration',
    RazaoSocialTomador: 'recipient.name',
    'EnderecoTomador/UF': 'recipient.state',
    'EnderecoTomador/Cidade': 'recipient.city_code',
    ValorServicos: 'totals.services',
    ValorDeducoes: 'totals.deductions',
    ValorPIS: 'withheld.pis',
    ValorCOFINS: 'withheld.cofins',
    ValorINSS: 'withheld.inss',
    ValorIR: 'withheld.income_tax',
    ValorCSLL: 'withheld.csll',
    CodigoServico: 'service.code',
    AliquotaServicos: 'service.rate',
    NBS: 'service.nbs',
    MunicipioPrestacao: 'service.city',
    ValorISS: 'totals.iss',
    ISSRetido: 'clue.iss_withheld',
    Discriminacao: 'service.description',
    'IBSCBS/valores/trib/gIBSCBS/cClassTrib': 'taxation.class_trib',
    'RetornoComplementarIBSCBS/ValorBCIBSCBS': 'totals.ibs_cbs_base',
    'RetornoComplementarIBSCBS/ValorEstadualIBS': 'clue.ibs_state',
    'RetornoComplementarIBSCBS/ValorMunicipalIBS': 'clue.ibs_city',
    'RetornoComplementarIBSCBS/ValorIBS': 'totals.ibs',
    'RetornoComplementarIBSCBS/ValorCBS': 'totals.cbs',
  },
};

/** N normal, C cancelled, E lost. */
function statusOf(letter: string | undefined): DocumentStatus {
  if (letter === 'N') return 'authorized';
  return letter === 'C' ? 'cancelled' : 'unknown';
}

/** OpcaoSimples of the Simples Nacional; 0 may be it or not, 1 to 3 are of before. Source: docs/fiscal/layouts.md. */
const simplesNacional = ['4', '6'];

/** Summarizes a note of the city of São Paulo, which has no net value. */
export function summarizeProdamNfse(collected: Collected): DocumentSummary | undefined {
  const { clue, issuer } = collected.sections;
  if (simplesNacional.includes(clue.simples_code ?? '')) issuer.is_under_simples = '1';
  return municipalNote(collected, {
    layout: 'nfse prodam',
    status: statusOf(clue.situation),
    issWithheld: yesOrNo(clue.iss_withheld),
  });
}

/** Bauru: São Paulo's layout with other words, decimal commas, and CPFs in the element for the CNPJ. */
export const bauruFields: FieldTable = together(prodamFields, {
  fields: {
    'ChaveNFe/SerieNFe': 'document.series',
    'ChaveNFe/DataEmissaoNFe': 'document.issued_at',
    InscricaoPrestador: 'issuer.municipal_registration',
    'CPFCNPJPrestador/CNPJ': 'issuer.tax_id',
    'CPFCNPJTomador/CNPJ': 'recipient.tax_id',
    'EnderecoPrestador/Cidade': 'issuer.city',
    'EnderecoTomador/Cidade': 'recipient.city',
    InscricaoTomador: 'recipient.municipal_registration',
    ValorBase: 'service.base',
  },
});

function statusByWord(word: string | undefined): DocumentStatus {
  if (word?.toLowerCase() === 'ativa') return 'authorized';
  return /^cancelad[ao]$/i.test(word ?? '') ? 'cancelled' : 'unknown';
}

/** Summarizes a note of the city of Bauru. */
export function summarizeBauruNfse(collected: Collected): DocumentSummary | undefined {
  const { clue } = collected.sections;
  return municipalNote(collected, {
    layout: 'nfse bauru',
    status: statusByWord(clue.situation),
    issWithheld: yesOrNo(clue.iss_withheld),
  });
}
