import { addDecimals, compareDecimals, distance } from '../decimals.ts';
import { checkDocumentKey, isAvulsa, kindByModel, withoutLeadingZeros } from '../identity/keys.ts';
import { isVoid } from '../summary/summary.ts';
import type { Book, Entry, EntryAmount, KnownDocument } from './book.ts';
import {
  type Certainty,
  type Comparison,
  type DocumentIndex,
  differ,
  type Found,
  isAsked,
  isCarriage,
  leaveOut,
  placeOf,
  type Sides,
  testDocument,
  valueDiffers,
} from './findings.ts';

/** COD_SIT of a cancelled, denied or voided document. */
const voidSituations = new Set<string | undefined>(['02', '03', '04', '05']);
/** Late or void entries: their days may lie outside the period by rule. */
const lateSituations = new Set<string | undefined>(['01', '07', '10', ...voidSituations]);
/** Complementary, special regime, or reduced values: the amounts are not comparable. */
const ownMeaning = new Set<string | undefined>(['06', '07', '08', '09', '10']);
/** Sales already listed by a coupon. */
const couponCfops = new Set(['5929', '6929']);

const kindOfModel: Readonly<Record<string, string>> = { ...kindByModel, nfse: 'nfse' };

/** The document kind of an entry. */
export function kindOfEntry({ model }: Entry): string {
  return kindOfModel[model ?? ''] ?? 'nfe';
}

/** The first fault in a key, or mismatch between a key and its entry. */
function keyFinding({ key, record, series, number, model, issuer, state }: Entry): Found | undefined {
  if (key === undefined) return undefined;
  const mismatch = { finding: 'key_mismatch', certainty: 'certain' } as const;
  const checked = checkDocumentKey(key);
  if (!checked.ok && checked.problem.code === 'key_model')
    return { ...mismatch, field: 'model', ours: key.slice(20, 22), theirs: model };
  if (!checked.ok) return { finding: 'invalid_key', certainty: 'certain', theirs: key };
  const parts = checked.value;
  const inKey = 'series' in parts ? parts : { series: undefined, model: 'nfse' };
  const isSure = checked.warnings.length === 0 && !isAvulsa(inKey.series ?? '0');
  const pairs: readonly (readonly [field: string, ours: string | undefined, theirs: string | undefined])[] = [
    ['number', parts.number, record === 'A100' ? undefined : number],
    ['series', inKey.series, series],
    ['model', inKey.model, model],
    ['issuer', isSure ? parts.issuer.id : undefined, issuer],
    ['state', parts.state, state],
  ];
  const [field, ours, theirs] = pairs.find(([, ours, theirs]) => ours && theirs && ours !== theirs) ?? [];
  return field === undefined ? undefined : { ...mismatch, field, ours, theirs };
}

function dayFinding({ direction, day, moved, situation }: Entry, { from, to }: Book): Found | undefined {
  const isInbound = direction === 'inbound';
  if (isInbound && day !== undefined && moved !== undefined && moved < day) {
    const about = { variant: 'moved_before', field: 'date', ours: day, theirs: moved };
    return { finding: 'value_differs', certainty: 'certain', ...about };
  }
  if (lateSituations.has(situation) || from === undefined || to === undefined) return undefined;
  const [first, ...others] = (isInbound ? [moved ?? day] : [day, moved]).filter((one) => one !== undefined);
  if (first === undefined || [first, ...others].some((one) => one >= from && one <= to)) return undefined;
  const about = { field: 'date', ours: first, theirs: `${from}/${to}` };
  return { finding: 'other_period', certainty: 'certain', ...about };
}

const DAY_MS = 86_400_000;

