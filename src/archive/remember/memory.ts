import { LRUCache } from 'lru-cache';
import type { TaxDocumentsClient } from '../../clients/documents/client.ts';
import type { KeyListing } from '../../clients/documents/listings.ts';
import { operationLabel } from '../../clients/documents/operations.ts';
import type { Download, ReceivedDocument } from '../../clients/documents/replies/results.ts';
import { Cancelled, NotUnderstood, UpstreamError } from '../../clients/errors.ts';
import { isDay } from '../../documents/days.ts';
import { isNumbered } from '../../documents/identity/keys.ts';
import type {
  Archive,
  AskedWindow,
  DocumentChange,
  KeptKeys,
  NotedEvent,
  StoredDocument,
} from '../archive.ts';
import { ArchiveError, failedFor } from '../errors.ts';
import type { UserFiles } from '../files/user-files.ts';
import { isFresh } from '../freshness.ts';
import { baseUri, type DocumentReference, isOfService, referenceOf, referenceOfKey } from '../references.ts';
import { createListings, type ListingsOptions } from './listings.ts';

export interface Remembered extends StoredDocument, Pick<Download, 'forms' | 'warnings'> {
  readonly reference: DocumentReference;
  readonly xml?: string;
  /** From the document's own download. */
  readonly checks?: Download['checks'];
  /** Changes found by a download in this call. */
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
  /** Error of a failed refresh: the stored state may be outdated. */
  readonly notRefreshed?: UpstreamError | undefined;
}

interface Recall {
  readonly signal?: AbortSignal | undefined;
  readonly refresh?: boolean | undefined;
  /** Also requires the document's XML. */
  readonly needsXml?: boolean | undefined;
}

export interface MemoryOptions extends ListingsOptions {
  readonly files: () => Promise<UserFiles | undefined>;
  readonly hasService: boolean;
  /** The company that owns the documents, if configured. */
  readonly company: string | undefined;
}

/** Longest wait of a question about one document for the user's files, milliseconds. */
const LONGEST_READING = 30_000;
const KEPT_BYTES = 64 * 1024 ** 2;
/** Cache time of a PDF, which lacks events later than its creation. */
const KEPT_MILLISECONDS = 5 * 60_000;

type Downloaded = Download & { readonly document: ReceivedDocument };

const operationOf = { nfe: 'nfeXml', cte: 'cteXml', nfse: 'nfseDocument' } as const;

function notInFiles(areFilesReading: boolean): ArchiveError {
  return new ArchiveError(areFilesReading ? 'files_not_read' : 'not_in_files');
}

function lacking(reference: DocumentReference, reason: string, kind: string): NotUnderstood {
  const operation = operationLabel(operationOf[reference.document]);
  return new NotUnderstood({ service: 'documents', operation }, reason, { kind, bytes: 0, start: '' });
}

function request(client: TaxDocumentsClient, reference: DocumentReference, signal?: AbortSignal) {
  if (reference.document !== 'nfse')
    return client.call(operationOf[reference.document], { key: reference.key }, { signal });
  return client.call('nfseDocument', reference, { signal });
}

/** Downloads one document. @throws the client's errors; NotUnderstood if the reply has another document */
async function download(
  client: TaxDocumentsClient,
  reference: DocumentReference,
  signal?: AbortSignal,
): Promise<Downloaded> {
  const reply = await request(client, reference, signal);
  const { document } = reply;
  if (document === undefined) throw lacking(reference, 'pdf without xml', 'pdf');
  const { number, key } = document.summary;
  const isAsked =
    reference.document === 'nfse'
      ? isNumbered(number, reference.number)
      : key === undefined || key === reference.key;
  if (!isAsked) throw lacking(reference, 'another document than the one asked for', 'xml');
  return { ...reply, document, events: reference.document === 'nfse' ? [] : reply.events };
}

/** Downloads the service's own PDF. @throws the client's errors; NotUnderstood if there is none */
async function downloadPdf(
  client: TaxDocumentsClient,
  reference: DocumentReference,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  if (reference.document !== 'nfse') return client.call('nfePdf', { key: reference.key }, { signal });
  const { pdf } = await request(client, reference, signal);
  if (pdf === undefined) throw lacking(reference, 'xml without pdf', 'xml');
  return 'url' in pdf ? client.fetchPdf(pdf.url, signal) : pdf;
}

