import { askIssuer, type WordsByRule } from './rule-words.ts';

const itemsAgainstTotal = {
  'pt-BR': '{field}: os itens somam {found} e o total é {expected}',
  en: '{field}: the items add up to {found} and the total is {expected}',
} as const;

export const totalWords = {
  items_against_products: {
    title: { 'pt-BR': 'Soma dos itens × total dos produtos', en: 'Sum of items × total of products' },
    finding: {
      'pt-BR': 'os itens somam {found} e o total dos produtos (vProd) é {expected}',
      en: 'the items add up to {found} and the total of products (vProd) is {expected}',
    },
    todo: askIssuer,
  },
  parts_against_total: {
    title: { 'pt-BR': 'Valor da nota × parcelas', en: 'Total of the note × its parts' },
    finding: {
      'pt-BR': 'o valor da nota (vNF) é {found} e as parcelas somam {expected}',
      en: 'the total of the note (vNF) is {found} and its parts add up to {expected}',
    },
    todo: {
      'pt-BR': 'Confira o valor a pagar antes de lançar a duplicata.',
      en: 'Check the amount to pay before the invoice is entered.',
    },
  },
  item_taxes_against_totals: {
    title: { 'pt-BR': 'ICMS e IPI dos itens × totais', en: 'ICMS and IPI of items × totals' },
    finding: itemsAgainstTotal,
    todo: {
      'pt-BR': 'Não aproveite o crédito antes de esclarecer com o emitente qual dos valores vale.',
      en: 'Do not take the credit before the issuer has said which of the amounts holds.',
    },
  },
  pis_cofins_items_against_totals: {
    title: { 'pt-BR': 'PIS e COFINS dos itens × totais', en: 'PIS and COFINS of items × totals' },
    finding: itemsAgainstTotal,
    todo: {
      'pt-BR': 'Confira o valor de cada item: o crédito de PIS e COFINS se apura por item.',
      en: 'Check each item: credits of PIS and COFINS are worked out per item.',
    },
  },
  net_against_parts: {
    title: {
      'pt-BR': 'Valor líquido da NFS-e × retenções e descontos',
      en: 'Net value of the NFS-e × withheld taxes and discounts',
    },
    finding: {
      'pt-BR': 'o valor líquido é {found} e a conta de serviços, retenções e descontos dá {expected}',
      en: 'the net value is {found} and services less withheld taxes and discounts give {expected}',
    },
    todo: {
      'pt-BR': 'Confira retenções e descontos antes de pagar o prestador.',
      en: 'Check withheld taxes and discounts before the provider is paid.',
    },
  },
} as const satisfies WordsByRule;