/** Finds the document of an entry without a key by number and issuer; the amount decides between several. */
function findByNumber(entry: Entry, { numbered }: DocumentIndex): KnownDocument | undefined {
  const { issuer, number, series, model, total, day = '' } = entry;
  if (issuer === undefined || number === undefined) return undefined;
  const fits = numbered(issuer, number).filter((document) => {
    if (model !== undefined && document.kind !== kindOfModel[model]) return false;
    if (model !== 'nfse') {
      const own = document.key.length === 44 ? withoutLeadingZeros(document.key.slice(22, 25)) : series;
      return !series || own === series;
    }
    const apart = Math.abs(Date.parse(day) - Date.parse(document.issued_at.slice(0, 10)));
    const isSame = total !== undefined && [document.total, document.services].includes(total);
    return isSame && apart <= 7 * DAY_MS;
  });
  const same = fits.length > 1 ? fits.filter((document) => document.total === total) : fits;
  return same.length === 1 ? same[0] : undefined;
}

const TAX_TOLERANCE = '0.02';

interface Matched {
  readonly kind: Book['kind'];
  readonly entry: Entry;
  readonly document: KnownDocument;
}

/**
 * Own documents must have the taxes of the note; for contributions, taxes depend on the company's bases. An inbound
 * entry may claim less than the note but not more. A differing base is not reported in addition to the ICMS.
 */
function taxFindings({ kind, entry, document }: Matched, { tolerance_tax = TAX_TOLERANCE }: Sides): Found[] {
  const isOfContributions = kind === 'efd_contribuicoes';
  const ofEntries = isOfContributions ? [] : (['icms', 'icms_base', 'icms_st', 'ipi'] as const);
  const ofOwn = isOfContributions
    ? (['pis', 'cofins'] as const)
    : (['icms_base', 'icms', 'icms_st', 'ipi'] as const);
  const funds: Partial<Record<EntryAmount, string>> = { icms: document.fcp, icms_st: document.fcp_st };
  const findings: Found[] = [];
  for (const field of entry.isOwn ? ofOwn : ofEntries) {
    const [theirs, ours] = [entry[field], document[field]];
    if (theirs === undefined || ours === undefined) continue;
    // A book may include FCP in the ICMS.
    const mayBe = [ours, addDecimals([ours, funds[field]]) ?? ours];
    if (mayBe.some((one) => !differ(one, theirs, tolerance_tax))) continue;
    if (entry.isOwn) {
      if (!isOfContributions) findings.push(valueDiffers(field, ours, theirs, 'certain'));
      else if (compareDecimals(theirs, '0.00') !== 0)
        findings.push(valueDiffers(field, ours, theirs, 'judgement'));
    } else if (field !== 'icms_base' || findings.length === 0) {
      const isAbove = mayBe.every((one) => compareDecimals(theirs, one) > 0);
      findings.push(
        isAbove && (field === 'icms' || field === 'ipi')
          ? { ...valueDiffers(field, ours, theirs, 'probable'), finding: 'credit_above_document' }
          : valueDiffers(field, ours, theirs, 'judgement', 'entry_tax'),
      );
    }
  }
  return findings;
}

function totalFinding({ entry, document }: Matched, { tolerance_total = '0.00' }: Sides): Found | undefined {
  const { total: theirs } = entry;
  const isService = document.kind === 'nfse';
  const totals = [isService ? document.services : undefined, document.total].filter(
    (one) => one !== undefined,
  );
  const [ours] = totals;
  if (theirs === undefined || ours === undefined) return undefined;
  if (totals.some((one) => !differ(one, theirs, tolerance_total))) return undefined;
  return valueDiffers('total', ours, theirs, isService ? 'probable' : 'certain');
}

function sumsOf(pairs: readonly string[]): Map<string, string> {
  const sums = new Map<string, string>();
  for (let at = 0; at < pairs.length; at += 2) {
    const cfop = pairs[at] ?? '';
    sums.set(cfop, addDecimals([sums.get(cfop), pairs[at + 1]]) ?? '0.00');
  }
  return sums;
}

const codesOf = (sums: ReadonlyMap<string, string>) => [...sums.keys()].sort().join(', ');

/** From 2027 on, amounts in a book exclude IBS, CBS and IS; those of the items include them. */
const SUMS_UNTIL = '2027-01-01';

/**
 * Compares the CFOPs of an entry with the document's items. Own documents must have the same codes and sums. For
 * inbound documents only the first digit is certain (5 becomes 1, 6 becomes 2, 7 becomes 3); the rest depends on use.
 */
