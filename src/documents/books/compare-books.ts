import { addDecimals, compareDecimals } from '../decimals.ts';
import { checkDocumentKey } from '../identity/keys.ts';
import type { BookKind, Entry, EntryAmount, KnownDocument } from './book.ts';
import { compareCfops } from './compare-cfops.ts';
import { type Comparison, leaveOut } from './comparison.ts';
import {
  aboutEntry,
  type Certainty,
  type DocumentIndex,
  differ,
  differenceOf,
  distance,
  type Found,
  isVoid,
  type Sides,
} from './findings.ts';

/** COD_SIT of a cancelled, denied or voided document. */
const voidSituations = ['02', '03', '04', '05'];
/** Late entries: their days lie outside of the period by rule. */
const lateSituations = ['01', '03', '07', '10'];
/** Complementary, under a special regime, or with reduced values: their amounts have a meaning of their own. */
const ownMeaning = ['06', '07', '08', '09', '10'];
/** Sales that a coupon has listed already. */
const couponCfops = ['5929', '6929'];

const kindOfModel: Readonly<Record<string, string>> = {
  '55': 'nfe',
  '65': 'nfce',
  '57': 'cte',
  '67': 'cteos',
  nfse: 'nfse',
};

/** The kind of document that an entry is of. */
export function kindOfEntry({ model }: Entry): string {
  return kindOfModel[model ?? ''] ?? 'nfe';
}

/** The day by which an entry belongs to a period. */
function dayOfEntry({ direction, day, moved }: Entry): string | undefined {
  return direction === 'inbound' ? (moved ?? day) : (day ?? moved);
}

/** Whether a day is in the part of a period that the call asks for; what has no day is. */
export function isAsked({ from, to }: Pick<Sides, 'from' | 'to'>, day: string | undefined): boolean {
  return day === undefined || ((from === undefined || day >= from) && (to === undefined || day <= to));
}

/** What is wrong with a key by itself or beside its entry: the first that is met. */
function keyFinding(entry: Entry): Found | undefined {
  const { key, record, series, number, model, issuer, state } = entry;
  if (key === undefined) return undefined;
  const checked = checkDocumentKey(key);
  if (!checked.ok) {
    const isModel = checked.problem.code === 'key_model';
    return isModel
      ? {
          finding: 'key_mismatch',
          certainty: 'certain',
          field: 'model',
          ours: key.slice(20, 22),
          theirs: model,
        }
      : { finding: 'invalid_key', certainty: 'certain', theirs: key };
  }
  const parts = checked.value;
  const isAvulsa = 'series' in parts && Number(parts.series) >= 890 && Number(parts.series) <= 899;
  const pairs: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['number', parts.number, record === 'A100' ? undefined : number],
    ['series', 'series' in parts ? parts.series : undefined, series],
    ['model', 'model' in parts ? parts.model : 'nfse', model],
    ['issuer', isAvulsa || checked.warnings.length > 0 ? undefined : parts.issuer.id, issuer],
    ['state', parts.state, state],
  ];
  const odd = pairs.find(
    ([, ours, theirs]) => ours !== undefined && (theirs ?? '') !== '' && ours !== theirs,
  );
  if (odd === undefined) return undefined;
  const [field, ours, theirs] = odd;
  return { finding: 'key_mismatch', certainty: 'certain', field, ours, theirs };
}

/** What is wrong with the days of an entry, for which no document is needed. */
function dayFinding(entry: Entry, from: string | undefined, to: string | undefined): Found | undefined {
  const { direction, day, moved, situation = '' } = entry;
  if (direction === 'inbound' && day !== undefined && moved !== undefined && moved < day) {
    const days = { ours: day, theirs: moved };
    return {
      finding: 'value_differs',
      certainty: 'certain',
      variant: 'moved_before',
      field: 'date',
      ...days,
    };
  }
  if (lateSituations.includes(situation) || voidSituations.includes(situation)) return undefined;
  const days = direction === 'inbound' ? [moved ?? day] : [day, moved];
  const known = days.filter((one) => one !== undefined);
  if (known.length === 0 || from === undefined || to === undefined) return undefined;
  if (known.some((one) => one >= from && one <= to)) return undefined;
  return {
    finding: 'other_period',
    certainty: 'certain',
    field: 'date',
    ours: known[0],
    theirs: `${from}/${to}`,
  };
}

