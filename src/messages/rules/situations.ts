import { amountUnderCode, type WordsByRule } from './rule-words.ts';

const withoutCredit = {
  'pt-BR':
    'Não aproveite o crédito antes de esclarecer com o emitente se o que está errado é o código ou o valor.',
  en: 'Do not take the credit before the issuer has said whether the code or the amount is wrong.',
} as const;

const missingAmount = {
  'pt-BR': 'Pergunte ao emitente se falta o valor ou se o código é outro; sem destaque não há crédito.',
  en: 'Ask the issuer whether the amount is missing or the code is another; without the amount there is no credit.',
} as const;

export const situationWords = {
  cst_against_regime: {
    title: { 'pt-BR': 'CST ou CSOSN × regime do emitente', en: 'CST or CSOSN × regime of the issuer' },
    finding: {
      'pt-BR': 'item {item}: {found} em nota de emitente com CRT {regime}, que usa {expected}',
      en: 'item {item}: {found} in a note of an issuer with CRT {regime}, which uses {expected}',
    },
    todo: {
      'pt-BR':
        'Consulte o regime do emitente (Simples Nacional) e não aproveite crédito de ICMS antes disso.',
      en: 'Look up the regime of the issuer (Simples Nacional) and take no ICMS credit before that.',
    },
  },
  icms_not_due: {
    title: {
      'pt-BR': 'ICMS destacado em CST ou CSOSN sem ICMS',
      en: 'ICMS under a CST or CSOSN without ICMS',
    },
    finding: amountUnderCode,
    todo: withoutCredit,
  },
  icms_due: {
    title: { 'pt-BR': 'CST tributado sem ICMS', en: 'Taxed CST without ICMS' },
    finding: amountUnderCode,
    todo: missingAmount,
  },
  icms_st_not_due: {
    title: {
      'pt-BR': 'ICMS-ST em CST ou CSOSN sem substituição',
      en: 'ICMS-ST under a CST or CSOSN without substitution',
    },
    finding: amountUnderCode,
    todo: {
      'pt-BR':
        'Confira com o emitente se houve substituição tributária: dela dependem o custo e o preço de revenda.',
      en: 'Ask the issuer whether there was tax substitution: cost and resale price depend on it.',
    },
  },
  simples_credit_not_due: {
    title: {
      'pt-BR': 'Crédito do Simples em CSOSN que não o permite',
      en: 'Simples credit under a CSOSN that gives none',
    },
    finding: {
      'pt-BR': 'item {item}: CSOSN {cst} com {field} {found}; o esperado é {expected}',
      en: 'item {item}: CSOSN {cst} with {field} {found}; {expected} is expected',
    },
    todo: withoutCredit,
  },
  simples_credit_due: {
    title: {
      'pt-BR': 'CSOSN com crédito sem o valor do crédito',
      en: 'CSOSN with credit without its amount',
    },
    finding: {
      'pt-BR': 'item {item}: CSOSN {cst} permite crédito e {field} é {found}; o esperado é {expected}',
      en: 'item {item}: CSOSN {cst} gives a credit and {field} is {found}; {expected} is expected',
    },
    todo: {
      'pt-BR': 'Peça ao emitente o valor do crédito (pCredSN e vCredICMSSN) por carta de correção.',
      en: 'Ask the issuer for the amount of the credit (pCredSN and vCredICMSSN) by a correction letter.',
    },
  },
  ipi_cst_against_flow: {
    title: {
      'pt-BR': 'CST do IPI × entrada ou saída',
      en: 'CST of IPI × inbound or outbound for the issuer',
    },
    finding: {
      'pt-BR': 'item {item}: CST do IPI {found}; para esta nota vai de {expected}',
      en: 'item {item}: CST of IPI {found}; for this note it is one of {expected}',
    },
    todo: {
      'pt-BR':
        'Escriture a sua entrada com o CST de entrada; em nota própria, corrija o cadastro do produto.',
      en: 'Book your entry with an inbound CST; for your own notes, correct the product’s master data.',
    },
  },
  ipi_not_due: {
    title: { 'pt-BR': 'IPI em CST sem IPI', en: 'IPI under a CST without IPI' },
    finding: {
      'pt-BR': 'item {item}: CST do IPI {cst} com {field} {found}; o esperado é {expected}',
      en: 'item {item}: CST of IPI {cst} with {field} {found}; {expected} is expected',
    },
    todo: withoutCredit,
  },
  pis_cofins_not_due: {
    title: { 'pt-BR': 'PIS ou COFINS em CST sem contribuição', en: 'PIS or COFINS under a CST without it' },
    finding: amountUnderCode,
    todo: withoutCredit,
  },
  pis_cofins_due: {
    title: { 'pt-BR': 'CST tributado sem PIS ou COFINS', en: 'Taxed CST without PIS or COFINS' },
    finding: amountUnderCode,
    todo: {
      'pt-BR':
        'Confira o CST: o crédito segue a compra, e não o destaque, mas o código errado esconde alíquota zero ou monofásica.',
      en: 'Check the CST: the credit follows the purchase and not the amount shown, but a wrong code hides a zero or single-phase rate.',
    },
  },
} as const satisfies WordsByRule;
