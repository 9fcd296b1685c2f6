import { either, municipalLayout, serviceFromLines } from './municipal-note.ts';

/** E&L's system; services in `Servicos` or, by the schema, in `Servico`. Source: docs/fiscal/layouts.md. */
export const el = municipalLayout({
  layout: 'nfse el',
  fields: {
    document: [
      { verification_code: 'Id', issued_at: 'DataEmissao' },
      { in: 'IdentificacaoNfse', number: 'Numero', series: 'Serie' },
    ],
    raw: { iss_withheld: 'IssRetido', situation: 'Status' },
    notes: { issuer: 'Observacao' },
    issuer: [
      { in: 'DadosPrestador/IdentificacaoPrestador', tax_id: 'CpfCnpj' },
      { in: 'DadosPrestador/IdentificacaoPrestador', municipal_registration: 'InscricaoMunicipal' },
      { name: 'DadosPrestador/RazaoSocial' },
      { in: 'DadosPrestador/Endereco', state: 'Uf', city: 'Municipio', city_code: 'CodigoMunicipio' },
    ],
    recipient: [
      { in: 'DadosTomador/IdentificacaoTomador', tax_id: 'CpfCnpj' },
      { in: 'DadosTomador/IdentificacaoTomador', municipal_registration: 'InscricaoMunicipal' },
      { name: 'DadosTomador/RazaoSocial' },
      { in: 'DadosTomador/Endereco', state: 'Uf', city: 'Municipio', city_code: 'CodigoMunicipio' },
    ],
    service: { city: 'CodigoMunicipioPrestacao' },
    totals: [
      { in: 'Valores', services: 'ValorServicos', deductions: 'ValorDeducoes', iss: 'ValorIss' },
      { in: 'Valores', discount: 'OutrosDescontos', total: 'ValorLiquidoNfse' },
    ],
    withheld: [
      { in: 'Valores', pis: 'ValorPis', cofins: 'ValorCofins', inss: 'ValorInss', income_tax: 'ValorIr' },
      { in: 'Valores', csll: 'ValorCsll', other: 'ValorOutrasRetencoes', iss: 'ValorIssRetido' },
    ],
    parts: [
      { each: 'Servicos Servicos/Servico', code: 'CodigoServico116' },
      { in: 'Servicos Servicos/Servico', description: 'Descricao', rate: 'Aliquota' },
    ],
  },
  prepare: serviceFromLines,
  status: { authorized: /^1$/, cancelled: /^2$/ },
  // The reverse of ABRASF's, whose element has the same name.
  issWithheld: ({ raw }) => either(raw.iss_withheld, '2', '1'),
});
