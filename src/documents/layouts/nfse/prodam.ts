import { together } from '../../summary/fields.ts';
import { federalTaxes, municipalLayout } from './municipal-note.ts';

/** OpcaoSimples values for the Simples Nacional; 0 is ambiguous, 1 to 3 are older. Source: docs/fiscal/layouts.md. */
const simplesNacional = ['4', '6'];

/**
 * The city of São Paulo, version 1 and the IBS and CBS fields of version 2; its notes have no net value. Source:
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
    raw: [
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
  prepare({ raw, issuer }) {
    if (simplesNacional.includes(raw.simples_code ?? '')) issuer.is_under_simples = '1';
  },
});

/** Bauru: São Paulo's layout with other words, decimal commas, and CPFs in the CNPJ element. */
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
