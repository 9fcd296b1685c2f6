import { Readable } from 'node:stream';
import { collect } from '../../http/exchange.ts';
import { formOfBytes, formOfValue, type ValueForm } from '../decoding/forms.ts';
import { limitsOf, type Reading, Unreadable } from '../decoding/reading.ts';
import { filesOf } from '../decoding/unpacking.ts';
import { DocumentCollection } from './collection.ts';
import { decodeWhole, RepliedWithUrl } from './decode.ts';
import { type Asked, gatherDocuments, singleOut } from './documents.ts';
import { refuseText } from './envelope.ts';
import type { NfseDownload, Pdf, ReplyBody } from './results.ts';

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
