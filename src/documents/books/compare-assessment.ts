import { addDecimals, compareDecimals } from '../decimals.ts';
import { checkDocumentKey } from '../identity/keys.ts';
import type { Entry, KnownDocument } from './book.ts';
import { isAsked } from './compare-books.ts';
import { type Comparison, leaveOut } from './comparison.ts';
import {
  aboutDocument,
  aboutEntry,
  type ComparedBook,
  type DocumentIndex,
  differ,
  differenceOf,
  distance,
  type Found,
  isVoid,
  type Sides,
} from './findings.ts';

interface Placed {
  readonly file: number;
  readonly entry: Entry;
}

const naturalKey = ({ holder, record, month, key, origin, documento }: Entry) =>
  [holder, record, month, key, origin, documento].join('|');

const isNormal = ({ record, origin }: Entry) => record === 'creditos' || origin === '0';

const generatedBefore = (one: ComparedBook, other: ComparedBook) =>
  (one.book.generatedAt ?? '') < (other.book.generatedAt ?? '') ? -1 : 1;

/**
 * The records of all files together: of one natural key that of the later `atualizacao` counts, and what a later file
 * does not mention stays. The same natural key twice in one file is reported and counted once.
 */
function merged(
  books: readonly ComparedBook[],
  { byKey }: DocumentIndex,
  result: Comparison,
): Map<string, Placed> {
  const records = new Map<string, Placed>();
  for (const { file, book } of [...books].sort(generatedBefore)) {
    const inFile = new Set<string>();
    for (const entry of book.entries) {
      const name = entry.key === undefined ? `${file}|${entry.line}` : naturalKey(entry);
      const before = records.get(name);
      if (inFile.has(name)) {
        const document = byKey.get(entry.key ?? '');
        const amounts = { theirs: entry.cbs, amount: document?.total };
        const found = { finding: 'duplicated_in_file', certainty: 'certain', ...amounts } as const;
        result.findings.add(found, () => aboutEntry(file, described(entry), document));
        continue;
      }
      inFile.add(name);
      const isLater = before === undefined || (entry.changed ?? '') > (before.entry.changed ?? '');
      if (isLater) records.set(name, { file, entry });
    }
  }
  return records;
}

/** An entry with what its key says of it, as records of an assessment have neither issuer nor number. */
function described(entry: Entry): Entry {
  if (entry.key === undefined || entry.issuer !== undefined) return entry;
  const checked = checkDocumentKey(entry.key);
  if (!checked.ok) return entry;
  return { ...entry, number: checked.value.number, issuer: checked.value.issuer.id };
}

const isPositive = (amount: string | undefined): amount is string =>
  amount !== undefined && compareDecimals(amount, '0.00') > 0;

