import type { Message } from './message.ts';

/** How hosts list the prompts. What they say is in `apart/recipes.ts`. */
export const promptMessages = {
  'prompt.month_closing.title': ['Fechamento do mês', 'Month closing'],
  'prompt.month_closing.about': [
    'Totais por natureza, o que está errado, o que falta e o que espera manifestação',
    'Totals by nature, what is wrong, what is missing and what awaits manifestation',
  ],
  'prompt.pending_manifestations.title': ['Manifestações pendentes', 'Pending manifestations'],
  'prompt.pending_manifestations.about': [
    'O que vence primeiro e o que cada resposta significa; nada é enviado',
    'What falls due first and what each answer means; nothing is sent',
  ],
  'prompt.explain_document.title': ['Explicar um documento', 'Explain a document'],
  'prompt.explain_document.about': [
    'Partes, valores, tributos, eventos e autenticidade de uma nota, em palavras simples',
    'Parties, amounts, taxes, events and authenticity of one document, in plain words',
  ],
  'prompt.supplier_review.title': ['Análise de fornecedor', 'Supplier review'],
  'prompt.supplier_review.about': [
    'Compras por mês, itens e preços, tributos e notas canceladas de um fornecedor',
    'Purchases by month, items and prices, taxes and cancelled notes of one supplier',
  ],
  'prompt.tax_credits.title': ['Créditos de tributos nas entradas', 'Tax credits on purchases'],
  'prompt.tax_credits.about': [
    'O que foi destacado nas entradas, por CFOP e CST, e o que impede o crédito',
    'Tax shown on inbound documents, by CFOP and CST, and what rules a credit out',
  ],
  'prompt.reform_readiness.title': ['Preparação para IBS e CBS', 'Readiness for IBS and CBS'],
  'prompt.reform_readiness.about': [
    'Quais documentos já trazem IBS e CBS, e o que está errado neles',
    'Which documents carry IBS and CBS already, and what is wrong in them',
  ],
  'prompt.freight_review.title': ['Análise de fretes', 'Freight review'],
  'prompt.freight_review.about': [
    'CT-e por transportador e tomador, comparados ao período anterior e às notas transportadas',
    'CT-e by carrier and payer, compared with the previous period and the notes carried',
  ],
  'prompt_argument.period': [
    'mês AAAA-MM, dias AAAA-MM-DD/AAAA-MM-DD, ou last_month, this_month…; sem ele, o mês passado',
    'month YYYY-MM, days YYYY-MM-DD/YYYY-MM-DD, or last_month, this_month…; without it, last month',
  ],
  'prompt_argument.cnpj': [
    'CNPJ da empresa, se não for a configurada',
    'CNPJ of the company, if not the configured one',
  ],
  'prompt_argument.key': [
    'chave de acesso: 44 posições, ou 50 da NFS-e nacional',
    'access key: 44 positions, or 50 of a national NFS-e',
  ],
  'prompt_argument.supplier': [
    'nome do fornecedor, parte dele ou CNPJ',
    'name of the supplier, a part of it, or CNPJ',
  ],
} as const satisfies Record<`prompt${string}`, Message>;
