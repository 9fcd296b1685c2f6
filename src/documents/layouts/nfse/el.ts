import { municipalLayout } from './municipal-note.ts';

const partyIn = (group: string, identification: string) => [
  { in: `${group}/${identification}`, tax_id: 'CpfCnpj', municipal_registration: 'InscricaoMunicipal' },
  { in: `${group}/Endereco`, state: 'Uf', city: 'Municipio', city_code: 'CodigoMunicipio' },
  { in: group, name: 'RazaoSocial' },
];

/** E&L's system; services are in `Servicos` or, by the schema, in `Servico`. Source: docs/fiscal/layouts.md. */
export const el = municipalLayout({
  layout: 'nfse el',
  fields: {
    document: [
      { verification_code: 'Id', issued_at: 'DataEmissao' },
      { in: 'IdentificacaoNfse', number: 'Numero', series: 'Serie' },
    ],
    raw: { iss_withheld: 'IssRetido', situation: 'Status' },
    notes: { issuer: 'Observacao' },
    issuer: partyIn('DadosPrestador', 'IdentificacaoPrestador'),
    recipient: partyIn('DadosTomador', 'IdentificacaoTomador'),
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
  status: { authorized: /^1$/, cancelled: /^2$/ },
  // The reverse of ABRASF's element of the same name.
  issWithheld: ['2', '1'],
});