/** What the authority says of a credit: each amount that can't be used is a finding. */
function creditFindings({ credit }: Entry): Found[] {
  if (credit === undefined) return [];
  const { open, suspended, unusable, expired } = credit;
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

/** The month of issue in Brasília: the document's own day, else the record's. */
function monthOfIssue(entry: Entry, document: KnownDocument | undefined): string | undefined {
  const day = document?.issued_at.slice(0, 10) || entry.day;
  return day?.slice(0, 7);
}

interface Adjusted {
  readonly adjustments: ReadonlyMap<string, string>;
  readonly normalMonths: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What stands beside normal records: adjustments by key, and the months in which a key is counted. */
function beside(records: Iterable<Placed>): Adjusted {
  const adjustments = new Map<string, string>();
  const normalMonths = new Map<string, Set<string>>();
  for (const { entry } of records) {
    const name = `${entry.record}|${entry.key}`;
    if (entry.key === undefined) continue;
    if (!isNormal(entry)) adjustments.set(name, addDecimals([adjustments.get(name), entry.cbs]) ?? '0.00');
    else normalMonths.set(name, (normalMonths.get(name) ?? new Set()).add(entry.month ?? ''));
  }
  return { adjustments, normalMonths };
}

function valueFinding(entry: Entry, document: KnownDocument, { toleranceCbs }: Sides): Found | undefined {
  const theirs = entry.cbs;
  const ours = document.cbs ?? '0.00';
  if (theirs === undefined || !differ(ours, theirs, toleranceCbs)) return undefined;
  const amounts = { ours, theirs, difference: differenceOf(ours, theirs), amount: distance(ours, theirs) };
  const variant = document.cbs === undefined || compareDecimals(ours, '0.00') === 0 ? 'without_cbs' : 'cbs';
  return { finding: 'value_differs', certainty: 'certain', variant, field: 'cbs', ...amounts };
}

/** What a record and its document don't agree on. */
function matchFindings(entry: Entry, document: KnownDocument, adjustment: string, sides: Sides): Found[] {
  if (document.isTest) return [{ finding: 'test_document', certainty: 'certain', ours: 'tpAmb 2' }];
  if (isVoid(document)) {
    const net = addDecimals([entry.cbs, adjustment]) ?? '0.00';
    if (entry.isCancelled || compareDecimals(net, '0.00') === 0) return [];
    const said = { ours: document.status, theirs: net, amount: document.total };
    return [{ finding: 'cancelled_but_listed', certainty: 'certain', variant: 'cbs', ...said }];
  }
  if (entry.isCancelled && document.status === 'authorized') {
    const said = { ours: document.status, theirs: 'cancelado', amount: document.total };
    return [{ finding: 'listed_as_cancelled', certainty: 'certain', ...said }];
  }
  const value = valueFinding(entry, document, sides);
  return value === undefined ? [] : [value];
}

/** Notes that adjust others: what the authority makes of them is another record than a debit or credit of their own. */
const adjustingPurposes = ['4', '5', '6'];

function isRootOf(root: string, id: string): boolean {
  return id.length === 14 && id.startsWith(root);
}

/** Whether a list of a root should have a document. */
function belongs(document: KnownDocument, list: 'debitos' | 'creditos', root: string): boolean {
  const isOwn = isRootOf(root, document.issuer) && document.direction !== 'inbound';
  if (list === 'debitos') return isOwn;
  if (isOwn) return false;
  const isCarriage = document.kind === 'cte' || document.kind === 'cteos';
  if (isCarriage) return isRootOf(root, document.payer);
  return document.kind !== 'nfce' && (isRootOf(root, document.recipient) || isRootOf(root, document.issuer));
}

/** Documents of a root with CBS that no record has: only within the window of its files, and never certain. */
function findMissing(
  root: string,
  books: readonly ComparedBook[],
  met: ReadonlySet<string>,
  sides: Sides,
  result: Comparison,
) {
  for (const list of ['debitos', 'creditos'] as const) {
    const having = books.filter(({ book }) => book.entries.some(({ record }) => record === list));
    const [first] = having;
    const months = new Set(having.flatMap(({ book }) => book.entries.map(({ month }) => month)));
    if (first === undefined) continue;
    const from = having.flatMap(({ book }) => book.from ?? []).sort()[0] ?? '';
    const to =
      having
        .flatMap(({ book }) => book.to ?? [])
        .sort()
        .at(-1) ?? '';
    for (const document of sides.documents) {
      const day = document.issued_at.slice(0, 10);
      if (document.direction === undefined || !belongs(document, list, root) || document.isTest) continue;
      if (met.has(`${list}|${document.key}`) || !months.has(day.slice(0, 7)) || !isAsked(sides, day))
        continue;
      if (isVoid(document)) continue;
      if (!isPositive(document.cbs)) leaveOut(result, 'without_cbs');
      else if (adjustingPurposes.includes(document.purpose)) leaveOut(result, 'adjusting_note');
      else if (day < from || day >= to) leaveOut(result, 'outside_window');
      else {
        const said = { certainty: 'probable', variant: 'cbs', field: 'cbs' } as const;
        const amounts = { ours: document.cbs, amount: document.total };
        result.findings.add({ finding: 'missing_in_file', ...said, ...amounts }, () =>
          aboutDocument(first.file, document),
        );
      }
    }
  }
}

/** Compares the assessment of one company, all its files together, with the documents. */
export function compareAssessment(sides: Sides, index: DocumentIndex, result: Comparison): void {
  const books = sides.books.filter(({ book }) => book.kind === 'cbs_assessment');
  const records = merged(books, index, result);
  const { adjustments, normalMonths } = beside(records.values());
  const met = new Set<string>();
  const doubled = new Set(
    [...normalMonths].flatMap(([name, months]) =>
      name.startsWith('debitos|') && months.size > 1 ? [name] : [],
    ),
  );
  for (const { file, entry: bare } of records.values()) {
    const entry = described(bare);
    const name = `${entry.record}|${entry.key}`;
    if (entry.key !== undefined) met.add(name);
    const document = entry.key === undefined ? undefined : index.byKey.get(entry.key);
    if (!isAsked(sides, document?.issued_at.slice(0, 10) ?? entry.day)) {
      leaveOut(result, 'outside_period');
      continue;
    }
    result.entries++;
    if (entry.key === undefined) leaveOut(result, 'without_key');
    else if (!isNormal(entry)) leaveOut(result, 'adjustment');
    if (entry.key === undefined || !isNormal(entry)) continue;
    const place = () => aboutEntry(file, entry, document);
    const note = (found: Found) => result.findings.add(found, place);
    const before = result.findings.met;
    if (!checkDocumentKey(entry.key).ok)
      note({ finding: 'invalid_key', certainty: 'certain', theirs: entry.key });
    if (doubled.delete(name)) {
      const months = [...(normalMonths.get(name) ?? [])].sort().join(', ');
      note({
        finding: 'duplicated_in_file',
        certainty: 'certain',
        variant: 'months',
        theirs: months,
        amount: document?.total,
      });
    }
    if (document === undefined) {
      note({
        finding: 'missing_in_documents',
        certainty: 'probable',
        variant: 'cbs',
        theirs: entry.cbs,
        amount: entry.cbs,
      });
    } else {
      result.byKey++;
      for (const found of matchFindings(entry, document, adjustments.get(name) ?? '0.00', sides)) note(found);
    }
    const agrees = document !== undefined && result.findings.met === before;
    if (agrees) result.agree++;
    const issued = monthOfIssue(entry, document);
    if (issued !== undefined && issued !== entry.month) {
      note({
        finding: 'other_period',
        certainty: 'judgement',
        variant: 'cbs',
        field: 'date',
        ours: issued,
        theirs: entry.month,
      });
    }
    if (entry.credit?.isKnown === false) leaveOut(result, 'state_unknown');
    for (const found of creditFindings(entry)) note(found);
  }
  const byRoot = new Map<string, ComparedBook[]>();
  for (const one of books) {
    const { company: root = '' } = one.book;
    byRoot.set(root, [...(byRoot.get(root) ?? []), one]);
  }
  for (const [root, own] of byRoot) findMissing(root, own, met, sides, result);
}
