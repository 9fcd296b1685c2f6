import { type DocumentSummary, kindName } from '../summary/summary.ts';
import { classificationOf, taxGroupOf } from '../tables/class-trib.ts';
import { tables } from '../tables/sources.ts';
import {
  absent,
  type Check,
  type Deviation,
  inEach,
  kinds,
  rule,
  singlePhaseCodes,
  type Verdict,
  verified,
  type Words,
} from './rule.ts';

/**
 * First day on which the group is due, by kind of issuer, not its regime. A missing registration means nothing before
 * it was allowed.
 */
function dueFrom({ issuer, issued_at = '' }: DocumentSummary): string {
  // Decreto 13.075/2026 and Resolução CGIBS 13/2026.
  if (issuer?.id_type === 'cpf') return '2027-01-01';
  const registration = issuer?.state_registration?.toUpperCase();
  // NT 2026.007 v1.10, with the notice of the national portal of 2026-10-05.
  const isUnregistered = registration === undefined && issued_at >= '2026-11-16';
  // Ato Conjunto RFB/CGIBS 4/2026, § 4.
  return registration === 'ISENTO' || isUnregistered ? '2026-12-01' : '';
}

/** Checks ordinary notes (finNFe 1) of these regimes (CRT); returns and complements have their own rules. */
function missingInItems(...regimes: readonly string[]): Check {
  return (document) => {
    const { issuer, purpose = '1', items, issued_at = '' } = document;
    const { tax_regime: regime = '' } = issuer ?? {};
    if (!regimes.includes(regime) || purpose !== '1' || issued_at < dueFrom(document)) return undefined;
    // Single-phase fuels, by ANP code or ICMS code, need no group (UB12-10, exception 2).
    const asked = items.filter(({ fuel, cst }) => fuel === undefined && !singlePhaseCodes.has(cst));
    if (asked.length === 0) return undefined;
    const lacking = asked.filter(({ taxes }) => (taxes.ibs_cbs_cst ?? taxes.class_trib) === undefined);
    if (lacking.length === 0) return [];
    const values = { item: lacking[0]?.number ?? absent, regime };
    return [{ found: String(asked.length - lacking.length), expected: String(asked.length), values }];
  };
}

function missingIn({ taxation, totals }: DocumentSummary): Verdict {
  const group = taxation?.class_trib ?? taxation?.ibs_cbs_cst ?? totals.ibs_cbs_base;
  return group === undefined ? [{ found: absent, expected: 'IBSCBS' }] : [];
}

/** Services with later start dates: 1.03, 1.05, 1.09, 16.01, 10 and 99. Source: Ato Conjunto RFB/CGIBS 4/2026. */
const LATER_SERVICES = /^(0103|0105|0109|1601|10|99)/;
const SERVICES_FROM = '2026-10-01';

/**
 * A national NFS-e without the group, of providers under the Simples (opSimpNac, including MEI) or of others. A city
 * with its own layout forwards the note in the national one, so a municipal note without the group proves nothing.
 * Source: LC 214/2025, article 62; docs/fiscal/reform.md.
 */
function missingInService(isUnderSimples: boolean): Check {
  return (document) => {
    const { layout, issuer, service, issued_at = '' } = document;
    const day = LATER_SERVICES.test(service?.national_code ?? '') ? '2026-12-01' : SERVICES_FROM;
    const isAsked =
      layout.startsWith('nfse national') &&
      (issuer?.is_under_simples ?? false) === isUnderSimples &&
      (issuer?.id_type ?? 'cnpj') === 'cnpj';
    return isAsked && issued_at >= day ? missingIn(document) : undefined;
  };
}

interface Classified {
  readonly item: string;
  readonly cst: string;
  readonly classification: string;
}

/**
 * Checks classifications by item, `-` for the whole document; undefined if the rule applies to none.
 * @param isWrong tests the codes of an item or document, empty if missing; undefined if the rule does not apply
 * @param once reports only the first occurrence of each such code
 */
function classified(
  isWrong: (cst: string, classification: string, document: DocumentSummary) => boolean | undefined,
  deviation: (one: Classified, document: DocumentSummary) => Deviation,
  once?: 'cst' | 'classification',
): Check {
  return (document) => {
    const { items, taxation, service } = document;
    const wrong: Classified[] = [];
    let isAbout = false;
    const look = (item: string, cst = '', classification = '') => {
      const result = isWrong(cst, classification, document);
      isAbout ||= result !== undefined;
      const one = { item, cst, classification };
      if (result === true && !(once && wrong.some((other) => other[once] === one[once]))) wrong.push(one);
    };
    look(absent, taxation?.ibs_cbs_cst, taxation?.class_trib ?? service?.class_trib);
    for (const { number = absent, taxes } of items) look(number, taxes.ibs_cbs_cst, taxes.class_trib);
    return isAbout ? wrong.map((one) => deviation(one, document)) : undefined;
  };
}

