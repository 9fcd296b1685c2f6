import { type DocumentSummary, kindName } from '../../summary/summary.ts';
import { classificationOf, taxGroupOf } from '../../tables/class-trib.ts';
import { tables } from '../../tables/sources.ts';
import { about, absent, inEach, kinds, type Rule, type Verdict, verified, type Words } from '../rule.ts';
import { calendar } from './calendar.ts';

interface Classified {
  readonly item: string;
  readonly cst: string;
  readonly classification: string;
}

/** Whether the codes of a place (a missing one is empty) are wrong; undefined where the rule isn't about them. */
type Look = (cst: string, classification: string) => boolean | undefined;

/** Wrong classifications in a document, by item, `-` for the whole document; undefined where the rule is about none. */
function wrongIn({ items, taxation, service }: DocumentSummary, isWrong: Look): Classified[] | undefined {
  const wrong: Classified[] = [];
  let isAbout = false;
  const look = (item: string, cst = '', classification = '') => {
    const result = isWrong(cst, classification);
    if (result === undefined) return;
    isAbout = true;
    if (result) wrong.push({ item, cst, classification });
  };
  look(absent, taxation?.ibs_cbs_cst, taxation?.class_trib ?? service?.class_trib);
  for (const { number = absent, taxes } of items) look(number, taxes.ibs_cbs_cst, taxes.class_trib);
  return isAbout ? wrong : undefined;
}

const SIX_DIGITS = /^\d{6}$/;

/** The first of each code: a wrong code is reported once, not per item. */
function oncePer(code: 'cst' | 'classification', all: readonly Classified[] | undefined) {
  const codes = all?.map((one) => one[code]);
  return all?.filter((one, i) => codes?.indexOf(one[code]) === i);
}

/** cClassTrib has six digits. */
function checkForm(document: DocumentSummary): Verdict {
  const wrong = wrongIn(document, (_, code) => (code === '' ? undefined : !SIX_DIGITS.test(code)));
  return wrong?.map(({ item, classification }) => ({
    found: classification,
    expected: '000000',
    values: { item },
  }));
}

/** The first three digits of cClassTrib are the CST. */
function checkCst(document: DocumentSummary): Verdict {
  const wrong = wrongIn(document, (cst, code) =>
    cst === '' || code === '' ? undefined : !code.startsWith(cst),
  );
  return wrong?.map(({ item, cst, classification }) => ({
    found: classification,
    expected: `${cst}...`,
    values: { item, cst },
  }));
}

/** CST that the table doesn't have (UB13-10). */
function checkKnownCst(document: DocumentSummary): Verdict {
  const unknown = wrongIn(document, (cst) => (cst === '' ? undefined : taxGroupOf(cst) === undefined));
  return oncePer('cst', unknown)?.map(({ item, cst }) => ({
    found: cst,
    expected: tables.ibs_cbs_cst.published_on,
    values: { item },
  }));
}

/** Codes that the table doesn't have, or not on the day of issue (UB14-10). */
function checkKnown(document: DocumentSummary): Verdict {
  const day = document.issued_at?.slice(0, 10) ?? '';
  const unknown = wrongIn(document, (_, code) => {
    if (!SIX_DIGITS.test(code)) return undefined;
    const entry = classificationOf(code);
    return entry === undefined || day < entry.from || (entry.to !== undefined && day > entry.to);
  });
  return oncePer('classification', unknown)?.map(({ item, classification }) => ({
    found: classification,
    expected: tables.class_trib.published_on,
    values: { item },
  }));
}

/** Codes that the table has for other documents only (UB14-25). */
function checkDocument(document: DocumentSummary): Verdict {
  const { kind } = document;
  const elsewhere = wrongIn(document, (_, code) => {
    const entry = classificationOf(code);
    return entry === undefined ? undefined : entry.documents.has(kind) === false;
  });
  return oncePer('classification', elsewhere)?.map(({ item, classification }) => ({
    found: classification,
    expected: tables.class_trib.published_on,
    values: { item, document: kindName(kind) },
  }));
}

const RATE_GROUP = 'gIBSCBS';
const SINGLE_PHASE_GROUP = 'gIBSCBSMono';

/** finNFe of credit and debit notes, which adjust amounts that are elsewhere. */
const adjusting = new Set<string | undefined>(['5', '6']);

