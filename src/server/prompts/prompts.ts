/** Arguments of prompts; `values.ts` validates them. */
export type PromptArgument = 'period' | 'cnpj' | 'key' | 'supplier';

/** A prompt in the list. Its text is loaded on request. */
export interface PromptInfo {
  readonly name: string;
  readonly takes: readonly PromptArgument[];
  /** Required arguments. */
  readonly needs: readonly PromptArgument[];
  /** Tools it needs; it is hidden if one is missing. */
  readonly tools: readonly string[];
}

const inPeriod = ['period', 'cnpj'] as const;
const questions = ['query_documents', 'check_documents'];
const pending = 'list_pending_manifestations';
const documentTools = ['get_document', 'verify_document'];

/** The prompts in listing order. */
export const prompts = [
  { name: 'month_closing', takes: inPeriod, needs: [], tools: [...questions, pending] },
  { name: 'pending_manifestations', takes: ['supplier', 'cnpj'], needs: [], tools: [pending] },
  { name: 'explain_document', takes: ['key'], needs: ['key'], tools: documentTools },
  {
    name: 'supplier_review',
    takes: ['supplier', ...inPeriod],
    needs: ['supplier'],
    tools: ['query_documents', pending],
  },
  { name: 'tax_credits', takes: inPeriod, needs: [], tools: questions },
  { name: 'reform_readiness', takes: inPeriod, needs: [], tools: questions },
  { name: 'freight_review', takes: inPeriod, needs: [], tools: questions },
  { name: 'reconcile_month', takes: inPeriod, needs: [], tools: ['reconcile', 'query_documents'] },
  { name: 'withholdings', takes: inPeriod, needs: [], tools: questions },
  { name: 'sales_by_customer', takes: inPeriod, needs: [], tools: ['query_documents'] },
  { name: 'files_overview', takes: inPeriod, needs: [], tools: ['list_documents', ...questions] },
  { name: 'files_against_service', takes: inPeriod, needs: [], tools: ['list_documents', 'query_documents'] },
] as const satisfies readonly PromptInfo[];

export type PromptName = (typeof prompts)[number]['name'];
