import type { DocumentKind, DocumentSummary } from '../../summary/summary.ts';
import { classificationOf, taxGroupOf } from '../../tables/class-trib.ts';
import { tables } from '../../tables/sources.ts';
import { absent, type Deviation } from '../rule.ts';

interface Classified {
  readonly item: string;
  readonly cst?: string;
  readonly classification?: string;
}

/** Every classification in a document, with the item it stands in; `-` for one of the whole document. */
function classified({ items, taxation, service }: DocumentSummary): Classified[] {
  const classification = taxation?.class_trib ?? service?.class_trib;
  const cst = taxation?.ibs_cbs_cst;
  const whole =
    classification === undefined && cst === undefined ? [] : [{ item: absent, cst, classification }];
  return [
    ...whole,
    ...items.flatMap(({ number = absent, taxes }) =>
      taxes.class_trib === undefined && taxes.ibs_cbs_cst === undefined
        ? []
        : [{ item: number, cst: taxes.ibs_cbs_cst, classification: taxes.class_trib }],
    ),
  ];
}

type Coded = Classified & { readonly classification: string };

function coded(document: DocumentSummary): Coded[] {
  return classified(document).filter((one): one is Coded => one.classification !== undefined);
}

const SIX_DIGITS = /^\d{6}$/;

function wellFormed(document: DocumentSummary): Coded[] {
  return coded(document).filter(({ classification }) => SIX_DIGITS.test(classification));
}

/** The first item of each code: a wrong code is told once, not for every item that has it. */
function oncePerCode(all: readonly Coded[]): Coded[] {
  const codes = all.map(({ classification }) => classification);
  return all.filter(({ classification }, i) => codes.indexOf(classification) === i);
}

/** cClassTrib has six digits. */
export function checkForm(document: DocumentSummary): Deviation[] {
  return coded(document)
    .filter(({ classification }) => !SIX_DIGITS.test(classification))
    .map(({ item, classification }) => ({ found: classification, expected: '000000', values: { item } }));
}

/** The first three digits of cClassTrib are the CST. */
export function checkCst(document: DocumentSummary): Deviation[] {
  return coded(document).flatMap(({ item, cst, classification }) =>
    cst === undefined || classification.startsWith(cst)
      ? []
      : [{ found: classification, expected: `${cst}...`, values: { item, cst } }],
  );
}

/** CST that the table doesn't have (UB13-10). */
export function checkKnownCst(document: DocumentSummary): Deviation[] {
  const expected = tables.ibs_cbs_cst.published_on;
  const unknown = classified(document).filter(
    ({ cst }) => cst !== undefined && taxGroupOf(cst) === undefined,
  );
  const codes = unknown.map(({ cst }) => cst);
  return unknown
    .filter(({ cst }, i) => codes.indexOf(cst) === i)
    .map(({ item, cst = absent }) => ({ found: cst, expected, values: { item } }));
}

/** Codes that the table doesn't have, or not on the day of issue (UB14-10). */
export function checkKnown(document: DocumentSummary): Deviation[] {
  const day = document.issued_at?.slice(0, 10) ?? '';
  const isInForce = ({ classification }: Coded) => {
    const entry = classificationOf(classification);
    return entry !== undefined && entry.from <= day && (entry.to === undefined || day <= entry.to);
  };
  return oncePerCode(wellFormed(document).filter((one) => !isInForce(one))).map(
    ({ item, classification }) => ({
      found: classification,
      expected: tables.class_trib.published_on,
      values: { item },
    }),
  );
}

const documentNames: Readonly<Partial<Record<DocumentKind, string>>> = {
  nfe: 'NF-e',
  nfce: 'NFC-e',
  cte: 'CT-e',
  cteos: 'CT-e OS',
  nfse: 'NFS-e',
};

/** Codes that the table has for other documents only (UB14-25). */
export function checkDocument(document: DocumentSummary): Deviation[] {
  const { kind } = document;
  const isElsewhere = ({ classification }: Coded) =>
    classificationOf(classification)?.documents.has(kind) === false;
  return oncePerCode(wellFormed(document).filter(isElsewhere)).map(({ item, classification }) => ({
    found: classification,
    expected: tables.class_trib.published_on,
    values: { item, document: documentNames[kind] ?? kind },
  }));
}

const RATE_GROUP = 'gIBSCBS';
const SINGLE_PHASE_GROUP = 'gIBSCBSMono';

/** finNFe of credit and debit notes, which adjust amounts that are elsewhere. */
const adjusting = new Set<string | undefined>(['5', '6']);

/**
 * The group of amounts an item has against the one its CST asks for (UB13-20, UB13-30, UB13-39). That the single-phase
 * group is missing is not told of: its rule (UB13-40) has no date.
 */
export function checkGroup({ items, purpose }: DocumentSummary): Deviation[] {
  if (adjusting.has(purpose)) return [];
  return items.flatMap(({ number = absent, taxes }) => {
    const { ibs_cbs_cst: cst, ibs_cbs_base, ibs_mono, cbs_mono } = taxes;
    const group = cst === undefined ? undefined : taxGroupOf(cst);
    if (cst === undefined || group === undefined) return [];
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
