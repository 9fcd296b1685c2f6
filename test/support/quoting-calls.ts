/** Calls whose answers quote what a service says, for tests of what must not be quoted. */

export const key = '43261119960320000111550010000425221096040112';
export const period = { from: '2026-11-01', to: '2026-11-20' };
export const setting = { company_id: 1, id: 1, set: 'X-A', name: 'a', value: 'b' };

export type Call = readonly [tool: string, args: object];

export const quotingReads: readonly Call[] = [
  ['check_connection', {}],
  ['list_document_keys', { document: 'nfe', ...period }],
  ['list_nfe_summaries', period],
  ['get_nfe_classifications', { key }],
  ['get_document', { document: 'nfe', key }],
  ['get_nfe_event_status', { key, event: 'ciencia' }],
];
