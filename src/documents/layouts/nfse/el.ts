import { below, type FieldTable, partyFields, together } from '../../summary/fields.ts';
import { either, municipalLayout, serviceFromLines } from './municipal-note.ts';

function party(section: 'issuer' | 'recipient', identity: string): FieldTable {
  return partyFields(section, {
    [`${identity}/CpfCnpj`]: 'tax_id',
    [`${identity}/InscricaoMunicipal`]: 'municipal_registration',
    RazaoSocial: 'name',
    'Endereco/Uf': 'state',
    'Endereco/Municipio': 'city',
    'Endereco/CodigoMunicipio': 'city_code',
  });
}

const line: FieldTable = {
  fields: {
    CodigoServico116: 'parts.code',
    Descricao: 'parts.description',
    Aliquota: 'parts.rate',
  },
  lists: { '': ['parts'] },
};

/** E&L's system; services in `Servicos` or, by the schema, in `Servico`. Source: docs/fiscal/layouts.md. */
export const el = municipalLayout({
  layout: 'nfse el',
  fields: together(
    {
      fields: {
        Id: 'document.verification_code',
        'IdentificacaoNfse/Numero': 'document.number',
        'IdentificacaoNfse/Serie': 'document.series',
        DataEmissao: 'document.issued_at',
        IssRetido: 'clue.iss_withheld',
        Status: 'clue.situation',
        Observacao: 'notes.issuer',
        CodigoMunicipioPrestacao: 'service.city',
        'Valores/ValorServicos': 'totals.services',
        'Valores/ValorDeducoes': 'totals.deductions',
        'Valores/ValorPis': 'withheld.pis',
        'Valores/ValorCofins': 'withheld.cofins',
        'Valores/ValorInss': 'withheld.inss',
        'Valores/ValorIr': 'withheld.income_tax',
        'Valores/ValorCsll': 'withheld.csll',
        'Valores/ValorOutrasRetencoes': 'withheld.other',
        'Valores/ValorIssRetido': 'withheld.iss',
        'Valores/ValorIss': 'totals.iss',
        'Valores/OutrosDescontos': 'totals.discount',
        'Valores/ValorLiquidoNfse': 'totals.total',
      },
    },
    below('DadosPrestador', party('issuer', 'IdentificacaoPrestador')),
    below('DadosTomador', party('recipient', 'IdentificacaoTomador')),
    below('Servicos', line),
    below('Servicos/Servico', line),
  ),
  prepare: serviceFromLines,
  status: { authorized: /^1$/, cancelled: /^2$/ },
  // The reverse of ABRASF's, whose element has the same name.
  issWithheld: ({ sections }) => either(sections.clue.iss_withheld, '2', '1'),
});
