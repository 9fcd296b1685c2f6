import type { RuleCode } from '../documents/rules/rule.ts';
import type { Message } from './message.ts';

const totals = {
  'rule.items_against_products.title': {
    'pt-BR': 'Soma dos itens × total dos produtos',
    en: 'Sum of items × total of products',
  },
  'rule.items_against_products.finding': {
    'pt-BR': 'os itens somam {found} e o total dos produtos (vProd) é {expected}',
    en: 'the items add up to {found} and the total of products (vProd) is {expected}',
  },
  'rule.parts_against_total.title': {
    'pt-BR': 'Valor da nota × parcelas',
    en: 'Total of the note × its parts',
  },
  'rule.parts_against_total.finding': {
    'pt-BR': 'o valor da nota (vNF) é {found} e as parcelas somam {expected}',
    en: 'the total of the note (vNF) is {found} and its parts add up to {expected}',
  },
  'rule.net_against_parts.title': {
    'pt-BR': 'Valor líquido da NFS-e × retenções e descontos',
    en: 'Net value of the NFS-e × withheld taxes and discounts',
  },
  'rule.net_against_parts.finding': {
    'pt-BR': 'o valor líquido é {found} e a conta de serviços, retenções e descontos dá {expected}',
    en: 'the net value is {found} and services less withheld taxes and discounts give {expected}',
  },
  'rule.item_taxes_against_totals.title': {
    'pt-BR': 'ICMS e IPI dos itens × totais',
    en: 'ICMS and IPI of items × totals',
  },
  'rule.item_taxes_against_totals.finding': {
    'pt-BR': '{field}: os itens somam {found} e o total é {expected}',
    en: '{field}: the items add up to {found} and the total is {expected}',
  },
  'rule.ibs_cbs_items_against_totals.title': {
    'pt-BR': 'IBS e CBS dos itens × totais',
    en: 'IBS and CBS of items × totals',
  },
  'rule.ibs_cbs_items_against_totals.finding': {
    'pt-BR': '{field}: os itens somam {found} e o total é {expected}',
    en: '{field}: the items add up to {found} and the total is {expected}',
  },
} as const;

const operations = {
  'rule.cfop_form.title': { 'pt-BR': 'CFOP inexistente', en: 'CFOP that does not exist' },
  'rule.cfop_form.finding': {
    'pt-BR': 'item {item}: {found} não é CFOP (quatro algarismos, com início em {expected})',
    en: 'item {item}: {found} is not a CFOP (four digits, beginning with {expected})',
  },
  'rule.cfop_against_flow.title': {
    'pt-BR': 'CFOP × entrada ou saída do emitente',
    en: 'CFOP × issuer receives or sends',
  },
  'rule.cfop_against_flow.finding': {
    'pt-BR': 'item {item}: CFOP {found} em nota com tpNF {flow}; o esperado começa por {expected}',
    en: 'item {item}: CFOP {found} in a note with tpNF {flow}; one beginning with {expected} is expected',
  },
  'rule.cfop_against_states.title': {
    'pt-BR': 'CFOP × destino da operação (idDest) ou UF',
    en: 'CFOP × destination of the operation (idDest) or states',
  },
  'rule.cfop_against_states.finding': {
    'pt-BR':
      'item {item}: CFOP {found}, de {origin} para {destination}, idDest {reach}; confira, pois o grupo seria o de {expected} (sem idDest, pode estar certo em venda presencial ou com entrega ou retirada em outro lugar)',
    en: 'item {item}: CFOP {found}, from {origin} to {destination}, idDest {reach}; check it, the group would be {expected} (without idDest it may be right when sold over the counter, delivered or collected elsewhere)',
  },
  'rule.cte_cfop_against_route.title': {
    'pt-BR': 'CFOP do CT-e × UF de início e de fim',
    en: 'CFOP of the CT-e × states of departure and arrival',
  },
  'rule.cte_cfop_against_route.finding': {
    'pt-BR': 'CFOP {found} em transporte de {origin} a {destination}; confira, o grupo seria o de {expected}',
    en: 'CFOP {found} for carriage from {origin} to {destination}; check it, the group would be {expected}',
  },
  'rule.flow_against_direction.title': {
    'pt-BR': 'Nota de entrada do fornecedor entre as recebidas',
    en: 'Entry note of the supplier among those received',
  },
  'rule.flow_against_direction.finding': {
    'pt-BR':
      'o emitente registrou a própria entrada ({found}: {operation}), em geral devolução ou retorno; confira antes de escriturar como compra',
    en: 'the issuer recorded its own entry ({found}: {operation}), usually a return; check before booking it as a purchase',
  },
} as const;

