import type { DocumentSummary, Item } from '../../summary/summary.ts';
import {
  about,
  absent,
  type Deviation,
  kinds,
  type Rule,
  type Verdict,
  verified,
  type Words,
} from '../rule.ts';
import { calendar } from './calendar.ts';

const NORMAL_PURPOSE = { nfe: '1', cte: '0' } as const;

/** ICMS codes of fuels under single-phase taxation. */
const fuelSituations = new Set(['02', '15', '53', '61']);

/** Single-phase fuels need no group (UB12-10, exception 2); no table here says which ANP codes they are. */
function isFuel({ fuel, cst }: Item): boolean {
  return fuel !== undefined || (cst !== undefined && fuelSituations.has(cst));
}

function lacksGroup({ taxes }: Item): boolean {
  return taxes.ibs_cbs_cst === undefined && taxes.class_trib === undefined;
}

/** By the kind of issuer, not its regime. A missing registration says nothing before it is allowed. */
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

/** Only ordinary notes (finNFe 1) of these regimes (CRT); returns and complements have their own rules. */
function missingInItems(regimes: readonly string[]): (document: DocumentSummary) => Verdict {
  return (document) => {
    const { issuer, purpose, items } = document;
    const isAsked =
      regimes.includes(issuer?.tax_regime ?? '') &&
      (purpose ?? NORMAL_PURPOSE.nfe) === NORMAL_PURPOSE.nfe &&
      isDueBy(document, earliestDay(document));
    const asked = isAsked ? items.filter((item) => !isFuel(item)) : [];
    if (asked.length === 0) return undefined;
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
function missingInCarriage(document: DocumentSummary): Verdict {
  const { issuer, purpose } = document;
  const isAsked =
    issuer?.tax_regime === '3' &&
    issuer.id_type !== 'cpf' &&
    (purpose ?? NORMAL_PURPOSE.cte) === NORMAL_PURPOSE.cte;
  if (!isAsked) return undefined;
  return hasGroup(document) ? [] : missing;
}

/** Services with later days: 1.03, 1.05, 1.09, 16.01, 10 and 99. Source: Ato Conjunto RFB/CGIBS 4/2026. */
const LATER_SERVICES = /^(0103|0105|0109|1601|10|99)/;

function serviceDay({ service }: DocumentSummary): string {
  const isLater = LATER_SERVICES.test(service?.national_code ?? '');
  return isLater ? calendar.laterServices.from : calendar.services.from;
}

/**
 * A national NFS-e without the group, of providers under the Simples (opSimpNac, MEI too) or of others. A city that
 * issues by its own layout passes the note on in the national one, so that a municipal note without the group proves
 * nothing. Source: LC 214/2025, article 62; docs/fiscal/reform.md.
 */
function missingInService(isUnderSimples: boolean): (document: DocumentSummary) => Verdict {
  return (document) => {
    const { layout, issuer } = document;
    const isAsked =
      layout.startsWith('nfse national') &&
      (issuer?.is_under_simples ?? false) === isUnderSimples &&
      (issuer?.id_type ?? 'cnpj') === 'cnpj' &&
      isDueBy(document, serviceDay(document));
    if (!isAsked) return undefined;
    return hasGroup(document) ? [] : missing;
  };
}

const dueBasis = verified(
  'Ato Conjunto RFB/CGIBS 4/2026 (30/07/2026) e 5/2026 (12/08/2026); NT 2025.002-RTC v1.52 (UB12-10 sem data)',
);
const dueOfCarriageBasis = verified(
  'Ato Conjunto RFB/CGIBS 4/2026 (30/07/2026) e 5/2026 (12/08/2026); NT CT-e 2026.002 v1.01 (rejeição sem data)',
);
const dueOfServicesBasis = verified(
  'Ato Conjunto RFB/CGIBS 4/2026 (30/07/2026) e 5/2026 (12/08/2026); comunicado do CGNFS-e de 07/08/2026 (sem rejeição até 31/12/2026)',
);

const groupInSome: Words = [
  'emitente com CRT {regime} e grupo IBS/CBS em {found} de {expected} itens; o primeiro sem ele é o {item}. Devido, sem data publicada para a rejeição',
  'issuer with CRT {regime} and the IBS/CBS group in {found} of {expected} items; the first without it is {item}. Due; no rejection date published',
];

const noGroup: Words = [
  'falta o grupo {expected}. Devido, sem data publicada para a rejeição',
  'the group {expected} is missing. Due; no rejection date published',
];

const askForGroup: Words = [
  'Em nota própria, inclua o grupo nas próximas; em documento recebido, avise o emitente: até 31/12/2026 quem corrige não é autuado (Ato Conjunto RFB/CGIBS 5/2026).',
  'Include the group in your own next documents; for a document received, tell its issuer: whoever corrects it by 31 December 2026 is not fined (Ato Conjunto RFB/CGIBS 5/2026).',
];

/** Rules of this subject. */
export const missingGroupRules: readonly Rule[] = [
  {
    ...about('ibs_cbs_missing', 'warning', kinds.notes, dueBasis, calendar.normalRegime),
    title: ['Regime normal sem grupo IBS/CBS', 'Normal regime without the IBS/CBS group'],
    finding: groupInSome,
    todo: askForGroup,
    check: missingInItems(['3']),
  },
  {
    ...about('ibs_cbs_missing_simples', 'warning', kinds.notes, dueBasis, calendar.simples),
    title: ['Simples ou MEI sem grupo IBS/CBS', 'Simples or MEI without the IBS/CBS group'],
    finding: groupInSome,
    todo: [
      'Avise o emitente; as orientações para o Simples e o MEI ainda serão publicadas em nota técnica.',
      'Tell the issuer; the technical note for the Simples and MEI is still to be published.',
    ],
    check: missingInItems(['1', '2', '4']),
  },
  {
    ...about('ibs_cbs_missing_cte', 'warning', kinds.carriages, dueOfCarriageBasis, calendar.normalRegime),
    title: ['CT-e do regime normal sem grupo IBS/CBS', 'CT-e of the normal regime without the IBS/CBS group'],
    finding: noGroup,
    todo: askForGroup,
    check: missingInCarriage,
  },
  {
    ...about('ibs_cbs_missing_nfse', 'warning', kinds.nfse, dueOfServicesBasis, calendar.services),
    title: ['NFS-e nacional sem grupo IBS/CBS', 'National NFS-e without the IBS/CBS group'],
    finding: noGroup,
    todo: askForGroup,
    check: missingInService(false),
  },
  {
    ...about('ibs_cbs_missing_nfse_simples', 'warning', kinds.nfse, dueOfServicesBasis, calendar.simples),
    title: [
      'NFS-e nacional de prestador do Simples ou MEI sem grupo IBS/CBS',
      'National NFS-e of a provider under the Simples or MEI without the IBS/CBS group',
    ],
    finding: noGroup,
    todo: [
      'Avise o prestador; confira antes se já há orientação publicada para o Simples e o MEI.',
      'Tell the provider; first see whether instructions for the Simples and MEI have been published.',
    ],
    check: missingInService(true),
  },
];