/** The document of an entry that has no key: by number and issuer, the amount decides between several. */
function findByNumber(entry: Entry, { numbered }: DocumentIndex): KnownDocument | undefined {
  const { issuer, number, series, model, total, day } = entry;
  if (issuer === undefined || number === undefined) return undefined;
  const isService = model === 'nfse';
  const fits = numbered(issuer, number).filter((document) => {
    if (model !== undefined && document.kind !== kindOfModel[model]) return false;
    if (isService) {
      const near =
        day !== undefined && Math.abs(Date.parse(day) - Date.parse(document.issued_at.slice(0, 10)));
      const same = [document.total, document.services].some((one) => one !== undefined && one === total);
      return same && near !== false && near <= 7 * 86_400_000;
    }
    const own = document.key.length === 44 ? document.key.slice(22, 25).replace(/^0+(?=.)/, '') : undefined;
    return series === undefined || series === '' || own === undefined || own === series;
  });
  const same = fits.length > 1 ? fits.filter((document) => document.total === total) : fits;
  return same.length === 1 ? same[0] : undefined;
}

const ownTaxes = ['icms_base', 'icms', 'icms_st', 'ipi'] as const;

/** An amount of the document and what it may be in a book, where FCP is a part of the ICMS. */
function readings(document: KnownDocument, field: EntryAmount): readonly string[] {
  const amount = document[field];
  if (amount === undefined) return [];
  const fund = field === 'icms' ? document.fcp : field === 'icms_st' ? document.fcp_st : undefined;
  return fund === undefined ? [amount] : [amount, addDecimals([amount, fund]) ?? amount];
}

interface Matched {
  readonly kind: BookKind;
  readonly entry: Entry;
  readonly document: KnownDocument;
}

/** Taxes of what the company issued: they are what the note says. Those of contributions depend on its bases. */
function ownTaxFindings({ kind, entry, document }: Matched, sides: Sides): Found[] {
  const fields = kind === 'efd_contribuicoes' ? (['pis', 'cofins'] as const) : ownTaxes;
  const certainty: Certainty = kind === 'efd_contribuicoes' ? 'judgement' : 'certain';
  return fields.flatMap((field) => {
    const theirs = entry[field];
    const [ours, ...others] = readings(document, field);
    if (theirs === undefined || ours === undefined) return [];
    if (certainty === 'judgement' && compareDecimals(theirs, '0.00') === 0) return [];
    if ([ours, ...others].some((one) => !differ(one, theirs, sides.toleranceTax))) return [];
    return [valueFinding(field, ours, theirs, certainty)];
  });
}

function valueFinding(
  field: string,
  ours: string,
  theirs: string,
  certainty: Certainty,
  variant?: string,
): Found {
  const difference = differenceOf(ours, theirs);
  return {
    finding: 'value_differs',
    certainty,
    variant,
    field,
    ours,
    theirs,
    difference,
    amount: distance(ours, theirs),
  };
}

/** Taxes of what came in: less than the note is a choice, more is not. The base is no second finding beside the ICMS. */
function entryTaxFindings({ kind, entry, document }: Matched, sides: Sides): Found[] {
  if (kind === 'efd_contribuicoes') return [];
  const findings: Found[] = [];
  for (const field of ['icms', 'icms_base', 'icms_st', 'ipi'] as const) {
    const theirs = entry[field];
    const [ours, ...others] = readings(document, field);
    if (theirs === undefined || ours === undefined) continue;
    if ([ours, ...others].some((one) => !differ(one, theirs, sides.toleranceTax))) continue;
    if (field === 'icms_base' && findings.length > 0) continue;
    const isCredit = field === 'icms' || field === 'ipi';
    const isAbove = [ours, ...others].every((one) => compareDecimals(theirs, one) > 0);
    const found = valueFinding(field, ours, theirs, 'judgement', 'entry_tax');
    findings.push(
      isCredit && isAbove
        ? { ...found, finding: 'credit_above_document', certainty: 'probable', variant: undefined }
        : found,
    );
  }
  return findings;
}