const situations = {
  'rule.cst_against_regime.title': {
    'pt-BR': 'CST ou CSOSN × regime do emitente',
    en: 'CST or CSOSN × regime of the issuer',
  },
  'rule.cst_against_regime.finding': {
    'pt-BR': 'item {item}: {found} em nota de emitente com CRT {regime}, que usa {expected}',
    en: 'item {item}: {found} in a note of an issuer with CRT {regime}, which uses {expected}',
  },
  'rule.icms_not_due.title': {
    'pt-BR': 'ICMS destacado em CST ou CSOSN sem ICMS',
    en: 'ICMS under a CST or CSOSN without ICMS',
  },
  'rule.icms_not_due.finding': {
    'pt-BR': 'item {item}: CST {cst} com {field} {found}; o esperado é {expected}',
    en: 'item {item}: CST {cst} with {field} {found}; {expected} is expected',
  },
  'rule.icms_due.title': { 'pt-BR': 'CST tributado sem ICMS', en: 'Taxed CST without ICMS' },
  'rule.icms_due.finding': {
    'pt-BR': 'item {item}: CST {cst} com {field} {found}; o esperado é {expected}',
    en: 'item {item}: CST {cst} with {field} {found}; {expected} is expected',
  },
  'rule.icms_st_not_due.title': {
    'pt-BR': 'ICMS-ST em CST ou CSOSN sem substituição',
    en: 'ICMS-ST under a CST or CSOSN without substitution',
  },
  'rule.icms_st_not_due.finding': {
    'pt-BR': 'item {item}: CST {cst} com {field} {found}; o esperado é {expected}',
    en: 'item {item}: CST {cst} with {field} {found}; {expected} is expected',
  },
  'rule.simples_credit_not_due.title': {
    'pt-BR': 'Crédito do Simples em CSOSN que não o permite',
    en: 'Simples credit under a CSOSN that gives none',
  },
  'rule.simples_credit_not_due.finding': {
    'pt-BR': 'item {item}: CSOSN {cst} com {field} {found}; não aproveite o crédito sem conferir',
    en: 'item {item}: CSOSN {cst} with {field} {found}; do not take the credit unchecked',
  },
  'rule.simples_credit_due.title': {
    'pt-BR': 'CSOSN com crédito sem o valor do crédito',
    en: 'CSOSN with credit without its amount',
  },
  'rule.simples_credit_due.finding': {
    'pt-BR': 'item {item}: CSOSN {cst} permite crédito e {field} é {found}; o esperado é {expected}',
    en: 'item {item}: CSOSN {cst} gives a credit and {field} is {found}; {expected} is expected',
  },
  'rule.ipi_cst_against_flow.title': {
    'pt-BR': 'CST do IPI × entrada ou saída',
    en: 'CST of IPI × issuer receives or sends',
  },
  'rule.ipi_cst_against_flow.finding': {
    'pt-BR': 'item {item}: CST do IPI {found}; para esta nota vai de {expected}',
    en: 'item {item}: CST of IPI {found}; for this note it is one of {expected}',
  },
  'rule.ipi_not_due.title': { 'pt-BR': 'IPI em CST sem IPI', en: 'IPI under a CST without IPI' },
  'rule.ipi_not_due.finding': {
    'pt-BR': 'item {item}: CST do IPI {cst} com {field} {found}; o esperado é {expected}',
    en: 'item {item}: CST of IPI {cst} with {field} {found}; {expected} is expected',
  },
  'rule.pis_cofins_not_due.title': {
    'pt-BR': 'PIS ou COFINS em CST sem contribuição',
    en: 'PIS or COFINS under a CST without it',
  },
  'rule.pis_cofins_not_due.finding': {
    'pt-BR': 'item {item}: CST {cst} com {field} {found}; o esperado é {expected}',
    en: 'item {item}: CST {cst} with {field} {found}; {expected} is expected',
  },
  'rule.pis_cofins_due.title': {
    'pt-BR': 'CST tributado sem PIS ou COFINS',
    en: 'Taxed CST without PIS or COFINS',
  },
  'rule.pis_cofins_due.finding': {
    'pt-BR': 'item {item}: CST {cst} com {field} {found}; o esperado é {expected}',
    en: 'item {item}: CST {cst} with {field} {found}; {expected} is expected',
  },
} as const;

