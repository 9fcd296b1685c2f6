import type { LRUCache } from 'lru-cache';
import { baseUri, type DocumentReference } from '../archive/references.ts';
import { NotUnderstood } from '../clients/errors.ts';
import type { TaxDocumentsClient } from '../clients/tax-documents/client.ts';
import { type OperationName, operationLabel } from '../clients/tax-documents/operations.ts';
import { isNumbered } from '../clients/tax-documents/replies/asked.ts';
import type { ReceivedDocument, ServiceChecks } from '../clients/tax-documents/replies/results.ts';
import type { DocumentSummary } from '../documents/summary/summary.ts';

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

interface Caches {
  readonly documents: LRUCache<string, LibraryDocument>;
  readonly pdfs: LRUCache<string, LibraryPdf>;
}

export function createLibrary(client: () => Promise<TaxDocumentsClient>): Library {
  const references = new Map<string, DocumentReference>();
  let kept: Caches | undefined;

  /** The caches, made when the first document is asked for. */
  async function caches(): Promise<Caches> {
    const { LRUCache } = await import('lru-cache');
    const limits = { maxSize: KEPT_BYTES, ttl: KEPT_MILLISECONDS };
    kept ??= {
      documents: new LRUCache({ ...limits, sizeCalculation: ({ xml }) => xml.length * 2 + 20_000 }),
      pdfs: new LRUCache({ ...limits, sizeCalculation: ({ bytes }) => bytes.length + 1 }),
    };
    return kept;
  }

  function note(reference: DocumentReference): void {
    const uri = baseUri(reference);
    references.delete(uri);
    references.set(uri, reference);
    const [oldest] = references.keys();
    if (references.size > SEEN_REFERENCES && oldest !== undefined) references.delete(oldest);
  }

  async function store(document: LibraryDocument): Promise<LibraryDocument> {
    (await caches()).documents.set(baseUri(document.reference), document);
    note(document.reference);
    return document;
  }

  async function storePdf(
    reference: DocumentReference,
    pdf: PdfSource,
    signal?: AbortSignal,
  ): Promise<LibraryPdf> {
    const bytes = pdf.kind === 'bytes' ? pdf.bytes : await (await client()).fetchPdf(pdf.url, signal);
    const stored = { reference, bytes };
    (await caches()).pdfs.set(baseUri(reference), stored);
    note(reference);
    return stored;
  }

  async function downloadNfse(reference: NfseReference, signal?: AbortSignal) {
    const { number, issueDate, issuer } = reference;
    return (await client()).call('nfseDocument', { number, issueDate, issuer }, { signal });
  }

  return {
    async document(reference, signal) {
      const known = (await caches()).documents.get(baseUri(reference));
      if (known !== undefined) return known;
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
      const known = (await caches()).pdfs.get(baseUri(reference));
      if (known !== undefined) return known;
      if (reference.document === 'nfse') {
        const { document, pdf, forms } = await downloadNfse(reference, signal);
        if (document !== undefined) await store(fromReply(reference, document, [], forms));
        if (pdf === undefined) throw lacking('nfseDocument', 'xml without pdf', 'xml');
        return storePdf(reference, pdf, signal);
      }
      const pdf = await (await client()).call('nfePdf', { key: reference.key }, { signal });
      return storePdf(reference, pdf, signal);
    },

    peek: (reference) => kept?.documents.peek(baseUri(reference)),
    note,
    seen: () => [...references.values()],
    forget(reference) {
      kept?.documents.delete(baseUri(reference));
      kept?.pdfs.delete(baseUri(reference));
    },
  };
}

type NfseReference = Extract<DocumentReference, { document: 'nfse' }>;
type PdfSource = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'url'; url: string };

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