function cfopFinding(
  { entry, document }: Matched,
  { tolerance_tax = TAX_TOLERANCE }: Sides,
  areTotalsEqual: boolean,
): Found | undefined {
  const { cfops = [], isOwn, model } = entry;
  const ours = sumsOf(document.cfops ?? []);
  const theirs = sumsOf(cfops);
  const rest = ours.get('');
  ours.delete('');
  if (theirs.size === 0 || ours.size === 0) return undefined;
  const found = { finding: 'value_differs', certainty: 'certain', field: 'cfop' } as const;
  const codes = { ours: codesOf(ours), theirs: codesOf(theirs) };
  if (!isOwn) {
    const digits = [...ours.keys()].map((code) => Number(code.charAt(0)));
    const isOut = model === '55' && digits.every((digit) => digit >= 5);
    const isOdd = [...theirs.keys()].some((code) => !digits.includes(Number(code.charAt(0)) + 4));
    return isOut && isOdd ? { ...found, ...codes } : undefined;
  }
  if (codes.ours !== codes.theirs) return { ...found, ...codes };
  const hasRest = rest !== undefined && compareDecimals(rest, '0.00') !== 0;
  if (!areTotalsEqual || hasRest || document.issued_at >= SUMS_UNTIL) return undefined;
  for (const [code, amount] of theirs) {
    const own = ours.get(code) ?? '0.00';
    if (!differ(own, amount, tolerance_tax)) continue;
    const difference = distance(own, amount);
    return { ...found, ours: `${code} ${own}`, theirs: `${code} ${amount}`, difference, amount: difference };
  }
  return undefined;
}

function isParty(holder: string, document: KnownDocument): boolean {
  const { issuer, recipient, payer } = document;
  if (issuer === holder || recipient === holder || payer === holder) return true;
  // The document may identify the carriage's service recipient differently.
  return isCarriage(document) ? payer === '' : recipient === '' && issuer === '';
}

/**
 * Compares the status of entry and document; undefined if both are in effect, so that their values must be compared.
 */
function statusFinding({ kind, entry, document }: Matched): Found | 'settled' | undefined {
  const { situation, isOwn } = entry;
  const isListedVoid = voidSituations.has(situation);
  const said = { ours: document.status, theirs: situation || undefined, amount: document.total };
  if (isVoid(document.status)) {
    const certainty = kind === 'list' && situation === undefined ? 'probable' : 'certain';
    return isListedVoid ? 'settled' : { finding: 'cancelled_but_listed', certainty, ...said };
  }
  if (!isListedVoid) return undefined;
  if (document.status !== 'authorized') return 'settled';
  return { finding: 'listed_as_cancelled', certainty: isOwn ? 'certain' : 'probable', ...said };
}

function comparesKeysOnly({ entry, document }: Matched): boolean {
  const { key, kind, purpose } = document;
  return (
    kind === 'nfce' ||
    ownMeaning.has(entry.situation) ||
    purpose === '2' ||
    (key.length === 44 && isAvulsa(key.slice(22, 25))) ||
    (entry.cfops ?? []).some((cfop) => couponCfops.has(cfop))
  );
}

/** Differences between an entry and its document; one finding per cause. */
function matchFindings(matched: Matched, sides: Sides, result: Comparison): Found[] {
  const { kind, entry, document } = matched;
  if (document.isTest) return [testDocument];
  const status = statusFinding(matched);
  if (status !== undefined) return status === 'settled' ? [] : [status];
  if (!isParty(entry.holder, document)) {
    const ours = [document.issuer, document.payer || document.recipient].filter((one) => one !== '');
    const said = { ours: ours.join(', '), theirs: entry.holder };
    return [{ finding: 'not_a_party', certainty: 'certain', field: 'issuer', ...said }];
  }
  const findings: (Found | undefined)[] = [];
  const [ours, theirs] = [document.issued_at.slice(0, 10), entry.day];
  if (document.kind !== 'nfse' && theirs !== undefined && ours !== '' && theirs !== ours)
    findings.push({ finding: 'value_differs', certainty: 'certain', field: 'date', ours, theirs });
  if (comparesKeysOnly(matched)) leaveOut(result, 'keys_only');
  else {
    const total = totalFinding(matched, sides);
    findings.push(total, ...taxFindings(matched, sides));
    if (kind === 'efd_icms_ipi') findings.push(cfopFinding(matched, sides, total === undefined));
  }
  return findings.filter((one) => one !== undefined);
}

