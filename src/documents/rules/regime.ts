import type { DocumentSummary } from '../summary/summary.ts';
import { absent, type Deviation } from './rule.ts';

/** CST that an issuer under the Simples writes too: single-phase fuels. */
const FUEL_CODES = new Set(['02', '15', '53', '61']);

/** CRT 1 (Simples) and 4 (MEI) write a CSOSN; 2 (Simples above the sublimit) and 3 (normal) a CST. */
const expectedByRegime: Readonly<Record<string, 'CSOSN' | 'CST'>> = {
  1: 'CSOSN',
  2: 'CST',
  3: 'CST',
  4: 'CSOSN',
};

export function isNormalRegime({ issuer }: DocumentSummary): boolean {
  return issuer?.tax_regime === '3';
}

/** Three digits are a CSOSN, two a CST. */
export function checkRegime({ issuer, items }: DocumentSummary): Deviation[] {
  const regime = issuer?.tax_regime;
  const expected = expectedByRegime[regime ?? ''];
  if (regime === undefined || expected === undefined) return [];
  return items.flatMap(({ number = absent, cst }) => {
    if (cst === undefined || !/^\d{2,3}$/.test(cst) || FUEL_CODES.has(cst)) return [];
    const found = cst.length === 3 ? 'CSOSN' : 'CST';
    if (found === expected) return [];
    return [{ found: `${found} ${cst}`, expected, values: { item: number, regime } }];
  });
}
