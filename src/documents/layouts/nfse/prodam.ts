import { municipalLayout } from './municipal-note.ts';

/** OpcaoSimples of the Simples Nacional; 0 may be it or not, 1 to 3 are of before. Source: docs/fiscal/layouts.md. */
const simplesNacional = ['4', '6'];

/**
 * The city of São Paulo, version 1 and what version 2 adds for IBS and CBS; its notes have no net value. Source:
 * docs/fiscal/layouts.md.
 */
export const prodam = municipalLayout({
  layout: 'nfse prodam',
  fields: {
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
  },
  // N normal, C cancelled, E lost.
  status: { authorized: /^N$/, cancelled: /^C$/ },
  prepare({ sections: { clue, issuer } }) {
    if (simplesNacional.includes(clue.simples_code ?? '')) issuer.is_under_simples = '1';
  },
});
