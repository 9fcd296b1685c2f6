import { below, partyFields, together } from '../../summary/fields.ts';
import { meantMoment, municipalLayout, yesOrNo } from './municipal-note.ts';

const party = {
  CNPJ: 'cnpj',
  CPF: 'cpf',
  InscricaoMunicipal: 'municipal_registration',
  Nome: 'name',
  'Endereco/Cidade': 'city',
  'Endereco/Estado': 'state',
} as const;

/** A city that uses eGoverne ISS, such as Osasco: under substitution the recipient keeps the ISS. Source: docs/fiscal/layouts.md. */
export const osasco = municipalLayout({
  layout: 'nfse osasco',
  fields: together(
    {
      fields: {
        Numero: 'document.number',
        Serie: 'document.series',
        CodigoAutenticidade: 'document.verification_code',
        DataEmissao: 'document.issued_at',
        DataCancelamento: 'clue.cancelled_at',
        EmitidaParaHomologacao: 'clue.is_test',
        EmitidaParaPreVisualizacao: 'clue.is_preview',
        NotaFiscalSubstituida: 'references.number',
        SubstituicaoTributaria: 'clue.iss_withheld',
        SomarISSAoValorTotal: 'clue.iss_on_top',
        Valor: 'totals.services',
        ValorDeducao: 'totals.deductions',
        BaseCalculo: 'service.base',
        Aliquota: 'service.rate',
        ValorIss: 'totals.iss',
        ValorIR: 'withheld.income_tax',
        ValorINSS: 'withheld.inss',
        ValorCofins: 'withheld.cofins',
        ValorPisPasep: 'withheld.pis',
        ValorCSLL: 'withheld.csll',
        ValorOutrosImpostos: 'withheld.other',
        DescricaoAtividade: 'service.code',
        DescricaoServicos: 'service.description',
        InformacoesAdicionais: 'notes.issuer',
      },
      lists: { NotaFiscalSubstituida: ['references'] },
    },
    below('Prestador', partyFields('issuer', party)),
    below('Tomador', partyFields('recipient', party)),
  ),
  prepare({ sections: { clue, service } }) {
    const code = /^\d+(?:\.\d+)*/.exec(service.code ?? '')?.[0];
    if (code !== undefined) service.code = code;
    if (yesOrNo(clue.is_test) === true) clue.environment = '2';
  },
  status({ sections: { clue } }) {
    // A preview is no note yet.
    if (yesOrNo(clue.is_preview) === true) return 'no_protocol';
    return meantMoment(clue.cancelled_at) === undefined ? 'authorized' : 'cancelled';
  },
  issOnTop: ({ sections }) => yesOrNo(sections.clue.iss_on_top) === true,
});