const PUBLISHED_ON = tables.class_trib.published_on;
const SIX_DIGITS = /^\d{6}$/;
/** Group names in the schema. */
const groupNames = { rate: 'gIBSCBS', single_phase: 'gIBSCBSMono', none: absent } as const;

const dueBasis = verified(
  'Ato Conjunto RFB/CGIBS 4/2026 (30/07/2026) e 5/2026 (12/08/2026); NT 2025.002-RTC v1.52 (UB12-10 sem data)',
);
const dueOfCarriageBasis = verified(
  'Ato Conjunto RFB/CGIBS 4/2026 (30/07/2026) e 5/2026 (12/08/2026); NT CT-e 2026.002 v1.01 (rejeição sem data)',
);
const dueOfServicesBasis = verified(
  'Ato Conjunto RFB/CGIBS 4/2026 (30/07/2026) e 5/2026 (12/08/2026); comunicado do CGNFS-e de 07/08/2026 (sem rejeição até 31/12/2026)',
);
const groupsBasis = verified('NT 2025.002-RTC v1.52, regras UB13-10 a UB14-25; IT 2025.002 v1.70');
const classificationBasis = verified(tables.class_trib.source, tables.class_trib.verified_on);

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

const correctCode: Words = [
  'Confira a classificação na tabela do IT 2025.002 (Portal da NF-e) e corrija o cadastro ou avise o emitente.',
  'Look the classification up in the table of IT 2025.002 (NF-e portal) and correct the product’s master data or tell the issuer.',
];

export const missingGroupRules = [
  rule('ibs_cbs_missing', 'warning', kinds.notes, dueBasis, {
    valid: { from: '2026-08-03' },
    title: ['Regime normal sem grupo IBS/CBS', 'Normal regime without the IBS/CBS group'],
    finding: groupInSome,
    todo: askForGroup,
    check: missingInItems('3'),
  }),
  rule('ibs_cbs_missing_simples', 'warning', kinds.notes, dueBasis, {
    valid: { from: '2027-01-01' },
    title: ['Simples ou MEI sem grupo IBS/CBS', 'Simples or MEI without the IBS/CBS group'],
    finding: groupInSome,
    todo: [
      'Avise o emitente; as orientações para o Simples e o MEI ainda serão publicadas em nota técnica.',
      'Tell the issuer; the technical note for the Simples and MEI is still to be published.',
    ],
    check: missingInItems('1', '2', '4'),
  }),
  rule('ibs_cbs_missing_cte', 'warning', kinds.carriages, dueOfCarriageBasis, {
    valid: { from: '2026-08-03' },
    title: ['CT-e do regime normal sem grupo IBS/CBS', 'CT-e of the normal regime without the IBS/CBS group'],
    finding: noGroup,
    todo: askForGroup,
    check(document) {
      const { issuer, purpose = '0' } = document;
      const isAsked = issuer?.tax_regime === '3' && issuer.id_type !== 'cpf' && purpose === '0';
      return isAsked ? missingIn(document) : undefined;
    },
  }),
  rule('ibs_cbs_missing_nfse', 'warning', kinds.nfse, dueOfServicesBasis, {
    valid: { from: SERVICES_FROM },
    title: ['NFS-e nacional sem grupo IBS/CBS', 'National NFS-e without the IBS/CBS group'],
    finding: noGroup,
    todo: askForGroup,
    check: missingInService(false),
  }),
  rule('ibs_cbs_missing_nfse_simples', 'warning', kinds.nfse, dueOfServicesBasis, {
    valid: { from: '2027-01-01' },
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
  }),
];

