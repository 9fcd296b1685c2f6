import type { DocumentStatus } from '../../documents/summary/summary.ts';
import { summaryFrom } from '../schema/encoding.ts';
import { isVoid } from '../schema/expressions.ts';
import type { Units } from '../schema/measures.ts';
import type { DocumentRow, DocumentSource } from '../schema/schema.ts';
import type { SingleSource } from './arrival.ts';
import type { PreparedDocument } from './prepare.ts';

/** The part of a content that decides whether it counts, and whether it contradicts another. */
interface Content
  extends Pick<
    DocumentRow,
    'digest' | 'kind' | 'own_status' | 'number' | 'issued_at' | 'issuer' | 'recipient' | 'item_count'
  > {
  readonly total?: Units | string | null | undefined;
  /** Deflated; of a stored document only where its digest is not that of the one that came. */
  readonly summary?: Uint8Array | undefined;
}

export interface Known extends Content {
  readonly id: number;
  readonly identity: string;
  readonly key: string;
  readonly status: string;
  readonly source: DocumentSource;
  readonly status_at: string;
  /** 1 where its own text is kept. */
  readonly xmls: number;
}

export interface Plan {
  readonly id: number;
  readonly document: PreparedDocument;
  readonly known: Known | undefined;
  /** Whether its content is new or another than before, or its text was not kept. */
  readonly isRewritten: boolean;
  /** Whether it contradicts the content that counted before, which is kept beside it. */
  readonly setsAside: boolean;
  /** Whether it contradicts the content that counts, and is kept beside that. */
  readonly isAside: boolean;
  readonly own_status: DocumentStatus;
  readonly status: DocumentStatus;
}

const isAbridged = ({ kind }: Content): boolean => kind === 'summary';
const isValid = ({ own_status }: Content): boolean => own_status === 'authorized' || isVoid(own_status);

/** Whether two values say something of the same field, and not the same. */
function disagree(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return false;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object')
    return one !== other;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return true;
  const values = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).some(([name, value]) => disagree(value, values.get(name)));
}

/** Whether two files of one layout differ in what the issuer wrote: the rest is added by the authority, or by reading. */
function haveOtherWords(one: Content, other: Content): boolean {
  if (one.digest === other.digest || one.summary === undefined || other.summary === undefined) return false;
  const [first, second] = [one.summary, other.summary].map((bytes) => {
    const { status, protocol, event, events, warnings, ...written } = summaryFrom(bytes);
    return written;
  });
  return first?.layout === second?.layout && disagree(first, second);
}

/** Whether both contents say something of the document, and not the same. An abridged note says less than the note. */
function contradict(one: Content, other: Content): boolean {
  const differ = (first: unknown, second: unknown) =>
    (first ?? '') !== '' && (second ?? '') !== '' && String(first) !== String(second);
  if ((['number', 'issuer', 'recipient', 'total'] as const).some((name) => differ(one[name], other[name])))
    return true;
  if (differ(one.issued_at.slice(0, 10), other.issued_at.slice(0, 10))) return true;
  if (isAbridged(one) || isAbridged(other)) return false;
  return one.item_count !== other.item_count || haveOtherWords(one, other);
}

/** Of the same document the fuller counts, of different ones the valid one before the fuller. */
function rank(content: Content, isContradicted: boolean): number {
  const [full, valid] = [isAbridged(content) ? 0 : 1, isValid(content) ? 1 : 0];
  return isContradicted ? 2 * valid + full : 2 * full + valid;
}

/** The own status of the content that counts, with what no other content of the document may undo. */
function settledStatus(counting: Content, other: Content, isContradicted: boolean): DocumentStatus {
  const isSettled = isVoid(other.own_status) || (!isContradicted && isValid(other));
  return isSettled && !isVoid(counting.own_status) ? other.own_status : counting.own_status;
}

/** @param known as it was stored before; undefined for a new document */
export function planFor(
  id: number,
  document: PreparedDocument,
  known: Known | undefined,
  source: SingleSource,
  isCancelled: boolean,
): Plan {
  const { row, summary, xml } = document;
  const statuses = (own_status: DocumentStatus) => ({
    own_status,
    status: isCancelled ? ('cancelled' as const) : own_status,
  });
  if (known === undefined) {
    const isNew = { isRewritten: true, setsAside: false, isAside: false };
    return { id, document, known, ...isNew, ...statuses(row.own_status) };
  }
  const isOther = contradict({ ...row, summary }, known);
  // What the service gave is not set aside for a file that says otherwise.
  const isDoubtful = isOther && source === 'files' && known.source !== 'files';
  // Of two that are equal the later counts.
  const counts = !isDoubtful && rank(row, isOther) >= rank(known, isOther);
  const isChanged = known.digest !== row.digest;
  const addsText = xml !== null && Number(known.xmls) === 0;
  return {
    id,
    document,
    known,
    isRewritten: counts && (isChanged || addsText),
    setsAside: counts && isOther && isChanged,
    isAside: isOther && !counts,
    ...statuses(counts ? settledStatus(row, known, isOther) : settledStatus(known, row, isOther)),
  };
}
