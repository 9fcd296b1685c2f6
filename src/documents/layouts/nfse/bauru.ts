import { together } from '../../summary/fields.ts';
import { municipalLayout } from './municipal-note.ts';
import { prodam } from './prodam.ts';

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
