import { Big } from 'big.js';
import { isDecimal } from '../decimals.ts';
import type { DocumentSummary, Item } from '../summary/summary.ts';
import { absent, type Deviation, type Validity } from './rule.ts';

/** The day every date of this file was last looked up. Source: docs/fiscal/reform.md. */
const VERIFIED_ON = '2026-11-20';

/** When the groups of IBS and CBS became due, by who issues. These dates were moved before. */
export const calendar = {
  normalRegime: { from: '2026-08-03', verified_on: VERIFIED_ON },
  simples: { from: '2027-01-04', verified_on: VERIFIED_ON },
  services: { from: '2026-10-01', verified_on: VERIFIED_ON },
  testRates: { from: '2026-01-01', to: '2026-12-31', verified_on: VERIFIED_ON },
} as const satisfies Record<string, Validity>;

/** CBS in the test year: 0.9 per cent. */
const TEST_RATE_OF_CBS = '0.009';
/** The tax is rounded to a cent once; two ways of rounding differ by one. */
const ONE_CENT = '0.01';
const TAXED_IN_FULL = '000';

function lacksGroup({ taxes }: Item): boolean {
  return taxes.ibs_cbs_cst === undefined && taxes.class_trib === undefined;
}

/**
 * Items without the IBS/CBS group. Only ordinary notes (finNFe 1): returns and adjustments of what was sold before the
 * date have rules of their own.
 */
export function missingGroups(regimes: readonly string[]): (document: DocumentSummary) => Deviation[] {
  return ({ issuer, purpose, items }) => {
    const isAsked = regimes.includes(issuer?.tax_regime ?? '') && (purpose ?? '1') === '1';
    const lacking = isAsked ? items.filter(lacksGroup) : [];
    if (lacking.length === 0) return [];
    const values = { item: lacking[0]?.number ?? absent, regime: issuer?.tax_regime ?? absent };
    return [{ found: String(items.length - lacking.length), expected: String(items.length), values }];
  };
}

/** A national NFS-e without the group. Whether its provider is under the Simples is not in the note. */
export function missingInService({ layout, taxation }: DocumentSummary): Deviation[] {
  const isNational = layout.startsWith('nfse national');
  if (!isNational || taxation?.class_trib !== undefined) return [];
  return [{ found: absent, expected: 'IBSCBS' }];
}

interface Classified {
  readonly item: string;
  readonly cst?: string;
  readonly classification: string;
}

/** Every classification in a document, with the item it stands in; `-` for one of the whole document. */
function classifications({ items, taxation, service }: DocumentSummary): Classified[] {
  const whole = taxation?.class_trib ?? service?.class_trib;
  return [
    ...(whole === undefined ? [] : [{ item: absent, cst: taxation?.ibs_cbs_cst, classification: whole }]),
    ...items.flatMap(({ number = absent, taxes }) =>
      taxes.class_trib === undefined
        ? []
        : [{ item: number, cst: taxes.ibs_cbs_cst, classification: taxes.class_trib }],
    ),
  ];
}

/** cClassTrib has six digits. */
export function checkClassificationForm(document: DocumentSummary): Deviation[] {
  return classifications(document)
    .filter(({ classification }) => !/^\d{6}$/.test(classification))
    .map(({ item, classification }) => ({ found: classification, expected: '000000', values: { item } }));
}

/** The first three digits of cClassTrib are the CST. */
export function checkClassificationCst(document: DocumentSummary): Deviation[] {
  return classifications(document).flatMap(({ item, cst, classification }) =>
    cst === undefined || classification.startsWith(cst)
      ? []
      : [{ found: classification, expected: `${cst}...`, values: { item, cst } }],
  );
}

/** CBS of an item taxed in full, against its base and the rate of the test year. */
export function checkTestRate({ items }: DocumentSummary): Deviation[] {
  return items.flatMap(({ number = absent, taxes: { ibs_cbs_cst, ibs_cbs_base: base, cbs } }) => {
    if (ibs_cbs_cst !== TAXED_IN_FULL || base === undefined || cbs === undefined) return [];
    if (!isDecimal(base) || !isDecimal(cbs)) return [];
    const expected = new Big(base).times(TEST_RATE_OF_CBS);
    if (expected.minus(cbs).abs().lte(ONE_CENT)) return [];
    return [{ found: cbs, expected: expected.toFixed(2), values: { item: number, base } }];
  });
}
