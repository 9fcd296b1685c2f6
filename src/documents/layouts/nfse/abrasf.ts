import { checkNationalNfseKey } from '../../identity/keys.ts';
import {
  below,
  type Collected,
  type DocumentLayout,
  type FieldTable,
  together,
} from '../../summary/fields.ts';
import { meantMoment, municipalLayout, yesOrNo } from './municipal-note.ts';
import { nationalNfse, summarizeNationalNfse } from './national.ts';

const abrasfService: FieldTable = {
  fields: {
    IssRetido: 'clue.iss_withheld',
    ItemListaServico: 'service.code',
    CodigoNbs: 'service.nbs',
    CodigoMunicipio: 'service.city',
    MunicipioIncidencia: 'service.iss_city',
    Discriminacao: 'service.description',
    'Valores/IssRetido': 'clue.iss_withheld',
    'Valores/ValorServicos': 'totals.services',
    'Valores/ValorDeducoes': 'totals.deductions',
    'Valores/ValorPis': 'withheld.pis',
    'Valores/ValorCofins': 'withheld.cofins',
    'Valores/ValorInss': 'withheld.inss',
    'Valores/ValorIr': 'withheld.income_tax',
    'Valores/ValorCsll': 'withheld.csll',
    'Valores/OutrasRetencoes': 'withheld.other',
    'Valores/ValorIssRetido': 'withheld.iss',
    'Valores/ValorIss': 'totals.iss',
    'Valores/BaseCalculo': 'service.base',
    'Valores/Aliquota': 'service.rate',
    'Valores/DescontoIncondicionado': 'totals.discount',
    'Valores/DescontoCondicionado': 'clue.discount_conditional',
    'Valores/ValorLiquidoNfse': 'totals.total',
  },
};

const abrasfProvider: FieldTable = {
  fields: {
    'IdentificacaoPrestador/Cnpj': 'issuer.cnpj',
    'IdentificacaoPrestador/CpfCnpj/Cnpj': 'issuer.cnpj',
    'IdentificacaoPrestador/CpfCnpj/Cpf': 'issuer.cpf',
    'IdentificacaoPrestador/InscricaoMunicipal': 'issuer.municipal_registration',
    'CpfCnpj/Cnpj': 'issuer.cnpj',
    'CpfCnpj/Cpf': 'issuer.cpf',
    InscricaoMunicipal: 'issuer.municipal_registration',
    RazaoSocial: 'issuer.name',
    'Endereco/Uf': 'issuer.state',
    'Endereco/CodigoMunicipio': 'issuer.city_code',
  },
};

const abrasfTaker: FieldTable = {
  fields: {
    'IdentificacaoTomador/CpfCnpj/Cnpj': 'recipient.cnpj',
    'IdentificacaoTomador/CpfCnpj/Cpf': 'recipient.cpf',
    'IdentificacaoTomador/InscricaoMunicipal': 'recipient.municipal_registration',
    NifTomador: 'recipient.foreign',
    RazaoSocial: 'recipient.name',
    'Endereco/Uf': 'recipient.state',
    'Endereco/CodigoMunicipio': 'recipient.city_code',
    'EnderecoExterior/CodigoPais': 'recipient.country',
  },
};

const abrasfNote: FieldTable = together(
  {
    fields: {
      Numero: 'document.number',
      CodigoVerificacao: 'document.verification_code',
      DataEmissao: 'document.issued_at',
      Competencia: 'document.competence',
      NfseSubstituida: 'references.number',
      OutrasInformacoes: 'notes.issuer',
      OptanteSimplesNacional: 'issuer.is_under_simples',
      RegimeEspecialTributacao: 'issuer.special_regime',
      'ValoresNfse/BaseCalculo': 'service.base',
      'ValoresNfse/Aliquota': 'service.rate',
      'ValoresNfse/ValorIss': 'totals.iss',
      'ValoresNfse/ValorLiquidoNfse': 'totals.total',
    },
    lists: { NfseSubstituida: ['references'] },
  },
  below('Servico', abrasfService),
  below('PrestadorServico', abrasfProvider),
  below('TomadorServico', abrasfTaker),
);

const abrasfDeclaration: FieldTable = together(
  {
    fields: {
      Competencia: 'document.competence',
      OptanteSimplesNacional: 'issuer.is_under_simples',
      RegimeEspecialTributacao: 'issuer.special_regime',
    },
  },
  below('Servico', abrasfService),
  below('Prestador', abrasfProvider),
  below('Tomador', abrasfTaker),
  below('TomadorServico', abrasfTaker),
);

