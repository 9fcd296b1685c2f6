import { Readable } from 'node:stream';
import { isNumbered, withoutLeadingZeros } from '../../../documents/identity/keys.ts';
import { preferredVersion } from '../../../documents/summary/checks.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import { collect } from '../../http/exchange.ts';
import { formOfBytes, formOfValue, type ValueForm } from '../decoding/forms.ts';
import { limits, limitsOf, type Reading, Unreadable } from '../decoding/reading.ts';
import { filesOf } from '../decoding/unpacking.ts';
import type { CallInputs } from '../operations.ts';
import { DocumentCollection } from './collection.ts';
import { beginDecoding, decodeWhole, RepliedWithUrl } from './decode.ts';
import { refuseText } from './envelope.ts';
import type { DocumentList, Download, Pdf, ReceivedDocument, ReplyBody, ReplyWarning } from './results.ts';

/** Identity of the requested document: its key, or the three values of an NFS-e. */
export type Asked = Partial<Pick<CallInputs, 'key' | 'number' | 'issue_date' | 'issuer_cnpj'>>;

/** Selects the requested one of several documents: among candidates, those with exactly its number and day. */
function onlyAsked(candidates: readonly ReceivedDocument[], asked: Asked): readonly ReceivedDocument[] {
  const { key, number, issue_date, issuer_cnpj: issuer } = asked;
  if (key !== undefined) return candidates.filter(({ summary }) => summary.key === key);
  if (number === undefined) return candidates;
  const fitting = candidates.filter(({ summary }) => {
    const isIssuers = issuer === undefined || (summary.issuer?.id ?? issuer) === issuer;
    return isIssuers && summary.number !== undefined && isNumbered(summary.number, number);
  });
  const preferred: ((summary: DocumentSummary) => boolean)[] = [
    (summary) => withoutLeadingZeros(summary.number ?? '') === withoutLeadingZeros(number),
    (summary) => issue_date !== undefined && summary.issued_at?.slice(0, 10) === issue_date,
  ];
  return preferred.reduce<readonly ReceivedDocument[]>((kept, isBetter) => {
    const better = kept.filter(({ summary }) => isBetter(summary));
    return better.length > 0 ? better : kept;
  }, fitting);
}

/** Whether two documents are the same: by key if both have one, else by issuer, series and number. */
function isSameDocument(one: DocumentSummary, other: DocumentSummary): boolean {
  if (one.key !== undefined && other.key !== undefined) return one.key === other.key;
  const identity = ({ issuer, series, number }: DocumentSummary) => `${issuer?.id} ${series} ${number}`;
  return one.kind === other.kind && one.number !== undefined && identity(one) === identity(other);
}

/**
 * Selects the requested document with its events, which name the same key. Of several files of it the fuller one
 * counts.
 *
 * @throws Unreadable if there are several and none is the requested one
 */
function singleOut(received: readonly ReceivedDocument[], asked: Asked) {
  const notes = received.filter(({ summary }) => summary.kind !== 'event');
  const candidates = notes.length > 0 ? notes : received;
  const wanted = candidates.length > 1 ? onlyAsked(candidates, asked) : candidates;
  const [first, ...further] = wanted;
  if (received.length === 0) throw new Unreadable('no document');
  const isOfEvents = notes.length === 0 && candidates.length > 1;
  const isOne = first !== undefined && further.every((one) => isSameDocument(one.summary, first.summary));
  if (!isOne || isOfEvents) throw new Unreadable('several documents');
  const document = further.reduce(
    (kept, one) => (preferredVersion(kept.summary, one.summary) === kept.summary ? kept : one),
    first,
  );
  const rest = received.filter((one) => !wanted.includes(one));
  const events = rest.filter(
    ({ summary: { kind, key } }) =>
      kind === 'event' && (key ?? document.summary.key) === (document.summary.key ?? key),
  );
  const others = rest.length - events.length;
  if (others > 0 && candidates.length === 1) throw new Unreadable('events of another document');
  const warnings: ReplyWarning[] =
    others === 0 ? [] : [{ code: 'others_left_out', values: { count: String(others) } }];
  return {
    document,
    otherContents: wanted.filter(({ xml }) => xml !== document.xml),
    events,
    warnings,
  };
}

/**
 * Streams a list of documents of any length: yields each as soon as it is complete, reads on only for the next one,
 * and keeps nothing. Returns the list's own statements, the malformed documents and unknown layouts with their places,
 * and the places that the envelope announces and the list lacks. A list without any readable document is not understood.
 */
export async function* readDocuments(reply: ReplyBody): AsyncGenerator<ReceivedDocument, DocumentList> {
  const decoded = beginDecoding(reply, 'documents', { documents: true, markup: true });
  const collection = new DocumentCollection(reply, decoded.envelope);
  try {
    for await (const piece of decoded.pieces) {
      const document = collection.take(piece);
      if (document !== undefined) yield document;
    }
    const { count } = collection;
    const { warnings, unreadable } = collection.verdict();
    const sent = count + unreadable.length;
    const { declared = sent } = decoded.envelope;
    const lacking = Math.min(Math.max(declared - sent, 0), limits.unsent);
    const unsent = Array.from(
      { length: lacking },
      (_, at) => ({ place: String(sent + at + 1), reason: 'not_sent' }) as const,
    );
    return { count, warnings, unreadable: [...unreadable, ...unsent] };
  } catch (error) {
    throw decoded.failure(error);
  } finally {
    await decoded.close();
  }
}