function totalFinding({ entry, document }: Matched, { toleranceTotal }: Sides): Found | undefined {
  const { total: theirs } = entry;
  const isService = document.kind === 'nfse';
  const ours = isService ? (document.services ?? document.total) : document.total;
  if (theirs === undefined || ours === undefined) return undefined;
  if (!differ(ours, theirs, toleranceTotal)) return undefined;
  if (isService && document.total !== undefined && !differ(document.total, theirs, toleranceTotal))
    return undefined;
  return valueFinding('total', ours, theirs, isService ? 'probable' : 'certain');
}

function isParty(holder: string, { kind, issuer, recipient, payer }: KnownDocument): boolean {
  if (issuer === holder || recipient === holder || payer === holder) return true;
  // Who takes the carriage may be one that the document names otherwise.
  return kind === 'cte' || kind === 'cteos' ? payer === '' : recipient === '' && issuer === '';
}

/** Whether the entry and its document agree on being in effect; undefined where both are and their values count. */
function statusFinding({ kind, entry, document }: Matched): Found | 'settled' | undefined {
  const isListedVoid = voidSituations.includes(entry.situation ?? '');
  const said = { ours: document.status, theirs: entry.situation || undefined, amount: document.total };
  if (isVoid(document)) {
    if (isListedVoid) return 'settled';
    const isSaid = kind !== 'list' || entry.situation !== undefined;
    return { finding: 'cancelled_but_listed', certainty: isSaid ? 'certain' : 'probable', ...said };
  }
  if (!isListedVoid) return undefined;
  if (document.status !== 'authorized') return 'settled';
  return { finding: 'listed_as_cancelled', certainty: entry.isOwn ? 'certain' : 'probable', ...said };
}

const isCouponSale = ({ cfops = [] }: Entry) => cfops.some((cfop) => couponCfops.includes(cfop));

function comparesKeysOnly({ entry, document }: Matched): boolean {
  const series = Number(document.key.slice(22, 25));
  return (
    document.kind === 'nfce' ||
    ownMeaning.includes(entry.situation ?? '') ||
    document.purpose === '2' ||
    (document.key.length === 44 && series >= 890 && series <= 899) ||
    isCouponSale(entry)
  );
}

/** What an entry and its document don't agree on; one cause is one finding. */
function matchFindings(matched: Matched, sides: Sides, result: Comparison): Found[] {
  const { kind, entry, document } = matched;
  if (document.isTest) return [{ finding: 'test_document', certainty: 'certain', ours: 'tpAmb 2' }];
  const status = statusFinding(matched);
  if (status === 'settled') return [];
  if (status !== undefined) return [status];
  if (!isParty(entry.holder, document)) {
    const parties = [document.issuer, document.payer || document.recipient].filter((one) => one !== '');
    const said = { ours: parties.join(', '), theirs: entry.holder };
    return [{ finding: 'not_a_party', certainty: 'certain', field: 'issuer', ...said }];
  }
  const findings: Found[] = [];
  const issued = document.issued_at.slice(0, 10);
  const isService = document.kind === 'nfse';
  if (!isService && entry.day !== undefined && issued !== '' && entry.day !== issued) {
    findings.push({
      finding: 'value_differs',
      certainty: 'certain',
      field: 'date',
      ours: issued,
      theirs: entry.day,
    });
  }
  if (comparesKeysOnly(matched)) {
    leaveOut(result, 'keys_only');
    return findings;
  }
  const total = totalFinding(matched, sides);
  if (total !== undefined) findings.push(total);
  findings.push(...(entry.isOwn ? ownTaxFindings(matched, sides) : entryTaxFindings(matched, sides)));
  if (kind === 'efd_icms_ipi') {
    const odd = compareCfops(entry, document, sides, total === undefined);
    if (odd !== undefined) findings.push(odd);
  }
  return findings;
}