const services = {
  'rule.iss_withheld_without_iss.title': {
    'pt-BR': 'ISS retido sem valor de ISS',
    en: 'ISS withheld without an amount of ISS',
  },
  'rule.iss_withheld_without_iss.finding': {
    'pt-BR': 'a nota marca ISS retido e o ISS é {found}; o esperado é {expected}',
    en: 'the note says that ISS is withheld and the ISS is {found}; {expected} is expected',
  },
  'rule.iss_above_withheld.title': {
    'pt-BR': 'ISS retido maior que o total retido',
    en: 'ISS withheld above what was withheld in all',
  },
  'rule.iss_above_withheld.finding': {
    'pt-BR': 'a nota marca ISS retido e o total retido é {found}; o esperado é {expected}',
    en: 'the note says that ISS is withheld and {found} was withheld in all; {expected} is expected',
  },
  'rule.iss_deducted_not_withheld.title': {
    'pt-BR': 'ISS descontado do líquido sem marca de retenção',
    en: 'ISS taken off the net value without being marked as withheld',
  },
  'rule.iss_deducted_not_withheld.finding': {
    'pt-BR':
      'o líquido {found} é o valor dos serviços {expected} menos o ISS {iss}, e a nota diz que o ISS não foi retido',
    en: 'the net value {found} is the services {expected} less the ISS {iss}, and the note says that ISS is not withheld',
  },
} as const;

const reform = {
  'rule.ibs_cbs_missing.title': {
    'pt-BR': 'Regime normal sem grupo IBS/CBS',
    en: 'Normal regime without the IBS/CBS group',
  },
  'rule.ibs_cbs_missing.finding': {
    'pt-BR':
      'emitente com CRT {regime} e grupo IBS/CBS em {found} de {expected} itens; o primeiro sem ele é o {item}',
    en: 'issuer with CRT {regime} and the IBS/CBS group in {found} of {expected} items; the first without it is {item}',
  },
  'rule.ibs_cbs_missing_simples.title': {
    'pt-BR': 'Simples ou MEI sem grupo IBS/CBS',
    en: 'Simples or MEI without the IBS/CBS group',
  },
  'rule.ibs_cbs_missing_simples.finding': {
    'pt-BR':
      'emitente com CRT {regime} e grupo IBS/CBS em {found} de {expected} itens; o primeiro sem ele é o {item}',
    en: 'issuer with CRT {regime} and the IBS/CBS group in {found} of {expected} items; the first without it is {item}',
  },
  'rule.ibs_cbs_missing_nfse.title': {
    'pt-BR': 'NFS-e nacional sem grupo IBS/CBS',
    en: 'National NFS-e without the IBS/CBS group',
  },
  'rule.ibs_cbs_missing_nfse.finding': {
    'pt-BR':
      'falta o grupo {expected}; confira se o prestador é do Simples Nacional, que por ora está dispensado',
    en: 'the group {expected} is missing; see whether the provider is under the Simples, which need not have it yet',
  },
  'rule.class_trib_form.title': { 'pt-BR': 'cClassTrib fora do formato', en: 'cClassTrib out of form' },
  'rule.class_trib_form.finding': {
    'pt-BR': 'item {item}: cClassTrib {found} não tem seis algarismos',
    en: 'item {item}: cClassTrib {found} does not have six digits',
  },
  'rule.class_trib_against_cst.title': {
    'pt-BR': 'cClassTrib × CST do IBS/CBS',
    en: 'cClassTrib × CST of IBS/CBS',
  },
  'rule.class_trib_against_cst.finding': {
    'pt-BR': 'item {item}: cClassTrib {found} com CST {cst}; deveria começar como {expected}',
    en: 'item {item}: cClassTrib {found} with CST {cst}; it should begin like {expected}',
  },
  'rule.ibs_cbs_not_due.title': {
    'pt-BR': 'IBS ou CBS em CST sem tributação',
    en: 'IBS or CBS under a CST that is not taxed',
  },
  'rule.ibs_cbs_not_due.finding': {
    'pt-BR': 'item {item}: CST {cst} com {field} {found}; o esperado é {expected}',
    en: 'item {item}: CST {cst} with {field} {found}; {expected} is expected',
  },
  'rule.cbs_due.title': { 'pt-BR': 'Tributação integral sem CBS', en: 'Taxed in full without CBS' },
  'rule.cbs_due.finding': {
    'pt-BR': 'item {item}: CST {cst} com {field} {found}; o esperado é {expected}',
    en: 'item {item}: CST {cst} with {field} {found}; {expected} is expected',
  },
  'rule.cbs_test_rate.title': {
    'pt-BR': 'CBS × alíquota de teste de 2026',
    en: 'CBS × test rate of 2026',
  },
  'rule.cbs_test_rate.finding': {
    'pt-BR': 'item {item}: CBS {found} sobre a base {base}; a 0,9% seriam {expected}',
    en: 'item {item}: CBS {found} on the base {base}; at 0.9% it would be {expected}',
  },
} as const;

