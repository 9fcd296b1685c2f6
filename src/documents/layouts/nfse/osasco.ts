import { meantMoment, municipalLayout, yesOrNo } from './municipal-note.ts';

/**
 * Cities that use eGoverne ISS, such as Osasco: under substitution the recipient withholds the ISS. Source:
 * docs/fiscal/layouts.md.
 */
export const osasco = municipalLayout({
  layout: 'nfse osasco',
  fields: {
    document: [
      { number: 'Numero', series: 'Serie', issued_at: 'DataEmissao' },
      { verification_code: 'CodigoAutenticidade' },
    ],
    raw: [
      { cancelled_at: 'DataCancelamento', iss_withheld: 'SubstituicaoTributaria' },
      { is_test: 'EmitidaParaHomologacao', is_preview: 'EmitidaParaPreVisualizacao' },
      { iss_on_top: 'SomarISSAoValorTotal' },
    ],
    references: { each: 'NotaFiscalSubstituida', number: '.' },
    issuer: [
      {
        in: 'Prestador',
        cnpj: 'CNPJ',
        cpf: 'CPF',
        municipal_registration: 'InscricaoMunicipal',
        name: 'Nome',
      },
      { in: 'Prestador/Endereco', city: 'Cidade', state: 'Estado' },
    ],
    recipient: [
      { in: 'Tomador', cnpj: 'CNPJ', cpf: 'CPF', municipal_registration: 'InscricaoMunicipal', name: 'Nome' },
      { in: 'Tomador/Endereco', city: 'Cidade', state: 'Estado' },
    ],
    totals: { services: 'Valor', deductions: 'ValorDeducao', iss: 'ValorIss' },
    service: [
      { base: 'BaseCalculo', rate: 'Aliquota', code: 'DescricaoAtividade' },
      { description: 'DescricaoServicos' },
    ],
    withheld: [
      { income_tax: 'ValorIR', inss: 'ValorINSS', cofins: 'ValorCofins', pis: 'ValorPisPasep' },
      { csll: 'ValorCSLL', other: 'ValorOutrosImpostos' },
    ],
    notes: { issuer: 'InformacoesAdicionais' },
  },
  prepare({ raw, service }) {
    const code = /^\d+(?:\.\d+)*/.exec(service.code ?? '')?.[0];
    if (code !== undefined) service.code = code;
    if (yesOrNo(raw.is_test) === true) raw.environment = '2';
  },
  status({ raw }) {
    // A preview is not yet a note.
    if (yesOrNo(raw.is_preview) === true) return 'no_protocol';
    return meantMoment(raw.cancelled_at) === undefined ? 'authorized' : 'cancelled';
  },
});
