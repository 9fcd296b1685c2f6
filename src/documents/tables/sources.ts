import type { Facts } from '../problems.ts';

/**
 * An official table included as data: its title, an act or publication with its version, its date, and the day
 * (`YYYY-MM-DD`) on which a newer version was last searched for.
 */
export interface OfficialTable extends Required<Facts<'source published_on verified_on'>> {
  readonly entries: number;
}

/** The tables in this folder. `natures` are ours, for the codes of `cfop`. Source: docs/fiscal/tables.md. */
export const tables = {
  cfop: {
    source: 'IT 2023.002 v2.10 (Portal Nacional da NF-e); Convênio s/nº de 15/12/1970, Anexo II',
    published_on: '2026-09-04',
    verified_on: '2026-11-22',
    entries: 619,
  },
  natures: {
    source: 'CFOP, IT 2023.002 v2.10 (natureza: classificação do docfiscal-mcp)',
    published_on: '2026-09-04',
    verified_on: '2026-11-22',
    entries: 619,
  },
  class_trib: {
    source: 'IT 2025.002 v1.70 (cClassTrib); LC 214/2025',
    published_on: '2026-10-01',
    verified_on: '2026-11-22',
    entries: 173,
  },
  ibs_cbs_cst: {
    source: 'IT 2025.002 v1.70 (CST do IBS e da CBS)',
    published_on: '2026-10-01',
    verified_on: '2026-11-22',
    entries: 18,
  },
  cities: {
    source: 'IBGE, códigos dos municípios (5.571, com Boa Esperança do Norte, MT)',
    published_on: '2025-01-01',
    verified_on: '2026-11-22',
    entries: 5571,
  },
} as const satisfies Record<string, OfficialTable>;

/** The latest day on which a line of docs/fiscal/calendar.md was verified. */
export const LAW_LOOKED_UP_ON = '2026-11-23';

export type TableName = keyof typeof tables;