/** The item's group against its CST's (UB13-20, UB13-30, UB13-39). UB13-40 has no date and is left out. */
function checkGroup({ items, purpose }: DocumentSummary): Verdict {
  if (adjusting.has(purpose)) return undefined;
  const known = items.filter(({ taxes }) => taxGroupOf(taxes.ibs_cbs_cst ?? '') !== undefined);
  return inEach(known, ({ number = absent, taxes }) => {
    const { ibs_cbs_cst: cst = absent, ibs_cbs_base, ibs_mono, cbs_mono } = taxes;
    const group = taxGroupOf(cst);
    const hasRates = ibs_cbs_base !== undefined;
    const hasSinglePhase = ibs_mono !== undefined || cbs_mono !== undefined;
    const values = { item: number, cst };
    if (group === 'rate') {
      if (!hasRates)
        return [{ found: hasSinglePhase ? SINGLE_PHASE_GROUP : absent, expected: RATE_GROUP, values }];
      return hasSinglePhase ? [{ found: SINGLE_PHASE_GROUP, expected: RATE_GROUP, values }] : [];
    }
    const expected = group === 'single_phase' ? SINGLE_PHASE_GROUP : absent;
    if (hasRates) return [{ found: RATE_GROUP, expected, values }];
    return group === 'none' && hasSinglePhase ? [{ found: SINGLE_PHASE_GROUP, expected, values }] : [];
  });
}

const groupsBasis = verified('NT 2025.002-RTC v1.52, regras UB13-10 a UB14-25; IT 2025.002 v1.70');
const classificationBasis = verified(tables.class_trib.source, tables.class_trib.verified_on);

const correctCode: Words = [
  'Confira a classificação na tabela do IT 2025.002 (Portal da NF-e) e corrija o cadastro ou avise o emitente.',
  'Look the classification up in the table of IT 2025.002 (NF-e portal) and correct the product’s master data or tell the issuer.',
];

/** Rules of this subject. */
export const classificationRules: readonly Rule[] = [
  {
    ...about('ibs_cbs_cst_unknown', 'error', kinds.all, groupsBasis),
    title: ['CST do IBS/CBS que não consta da tabela', 'CST of IBS/CBS that is not in the table'],
    finding: [
      'item {item}: CST {found} não consta da tabela de {expected}',
      'item {item}: CST {found} is not in the table of {expected}',
    ],
    todo: correctCode,
    check: checkKnownCst,
  },
  {
    ...about('class_trib_form', 'error', kinds.all, groupsBasis),
    title: ['cClassTrib fora do formato', 'Malformed cClassTrib'],
    finding: [
      'item {item}: cClassTrib {found} não tem seis algarismos',
      'item {item}: cClassTrib {found} does not have six digits',
    ],
    todo: correctCode,
    check: checkForm,
  },
  {
    ...about('class_trib_against_cst', 'error', kinds.all, groupsBasis),
    title: ['cClassTrib × CST do IBS/CBS', 'cClassTrib × CST of IBS/CBS'],
    finding: [
      'item {item}: cClassTrib {found} com CST {cst}; deveria começar como {expected}',
      'item {item}: cClassTrib {found} with CST {cst}; it should begin like {expected}',
    ],
    todo: correctCode,
    check: checkCst,
  },
  {
    ...about('class_trib_unknown', 'warning', kinds.all, classificationBasis, calendar.testYear),
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
    check: checkKnown,
  },
  {
    ...about(
      'class_trib_out_of_document',
      'warning',
      kinds.all,
      classificationBasis,
      calendar.documentsOfTable,
    ),
    title: ['cClassTrib que não cabe neste documento', 'cClassTrib not allowed in this kind of document'],
    finding: [
      'item {item}: cClassTrib {found} não é permitido em {document} pela tabela de {expected}',
      'item {item}: cClassTrib {found} is not allowed in {document} by the table of {expected}',
    ],
    todo: correctCode,
    check: checkDocument,
  },
  {
    ...about('ibs_cbs_group', 'error', kinds.notes, groupsBasis, calendar.testYear),
    title: ['CST do IBS/CBS × grupo de valores', 'CST of IBS/CBS × group of amounts'],
    finding: [
      'item {item}: CST {cst} com {found}; o esperado é {expected}',
      'item {item}: CST {cst} with {found}; {expected} is expected',
    ],
    todo: correctCode,
    check: checkGroup,
  },
];
