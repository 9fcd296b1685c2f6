import { below, type FieldTable, together } from '../../summary/field-table.ts';

const nationalDeclaration: FieldTable = {
  fields: {
    '@versao': 'clue.version',
    'infDPS/tpAmb': 'clue.environment',
    'infDPS/tpEmit': 'clue.issued_by',
    'infDPS/dhEmi': 'clue.sent_at',
    'infDPS/serie': 'document.series',
    'infDPS/dCompet': 'document.competence',
    'infDPS/prest/CNPJ': 'issuer.cnpj',
    'infDPS/prest/CPF': 'issuer.cpf',
    'infDPS/prest/NIF': 'issuer.foreign',
    'infDPS/prest/IM': 'issuer.municipal_registration',
    'infDPS/prest/xNome': 'issuer.name',
    'infDPS/prest/regTrib/opSimpNac': 'issuer.simples_option',
    'infDPS/prest/end/endNac/cMun': 'issuer.city_code',
    'infDPS/prest/end/endExt/cPais': 'issuer.country',
    'infDPS/toma/CNPJ': 'recipient.cnpj',
    'infDPS/toma/CPF': 'recipient.cpf',
    'infDPS/toma/NIF': 'recipient.foreign',
    'infDPS/toma/xNome': 'recipient.name',
    'infDPS/toma/IM': 'recipient.municipal_registration',
    'infDPS/toma/end/endNac/cMun': 'recipient.city_code',
    'infDPS/toma/end/endExt/cPais': 'recipient.country',
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
    'infDPS/valores/trib/tribFed/piscofins/tpRetPisCofins': 'clue.contributions',
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
    'emit/CNPJ': 'emitter.cnpj',
    'emit/CPF': 'emitter.cpf',
    'emit/IM': 'emitter.municipal_registration',
    'emit/xNome': 'emitter.name',
    'emit/enderNac/UF': 'emitter.state',
    'emit/enderNac/cMun': 'emitter.city_code',
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
