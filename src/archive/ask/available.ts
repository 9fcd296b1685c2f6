import { amounts } from '../../documents/summary/amounts.ts';
import type { DocumentArea } from '../references.ts';

const only = (areas: readonly DocumentArea[], names: string): [string, readonly DocumentArea[]][] =>
  names.split(' ').map((name) => [name, areas]);

/** Kinds that have what others lack. Source: docs/fiscal/layouts.md. */
const kindsWith: ReadonlyMap<string, readonly DocumentArea[]> = new Map<string, readonly DocumentArea[]>([
  ...Object.entries(amounts).map(([name, { of }]) => [name, of] as const),
  ...only(['nfe'], 'ncm unit credit_type debit_type items quantity average_price min_price max_price'),
  ...only(['nfe'], 'pis_cofins_cst di due due_from due_to due_dates due_day due_week due_month'),
  ...only(['nfe', 'cte'], 'cfop cst purpose'),
  ...only(['nfe', 'nfse'], 'item'),
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