const among = {
  'rule.duplicate_document.title': { 'pt-BR': 'Documento repetido', en: 'Repeated document' },
  'rule.duplicate_document.finding': {
    'pt-BR': 'o mesmo documento aparece {found} vezes',
    en: 'the same document is there {found} times',
  },
  'rule.duplicate_invoice.title': {
    'pt-BR': 'Mesmo emitente, número e valor',
    en: 'Same issuer, number and value',
  },
  'rule.duplicate_invoice.finding': {
    'pt-BR':
      'número {number} e valor {total} como no documento {expected}; confira se não é a mesma operação',
    en: 'number {number} and value {total} as in document {expected}; see whether it is the same operation',
  },
  'rule.freight_billed_twice.title': {
    'pt-BR': 'Mesmo frete em dois CT-e',
    en: 'The same carriage in two CT-e',
  },
  'rule.freight_billed_twice.finding': {
    'pt-BR':
      'mesmo transportador, valor {total} e notas (a primeira é {nfe}) do CT-e {expected}; confira se não é cobrança em dobro',
    en: 'same carrier, value {total} and notes (the first is {nfe}) as CT-e {expected}; see whether it is billed twice',
  },
  'rule.number_gap.title': {
    'pt-BR': 'Salto na numeração própria',
    en: 'Gap in the company’s own numbering',
  },
  'rule.number_gap.finding': {
    'pt-BR':
      'série {series}: {missing:falta|faltam} {missing} {missing:número|números}, {range}; depois deste viria {expected} e veio {found}. Confira se foram inutilizados ou não foram recebidos',
    en: 'series {series}: {missing} {missing:number|numbers} missing, {range}; after this one {expected} was due and {found} came. Check whether they were voided or not received',
  },
  'rule.cancelled_after_entry.title': {
    'pt-BR': 'Cancelado depois da entrada',
    en: 'Cancelled after its entry',
  },
  'rule.cancelled_after_entry.finding': {
    'pt-BR':
      'cancelado (data {found}, evento {code}) depois da entrada ou emissão em {expected}; se já foi escriturado, estorne',
    en: 'cancelled (day {found}, event {code}) after it was entered or issued on {expected}; if it is booked, reverse it',
  },
  'rule.corrected_after_entry.title': {
    'pt-BR': 'Corrigido depois da entrada',
    en: 'Corrected after its entry',
  },
  'rule.corrected_after_entry.finding': {
    'pt-BR':
      'carta de correção (data {found}, evento {code}) depois da entrada ou emissão em {expected}; confira o que mudou',
    en: 'correction letter (day {found}, event {code}) after it was entered or issued on {expected}; see what changed',
  },
  'rule.cte_without_nfe.title': { 'pt-BR': 'CT-e sem a sua NF-e', en: 'CT-e without its NF-e' },
  'rule.cte_without_nfe.finding': {
    'pt-BR': 'constam {found} das {expected} NF-e transportadas; a primeira que falta é {nfe}',
    en: '{found} of the {expected} NF-e it carries are there; the first that is missing is {nfe}',
  },
  'rule.nfe_without_cte.title': { 'pt-BR': 'NF-e sem o seu CT-e', en: 'NF-e without its CT-e' },
  'rule.nfe_without_cte.finding': {
    'pt-BR':
      'frete por conta da empresa (modFrete {mode}), transportador {carrier}, e nenhum CT-e traz esta nota',
    en: 'the company pays the carriage (modFrete {mode}), carrier {carrier}, and no CT-e has this note',
  },
} as const;

/** Titles of the fiscal checks and what is said of a finding. */
export const ruleMessages = {
  ...totals,
  ...operations,
  ...situations,
  ...services,
  ...reform,
  ...among,
} as const satisfies Record<`rule.${RuleCode}.${'title' | 'finding'}`, Message>;