const areaOfModel = new Map(Object.entries({ 55: 'nfe', 57: 'cte', 67: 'cte' } as const));

/** Finding for an entry without a known document: certain only if all documents of its day are known. */
function unknownFinding({ model, key, day, holder, total }: Entry, { isComplete }: Sides): Found {
  const area = areaOfModel.get(model ?? '');
  const isSure =
    key !== undefined && area !== undefined && day !== undefined && isComplete(holder, area, day);
  const certainty: Certainty = isSure ? 'certain' : 'probable';
  return { finding: 'missing_in_documents', certainty, theirs: total, amount: total };
}

/** Matched documents by file kind and holder. */
export type Met = ReadonlyMap<string, ReadonlySet<KnownDocument>>;

/** Key of a group: all files of one kind and holder. */
export function groupOf(kind: Book['kind'], holder: string): string {
  return `${kind}|${holder}|`;
}

/** Compares entries of SPED files and tables with the documents. Returns the matched documents. */
export function compareBooks(sides: Sides, index: DocumentIndex, result: Comparison): Met {
  const met = new Map<string, Set<KnownDocument>>();
  const listed = new Map<string, Set<string>>();
  /** True if an earlier entry, of this file or another month's, lists the same document. Records the entry. */
  const isListedAlready = (group: string, entry: Entry) => {
    const { key, issuer, model, series, number, direction } = entry;
    if (key === undefined && (issuer === undefined || number === undefined)) return false;
    const names = listed.get(`${group}${direction}`) ?? new Set();
    listed.set(`${group}${direction}`, names);
    return names.size === names.add(key ?? `${issuer}|${model}|${series}|${number}`).size;
  };
  for (const { file, book } of sides.books) {
    const { kind } = book;
    if (kind === 'cbs_assessment') continue;
    for (const entry of book.entries) {
      const { key, direction, day, moved } = entry;
      const ofKey = keyFinding(entry);
      const isInvalid = ofKey?.finding === 'invalid_key';
      const known = index.byKey.get(key);
      const document = known ?? (key === undefined || isInvalid ? findByNumber(entry, index) : undefined);
      const group = groupOf(kind, entry.holder);
      if (document !== undefined) met.set(group, (met.get(group) ?? new Set()).add(document));
      // An entry counts in the month it was booked in.
      if (!isAsked(sides, direction === 'inbound' ? (moved ?? day) : (day ?? moved))) {
        leaveOut(result, 'outside_period');
        continue;
      }
      result.entries++;
      if (known !== undefined) result.byKey++;
      else if (document !== undefined) result.byNumber++;
      const ofDay = kind === 'list' ? undefined : dayFinding(entry, book);
      const findings = [ofKey, ofDay].filter((one) => one !== undefined);
      const isListedVoid = voidSituations.has(entry.situation);
      if (!isListedVoid && isListedAlready(group, entry)) {
        const amounts = { theirs: entry.total, amount: document?.total ?? entry.total };
        findings.push({ finding: 'duplicated_in_file', certainty: 'certain', ...amounts });
      } else if (document !== undefined) {
        // A match by number alone is less certain.
        const isLoose = known === undefined && (document.kind === 'nfse' || !entry.series);
        for (const found of matchFindings({ kind, entry, document }, sides, result))
          findings.push(
            isLoose && found.certainty === 'certain' ? { ...found, certainty: 'probable' } : found,
          );
      } else if (isListedVoid) leaveOut(result, 'cancelled_without_document');
      else if (!isInvalid) findings.push(unknownFinding(entry, sides));
      for (const found of findings) result.findings.add({ ...found, ...placeOf(file, entry, document) });
      if (document !== undefined && findings.length === 0) result.agree++;
    }
  }
  return met;
}
