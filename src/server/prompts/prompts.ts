/** The arguments that prompts take; what each may be is in `values.ts`. */
export type PromptArgument = 'period' | 'cnpj' | 'key' | 'supplier';

/** A prompt as hosts list it. What it says is loaded when somebody asks for it. */
export interface PromptInfo {
  readonly name: string;
  readonly takes: readonly PromptArgument[];
  /** Those of them without which it says nothing. */
  readonly needs: readonly PromptArgument[];
  /** The tools it works with; without one of them it is not offered. */
  readonly tools: readonly string[];
}

/** The prompts, in the order in which hosts list them. */
export const prompts = [
  {
    name: 'month_closing',
    takes: ['period', 'cnpj'],
    needs: [],
    tools: ['query_documents', 'check_documents', 'list_pending_manifestations'],
  },
  {
    name: 'pending_manifestations',
    takes: ['supplier', 'cnpj'],
    needs: [],
    tools: ['list_pending_manifestations'],
  },
  {
    name: 'explain_document',
    takes: ['key'],
    needs: ['key'],
    tools: ['get_document', 'verify_document'],
  },
  {
    name: 'supplier_review',
    takes: ['supplier', 'period', 'cnpj'],
    needs: ['supplier'],
    tools: ['query_documents', 'list_pending_manifestations'],
  },
  {
    name: 'tax_credits',
    takes: ['period', 'cnpj'],
    needs: [],
    tools: ['query_documents', 'check_documents'],
  },
  {
    name: 'reform_readiness',
    takes: ['period', 'cnpj'],
    needs: [],
    tools: ['query_documents', 'check_documents'],
  },
  {
    name: 'freight_review',
    takes: ['period', 'cnpj'],
    needs: [],
    tools: ['query_documents', 'check_documents'],
  },
] as const satisfies readonly PromptInfo[];

export type PromptName = (typeof prompts)[number]['name'];
