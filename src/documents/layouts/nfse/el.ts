import { below, type Collected, type FieldTable, partyFields, together } from '../../summary/fields.ts';
import type { DocumentStatus, DocumentSummary } from '../../summary/summary.ts';
import { municipalNote, serviceFromLines } from './municipal-note.ts';

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
export const elFields: FieldTable = together(
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
);

/** Undefined for unknown codes. */
const statuses = new Map<string | undefined, DocumentStatus>([
  ['1', 'authorized'],
  ['2', 'cancelled'],
]);

/** 1 not withheld, 2 withheld: the reverse of ABRASF's, whose element has the same name. */
function isIssWithheld(code: string | undefined): boolean | undefined {
  return code === '2' ? true : code === '1' ? false : undefined;
}

/** A note of a city that uses E&L's system. */
export function summarizeElNfse(collected: Collected): DocumentSummary | undefined {
  const { clue } = collected.sections;
  serviceFromLines(collected);
  return municipalNote(collected, {
    layout: 'nfse el',
    status: statuses.get(clue.situation) ?? 'unknown',
    issWithheld: isIssWithheld(clue.iss_withheld),
  });
}
