import { type Collected, type FieldTable, together } from '../../summary/fields.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { municipalNote, yesOrNo } from './municipal-note.ts';
import { prodamFields } from './prodam.ts';

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

function statusOf(word: string | undefined): DocumentStatus {
  if (word?.toLowerCase() === 'ativa') return 'authorized';
  return /^cancelad[ao]$/i.test(word ?? '') ? 'cancelled' : 'unknown';
}

/** Summarizes a note of the city of Bauru. */
export function summarizeBauruNfse(collected: Collected): DocumentSummary | undefined {
  const { clue } = collected.sections;
  return municipalNote(collected, {
    layout: 'nfse bauru',
    status: statusOf(clue.situation),
    issWithheld: yesOrNo(clue.iss_withheld),
  });
}
