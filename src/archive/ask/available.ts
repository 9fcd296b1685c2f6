import type { DocumentArea } from '../scope.ts';

const only = (areas: readonly DocumentArea[], names: string): [string, readonly DocumentArea[]][] =>
  names.split(' ').map((name) => [name, areas]);

/** Kinds that have what others lack. Source: docs/fiscal/layouts.md. */
const kindsWith: ReadonlyMap<string, readonly DocumentArea[]> = new Map([
  ...only(['nfe'], 'ncm unit credit_type debit_type items quantity average_price min_price max_price'),
  ...only(['nfe'], 'products products_net icms_st icms_credit icms_relieved icms_mono fcp fcp_st difal'),
  ...only(['nfe'], 'import_duty ipi is freight insurance other'),
  ...only(['nfe', 'cte'], 'cfop cst purpose icms icms_base'),
  ...only(['nfe', 'nfse'], 'item discount services iss iss_withheld irrf csll inss pis_withheld'),
  ...only(['nfe', 'nfse'], 'cofins_withheld'),
  ...only(['nfe', 'cte'], 'weight'),
  ...only(['nfe'], 'pis_cofins_cst di due due_from due_to due_dates due_day due_week due_month'),
  ...only(['nfse'], 'competence iss_city'),
  ...only(['cte'], 'payer origin_state destination_state'),
  // Search places and events.
  ...only(['nfe'], 'text_in.codes text_in.orders'),
  ...only(['nfe', 'nfse'], 'text_in.items'),
  ...only(['nfe', 'cte'], 'event.correction_letter'),
]);

/** Whether a kind supports a measure, grouping or filter. */
export function isAvailable(name: string, area: DocumentArea): boolean {
  return kindsWith.get(name)?.includes(area) ?? true;
}