/** Facts of a document's own download that the archive doesn't store. */
type Wrapping = Pick<Download, 'checks' | 'forms' | 'warnings'> & { readonly xml: string };

/** The state of a downloaded document that is not stored. */
function alone({ document: { summary, xml }, events }: Downloaded, fetched_at: string): StoredDocument {
  return {
    summary,
    status: summary.status,
    status_from: 'document',
    status_at: fetched_at,
    events: events.map((event) => ({ summary: event.summary, from: 'document', asked_at: fetched_at })),
    source: 'service',
    fetched_at,
    contents: 1,
    xml,
  };
}

/**
 * The repository of documents: stores all arrivals and serves all answers. It calls the service if a document is
 * unknown or its state is too old for the document's age. Opens the archive and calls the service only on use.
 */
export function createMemory(options: MemoryOptions) {
  const { archive, client, files, hasService, rules, company, now } = options;
  const downloads = new LRUCache<string, Wrapping>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ xml }) => xml.length * 2 + 1_000,
  });
  const pdfs = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    ttl: KEPT_MILLISECONDS,
    sizeCalculation: (bytes) => bytes.length + 1,
  });
  const references = new LRUCache<string, DocumentReference>({ maxSize: 5_000, sizeCalculation: () => 1 });
  /** Documents recently named in answers, latest last. */
  const seen = {
    note: (reference: DocumentReference): void => void references.set(baseUri(reference), reference),
    /** The same for a key; ignores invalid ones. */
    noteKey(key: string | undefined): void {
      const reference = key === undefined ? undefined : referenceOfKey(key);
      if (reference !== undefined) seen.note(reference);
    },
    all: (): readonly DocumentReference[] => [...references.rvalues()].flatMap((one) => one ?? []),
  };
  /** The archive; undefined if SQLite is unavailable. */
  const kept = (): Promise<Archive | undefined> =>
    archive().catch((error: unknown) => {
      if (failedFor('engine_missing', error)) return undefined;
      throw error;
    });

  /** A document with the cached facts of its own download. */
  function remembered(reference: DocumentReference, stored: StoredDocument): Remembered {
    const own = downloads.get(baseUri(reference));
    seen.note(reference);
    const xml = stored.xml ?? own?.xml;
    return { forms: [], warnings: [], ...own, ...stored, xml, reference, changes: [], changes_total: 0 };
  }

  async function keep(reference: DocumentReference, reply: Downloaded, at: Date): Promise<Remembered> {
    const { document, otherContents, events, checks, forms, warnings, pdf } = reply;
    const uri = baseUri(reference);
    downloads.set(uri, { xml: document.xml, checks, forms, warnings });
    if (pdf instanceof Uint8Array) pdfs.set(uri, pdf);
    const store = await kept();
    const { issuer, recipient, sender, payer } = document.summary;
    const isParty = [issuer, recipient, sender, payer].some((party) => party?.id === company);
    // Only parties hold a document.
    const holding = { company: (isParty && company) || '', area: reference.document };
    const outcome = await store?.keep(holding, [...otherContents, document, ...events], at);
    // The service may return another identifier than requested, such as a longer number of an NFS-e.
    const stored = (await store?.find(reference)) ?? alone(reply, at.toISOString());
    const { changes, changes_total } = outcome ?? { changes: [], changes_total: 0 };
    return { ...remembered(reference, stored), changes, changes_total };
  }

  /** The stored form of a document, with its text from the user's files if needed and not stored. */
  async function recall(reference: DocumentReference, needsXml = false): Promise<Remembered | undefined> {
    const stored = await (await kept())?.find(reference);
    const known = stored && remembered(reference, stored);
    if (!needsXml || known?.source === 'service' || known?.xml !== undefined) return known;
    return known && { ...known, xml: await (await files())?.textOf(reference, known) };
  }

  /** Reads the user's files; returns true if some are unread at the deadline, undefined without files. */
  async function filesRead(
    signal = new AbortController().signal,
    refresh = false,
  ): Promise<boolean | undefined> {
    const own = await files();
    if (own === undefined) return undefined;
    const deadline = Date.now() + LONGEST_READING;
    try {
      return (await own.ready({ deadline, signal, refresh })).isReading;
    } catch (error) {
      if (failedFor('engine_missing', error) && hasService) return undefined;
      if (signal.aborted) return true;
      throw error;
    }
  }

  async function findByKey(key: string, signal?: AbortSignal) {
    const isReading = await filesRead(signal);
    return { isReading, stored: await (await kept())?.findByKey(key) };
  }

  return {
    seen,
    ...createListings({ archive, client, rules, now }),
    /** The stored form of a document; nothing is fetched. @throws ArchiveError */
    recall: (reference: DocumentReference) => recall(reference),
    /** The known events of a key, even if its document is unknown. @throws ArchiveError */
    events: async (key: string) => (await (await kept())?.events(key)) ?? [],

    /** The keys of one listing; further pages use the last answer. @throws the client's errors; ArchiveError */
    async keys(
      question: AskedWindow & { readonly operation: KeyListing },
      { signal, goesOn }: { readonly signal: AbortSignal; readonly goesOn: boolean },
    ): Promise<KeptKeys> {
      const { operation, company: of, from, to, direction } = question;
      const store = await kept();
      const known = goesOn ? await store?.findKeys(question) : undefined;
      if (known !== undefined) return known;
      const fetched_at = new Date(now()).toISOString();
      const list = await (await client()).call(operation, { company: of, from, to, direction }, { signal });
      const answer = { fetched_at, list };
      await store?.recordKeys(question, answer);
      return answer;
    },

    /** False without SQLite: every request for a document then fetches it. @throws ArchiveError */
    isKept: async (): Promise<boolean> => (await kept()) !== undefined,

    /** The known document of a 50-character key, which the service can't look up. @throws ArchiveError */
    async named(key: string, signal?: AbortSignal): Promise<DocumentReference | undefined> {
      const { isReading, stored } = await findByKey(key, signal);
      const reference = stored && referenceOf(stored.summary);
      if (reference === undefined && !hasService && isReading !== undefined) throw notInFiles(isReading);
      return reference;
    },

    /** True if the user's files have a document with the key. @throws ArchiveError if files are still unread */
    async isFiled(key: string, signal?: AbortSignal): Promise<boolean> {
      const { isReading, stored } = await findByKey(key, signal);
      if (stored === undefined && isReading) throw notInFiles(true);
      return stored !== undefined;
    },

    /**
     * One document; its stored form, with the error, if the service fails.
     * @throws the client's errors, if the document is unknown or a refresh was requested; ArchiveError
     */
    async document(
      reference: DocumentReference,
      { signal, refresh = false, needsXml = false }: Recall = {},
    ): Promise<Remembered> {
      const isReading = await filesRead(signal, refresh);
      const known = await recall(reference, needsXml);
      const isWhole = known !== undefined && known.summary.kind !== 'summary';
      const isEnough = isWhole && (!needsXml || known.xml !== undefined);
      const isAlone = !hasService || !isOfService(reference);
      if (isAlone && isEnough) return known;
      if (!isOfService(reference)) throw notInFiles(isReading === true);
      if (isAlone && isReading !== undefined) throw notInFiles(isReading);
      const at = new Date(now());
      if (isEnough && known.source !== 'files' && !refresh) {
        const issued = known.summary.issued_at?.slice(0, 10) ?? '';
        const day = isDay(issued) ? issued : at.toISOString().slice(0, 10);
        if (isFresh(day, known.status_at, { now: at, rules })) return known;
      }
      try {
        return await keep(reference, await download(await client(), reference, signal), at);
      } catch (error) {
        const isOfService = error instanceof UpstreamError && !(error instanceof Cancelled);
        if (!isEnough || refresh || !isOfService) throw error;
        return { ...known, notRefreshed: error };
      }
    },

    /** The service's own PDF, cached for some minutes. @throws the client's errors */
    async pdf(reference: DocumentReference, signal?: AbortSignal): Promise<Uint8Array> {
      const known = pdfs.get(baseUri(reference));
      if (known !== undefined) return known;
      const bytes = await downloadPdf(await client(), reference, signal);
      pdfs.set(baseUri(reference), bytes);
      seen.note(reference);
      return bytes;
    },

    async note(event: NotedEvent): Promise<void> {
      pdfs.delete(baseUri({ document: 'nfe', key: event.key }));
      await (await kept())?.keepEvent(event);
    },
  };
}
