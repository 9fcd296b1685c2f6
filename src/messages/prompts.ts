import type { Message } from './message.ts';

/** How hosts list the prompts. What they say is in `apart/recipes.ts`. */
export const promptMessages = {
  'prompt.month_closing.title': { 'pt-BR': 'Fechamento do mês', en: 'Month closing' },
  'prompt.month_closing.about': {
    'pt-BR': 'Totais por natureza, o que está errado, o que falta e o que espera manifestação',
    en: 'Totals by nature, what is wrong, what is missing and what awaits manifestation',
  },
  'prompt.pending_manifestations.title': { 'pt-BR': 'Manifestações pendentes', en: 'Pending manifestations' },
  'prompt.pending_manifestations.about': {
    'pt-BR': 'O que vence primeiro e o que cada resposta significa; nada é enviado',
    en: 'What falls due first and what each answer means; nothing is sent',
  },
  'prompt.explain_document.title': { 'pt-BR': 'Explicar um documento', en: 'Explain a document' },
  'prompt.explain_document.about': {
    'pt-BR': 'Partes, valores, tributos, eventos e autenticidade de uma nota, em palavras simples',
    en: 'Parties, amounts, taxes, events and authenticity of one document, in plain words',
  },
  'prompt.supplier_review.title': { 'pt-BR': 'Análise de fornecedor', en: 'Supplier review' },
  'prompt.supplier_review.about': {
    'pt-BR': 'Compras por mês, itens e preços, tributos e notas canceladas de um fornecedor',
    en: 'Purchases by month, items and prices, taxes and cancelled notes of one supplier',
  },
  'prompt.tax_credits.title': {
    'pt-BR': 'Créditos de tributos nas entradas',
    en: 'Tax credits on purchases',
  },
  'prompt.tax_credits.about': {
    'pt-BR': 'O que foi destacado nas entradas, por CFOP e CST, e o que impede o crédito',
    en: 'Tax shown on inbound documents, by CFOP and CST, and what rules a credit out',
  },
  'prompt.reform_readiness.title': { 'pt-BR': 'Preparação para IBS e CBS', en: 'Readiness for IBS and CBS' },
  'prompt.reform_readiness.about': {
    'pt-BR': 'Quais documentos já trazem IBS e CBS, e o que está errado neles',
    en: 'Which documents carry IBS and CBS already, and what is wrong in them',
  },
  'prompt.freight_review.title': { 'pt-BR': 'Análise de fretes', en: 'Freight review' },
  'prompt.freight_review.about': {
    'pt-BR': 'CT-e por transportador e tomador, comparados ao período anterior e às notas transportadas',
    en: 'CT-e by carrier and payer, compared with the previous period and the notes carried',
  },
  'prompt_argument.period': {
    'pt-BR': 'mês AAAA-MM, dias AAAA-MM-DD/AAAA-MM-DD, ou last_month, this_month…; sem ele, o mês passado',
    en: 'month YYYY-MM, days YYYY-MM-DD/YYYY-MM-DD, or last_month, this_month…; without it, last month',
  },
  'prompt_argument.cnpj': {
    'pt-BR': 'CNPJ da empresa, se não for a configurada',
    en: 'CNPJ of the company, if not the configured one',
  },
  'prompt_argument.key': {
    'pt-BR': 'chave de acesso: 44 posições, ou 50 da NFS-e nacional',
    en: 'access key: 44 positions, or 50 of a national NFS-e',
  },
  'prompt_argument.supplier': {
    'pt-BR': 'nome do fornecedor, parte dele ou CNPJ',
    en: 'name of the supplier, a part of it, or CNPJ',
  },
} as const satisfies Record<`prompt${string}`, Message>;
