import { Readable } from 'node:stream';
import { preferredVersion } from '../../../documents/summary/checks.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import { collect } from '../../http/exchange.ts';
import { formOfBytes, formOfValue, type ValueForm } from '../decoding/forms.ts';
import { limitsOf, type Reading, Unreadable } from '../decoding/reading.ts';
import { filesOf } from '../decoding/unpacking.ts';
import type { CallInputs } from '../operations.ts';
import { DocumentCollection } from './collection.ts';
import { decode, decodeWhole, type PieceReader, RepliedWithUrl } from './decode.ts';
import { refuseText } from './envelope.ts';
import type {
  DocumentList,
  NfseDownload,
  Pdf,
  ReceivedDocument,
  ReplyBody,
  ReplyWarning,
  SingleDocument,
} from './results.ts';

/** What names the document that a call asks for: its key, or the three values of an NFS-e. */
export type Asked = Partial<Pick<CallInputs, 'key' | 'number' | 'issueDate' | 'issuer'>>;

function withoutZeros(number: string): string {
  return number.replace(/^0+/, '');
}

/** Whether a number is the one asked for. Cities write leading zeros or the year before it. */
export function isNumbered(found: string | undefined, asked: string): boolean {
  const [one, other] = [withoutZeros(found ?? asked), withoutZeros(asked)];
  return one.endsWith(other) || other.endsWith(one);
}

/** Those of several documents that are the one asked for: of those that may be, those with just its number and day. */
function onlyAsked(candidates: readonly ReceivedDocument[], asked: Asked): readonly ReceivedDocument[] {
  const { key, number, issueDate, issuer } = asked;
  if (key !== undefined) return candidates.filter(({ summary }) => summary.key === key);
  if (number === undefined) return candidates;
  const fitting = candidates.filter(({ summary }) => {
    const isIssuers = issuer === undefined || (summary.issuer?.id ?? issuer) === issuer;
    return isIssuers && summary.number !== undefined && isNumbered(summary.number, number);
  });
  const preferred: ((summary: DocumentSummary) => boolean)[] = [
    (summary) => withoutZeros(summary.number ?? '') === withoutZeros(number),
    (summary) => issueDate !== undefined && summary.issued_at?.slice(0, 10) === issueDate,
  ];
  return preferred.reduce<readonly ReceivedDocument[]>((kept, isBetter) => {
    const better = kept.filter(({ summary }) => isBetter(summary));
    return better.length > 0 ? better : kept;
  }, fitting);
}

/** Whether two documents are the same one: by key, where both have one, else by issuer, series and number. */
function isSameDocument(one: DocumentSummary, other: DocumentSummary): boolean {
  if (one.key !== undefined && other.key !== undefined) return one.key === other.key;
  const identity = ({ issuer, series, number }: DocumentSummary) => `${issuer?.id} ${series} ${number}`;
  return one.kind === other.kind && one.number !== undefined && identity(one) === identity(other);
}

/** A document with what happened to it. */
interface Single extends Pick<SingleDocument, 'otherContents' | 'events'> {
  readonly document: ReceivedDocument;
  /** A remark about documents that came with it and were not asked for. */
  readonly warnings: readonly ReplyWarning[];
}

/**
 * The one document asked for, with its events: what happened to a document names the same key. Of several files of it
 * the fuller one counts.
 *
 * @throws Unreadable where there are several and none is the one asked for
 */
function singleOut(received: readonly ReceivedDocument[], asked: Asked = {}): Single {
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
  return {
    document,
    otherContents: wanted.filter(({ xml }) => xml !== document.xml),
    events,
    warnings: others === 0 ? [] : [{ code: 'others_left_out', values: { count: String(others) } }],
  };
}

/**
 * Reads a list of documents of any length as it arrives: each is given as soon as it is whole, no more of the reply is
 * read before the next one is asked for, and nothing is kept. What the list says about itself comes at its end. A
 * broken document, or one of unknown layout, is reported there with its place; a list in which nothing can be read is
 * not understood.
 */
export function readDocuments(reply: ReplyBody): AsyncGenerator<ReceivedDocument, DocumentList> {
  return decode(reply, 'documents', { documents: true, markup: true }, (envelope) => {
    const collection = new DocumentCollection(reply, envelope);
    return {
      take: (piece, isEnvelopes) => collection.take(piece, isEnvelopes),
      end: () => ({ count: collection.count, ...collection.verdict() }),
    };
  });
}

/** Documents that may come with the one asked for; each is one of its events, or another. */
const MOST_TOGETHER = 1000;

