import { addDecimals, compareDecimals } from '../decimals.ts';
import { checkDocumentKey } from '../identity/keys.ts';
import { isPositive } from '../rules/rule.ts';
import { isVoid } from '../summary/summary.ts';
import type { Entry, KnownDocument } from './book.ts';
import {
  type ComparedBook,
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

interface Placed {
  readonly file: number;
  readonly entry: Entry;
}

/** True for debits and credits, false for adjustments of them. */
const isNormal = ({ record, origin }: Entry) => record === 'creditos' || origin === '0';

const nameOf = ({ record, key }: Entry) => `${record}|${key}`;

/**
 * Merges the records of all files. Of records with the same natural key, the one with the later `atualizacao` counts;
 * records not repeated in a later file remain. Duplicates within one file are reported and counted once.
 */
function merged(
  books: readonly ComparedBook[],
  { byKey }: DocumentIndex,
  result: Comparison,
): Map<string, Placed> {
  const records = new Map<string, Placed>();
  const generatedAt = ({ book }: ComparedBook) => book.generatedAt ?? '';
  const inOrder = books.toSorted((one, other) => (generatedAt(one) < generatedAt(other) ? -1 : 1));
  for (const { file, book } of inOrder) {
    const inFile = new Set<string>();
    for (const entry of book.entries) {
      const { holder, record, month, key, origin, documento, changed = '' } = entry;
      const known = key && [holder, record, month, key, origin, documento].join('|');
      const name = known ?? `${file}|${entry.line}`;
      const before = records.get(name);
      if (inFile.has(name)) {
        const document = byKey.get(key);
        const amounts = { theirs: entry.cbs, amount: document?.total };
        const place = placeOf(file, entry, document);
        result.findings.add({ finding: 'duplicated_in_file', certainty: 'certain', ...amounts, ...place });
      } else if (before === undefined || changed > (before.entry.changed ?? ''))
        records.set(name, { file, entry });
      inFile.add(name);
    }
  }
  return records;
}

/** Findings for each amount of a credit that can't be used. */
function creditFindings({ credit }: Entry): Found[] {
  const { open, suspended, unusable, expired } = credit ?? {};
  const found = (amount: string | undefined, finding: Found['finding'], variant?: string): Found[] =>
    isPositive(amount)
      ? [{ finding, certainty: 'certain', variant, field: 'cbs', theirs: amount, amount }]
      : [];
  return [
    ...found(open, 'not_extinguished'),
    ...found(suspended, 'credit_suspended'),
    ...found(unusable, 'credit_suspended', 'unusable'),
    ...found(expired, 'credit_suspended', 'expired'),
  ];
}

/** Differences between a record and its document. @param adjustment sum of the adjustments with the same key */
function matchFindings(
  entry: Entry,
  document: KnownDocument,
  adjustment: string | undefined,
  { tolerance_tax = '0.00' }: Sides,
): Found[] {
  if (document.isTest) return [testDocument];
  const said = { certainty: 'certain', ours: document.status, amount: document.total } as const;
  if (isVoid(document.status)) {
    const net = addDecimals([entry.cbs, adjustment]) ?? '0.00';
    if (entry.isCancelled || compareDecimals(net, '0.00') === 0) return [];
    return [{ finding: 'cancelled_but_listed', variant: 'cbs', ...said, theirs: net }];
  }
  if (entry.isCancelled && document.status === 'authorized')
    return [{ finding: 'listed_as_cancelled', ...said, theirs: 'cancelado' }];
  const { cbs: ours = '0.00' } = document;
  const { cbs: theirs = ours } = entry;
  if (!differ(ours, theirs, tolerance_tax)) return [];
  const variant = compareDecimals(ours, '0.00') === 0 ? 'without_cbs' : 'cbs';
  return [valueDiffers('cbs', ours, theirs, 'certain', variant)];
}

/** Purposes of adjusting notes: the authority records them otherwise than as debits or credits. */
const adjustingPurposes = ['4', '5', '6'];

function belongs(document: KnownDocument, list: 'debitos' | 'creditos', root: string): boolean {
  const isOfRoot = (id: string) => id.length === 14 && id.startsWith(root);
  const { issuer, recipient, payer, direction, kind } = document;
  const isOwn = isOfRoot(issuer) && direction !== 'inbound';
  if (isOwn || list === 'debitos') return isOwn && list === 'debitos';
  if (isCarriage(document)) return isOfRoot(payer);
  return kind !== 'nfce' && (isOfRoot(recipient) || isOfRoot(issuer));
}

/** Finds documents of a CNPJ root with CBS but without a record, only within the window of its files; never certain. */
function findMissing(
  root: string,
  books: readonly ComparedBook[],
  met: ReadonlySet<string>,
  sides: Sides,
  result: Comparison,
): void {
  for (const list of ['debitos', 'creditos'] as const) {
    const having = books.filter(({ book }) => book.entries.some(({ record }) => record === list));
    const [first] = having;
    if (first === undefined) continue;
    const months = new Set(having.flatMap(({ book }) => book.entries.map(({ month }) => month)));
    const [from = ''] = having.flatMap(({ book }) => book.from ?? []).sort();
    const to =
      having
        .flatMap(({ book }) => book.to ?? [])
        .sort()
        .at(-1) ?? '';
    for (const document of sides.documents) {
      const { direction, isTest, key, cbs, purpose, total, issued_at } = document;
      const day = issued_at.slice(0, 10);
      const isListed =
        met.has(`${list}|${key}`) || direction === undefined || isTest || isVoid(document.status);
      const isOfMonths = months.has(day.slice(0, 7)) && isAsked(sides, day);
      if (isListed || !isOfMonths || !belongs(document, list, root)) continue;
      if (!isPositive(cbs)) leaveOut(result, 'without_cbs');
      else if (adjustingPurposes.includes(purpose)) leaveOut(result, 'adjusting_note');
      else if (day < from || day >= to) leaveOut(result, 'outside_window');
      else {
        const amounts = { variant: 'cbs', field: 'cbs', ours: cbs, amount: total };
        const place = placeOf(first.file, undefined, document);
        result.findings.add({ finding: 'missing_in_file', certainty: 'probable', ...amounts, ...place });
      }
    }
  }
}

/** Compares the assessment of one company, across all its files, with the documents. */
export function compareAssessment(sides: Sides, index: DocumentIndex, result: Comparison): void {
  const books = sides.books.filter(({ book }) => book.kind === 'cbs_assessment');
  const records = merged(books, index, result);
  const adjustments = new Map<string, string>();
  const monthsOf = new Map<string, Set<string>>();
  for (const { entry } of records.values()) {
    const name = nameOf(entry);
    if (!isNormal(entry)) adjustments.set(name, addDecimals([adjustments.get(name), entry.cbs]) ?? '0.00');
    else if (entry.record === 'debitos')
      monthsOf.set(name, (monthsOf.get(name) ?? new Set()).add(entry.month ?? ''));
  }
  const met = new Set<string>();
  for (const { file, entry } of records.values()) {
    const { key, cbs } = entry;
    const name = nameOf(entry);
    if (key !== undefined) met.add(name);
    const document = index.byKey.get(key);
    const issued = document?.issued_at.slice(0, 10);
    if (!isAsked(sides, issued ?? entry.day)) {
      leaveOut(result, 'outside_period');
      continue;
    }
    result.entries++;
    if (key === undefined || !isNormal(entry)) {
      leaveOut(result, key === undefined ? 'without_key' : 'adjustment');
      continue;
    }
    const findings: Found[] = [];
    if (!checkDocumentKey(key).ok)
      findings.push({ finding: 'invalid_key', certainty: 'certain', theirs: key });
    const months = [...(monthsOf.get(name) ?? [])].sort();
    if (months.length > 1) {
      const amounts = { variant: 'months', theirs: months.join(', '), amount: document?.total };
      findings.push({ finding: 'duplicated_in_file', certainty: 'certain', ...amounts });
      monthsOf.delete(name);
    }
    if (document === undefined) {
      const amounts = { variant: 'cbs', theirs: cbs, amount: cbs };
      findings.push({ finding: 'missing_in_documents', certainty: 'probable', ...amounts });
    } else {
      result.byKey++;
      findings.push(...matchFindings(entry, document, adjustments.get(name), sides));
      if (findings.length === 0) result.agree++;
    }
    if (entry.credit?.isKnown === false) leaveOut(result, 'state_unknown');
    const [ours, theirs] = [(issued || entry.day)?.slice(0, 7), entry.month];
    const amounts = { variant: 'cbs', field: 'date', ours, theirs };
    if (ours !== undefined && ours !== theirs)
      findings.push({ finding: 'other_period', certainty: 'judgement', ...amounts });
    findings.push(...creditFindings(entry));
    for (const found of findings) result.findings.add({ ...found, ...placeOf(file, entry, document) });
  }
  for (const root of new Set(books.map(({ book }) => book.company ?? ''))) {
    const own = books.filter(({ book }) => (book.company ?? '') === root);
    findMissing(root, own, met, sides, result);
  }
}
