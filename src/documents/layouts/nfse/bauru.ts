import { together } from '../../summary/fields.ts';
import { municipalLayout } from './municipal-note.ts';
import { prodam } from './prodam.ts';

/** Bauru: São Paulo's layout with other words, decimal commas, and CPFs in the element for the CNPJ. */
export const bauru = municipalLayout({
  layout: 'nfse bauru',
  fields: together(prodam.fields, {
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
  }),
  status: { authorized: /^ativa$/i, cancelled: /^cancelad[ao]$/i },
});
