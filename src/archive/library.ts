import { LRUCache } from 'lru-cache';
import { NotUnderstood } from '../clients/errors.ts';
import type { TaxDocumentsClient } from '../clients/tax-documents/client.ts';
import { type OperationName, operationLabel } from '../clients/tax-documents/operations.ts';
import type { ReceivedDocument, ServiceChecks } from '../clients/tax-documents/replies/results.ts';
import type { DocumentSummary } from '../documents/summary.ts';
import { baseUri, type DocumentReference } from './references.ts';

/** A document that was fetched and understood. */
export interface LibraryDocument {
  readonly reference: DocumentReference;
  readonly xml: string;
  readonly summary: DocumentSummary;
  readonly serviceChecks?: ServiceChecks | undefined;
  /** Events that came in the same reply. */
  readonly events: readonly DocumentSummary[];
  /** How the reply was wrapped, from the outside in. */
  readonly forms: readonly string[];
}

export interface LibraryPdf {
  readonly reference: DocumentReference;
  readonly bytes: Uint8Array;
}

/**
 * Documents by reference, fetched when asked for and kept for a while, so that a link followed twice is one call.
 * Every function that fetches throws what the client throws.
 */
export interface Library {
  document(reference: DocumentReference, signal?: AbortSignal): Promise<LibraryDocument>;
  pdf(reference: DocumentReference, signal?: AbortSignal): Promise<LibraryPdf>;
  /** The document if it is kept; nothing is fetched. */
  peek(reference: DocumentReference): LibraryDocument | undefined;
  /** Remembers that a document exists, for completion. */
  note(reference: DocumentReference): void;
  /** References seen so far, latest last. */
  seen(): readonly DocumentReference[];
  /** Forgets what may have changed, because an event was registered on it. */
  forget(reference: DocumentReference): void;
}

const KEPT_BYTES = 64 * 1024 ** 2;
/** Documents change only by their events; after this an event of others should show. */
const KEPT_MILLISECONDS = 5 * 60_000;
const SEEN_REFERENCES = 5_000;

export function createLibrary(client: () => Promise<TaxDocumentsClient>): Library {
  const limits = { maxSize: KEPT_BYTES, ttl: KEPT_MILLISECONDS };
  const documents = new LRUCache<string, LibraryDocument>({
    ...limits,
    sizeCalculation: ({ xml }) => xml.length * 2 + 20_000,
  });
  const pdfs = new LRUCache<string, LibraryPdf>({
    ...limits,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  const references = new LRUCache<string, DocumentReference>({ max: SEEN_REFERENCES });

  function store(document: LibraryDocument): LibraryDocument {
    const uri = baseUri(document.reference);
    documents.set(uri, document);
    references.set(uri, document.reference);
    return document;
  }

  async function storePdf(
    reference: DocumentReference,
    pdf: PdfSource,
    signal?: AbortSignal,
  ): Promise<LibraryPdf> {
    const bytes = pdf.kind === 'bytes' ? pdf.bytes : await (await client()).fetchPdf(pdf.url, signal);
    const stored = { reference, bytes };
    pdfs.set(baseUri(reference), stored);
    references.set(baseUri(reference), reference);
    return stored;
  }

  async function downloadNfse(reference: NfseReference, signal?: AbortSignal) {
    const { number, issueDate, issuer } = reference;
    return (await client()).call('nfseDocument', { number, issueDate, issuer }, { signal });
  }

  return {
    async document(reference, signal) {
      const kept = documents.get(baseUri(reference));
      if (kept !== undefined) return kept;
      if (reference.document === 'nfse') {
        const { document, pdf, forms } = await downloadNfse(reference, signal);
        if (pdf?.kind === 'bytes') await storePdf(reference, pdf, signal);
        if (document === undefined) throw lacking('nfseDocument', 'pdf without xml', 'pdf');
        if (!isNumbered(document.summary.number, reference.number)) {
          throw lacking('nfseDocument', 'another document than the one asked for', 'xml');
        }
        return store(fromReply(reference, document, [], forms));
      }
      const name = reference.document === 'nfe' ? 'nfeXml' : 'cteXml';
      const reply = await (await client()).call(name, { key: reference.key }, { signal });
      if (reply.summary.key !== undefined && reply.summary.key !== reference.key) {
        throw lacking(name, 'another document than the one asked for', 'xml');
      }
      return store(fromReply(reference, reply, reply.events, reply.forms));
    },

    async pdf(reference, signal) {
      const kept = pdfs.get(baseUri(reference));
      if (kept !== undefined) return kept;
      if (reference.document === 'nfse') {
        const { document, pdf, forms } = await downloadNfse(reference, signal);
        if (document !== undefined) store(fromReply(reference, document, [], forms));
        if (pdf === undefined) throw lacking('nfseDocument', 'xml without pdf', 'xml');
        return storePdf(reference, pdf, signal);
      }
      const pdf = await (await client()).call('nfePdf', { key: reference.key }, { signal });
      return storePdf(reference, pdf, signal);
    },

    peek: (reference) => documents.peek(baseUri(reference)),
    note: (reference) => void references.set(baseUri(reference), reference),
    seen: () => [...references.values()].reverse(),
    forget(reference) {
      documents.delete(baseUri(reference));
      pdfs.delete(baseUri(reference));
    },
  };
}

type NfseReference = Extract<DocumentReference, { document: 'nfse' }>;
type PdfSource = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'url'; url: string };

/** Cities write a number with leading zeros or with the year before it; what ends alike is the same. */
function isNumbered(found: string | undefined, asked: string): boolean {
  const [one, other] = [found ?? asked, asked].map((number) => number.replace(/^0+/, ''));
  return one === other || (one ?? '').endsWith(other ?? '') || (other ?? '').endsWith(one ?? '');
}

function fromReply(
  reference: DocumentReference,
  received: ReceivedDocument,
  events: readonly ReceivedDocument[],
  forms: readonly string[],
): LibraryDocument {
  return {
    reference,
    xml: received.xml,
    summary: received.summary,
    serviceChecks: received.service_checks,
    events: events.map(({ summary }) => summary),
    forms,
  };
}

function lacking(name: OperationName, reason: string, kind: string): NotUnderstood {
  const call = { service: 'documents', operation: operationLabel(name) } as const;
  return new NotUnderstood(call, reason, { kind, bytes: 0, start: '' });
}