/** The confirmation is missing in some cities, whose cancellation is the request and the moment beside it. */
const abrasfCancellation: FieldTable = {
  fields: {
    'NfseCancelamento/Sucesso': 'clue.cancel_success',
    'NfseCancelamento/DataHora': 'clue.cancelled_at',
    'NfseCancelamento/DataHoraCancelamento': 'clue.cancelled_at',
    'NfseCancelamento/Confirmacao/Sucesso': 'clue.cancel_success',
    'NfseCancelamento/Confirmacao/DataHora': 'clue.cancelled_at',
    'NfseCancelamento/Confirmacao/DataHoraCancelamento': 'clue.cancelled_at',
    'NfseCancelamento/Confirmacao/InfConfirmacaoCancelamento/Sucesso': 'clue.cancel_success',
    'NfseCancelamento/Confirmacao/InfConfirmacaoCancelamento/DataHora': 'clue.cancelled_at',
    'NfseCancelamento/Confirmacao/InfConfirmacaoCancelamento/DataHoraCancelamento': 'clue.cancelled_at',
    'NfseSubstituicao/SubstituicaoNfse/NfseSubstituidora': 'clue.replaced_by',
  },
};

/** Ginfes' own names: number and code in a group, addresses, the cancellation. */
const ginfesNote: FieldTable = together(abrasfNote, {
  fields: {
    'IdentificacaoNfse/Numero': 'clue.own_number',
    'IdentificacaoNfse/CodigoVerificacao': 'document.verification_code',
    'NfseSubstituida/Numero': 'references.number',
    'Servico/MunicipioPrestacaoServico': 'service.city',
    'PrestadorServico/Endereco/Estado': 'issuer.state',
    'PrestadorServico/Endereco/Cidade': 'issuer.city_code',
    'TomadorServico/Endereco/Estado': 'recipient.state',
    'TomadorServico/Endereco/Cidade': 'recipient.city_code',
    'Cancelamento/data': 'clue.cancelled_at',
  },
});

/** A refused request to cancel leaves the note as it was, and so does a request without an answer. */
function isCancelled({ sections }: Collected): boolean {
  const { cancelled_at, cancel_success, replaced_by } = sections.clue;
  const replaced = replaced_by !== undefined && replaced_by !== sections.document.number;
  if (replaced || cancel_success === undefined) return replaced || meantMoment(cancelled_at) !== undefined;
  return yesOrNo(cancel_success) !== false;
}

/** The national key that cities write into the free text; only if it is one and of this note. */
function nationalKeyInNotes({ sections }: Collected): string | undefined {
  const found = /CHAVE\s+NFS-?E\s+NACIONAL\W*([0-9A-Z]{50})\b/i.exec(sections.notes.issuer ?? '')?.[1];
  if (found === undefined) return undefined;
  const checked = checkNationalNfseKey(found);
  const isOfThis = checked.ok && checked.value.number === sections.document.number;
  return isOfThis ? checked.value.key : undefined;
}

const municipal = municipalLayout({
  layout({ sections: { clue, document: header }, lists }) {
    if (header.number === undefined && clue.own_number !== undefined) return 'nfse ginfes';
    // Version 2 says so, or has the declaration inside; version 1 has neither.
    return `nfse abrasf ${clue.version ?? (lists.parts.length > 0 ? '2.00' : '1.00')}`;
  },
  fields: together(
    {
      fields: { 'Nfse/@versao': 'clue.version', 'Cancelamento/data': 'clue.cancelled_at' },
      lists: { 'Nfse/InfNfse/DeclaracaoPrestacaoServico': ['parts'] },
    },
    below('Nfse', together(nationalNfse.fields, ginfesNote)),
    below('Nfse/NFSe', nationalNfse.fields),
    below('Nfse/InfNfse', abrasfNote),
    below('Nfse/InfNfse/DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico', abrasfDeclaration),
    abrasfCancellation,
  ),
  prepare({ sections: { clue, document: header } }) {
    header.number ??= clue.own_number;
  },
  status: (collected) => (isCancelled(collected) ? 'cancelled' : 'authorized'),
  key: nationalKeyInNotes,
});

/**
 * ABRASF 1 and 2, the layout of Ginfes that came before it and has no `InfNfse`, or a national note in their wrapping.
 * Source: docs/fiscal/layouts.md.
 */
export const abrasf: DocumentLayout = {
  fields: municipal.fields,
  summarize(collected) {
    const { clue } = collected.sections;
    const isNational = clue.id !== undefined || clue.sent_at !== undefined;
    return isNational
      ? summarizeNationalNfse(collected, isCancelled(collected))
      : municipal.summarize(collected);
  },
};
