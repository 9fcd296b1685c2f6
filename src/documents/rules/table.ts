import type { DocumentKind } from '../summary/summary.ts';
import { tables } from '../tables/sources.ts';
import { carriageWithoutGoods, goodsWithoutCarriage } from './carriage.ts';
import { checkDirection, checkFlow, checkForm, checkKnown, checkRoute, checkStates } from './cfop.ts';
import { disagreementDeadline, tacitConfirmationNear } from './deadlines.ts';
import { checkContents, freightBilledTwice, repeatedDocuments, repeatedInvoices } from './duplicates.ts';
import { checkDeducted, checkWithheldAmount, checkWithheldFlag } from './iss.ts';
import { cancelledAfterEntry, correctedAfterEntry } from './later-events.ts';
import { numberGaps } from './numbering.ts';
import * as amounts from './reform/amounts.ts';
import { calendar } from './reform/calendar.ts';
import * as classification from './reform/classification.ts';
import { missingInCarriage, missingInItems, missingInService } from './reform/missing-groups.ts';
import { checkRegime, isNormalRegime } from './regime.ts';
import { checkReturnedItems } from './returns.ts';
import type { Basis, DocumentRule, FactsRule, Rule, RuleCode, SetRule, Severity, Validity } from './rule.ts';
import * as situations from './tax-situations.ts';
import { ibsAndCbs, icmsAndIpi, itemsAgainstTotals, remarkedAs } from './totals.ts';

const nfe: readonly DocumentKind[] = ['nfe'];
const notes: readonly DocumentKind[] = ['nfe', 'nfce'];
const carriages: readonly DocumentKind[] = ['cte', 'cteos'];
const cte: readonly DocumentKind[] = ['cte'];
const nfse: readonly DocumentKind[] = ['nfse'];
const coded: readonly DocumentKind[] = [...notes, ...carriages];
const all: readonly DocumentKind[] = [...notes, ...carriages, ...nfse];

/** Looked up in November 2026; the days stand in docs/fiscal/checks.md and docs/fiscal/reform.md. */
function from(source: string, verified_on = '2026-11-22'): Basis {
  return { source, verified_on };
}

const basis = {
  cfop: from('Convênio s/nº de 15/12/1970, Anexo II (CFOP)'),
  cfopTable: from(tables.cfop.source, tables.cfop.verified_on),
  cfopByFlow: from('Convênio s/nº de 15/12/1970, Anexo II (CFOP); MOC NF-e 7.0, rejeições 518 e 519'),
  cfopByPlace: from(
    'Convênio s/nº de 15/12/1970, Anexo II (CFOP); MOC NF-e 7.0, rejeições 520 a 523, 731 a 733, 772 e 773',
  ),
  totals: from('MOC NF-e 7.0, Anexo I, grupo W (totais)'),
  cst: from('Convênio s/nº de 15/12/1970, Anexo I (CST, Tabela B); Ajuste SINIEF 07/05 (CSOSN)'),
  regime: from('Ajuste SINIEF 07/05 (CRT e CSOSN); MOC NF-e 7.0, rejeições 590 e 591'),
  federal: from('IN RFB 1.009/2010, Anexo Único (CST de IPI, PIS e COFINS)'),
  iss: from('LC 116/2003, art. 6º; leiautes ABRASF e nacional da NFS-e'),
  due: from(
    'Ato Conjunto RFB/CGIBS 4/2026 (30/07/2026) e 5/2026 (12/08/2026); NT 2025.002-RTC v1.52 (UB12-10 sem data)',
  ),
  dueOfCarriage: from(
    'Ato Conjunto RFB/CGIBS 4/2026 (30/07/2026) e 5/2026 (12/08/2026); NT CT-e 2026.002 v1.01 (rejeição sem data)',
  ),
  dueOfServices: from(
    'Ato Conjunto RFB/CGIBS 4/2026 (30/07/2026) e 5/2026 (12/08/2026); comunicado do CGNFS-e de 07/08/2026 (sem rejeição até 31/12/2026)',
  ),
  classification: from(tables.class_trib.source, tables.class_trib.verified_on),
  groups: from('NT 2025.002-RTC v1.52, regras UB13-10 a UB14-25; IT 2025.002 v1.70'),
  rates: from('LC 214/2025, arts. 343, 344 e 346; NT 2025.002-RTC v1.52, regras UB18-10, UB37-10 e UB56-10'),
  ibsCbs: from('NT 2025.002-RTC v1.52, regras UB54a-10, UB67-10 e W34-10 a W56-10; LC 214/2025'),
  grandTotal: from('NT 2025.002-RTC v1.52, regras W60-05 e W60-10 (implementação futura)'),
  returns: from(
    'NT 2025.002-RTC v1.52, regra VC02-14 (03/11/2026; o aviso do Portal da NF-e de 05/10/2026 adia as NT da leva para 16/11/2026)',
  ),
  key: from('MOC NF-e 7.0 e MOC CT-e 4.00 (chave de acesso)'),
  signature: from('MOC NF-e 7.0, item 3.2.3 (assinatura digital); XML Signature, W3C 2002'),
  numbering: from('Ajuste SINIEF 07/05, cl. 3ª (numeração)'),
  gap: from('Ajuste SINIEF 07/05, cl. 14ª (inutilização)'),
  cancellation: from('Ajuste SINIEF 07/05 e Ajuste SINIEF 09/07 (cancelamento)'),
  correction: from('Ajuste SINIEF 07/05, cl. 14ª-A (CC-e)'),
  tacit: from('Ajuste SINIEF 07/05, cl. 15ª-C, na redação do Ajuste SINIEF 14/26; NT 2020.001 v1.60'),
  disagreement: from(
    'Ajuste SINIEF 09/07, cl. 17ª, § 6º, na redação do Ajuste SINIEF 31/22; Ajuste SINIEF 36/19, cl. 16ª, § 6º',
  ),
  carriage: from('MOC CT-e 4.00, grupo infDoc'),
} as const;

