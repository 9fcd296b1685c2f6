import type { DocumentSummary, Item } from '../../summary/summary.ts';
import { absent, type Deviation } from '../rule.ts';
import { calendar } from './calendar.ts';

const NORMAL_PURPOSE = { nfe: '1', cte: '0' } as const;

/** ICMS codes of fuels under single-phase taxation. */
const fuelSituations = new Set(['02', '15', '53', '61']);

/**
 * Fuels under single-phase taxation need no group (UB12-10, exception 2). Which ones of those with an ANP code are is
 * in a table of its own, so that none of them is asked.
 */
function isFuel({ fuel, cst }: Item): boolean {
  return fuel !== undefined || (cst !== undefined && fuelSituations.has(cst));
}

function lacksGroup({ taxes }: Item): boolean {
  return taxes.ibs_cbs_cst === undefined && taxes.class_trib === undefined;
}

/**
 * From which day an issuer's documents need the group at the earliest, for reasons other than its regime. Until notes
 * without a state registration are allowed, one without it says nothing of its issuer.
 */
function earliestDay({ issuer, issued_at }: DocumentSummary): string {
  if (issuer?.id_type === 'cpf') return calendar.persons.from;
  const registration = issuer?.state_registration?.toUpperCase();
  const isNoTaxpayer =
    registration === 'ISENTO' ||
    (registration === undefined && (issued_at ?? '') >= calendar.withoutRegistration.from);
  return isNoTaxpayer ? calendar.notIcmsTaxpayers.from : '';
}

function isDueBy({ issued_at }: DocumentSummary, day: string): boolean {
  return issued_at !== undefined && issued_at.slice(0, 10) >= day;
}

/**
 * Items without the IBS/CBS group in notes of issuers of these regimes (CRT). Only ordinary notes (finNFe 1): returns and
 * complementary notes of what was sold before have rules of their own.
 */
export function missingInItems(regimes: readonly string[]): (document: DocumentSummary) => Deviation[] {
  return (document) => {
    const { issuer, purpose, items } = document;
    const isAsked =
      regimes.includes(issuer?.tax_regime ?? '') &&
      (purpose ?? NORMAL_PURPOSE.nfe) === NORMAL_PURPOSE.nfe &&
      isDueBy(document, earliestDay(document));
    const asked = isAsked ? items.filter((item) => !isFuel(item)) : [];
    const lacking = asked.filter(lacksGroup);
    if (lacking.length === 0) return [];
    const values = { item: lacking[0]?.number ?? absent, regime: issuer?.tax_regime ?? absent };
    return [{ found: String(asked.length - lacking.length), expected: String(asked.length), values }];
  };
}

const missing: readonly Deviation[] = [{ found: absent, expected: 'IBSCBS' }];

function hasGroup({ taxation, totals }: DocumentSummary): boolean {
  return (
    taxation?.class_trib !== undefined ||
    taxation?.ibs_cbs_cst !== undefined ||
    totals.ibs_cbs_base !== undefined
  );
}

/** An ordinary CT-e of the normal regime without the group. */
export function missingInCarriage(document: DocumentSummary): readonly Deviation[] {
  const { issuer, purpose } = document;
  const isAsked =
    issuer?.tax_regime === '3' &&
    issuer.id_type !== 'cpf' &&
    (purpose ?? NORMAL_PURPOSE.cte) === NORMAL_PURPOSE.cte;
  return isAsked && !hasGroup(document) ? missing : [];
}

/**
 * Services that have later days: items 1.03, 1.05, 1.09 and 16.01 of the list, intermediation (10, where platforms are),
 * and what is no service of the list (99: intangibles, rentals). Ato Conjunto RFB/CGIBS 4/2026.
 */
const LATER_SERVICES = /^(0103|0105|0109|1601|10|99)/;

function serviceDay({ service }: DocumentSummary): string {
  const isLater = LATER_SERVICES.test(service?.national_code ?? '');
  return isLater ? calendar.laterServices.from : calendar.services.from;
}

/**
 * A national NFS-e without the group, of a provider that says it is under the Simples (opSimpNac, MEI included), or of
 * any other company.
 */
export function missingInService(
  isUnderSimples: boolean,
): (document: DocumentSummary) => readonly Deviation[] {
  return (document) => {
    const { layout, issuer } = document;
    const isAsked =
      layout.startsWith('nfse national') &&
      (issuer?.is_under_simples ?? false) === isUnderSimples &&
      (issuer?.id_type ?? 'cnpj') === 'cnpj' &&
      isDueBy(document, serviceDay(document));
    return isAsked && !hasGroup(document) ? missing : [];
  };
}
