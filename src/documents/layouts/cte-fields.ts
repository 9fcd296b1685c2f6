import type { PartyField } from '../summary/collected.ts';
import { below, type FieldPaths, type FieldTable, together } from '../summary/field-table.ts';
import { appendedEventFields } from './event-fields.ts';

type PartySection = 'issuer' | 'sender' | 'dispatcher' | 'receiver' | 'recipient' | 'taker';

function party(section: PartySection, address: string): FieldTable {
  const target = <Field extends PartyField>(field: Field) => `${section}.${field}` as const;
  const fields: FieldPaths = {
    CNPJ: target('cnpj'),
    CPF: target('cpf'),
    xNome: target('name'),
    IE: target('state_registration'),
    CRT: target('tax_regime'),
    [`${address}/UF`]: target('state'),
    [`${address}/xMun`]: target('city'),
    [`${address}/cMun`]: target('city_code'),
  };
  return { fields };
}

const header: FieldTable = {
  fields: {
    '@Id': 'clue.id',
    '@versao': 'clue.version',
    'ide/cUF': 'clue.state_code',
    'ide/mod': 'document.model',
    'ide/serie': 'document.series',
    'ide/nCT': 'document.number',
    'ide/dhEmi': 'document.issued_at',
    'ide/CFOP': 'document.cfop',
    'ide/natOp': 'document.operation',
    'ide/modal': 'document.modal',
    'ide/tpCTe': 'document.purpose',
    'ide/tpAmb': 'clue.environment',
    'ide/cMunIni': 'origin.city',
    'ide/xMunIni': 'origin.name',
    'ide/UFIni': 'origin.state',
    'ide/cMunFim': 'destination.city',
    'ide/xMunFim': 'destination.name',
    'ide/UFFim': 'destination.state',
    'ide/toma3/toma': 'clue.taker',
    'ide/toma03/toma': 'clue.taker',
    'compl/xObs': 'notes.issuer',
  },
};

const values: FieldTable = {
  fields: {
    'vPrest/vTPrest': 'totals.total',
    'vPrest/vRec': 'totals.receivable',
    'imp/ICMS/*/CST': 'taxation.cst',
    'imp/ICMS/*/vBC': 'totals.icms_base',
    'imp/ICMS/*/vICMS': 'totals.icms',
    'imp/ICMS/*/vBCOutraUF': 'totals.icms_base',
    'imp/ICMS/*/vICMSOutraUF': 'totals.icms',
    'imp/infTribFed/vPIS': 'totals.pis',
    'imp/infTribFed/vCOFINS': 'totals.cofins',
    'imp/IBSCBS/CST': 'taxation.ibs_cbs_cst',
    'imp/IBSCBS/cClassTrib': 'taxation.class_trib',
    'imp/IBSCBS/gIBSCBS/vBC': 'totals.ibs_cbs_base',
    'imp/IBSCBS/gIBSCBS/gIBSUF/vIBSUF': 'clue.ibs_state',
    'imp/IBSCBS/gIBSCBS/gIBSMun/vIBSMun': 'clue.ibs_city',
    'imp/IBSCBS/gIBSCBS/vIBS': 'totals.ibs',
    'imp/IBSCBS/gIBSCBS/gCBS/vCBS': 'totals.cbs',
    'imp/vTotDFe': 'totals.total_with_ibs_cbs',
  },
};

const carriage: FieldTable = {
  fields: {
    'infCTeNorm/infCarga/vCarga': 'totals.cargo',
    'infCTeNorm/infDoc/infNFe/chave': 'linked.key',
    'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle/chCTe': 'references.key',
    'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle/chave': 'references.key',
    'infCTeNorm/infCteSub/chCte': 'references.key',
    'infCTeNorm/infCteSub/chCTe': 'references.key',
    'infCTeNorm/cobr/dup/nDup': 'installments.number',
    'infCTeNorm/cobr/dup/dVenc': 'installments.due',
    'infCTeNorm/cobr/dup/vDup': 'installments.amount',
    'infCteComp/chCTe': 'references.key',
    'infCteComp/chave': 'references.key',
    'infCteAnu/chCte': 'references.key',
    'rem/infNFe/chave': 'linked.key',
  },
  lists: {
    'infCTeNorm/infDoc/infNFe': ['linked'],
    'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle': ['references'],
    'infCTeNorm/infCteSub': ['references'],
    'infCTeNorm/cobr/dup': ['installments'],
    infCteComp: ['references'],
    infCteAnu: ['references'],
    'rem/infNFe': ['linked'],
  },
};

/** The simplified CT-e: one document, several deliveries. */
const deliveries: FieldTable = {
  fields: {
    'det/cMunIni': 'origin.city',
    'det/xMunIni': 'origin.name',
    'det/cMunFim': 'destination.city',
    'det/xMunFim': 'destination.name',
    'det/vPrest': 'parts.total',
    'det/vRec': 'parts.receivable',
    'det/infNFe/chNFe': 'linked.key',
    'det/infDocAnt/chCTe': 'references.key',
    'det/infDocAnt/infNFeTranspParcial/chNFe': 'linked.key',
    'toma/toma': 'clue.taker',
    'total/vTPrest': 'totals.total',
    'total/vTRec': 'totals.receivable',
    'total/vTotDFe': 'totals.total_with_ibs_cbs',
    'infCarga/vCarga': 'totals.cargo',
    'infCteSub/chCte': 'references.key',
  },
  lists: {
    det: ['parts'],
    'det/infNFe': ['linked'],
    'det/infDocAnt': ['references'],
    'det/infDocAnt/infNFeTranspParcial': ['linked'],
    infCteSub: ['references'],
  },
};

const document: FieldTable = together(
  header,
  below('emit', party('issuer', 'enderEmit')),
  below('rem', party('sender', 'enderReme')),
  below('exped', party('dispatcher', 'enderExped')),
  below('receb', party('receiver', 'enderReceb')),
  below('dest', party('recipient', 'enderDest')),
  below('ide/toma4', party('taker', 'enderToma')),
  below('toma', party('taker', 'enderToma')),
  values,
  carriage,
  deliveries,
);

const protocol: FieldTable = {
  fields: {
    'protCTe/infProt/chCTe': 'protocol.key',
    'protCTe/infProt/nProt': 'protocol.number',
    'protCTe/infProt/cStat': 'protocol.code',
    'protCTe/infProt/dhRecbto': 'protocol.at',
  },
};

/**
 * CT-e, CT-e OS and simplified CT-e from the element that holds document and protocol down; layouts 2.00 to 4.00.
 * Source: docs/fiscal/layouts.md.
 */
export const cteFields: FieldTable = together(
  below('CTe/infCte', document),
  below('CTeOS/infCte', document),
  below('CTeSimp/infCte', document),
  protocol,
  appendedEventFields,
);
