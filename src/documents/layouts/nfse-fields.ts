import { below, type FieldTable, together } from '../summary/field-table.ts';

const nationalDeclaration: FieldTable = {
  fields: {
    '@versao': 'clue.version',
    'infDPS/tpAmb': 'clue.environment',
    'infDPS/dhEmi': 'clue.sent_at',
    'infDPS/serie': 'document.series',
    'infDPS/dCompet': 'document.competence',
    'infDPS/prest/CNPJ': 'issuer.cnpj',
    'infDPS/prest/CPF': 'issuer.cpf',
    'infDPS/prest/xNome': 'issuer.name',
    'infDPS/toma/CNPJ': 'recipient.cnpj',
    'infDPS/toma/CPF': 'recipient.cpf',
    'infDPS/toma/NIF': 'recipient.foreign',
    'infDPS/toma/xNome': 'recipient.name',
    'infDPS/toma/IM': 'recipient.municipal_registration',
    'infDPS/subst/chSubstda': 'references.key',
    'infDPS/serv/locPrest/cLocPrestacao': 'service.city',
    'infDPS/serv/cServ/cTribNac': 'service.national_code',
    'infDPS/serv/cServ/cTribMun': 'service.code',
    'infDPS/serv/cServ/xDescServ': 'service.description',
    'infDPS/serv/cServ/cNBS': 'service.nbs',
    'infDPS/serv/infoCompl/xInfComp': 'notes.issuer',
    'infDPS/valores/vServPrest/vServ': 'totals.services',
    'infDPS/valores/vDescCondIncond/vDescIncond': 'totals.discount',
    'infDPS/valores/vDescCondIncond/vDescCond': 'clue.discount_conditional',
    'infDPS/valores/vDedRed/vDR': 'totals.deductions',
    'infDPS/valores/trib/tribMun/tpRetISSQN': 'clue.iss_withheld',
    'infDPS/valores/trib/tribFed/piscofins/vPis': 'totals.pis',
    'infDPS/valores/trib/tribFed/piscofins/vCofins': 'totals.cofins',
    'infDPS/valores/trib/tribFed/vRetCP': 'withheld.inss',
    'infDPS/valores/trib/tribFed/vRetIRRF': 'withheld.income_tax',
    'infDPS/valores/trib/tribFed/vRetCSLL': 'withheld.csll',
    'infDPS/IBSCBS/valores/trib/gIBSCBS/CST': 'taxation.ibs_cbs_cst',
    'infDPS/IBSCBS/valores/trib/gIBSCBS/cClassTrib': 'taxation.class_trib',
  },
  lists: { 'infDPS/subst': ['references'] },
};

const nationalNote: FieldTable = {
  fields: {
    '@Id': 'clue.id',
    nNFSe: 'document.number',
    cStat: 'protocol.code',
    dhProc: 'protocol.at',
    'emit/CNPJ': 'issuer.cnpj',
    'emit/CPF': 'issuer.cpf',
    'emit/IM': 'issuer.municipal_registration',
    'emit/xNome': 'issuer.name',
    'emit/enderNac/UF': 'issuer.state',
    'valores/vBC': 'service.base',
    'valores/pAliqAplic': 'service.rate',
    'valores/vISSQN': 'totals.iss',
    'valores/vTotalRet': 'totals.withheld',
    'valores/vLiq': 'totals.total',
    'IBSCBS/valores/vBC': 'totals.ibs_cbs_base',
    'IBSCBS/totCIBS/vTotNF': 'totals.total_with_ibs_cbs',
    'IBSCBS/totCIBS/gIBS/vIBSTot': 'totals.ibs',
    'IBSCBS/totCIBS/gIBS/gIBSUFTot/vIBSUF': 'clue.ibs_state',
    'IBSCBS/totCIBS/gIBS/gIBSMunTot/vIBSMun': 'clue.ibs_city',
    'IBSCBS/totCIBS/gCBS/vCBS': 'totals.cbs',
  },
};

/** The national declaration alone, from `DPS` down: what is sent to get an NFS-e. */
export const nationalDeclarationFields: FieldTable = nationalDeclaration;

/** The national NFS-e from `NFSe` down. Source: docs/fiscal/layouts.md. */
export const nationalNfseFields: FieldTable = together(
  { fields: { '@versao': 'clue.version' } },
  below('infNFSe', together(below('DPS', nationalDeclaration), nationalNote)),
);

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
  { fields: { Competencia: 'document.competence' } },
  below('Servico', abrasfService),
  below('Prestador', abrasfProvider),
  below('Tomador', abrasfTaker),
  below('TomadorServico', abrasfTaker),
);

const abrasfCancellation: FieldTable = {
  fields: {
    'NfseCancelamento/Confirmacao/Sucesso': 'clue.cancel_success',
    'NfseCancelamento/Confirmacao/DataHora': 'clue.cancelled_at',
    'NfseCancelamento/Confirmacao/DataHoraCancelamento': 'clue.cancelled_at',
    'NfseCancelamento/Confirmacao/InfConfirmacaoCancelamento/Sucesso': 'clue.cancel_success',
    'NfseCancelamento/Confirmacao/InfConfirmacaoCancelamento/DataHora': 'clue.cancelled_at',
    'NfseSubstituicao/SubstituicaoNfse/NfseSubstituidora': 'clue.replaced_by',
  },
};

/** A municipal note by ABRASF, versions 1 and 2, from `CompNfse` down. Source: docs/fiscal/layouts.md. */
export const abrasfFields: FieldTable = together(
  {
    fields: { 'Nfse/@versao': 'clue.version' },
    lists: { 'Nfse/InfNfse/DeclaracaoPrestacaoServico': ['parts'] },
  },
  below('Nfse/InfNfse', abrasfNote),
  below('Nfse/InfNfse/DeclaracaoPrestacaoServico/InfDeclaracaoPrestacaoServico', abrasfDeclaration),
  abrasfCancellation,
);

/** A note of the city of São Paulo, from its `NFe` down. Source: docs/fiscal/layouts.md. */
export const prodamFields: FieldTable = {
  fields: {
    'ChaveNFe/NumeroNFe': 'document.number',
    'ChaveNFe/CodigoVerificacao': 'document.verification_code',
    'ChaveNFe/ChaveNotaNacional': 'document.key',
    'ChaveNFe/InscricaoPrestador': 'issuer.municipal_registration',
    DataEmissaoNFe: 'document.issued_at',
    StatusNFe: 'clue.situation',
    DataCancelamento: 'clue.cancelled_at',
    'CPFCNPJPrestador/CNPJ': 'issuer.cnpj',
    'CPFCNPJPrestador/CPF': 'issuer.cpf',
    RazaoSocialPrestador: 'issuer.name',
    'EnderecoPrestador/UF': 'issuer.state',
    'CPFCNPJTomador/CNPJ': 'recipient.cnpj',
    'CPFCNPJTomador/CPF': 'recipient.cpf',
    InscricaoMunicipalTomador: 'recipient.municipal_registration',
    RazaoSocialTomador: 'recipient.name',
    'EnderecoTomador/UF': 'recipient.state',
    ValorServicos: 'totals.services',
    ValorDeducoes: 'totals.deductions',
    ValorPIS: 'withheld.pis',
    ValorCOFINS: 'withheld.cofins',
    ValorINSS: 'withheld.inss',
    ValorIR: 'withheld.income_tax',
    ValorCSLL: 'withheld.csll',
    CodigoServico: 'service.code',
    AliquotaServicos: 'service.rate',
    ValorISS: 'totals.iss',
    ISSRetido: 'clue.iss_withheld',
    Discriminacao: 'service.description',
  },
};