const weaker: Readonly<Record<Certainty, Certainty>> = {
  certain: 'probable',
  probable: 'probable',
  judgement: 'judgement',
};

/** An entry whose document isn't known: certain only where every document of its day is. */
function unknownFinding(entry: Entry, { isComplete }: Sides): Found {
  const { model = '', key, day, holder, total } = entry;
  const area = model === '55' ? 'nfe' : model === '57' || model === '67' ? 'cte' : undefined;
  const isKnownDay = key !== undefined && area !== undefined && day !== undefined;
  const certainty = isKnownDay && isComplete(holder, area, day) ? 'certain' : 'probable';
  return { finding: 'missing_in_documents', certainty, theirs: total, amount: total };
}

/**
 * Compares the entries of SPED files and tables with the documents, and gives the documents that were met, by the file
 * kind and the holder they were met for.
 */
export function compareBooks(
  sides: Sides,
  index: DocumentIndex,
  result: Comparison,
): ReadonlyMap<string, ReadonlySet<KnownDocument>> {
  const met = new Map<string, Set<KnownDocument>>();
  const listed = new Map<string, Set<string>>();
  for (const { file, book } of sides.books) {
    const { kind } = book;
    if (kind === 'cbs_assessment') continue;
    for (const entry of book.entries) {
      const { key, holder } = entry;
      const ofKey = keyFinding(entry);
      const isInvalid = ofKey?.finding === 'invalid_key';
      const known = (key && index.byKey.get(key)) || undefined;
      const document = known ?? (key === undefined || isInvalid ? findByNumber(entry, index) : undefined);
      const group = groupOf(kind, holder);
      if (document !== undefined) {
        const own = met.get(group) ?? new Set();
        met.set(group, own.add(document));
      }
      if (!isAsked(sides, dayOfEntry(entry))) {
        leaveOut(result, 'outside_period');
        continue;
      }
      result.entries++;
      const place = () => aboutEntry(file, entry, document);
      const note = (found: Found) => result.findings.add(found, place);
      const before = result.findings.met;
      if (ofKey !== undefined) note(ofKey);
      const ofDay = kind === 'list' ? undefined : dayFinding(entry, book.from, book.to);
      if (ofDay !== undefined) note(ofDay);
      if (document !== undefined) {
        if (known !== undefined) result.byKey++;
        else result.byNumber++;
      }
      const isDuplicate =
        !voidSituations.includes(entry.situation ?? '') && isListedAlready(listed, group, entry);
      if (isDuplicate) {
        const amount = document?.total ?? entry.total;
        note({ finding: 'duplicated_in_file', certainty: 'certain', theirs: entry.total, amount });
      } else if (document !== undefined) {
        const isLoose = known === undefined && (document.kind === 'nfse' || !entry.series);
        for (const found of matchFindings({ kind, entry, document }, sides, result)) {
          note(isLoose ? { ...found, certainty: weaker[found.certainty] } : found);
        }
      } else if (voidSituations.includes(entry.situation ?? ''))
        leaveOut(result, 'cancelled_without_document');
      else if (!isInvalid) note(unknownFinding(entry, sides));
      if (document !== undefined && result.findings.met === before) result.agree++;
    }
  }
  return met;
}

/** The name of what one holder's files of a kind list together. */
export function groupOf(kind: BookKind, holder: string): string {
  return `${kind}|${holder}`;
}

/** Whether an entry repeats an earlier one, of this month's file or another's, and stands there from now on. */
function isListedAlready(listed: Map<string, Set<string>>, group: string, entry: Entry): boolean {
  const { key, issuer, model, series, number, direction } = entry;
  if (key === undefined && (issuer === undefined || number === undefined)) return false;
  const place = `${group}|${direction}`;
  const names = listed.get(place) ?? new Set();
  listed.set(place, names);
  const name = key ?? `${issuer}|${model}|${series}|${number}`;
  return names.size === names.add(name).size;
}