export const classificationRules = [
  rule('ibs_cbs_cst_unknown', 'error', kinds.all, groupsBasis, {
    title: ['CST do IBS/CBS que não consta da tabela', 'CST of IBS/CBS that is not in the table'],
    finding: [
      'item {item}: CST {found} não consta da tabela de {expected}',
      'item {item}: CST {found} is not in the table of {expected}',
    ],
    todo: correctCode,
    /** Rule UB13-10. */
    check: classified(
      (cst) => (cst === '' ? undefined : taxGroupOf(cst) === undefined),
      ({ item, cst }) => ({ found: cst, expected: tables.ibs_cbs_cst.published_on, values: { item } }),
      'cst',
    ),
  }),
  rule('class_trib_form', 'error', kinds.all, groupsBasis, {
    title: ['cClassTrib fora do formato', 'Malformed cClassTrib'],
    finding: [
      'item {item}: cClassTrib {found} não tem seis algarismos',
      'item {item}: cClassTrib {found} does not have six digits',
    ],
    todo: correctCode,
    check: classified(
      (_, code) => (code === '' ? undefined : !SIX_DIGITS.test(code)),
      ({ item, classification: found }) => ({ found, expected: '000000', values: { item } }),
    ),
  }),
  rule('class_trib_against_cst', 'error', kinds.all, groupsBasis, {
    title: ['cClassTrib × CST do IBS/CBS', 'cClassTrib × CST of IBS/CBS'],
    finding: [
      'item {item}: cClassTrib {found} com CST {cst}; deveria começar como {expected}',
      'item {item}: cClassTrib {found} with CST {cst}; it should begin like {expected}',
    ],
    todo: correctCode,
    check: classified(
      (cst, code) => (cst === '' || code === '' ? undefined : !code.startsWith(cst)),
      ({ item, cst, classification: found }) => ({ found, expected: `${cst}...`, values: { item, cst } }),
    ),
  }),
  rule('class_trib_unknown', 'warning', kinds.all, classificationBasis, {
    valid: { from: '2026-01-01' },
    title: [
      'cClassTrib fora da tabela oficial na data de emissão',
      'cClassTrib that is not in the official table on the day of issue',
    ],
    finding: [
      'item {item}: cClassTrib {found} não vale na data de emissão pela tabela de {expected}',
      'item {item}: cClassTrib {found} is not in force on the day of issue in the table of {expected}',
    ],
    todo: [
      'Confira na tabela vigente do Portal da NF-e: o código pode ser mais novo que a tabela do programa.',
      'Look it up in the table in force on the NF-e portal: the code may be newer than the program’s table.',
    ],
    check: classified(
      (_, code, { issued_at = '' }) => {
        const day = issued_at.slice(0, 10);
        const { from = '9999', to = day } = classificationOf(code) ?? {};
        return SIX_DIGITS.test(code) ? day < from || day > to : undefined;
      },
      ({ item, classification: found }) => ({ found, expected: PUBLISHED_ON, values: { item } }),
      'classification',
    ),
  }),
  rule('class_trib_out_of_document', 'warning', kinds.all, classificationBasis, {
    // Date of the table: which documents earlier tables allowed is not known.
    valid: { from: '2026-10-08' },
    title: ['cClassTrib que não cabe neste documento', 'cClassTrib not allowed in this kind of document'],
    finding: [
      'item {item}: cClassTrib {found} não é permitido em {document} pela tabela de {expected}',
      'item {item}: cClassTrib {found} is not allowed in {document} by the table of {expected}',
    ],
    todo: correctCode,
    /** Codes that the table allows only in other documents (UB14-25). */
    check: classified(
      (_, code, { kind }) => classificationOf(code) && !classificationOf(code)?.documents.has(kind),
      ({ item, classification: found }, { kind }) => {
        return { found, expected: PUBLISHED_ON, values: { item, document: kindName(kind) } };
      },
      'classification',
    ),
  }),
  rule('ibs_cbs_group', 'error', kinds.notes, groupsBasis, {
    valid: { from: '2026-01-01' },
    title: ['CST do IBS/CBS × grupo de valores', 'CST of IBS/CBS × group of amounts'],
    finding: [
      'item {item}: CST {cst} com {found}; o esperado é {expected}',
      'item {item}: CST {cst} with {found}; {expected} is expected',
    ],
    todo: correctCode,
    /**
     * Compares the item's group with that of its CST (UB13-20, UB13-30, UB13-39); UB13-40 has no date and is omitted.
     * Credit and debit notes (finNFe 5, 6) adjust amounts of other documents.
     */
    check({ items, purpose }) {
      if (purpose === '5' || purpose === '6') return undefined;
      const known = items.filter(({ taxes }) => taxGroupOf(taxes.ibs_cbs_cst ?? '') !== undefined);
      return inEach(known, ({ number = absent, taxes }) => {
        const { ibs_cbs_cst: cst = absent, ibs_cbs_base, ibs_mono, cbs_mono } = taxes;
        const expected = groupNames[taxGroupOf(cst) ?? 'none'];
        const present: readonly string[] = [
          ...(ibs_cbs_base === undefined ? [] : [groupNames.rate]),
          ...((ibs_mono ?? cbs_mono) === undefined ? [] : [groupNames.single_phase]),
        ];
        const isLacking = expected === groupNames.rate && present.length === 0;
        const found = isLacking ? absent : present.find((name) => name !== expected);
        return found === undefined ? [] : [{ found, expected, values: { item: number, cst } }];
      });
    },
  }),
];
