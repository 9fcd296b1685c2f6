import { below, type FieldTable, together } from '../../summary/field-table.ts';

const abrasfService: FieldTable = {
  fields: {
    IssRetido: 'clue.iss_withheld',
    ItemListaServico: 'service.code',
    CodigoNbs: 'service.nbs',
    CodigoMunicipio: 'service.city',
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

/** What Ginfes names otherwise: number and code in a group of their own, addresses, the cancellation. */
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

/**
 * A municipal note by ABRASF, versions 1 and 2, from `CompNfse` down, or the layout of Ginfes, whose `Nfse` has the
 * note's fields without an `InfNfse` around them. Source: docs/fiscal/layouts.md.
 */
export const abrasfFields: FieldTable = together(
  {
    fields: { 'Nfse/@versao': 'clue.version', 'Cancelamento/data': 'clue.cancelled_at' },
    lists: { 'Nfse/InfNfse/DeclaracaoPrestacaoServico': ['parts'] },
  },
  below('Nfse', ginfesNote),
  below('Nfse/InfNfse', abrasfNote),
  below('Nfse/InfNfse/DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico', abrasfDeclaration),
  abrasfCancellation,
);
