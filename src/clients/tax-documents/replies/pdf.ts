import type { Call } from '../../errors.ts';
import { type Arrival, bodyOf, decodeReply, gather, peek } from './arrival.ts';
import { isGzip, isZip } from './compressed.ts';
import type { Content, Forms } from './content.ts';
import { createDocumentCollection } from './document-collection.ts';
import { gatherDocuments, singleOut } from './documents.ts';
import { createEnvelopeReader, refuseText } from './envelope.ts';
import { isPdf, pdfFromBytes, pdfFromJson, pdfFromText } from './pdf-forms.ts';
import type { NfseDownload, Pdf, ReplyBody } from './results.ts';
import { createCollector } from './text-sink.ts';
import { readContent, wholeReplyLimit } from './text-stream.ts';
import { Unreadable } from './unreadable.ts';

/** Finds the one PDF among the values of a reply; bytes count more than an address where they could be fetched. */
function createPdfFinder(forms: Forms) {
  const found: Pdf[] = [];

  function keep(pdf: Pdf | undefined): boolean {
    if (pdf === undefined) return false;
    found.push(pdf);
    return true;
  }

  return {
    text: (text: string) => keep(pdfFromText(text, forms)),
    json: (value: unknown) => keep(pdfFromJson(value, forms)),
    get pdf(): Pdf | undefined {
      const bytes = found.filter(({ kind }) => kind === 'bytes');
      const [pdf, ...others] = bytes.length > 0 ? bytes : found;
      if (others.length > 0) throw new Unreadable('several pdfs');
      return pdf;
    },
  };
}

/** The PDF of a reply that is nothing but its bytes, packed or not; else undefined, and the body is still to be read. */
async function rawPdf(arrival: Arrival): Promise<Pdf | undefined> {
  const { first, body } = await peek(arrival.body);
  arrival.body = body;
  if (!isPdf(first) && !isGzip(first) && !isZip(first)) return undefined;
  const bytes = await gather(body, wholeReplyLimit);
  arrival.body = bodyOf(bytes);
  return pdfFromBytes(bytes, arrival.forms);
}

function pdfContent(call: Call, forms: Forms) {
  const envelope = createEnvelopeReader(call);
  const finder = createPdfFinder(forms);
  const content: Content = {
    valueLimit: wholeReplyLimit,
    opensValues: true,
    open: (name) => envelope.open(name),
    value(name, text) {
      if (!envelope.value(name, text) && !finder.text(text)) envelope.unread();
    },
    close: () => envelope.close(),
    bareText: () =>
      createCollector(wholeReplyLimit, (text) => {
        if (!finder.text(text.trim())) refuseText(call, text, 'not a pdf');
      }),
    empty: envelope.empty,
    json: finder.json,
  };
  return { content, envelope, finder };
}

/**
 * Reads a PDF: bytes, base64, hexadecimal, a JSON byte array, each perhaps packed by gzip or zip, or the URL to fetch
 * it from. What is not a whole PDF is never passed on as one.
 */
export function readPdf(reply: ReplyBody): Promise<Pdf> {
  return decodeReply(reply, wholeReplyLimit, async (arrival) => {
    const pdf = await rawPdf(arrival);
    if (pdf !== undefined) return pdf;
    const { content, envelope, finder } = pdfContent(reply.call, arrival.forms);
    await readContent(arrival, content);
    const found = finder.pdf;
    if (found !== undefined) return found;
    throw envelope.nothing();
  });
}

/** Reads the download of an NFS-e: its XML, its PDF (bytes or URL), or both. */
export function readNfse(reply: ReplyBody): Promise<NfseDownload> {
  return decodeReply(reply, wholeReplyLimit, async (arrival) => {
    const { forms } = arrival;
    const pdf = await rawPdf(arrival);
    if (pdf !== undefined) return { pdf, forms: forms.met, warnings: [] };
    const finder = createPdfFinder(forms);
    const { text, json } = finder;
    const collection = createDocumentCollection(reply.call, { text, json, valueLimit: wholeReplyLimit });
    const { envelope } = collection;
    const received = await gatherDocuments(arrival, collection);
    const found = finder.pdf;
    if (received.length === 0 && found === undefined) throw envelope.nothing();
    const document = received.length === 0 ? undefined : singleOut(received).document;
    return {
      ...(document !== undefined && { document }),
      ...(found !== undefined && { pdf: found }),
      forms: forms.met,
      ...envelope.verdict(Math.max(received.length, 1)),
    };
  });
}