/** Bytes searched for the end mark; some writers add blanks or a signature's padding after it. */
const END_MARK_REACH = 2048;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const HEXADECIMAL = /^[0-9a-f]*$/i;

/** @throws Unreadable for invalid or truncated base64 or hexadecimal */
function bytesOf({ form, digits }: ValueForm & { digits: string }): Uint8Array {
  const isBase64 = form === 'base64';
  const compact = (isBase64 ? digits : digits.replace(/^0x/i, '')).replace(/\s+/g, '');
  if (!(isBase64 ? BASE64 : HEXADECIMAL).test(compact)) throw new Unreadable(`malformed ${form}`);
  if (compact.length % (isBase64 ? 4 : 2) !== 0) throw new Unreadable('truncated');
  return Buffer.from(compact, isBase64 ? 'base64' : 'hex');
}

/** Unpacks a PDF. @throws Unreadable for other content, or a truncated PDF */
async function pdfIn(packed: Uint8Array, reading: Reading): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined;
  for await (const file of filesOf(Readable.from([packed]), limitsOf.pdf.unpacked, reading)) {
    if (bytes !== undefined) throw new Unreadable('several files in one zip');
    bytes = await collect(file.bytes);
  }
  if (bytes === undefined || formOfBytes(bytes) !== 'pdf') throw new Unreadable('not a pdf');
  reading.note('pdf', 'pdf');
  const end = Buffer.from(bytes.subarray(-END_MARK_REACH)).toString('latin1');
  if (!end.includes('%%EOF')) throw new Unreadable('truncated');
  return bytes;
}

/** Finds the PDF among a reply's values; bytes take precedence over an address. */
function createPdfFinder(reading: Reading) {
  const found: (ValueForm | Uint8Array)[] = [];

  return {
    /** Takes a text that is an encoded PDF, or its address; false for any other. */
    takeText(text: string): boolean {
      const value = formOfValue(text);
      if (value === undefined) return false;
      reading.note(value.form, value.form === 'url' ? undefined : value.form);
      found.push(value);
      return true;
    },
    takeBytes(bytes: Uint8Array): void {
      found.push(bytes);
    },
    /** @throws Unreadable for a broken PDF */
    async pdf(): Promise<Pdf | undefined> {
      const inBytes = found.filter((one) => one instanceof Uint8Array || one.form !== 'url');
      const [one, ...others] = inBytes.length > 0 ? inBytes : found;
      if (others.length > 0) throw new Unreadable('several pdfs');
      if (one === undefined) return undefined;
      if (one instanceof Uint8Array) return await pdfIn(one, reading);
      return one.form === 'url' ? { url: one.url } : await pdfIn(bytesOf(one), reading);
    },
  };
}

/** Reads a whole PDF: bytes, base64, hexadecimal or a JSON byte array, also packed. @throws RepliedWithUrl */
export function readPdf(reply: ReplyBody): Promise<Uint8Array> {
  return decodeWhole(reply, 'pdf', { markup: true, bytes: true }, async ({ pieces, envelope, reading }) => {
    const finder = createPdfFinder(reading);
    for await (const piece of pieces) {
      if (piece.kind === 'bytes') finder.takeBytes(piece.bytes);
      else if (piece.kind === 'text') {
        if (!finder.takeText(piece.text.trim())) refuseText(reply, piece.text, 'not a pdf');
      } else if (piece.kind === 'element' && !piece.element.ofEnvelope) {
        const { text } = piece.element;
        if (text !== undefined && !finder.takeText(text)) envelope.unread(piece.element);
      }
    }
    const pdf = await finder.pdf();
    if (pdf === undefined) throw envelope.nothing();
    if ('url' in pdf) throw new RepliedWithUrl(pdf.url);
    return pdf;
  });
}

/** Most documents in a reply about one: its events, or others. */
const MOST_TOGETHER = 1000;

/**
 * Reads the requested document, among events and other documents; of an NFS-e also or only its PDF.
 *
 * @throws Refused if there is none
 */
export function readDownload(
  reply: ReplyBody,
  kind: 'document' | 'service_document',
  asked: Asked = {},
): Promise<Download> {
  const bytes = kind === 'service_document';
  const takes = { documents: true, markup: true, bytes };
  return decodeWhole(reply, kind, takes, async ({ pieces, envelope, reading }) => {
    const finder = bytes ? createPdfFinder(reading) : undefined;
    const collection = new DocumentCollection(reply, envelope, finder);
    const received: ReceivedDocument[] = [];
    for await (const piece of pieces) {
      const document = collection.take(piece);
      if (document === undefined) continue;
      if (received.push(document) > MOST_TOGETHER) throw new Unreadable('several documents');
    }
    const pdf = await finder?.pdf();
    if (received.length === 0 && pdf === undefined) throw collection.nothing();
    const single = received.length === 0 ? undefined : singleOut(received, asked);
    const { warnings, unreadable } = collection.verdict();
    return {
      document: single?.document,
      pdf,
      checks: single && collection.checks,
      otherContents: single?.otherContents ?? [],
      events: single?.events ?? [],
      forms: reading.forms,
      unreadable,
      warnings: [...warnings, ...(single?.warnings ?? [])],
    };
  });
}