/** Gathers the few documents of a reply about one document. */
function gatherDocuments<R>(
  collection: DocumentCollection,
  end: (received: readonly ReceivedDocument[]) => R | Promise<R>,
): PieceReader<never, R> {
  const received: ReceivedDocument[] = [];
  return {
    take(piece, isEnvelopes) {
      const document = collection.take(piece, isEnvelopes);
      if (document === undefined) return;
      if (received.length === MOST_TOGETHER) throw new Unreadable('several documents');
      received.push(document);
    },
    end: () => end(received),
  };
}

/** Reads the one document asked for, among events and other documents. @throws Refused where there is none */
export function readDocument(reply: ReplyBody, asked?: Asked): Promise<SingleDocument> {
  return decodeWhole(reply, 'document', { documents: true, markup: true }, (envelope, { forms }) => {
    const collection = new DocumentCollection(reply, envelope);
    return gatherDocuments(collection, (received) => {
      if (received.length === 0) throw collection.nothing();
      const { document, otherContents, events, warnings } = singleOut(received, asked);
      const said = collection.verdict();
      return {
        ...document,
        service_checks: collection.checks,
        otherContents,
        events,
        forms,
        ...said,
        warnings: [...said.warnings, ...warnings],
      };
    });
  });
}

/** Bytes searched for the end mark; some writers add blanks or a signature's padding after it. */
const END_MARK_REACH = 2048;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const HEXADECIMAL = /^[0-9a-f]*$/i;

/** @throws Unreadable for digits that are no base64 or hexadecimal, or not whole */
function bytesOf({ form, digits }: ValueForm & { digits: string }): Uint8Array {
  const isBase64 = form === 'base64';
  const compact = (isBase64 ? digits : digits.replace(/^0x/i, '')).replace(/\s+/g, '');
  if (!(isBase64 ? BASE64 : HEXADECIMAL).test(compact)) throw new Unreadable(`malformed ${form}`);
  if (compact.length % (isBase64 ? 4 : 2) !== 0) throw new Unreadable('truncated');
  return Buffer.from(compact, isBase64 ? 'base64' : 'hex');
}

/** The PDF in these bytes, unpacked. @throws Unreadable where it is none, or not whole */
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

/** Finds the one PDF among the values of a reply; bytes count more than an address where they could be fetched. */
function createPdfFinder(reading: Reading) {
  const found: (ValueForm | Uint8Array)[] = [];

  return {
    /** Whether the text is a PDF in another spelling, or its address. */
    takeText(text: string): boolean {
      const stand = formOfValue(text);
      if (stand === undefined) return false;
      reading.note(stand.form, stand.form === 'url' ? undefined : stand.form);
      found.push(stand);
      return true;
    },
    takeBytes(bytes: Uint8Array): void {
      found.push(bytes);
    },
    /** @throws Unreadable for what looks like one and is broken */
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
  return decodeWhole(reply, 'pdf', { markup: true, bytes: true }, (envelope, reading) => {
    const finder = createPdfFinder(reading);
    return {
      take(piece, isEnvelopes) {
        if (piece.kind === 'bytes') finder.takeBytes(piece.bytes);
        else if (piece.kind === 'text') {
          if (!finder.takeText(piece.text.trim())) refuseText(reply, piece.text, 'not a pdf');
        } else if (piece.kind === 'element' && !isEnvelopes) {
          const { text } = piece.element;
          if (text !== undefined && !finder.takeText(text)) envelope.unread(piece.element);
        }
      },
      async end() {
        const pdf = await finder.pdf();
        if (pdf === undefined) throw envelope.nothing();
        if ('url' in pdf) throw new RepliedWithUrl(pdf.url);
        return pdf;
      },
    };
  });
}

/** Reads the download of an NFS-e: its XML, its PDF (bytes or URL), or both; the XML is looked for among others. */
export function readNfse(reply: ReplyBody, asked?: Asked): Promise<NfseDownload> {
  const takes = { documents: true, markup: true, bytes: true };
  return decodeWhole(reply, 'service_document', takes, (envelope, reading) => {
    const finder = createPdfFinder(reading);
    const collection = new DocumentCollection(reply, envelope, finder);
    return gatherDocuments(collection, async (received) => {
      const pdf = await finder.pdf();
      if (received.length === 0 && pdf === undefined) throw collection.nothing();
      const single = received.length === 0 ? undefined : singleOut(received, asked);
      const said = collection.verdict();
      return {
        ...(single !== undefined && { document: single.document, service_checks: collection.checks }),
        otherContents: single?.otherContents ?? [],
        ...(pdf !== undefined && { pdf }),
        forms: reading.forms,
        ...said,
        warnings: [...said.warnings, ...(single?.warnings ?? [])],
      };
    });
  });
}
