import type { Item } from '../summary/summary.ts';

/** Exempt, not taxed, suspended: the codes of the group ICMS40. */
const codes = new Set(['40', '41', '50']);

/** The layout whose ICMS40 has the relieved amount in vICMS; since 3.10 it is vICMSDeson. */
export const RELIEF_IN_VALUE = 'nfe 2.00';

/**
 * Whether an item's ICMS, where it gives any, is what it is relieved of and not what is due. Source: MOC NF-e, layout
 * 2.00, group ICMS40 (vICMS with motDesICMS) and NT 2013.005, which moves the amount to vICMSDeson.
 */
export function isRelieved({ cst }: Item): boolean {
  return cst !== undefined && codes.has(cst);
}
