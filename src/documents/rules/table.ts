import type { DocumentKind } from '../summary/summary.ts';
import { carriageWithoutGoods, goodsWithoutCarriage } from './carriage.ts';
import { checkDirection, checkFlow, checkForm, checkRoute, checkStates } from './cfop.ts';
import { freightBilledTwice, repeatedDocuments, repeatedInvoices } from './duplicates.ts';
import * as ibsCbs from './ibs-cbs.ts';
import { checkDeducted, checkWithheldAmount, checkWithheldFlag } from './iss.ts';
import { cancelledAfterEntry, correctedAfterEntry } from './later-events.ts';
import { numberGaps } from './numbering.ts';
import { checkRegime, isNormalRegime } from './regime.ts';
import type { DocumentRule, Rule, RuleCode, SetRule, Validity } from './rule.ts';
import * as situations from './tax-situations.ts';
import { ibsAndCbs, icmsAndIpi, itemsAgainstTotals, remarkedAs } from './totals.ts';

const nfe: readonly DocumentKind[] = ['nfe'];
const nfeAndNfce: readonly DocumentKind[] = ['nfe', 'nfce'];
const cte: readonly DocumentKind[] = ['cte'];
const nfse: readonly DocumentKind[] = ['nfse'];
const classified: readonly DocumentKind[] = ['nfe', 'nfce', 'cte', 'cteos', 'nfse'];

const source = {
  cfopByFlow: 'Convênio s/nº de 15/12/1970, Anexo (CFOP); MOC NF-e, rejeições 518 e 519',
  cfop: 'Convênio s/nº de 15/12/1970, Anexo (CFOP)',
  cfopByPlace:
    'Convênio s/nº de 15/12/1970, Anexo (CFOP); MOC NF-e, rejeições 520 a 523, 731 a 733, 772 e 773',
  totals: 'MOC NF-e, leiaute 4.00, grupo W (totais)',
  cst: 'Convênio s/nº de 15/12/1970, Anexo (CST, Tabela B); Ajuste SINIEF 07/05 (CSOSN)',
  regime: 'Ajuste SINIEF 07/05 (CRT e CSOSN); MOC NF-e, rejeições 590 e 591',
  federal: 'IN RFB 1.009/2010, Anexo Único (CST de IPI, PIS e COFINS)',
  iss: 'LC 116/2003, art. 6º; leiautes ABRASF e nacional da NFS-e',
  ibsCbs: 'NT 2025.002-RTC v1.40; LC 214/2025',
  nfse: 'Leiaute nacional da NFS-e, grupo IBSCBS; LC 214/2025',
  key: 'MOC NF-e e MOC CT-e (chave de acesso)',
  numbering: 'Ajuste SINIEF 07/05, cláusula terceira (numeração por estabelecimento e série)',
  gap: 'Ajuste SINIEF 07/05, cláusula décima quarta (inutilização)',
  cancellation: 'Ajuste SINIEF 07/05 e Ajuste SINIEF 09/07 (cancelamento)',
  correction: 'Ajuste SINIEF 07/05, cláusula décima quarta-A (CC-e)',
  carriage: 'MOC CT-e, leiaute 4.00, grupo infDoc',
} as const;

type Check = DocumentRule['check'];

function each(
  code: RuleCode,
  kinds: readonly DocumentKind[],
  from: string,
  check: Check,
  valid?: Validity,
): DocumentRule {
  return { code, scope: 'document', source: from, kinds, check, valid };
}

function among(code: RuleCode, from: string, begin: SetRule['begin']): SetRule {
  return { code, scope: 'set', source: from, begin };
}

const { calendar } = ibsCbs;

/** Every fiscal check there is, with where it is from and, where it is dated, since when. */
export const rules: readonly Rule[] = [
  each('items_against_products', nfeAndNfce, source.totals, remarkedAs('items_against_products')),
  each('parts_against_total', nfeAndNfce, source.totals, remarkedAs('parts_against_total')),
  each('item_taxes_against_totals', nfeAndNfce, source.totals, itemsAgainstTotals(icmsAndIpi)),
  each('net_against_parts', nfse, source.iss, remarkedAs('net_against_parts')),

  each('cfop_form', nfeAndNfce, source.cfop, checkForm),
  each('cfop_against_flow', nfeAndNfce, source.cfopByFlow, checkFlow),
  each('cfop_against_states', nfe, source.cfopByPlace, checkStates),
  each('cte_cfop_against_route', cte, source.cfop, checkRoute),
  each('flow_against_direction', nfe, source.cfop, checkDirection),

  each('cst_against_regime', nfeAndNfce, source.regime, checkRegime),
  each('icms_not_due', nfeAndNfce, source.cst, situations.notDue(situations.icmsNotDue)),
  each('icms_due', nfeAndNfce, source.cst, situations.due(situations.icmsDue)),
  each('icms_st_not_due', nfeAndNfce, source.cst, situations.notDue(situations.icmsStNotDue)),
  each('simples_credit_not_due', nfeAndNfce, source.cst, situations.notDue(situations.simplesCreditNotDue)),
  each('simples_credit_due', nfeAndNfce, source.cst, situations.due(situations.simplesCreditDue)),
  each('ipi_cst_against_flow', nfeAndNfce, source.federal, situations.checkIpiFlow),
  each('ipi_not_due', nfeAndNfce, source.federal, situations.notDue(situations.ipiNotDue)),
  each('pis_cofins_not_due', nfeAndNfce, source.federal, situations.notDue(situations.pisCofinsNotDue)),
  each('pis_cofins_due', nfeAndNfce, source.federal, situations.due(situations.pisCofinsDue, isNormalRegime)),

  each('iss_withheld_without_iss', nfse, source.iss, checkWithheldFlag),
  each('iss_above_withheld', nfse, source.iss, checkWithheldAmount),
  each('iss_deducted_not_withheld', nfse, source.iss, checkDeducted),

  each('ibs_cbs_missing', nfeAndNfce, source.ibsCbs, ibsCbs.missingGroups(['3']), calendar.normalRegime),
  each(
    'ibs_cbs_missing_simples',
    nfeAndNfce,
    source.ibsCbs,
    ibsCbs.missingGroups(['1', '2', '4']),
    calendar.simples,
  ),
  each('ibs_cbs_missing_nfse', nfse, source.nfse, ibsCbs.missingInService, calendar.services),
  each('class_trib_form', classified, source.ibsCbs, ibsCbs.checkClassificationForm),
  each('class_trib_against_cst', classified, source.ibsCbs, ibsCbs.checkClassificationCst),
  each('ibs_cbs_not_due', nfeAndNfce, source.ibsCbs, situations.notDue(situations.ibsCbsNotDue)),
  each('cbs_due', nfeAndNfce, source.ibsCbs, situations.due(situations.cbsDue)),
  each('cbs_test_rate', nfeAndNfce, source.ibsCbs, ibsCbs.checkTestRate, calendar.testRates),
  each('ibs_cbs_items_against_totals', nfeAndNfce, source.ibsCbs, itemsAgainstTotals(ibsAndCbs)),

  among('duplicate_document', source.key, repeatedDocuments),
  among('duplicate_invoice', source.numbering, repeatedInvoices),
  among('freight_billed_twice', source.carriage, freightBilledTwice),
  among('number_gap', source.gap, numberGaps),
  among('cancelled_after_entry', source.cancellation, cancelledAfterEntry),
  among('corrected_after_entry', source.correction, correctedAfterEntry),
  among('cte_without_nfe', source.carriage, carriageWithoutGoods),
  among('nfe_without_cte', source.carriage, goodsWithoutCarriage),
];
