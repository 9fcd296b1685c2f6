import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { KeyList } from '../../clients/documents/replies/results.ts';
import { unmaskTaxId } from '../../documents/identity/tax-ids.ts';
import type { DocumentSummary, Party } from '../../documents/summary/summary.ts';
import type { DocumentArea, DocumentReference, Scope } from '../references.ts';
import { anyDirection } from './schema.ts';

/** For a few kilobytes, setting up larger tables takes longer than deflating. */
const quick = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 4096 };

/** Deflates text for storage; `inflated` reverts it. */
export function deflated(text: string): Uint8Array {
  // A copy: zlib returns a view that would keep a larger buffer alive.
  return new Uint8Array(deflateRawSync(text, quick));
}

/** Inflates a stored text. */
export const inflated = (bytes: Uint8Array): string => inflateRawSync(bytes).toString('utf8');

/** Written by this archive, so trusted; `verify` compares digests. */
export const summaryFrom = (bytes: Uint8Array): DocumentSummary => JSON.parse(inflated(bytes));

/** Normalises text for searching: no accents, lower case, single blanks. */
export function searchText(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** Stored form of a text that words are searched in: between blanks, so that whole words match. */
export function betweenBlanks(text: string): string {
  return text === '' ? '' : ` ${text} `;
}

/** Whether a name contains every word, or part of a word, of a text, ignoring order, accents and case. */
export function isNamed(name: string, text: string): boolean {
  const written = searchText(name);
  return searchText(text)
    .split(' ')
    .every((word) => written.includes(word));
}

/** An import declaration's number without separators. */
export const declarationNumber = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();

/** The searched numbers of import declarations. */
export function declarationsText(numbers: readonly string[] = []): string {
  return betweenBlanks(numbers.map(declarationNumber).join(' '));
}

type Referring = Pick<DocumentSummary, 'references' | 'items' | 'linked_keys'>;

/** Distinct keys of documents referred to or carried; numbers for those without a key. */
export function referencesOf({ references, items, linked_keys }: Referring): string[] {
  const named = references.map(({ key, number = '' }) => key ?? number);
  const all = [...named, ...items.map(({ reference = '' }) => reference), ...linked_keys];
  return [...new Set(all)].filter((one) => one !== '');
}

const mostRemarks = 20_000;

/** Searched remarks: of the document and its items, payment words, and components of a CT-e's freight. */
export function remarksText({ notes, items, payments, components = [] }: DocumentSummary): string {
  const text = searchText(
    notes,
    ...items.map((item) => item.notes),
    ...payments.map(({ description }) => description),
    ...components.map(({ name }) => name),
  );
  return betweenBlanks(text.slice(0, mostRemarks));
}

/** The parties that a document names. */
export const namedParties = ({ issuer, recipient, sender, payer }: DocumentSummary): Party[] =>
  [issuer, recipient, sender, payer].filter((party) => party !== undefined);

const mostNames = 1_000;

/** Searched names of a document: its number and key, names and ids of its parties, its subject. */
export function namesText(summary: DocumentSummary): string {
  const { number, key, operation, service } = summary;
  const names = namedParties(summary).flatMap(({ name, id }) => [name, id]);
  const text = searchText(number, key, ...names, operation, service?.description);
  return betweenBlanks(text.slice(0, mostNames));
}

/** Equal for equal texts. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const nfseIdentity = (issuer: string, number: string, issueDate: string): string =>
  `nfse|${unmaskTaxId(issuer)}|${number}|${issueDate}`;

/**
 * Equal for the same document: its key, or an NFS-e's number, date, issuer and verification code.
 * @param digest of its content, which identifies a document that has neither
 */
export function identityOf(area: DocumentArea, summary: DocumentSummary, digest: () => string): string {
  const { key, number, issued_at, issuer, verification_code } = summary;
  if (summary.kind !== 'nfse') return `${area}|${key ?? digest()}`;
  if (number !== undefined && issued_at !== undefined && issuer?.id !== undefined) {
    return `${nfseIdentity(issuer.id, number, issued_at.slice(0, 10))}|${verification_code ?? ''}`;
  }
  return `nfse|${key ?? digest()}`;
}

/** The beginning of the identity of the document a reference names; all of it for a key. */
export function identityOfReference(reference: DocumentReference): string {
  return reference.document === 'nfse'
    ? `${nfseIdentity(reference.issuer_cnpj, reference.number, reference.issue_date)}|`
    : `${reference.document}|${reference.key}`;
}

/**
 * An event is one by its document, its kind and its number among those of the kind (the Id of the layouts); 110001 takes
 * the number of the event it cancels, so that event's code belongs to it.
 */
export function eventIdentityOf({ key, event }: DocumentSummary, digest: string): string {
  if (key === undefined || event?.code === undefined) return digest;
  const cancelled = event.details?.cancelled_code;
  const identity = `${key}|${event.code}|${Number(event.sequence ?? '1')}`;
  return cancelled === undefined ? identity : `${identity}|${cancelled}`;
}

export interface AskedWindow extends Scope {
  /** The service's operation, or another name of the question. */
  readonly operation: string;
  /** Both ends as they were asked: `YYYY-MM-DDTHH:mm:ss`, without a zone. */
  readonly from: string;
  readonly to: string;
}

/** The columns that an answer is found by. */
export function questionColumns(tenant: string, question: AskedWindow) {
  const { company, area, operation, by, direction = anyDirection, from, to } = question;
  return { tenant, company, area, operation, date_field: by, direction, from_moment: from, to_moment: to };
}

/** An event's identity among those of documents. */
export const eventLine = (identity: string): string => `event ${identity}`;

/** The identity of an event, undefined for a document's. */
export const eventIn = (line: string): string | undefined => /^event (.*)$/s.exec(line)?.[1];

/** The keys that a listing answered the last time it was asked. */
export interface KeptKeys {
  /** ISO 8601 in UTC. */
  readonly fetched_at: string;
  readonly list: KeyList;
}