type Check = DocumentRule['check'];

function each(
  code: RuleCode,
  severity: Severity,
  kinds: readonly DocumentKind[],
  ruleBasis: Basis,
  check: Check,
  valid?: Validity,
): DocumentRule {
  return { code, severity, scope: 'document', ...ruleBasis, kinds, check, valid };
}

function among(
  code: RuleCode,
  severity: Severity,
  kinds: readonly DocumentKind[],
  ruleBasis: Basis,
  begin: SetRule['begin'],
): SetRule {
  return { code, severity, scope: 'set', ...ruleBasis, kinds, begin };
}

function asSeen(
  code: RuleCode,
  severity: Severity,
  kinds: readonly DocumentKind[],
  ruleBasis: Basis,
  check: FactsRule['check'],
): FactsRule {
  return { code, severity, scope: 'facts', ...ruleBasis, kinds, check };
}

const { notDue, due } = situations;
const simples = ['1', '2', '4'];
const pisAndCofins = remarkedAs('items_against_pis', 'items_against_cofins');

/** Every fiscal check there is, with how grave it is, where it is from and, where it is dated, since when. */
export const rules: readonly Rule[] = [
  each('items_against_products', 'error', notes, basis.totals, remarkedAs('items_against_products')),
  each('parts_against_total', 'error', notes, basis.totals, remarkedAs('parts_against_total')),
  each('item_taxes_against_totals', 'error', notes, basis.totals, itemsAgainstTotals(icmsAndIpi)),
  each('pis_cofins_items_against_totals', 'error', notes, basis.totals, pisAndCofins),
  each('net_against_parts', 'warning', nfse, basis.iss, remarkedAs('net_against_parts')),

  each('cfop_form', 'error', notes, basis.cfop, checkForm),
  each('cfop_unknown', 'error', coded, basis.cfopTable, checkKnown),
  each('cfop_against_flow', 'error', notes, basis.cfopByFlow, checkFlow),
  each('cfop_against_states', 'warning', nfe, basis.cfopByPlace, checkStates),
  each('cte_cfop_against_route', 'warning', cte, basis.cfop, checkRoute),
  asSeen('flow_against_direction', 'info', nfe, basis.cfop, checkDirection),
  each(
    'return_without_reference',
    'warning',
    nfe,
    basis.returns,
    checkReturnedItems,
    calendar.returnsPerItem,
  ),

  each('cst_against_regime', 'error', notes, basis.regime, checkRegime),
  each('icms_not_due', 'error', notes, basis.cst, notDue(situations.icmsNotDue)),
  each('icms_due', 'warning', notes, basis.cst, due(situations.icmsDue)),
  each('icms_st_not_due', 'error', notes, basis.cst, notDue(situations.icmsStNotDue)),
  each('simples_credit_not_due', 'error', notes, basis.cst, notDue(situations.simplesCreditNotDue)),
  each('simples_credit_due', 'warning', notes, basis.cst, due(situations.simplesCreditDue)),
  each('ipi_cst_against_flow', 'warning', notes, basis.federal, situations.checkIpiFlow),
  each('ipi_not_due', 'error', notes, basis.federal, notDue(situations.ipiNotDue)),
  each('pis_cofins_not_due', 'error', notes, basis.federal, notDue(situations.pisCofinsNotDue)),
  each('pis_cofins_due', 'warning', notes, basis.federal, due(situations.pisCofinsDue, isNormalRegime)),

  each('iss_withheld_without_iss', 'warning', nfse, basis.iss, checkWithheldFlag),
  each('iss_above_withheld', 'warning', nfse, basis.iss, checkWithheldAmount),
  each('iss_deducted_not_withheld', 'warning', nfse, basis.iss, checkDeducted),

  each('ibs_cbs_missing', 'warning', notes, basis.due, missingInItems(['3']), calendar.normalRegime),
  each('ibs_cbs_missing_simples', 'warning', notes, basis.due, missingInItems(simples), calendar.simples),
  each(
    'ibs_cbs_missing_cte',
    'warning',
    carriages,
    basis.dueOfCarriage,
    missingInCarriage,
    calendar.normalRegime,
  ),
  each(
    'ibs_cbs_missing_nfse',
    'warning',
    nfse,
    basis.dueOfServices,
    missingInService(false),
    calendar.services,
  ),
  each(
    'ibs_cbs_missing_nfse_simples',
    'warning',
    nfse,
    basis.dueOfServices,
    missingInService(true),
    calendar.simples,
  ),
  each('ibs_cbs_cst_unknown', 'error', all, basis.groups, classification.checkKnownCst),
  each('class_trib_form', 'error', all, basis.groups, classification.checkForm),
  each('class_trib_against_cst', 'error', all, basis.groups, classification.checkCst),
  each(
    'class_trib_unknown',
    'warning',
    all,
    basis.classification,
    classification.checkKnown,
    calendar.testYear,
  ),
  each(
    'class_trib_out_of_document',
    'warning',
    all,
    basis.classification,
    classification.checkDocument,
    calendar.documentsOfTable,
  ),
  each('ibs_cbs_group', 'error', notes, basis.groups, classification.checkGroup, calendar.testYear),
  each('ibs_cbs_not_due', 'error', notes, basis.ibsCbs, notDue(situations.ibsCbsNotDue)),
  each('cbs_due', 'warning', notes, basis.ibsCbs, due(situations.cbsDue)),
  each('ibs_cbs_rate', 'error', notes, basis.rates, amounts.checkRates, calendar.fixedRates),
  each('cbs_against_base', 'error', coded, basis.rates, amounts.checkCbs, calendar.testYear),
  each('ibs_cbs_items_against_totals', 'error', notes, basis.ibsCbs, itemsAgainstTotals(ibsAndCbs)),
  each('ibs_cbs_totals_missing', 'error', notes, basis.ibsCbs, amounts.checkTotalsThere, calendar.testYear),
  each(
    'total_with_ibs_cbs_missing',
    'info',
    notes,
    basis.grandTotal,
    amounts.checkGrandTotalThere,
    calendar.testYear,
  ),
  each(
    'total_with_ibs_cbs_inconsistent',
    'warning',
    notes,
    basis.grandTotal,
    amounts.checkGrandTotal,
    calendar.testYear,
  ),

  among('duplicate_document', 'info', all, basis.key, repeatedDocuments),
  asSeen('contents_differ', 'error', all, basis.key, checkContents),
  { code: 'text_against_signature', severity: 'error', scope: 'text', ...basis.signature, kinds: all },
  among('duplicate_invoice', 'warning', all, basis.numbering, repeatedInvoices),
  among('freight_billed_twice', 'warning', cte, basis.carriage, freightBilledTwice),
  among('number_gap', 'warning', all, basis.gap, numberGaps),
  among('cancelled_after_entry', 'warning', all, basis.cancellation, cancelledAfterEntry),
  among('corrected_after_entry', 'warning', coded, basis.correction, correctedAfterEntry),
  among('tacit_confirmation_near', 'warning', nfe, basis.tacit, tacitConfirmationNear),
  among('cte_disagreement_deadline', 'info', carriages, basis.disagreement, disagreementDeadline),
  among('cte_without_nfe', 'warning', cte, basis.carriage, carriageWithoutGoods),
  among('nfe_without_cte', 'info', nfe, basis.carriage, goodsWithoutCarriage),
];
