import { below, type Collected, type FieldTable, partyFields, together } from '../../summary/fields.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { meantMoment, municipalNote, yesOrNo } from './municipal-note.ts';

const party = {
  CNPJ: 'cnpj',
  CPF: 'cpf',
  InscricaoMunicipal: 'municipal_registration',
  Nome: 'name',
  'Endereco/Cidade': 'city',
  'Endereco/Estado': 'state',
} as const;

/** A city that uses eGoverne ISS, such as Osasco. Source: docs/fiscal/layouts.md. */
export const osascoFields: FieldTable = together(
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
);

/** A preview is no note yet. */
function statusOf({ sections }: Collected): DocumentStatus {
  const { cancelled_at, is_preview } = sections.clue;
  if (yesOrNo(is_preview) === true) return 'no_protocol';
  return meantMoment(cancelled_at) === undefined ? 'authorized' : 'cancelled';
}

/** A note of a city that uses eGoverne ISS: under substitution the recipient keeps the ISS. */
export function summarizeOsascoNfse(collected: Collected): DocumentSummary | undefined {
  const { clue, service } = collected.sections;
  const code = /^\d+(?:\.\d+)*/.exec(service.code ?? '')?.[0];
  if (code !== undefined) service.code = code;
  if (yesOrNo(clue.is_test) === true) clue.environment = '2';
  return municipalNote(collected, {
    layout: 'nfse osasco',
    status: statusOf(collected),
    issWithheld: yesOrNo(clue.iss_withheld),
    issOnTop: yesOrNo(clue.iss_on_top) === true,
  });
}
