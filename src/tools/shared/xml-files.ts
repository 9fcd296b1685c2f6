import type { StoredDocument } from '../../archive/archive.ts';
import type { XmlRow } from '../../archive/export/index.ts';
import type { DocumentReference } from '../../archive/references.ts';
import { Refused, TimedOut, Unreachable, UpstreamError } from '../../clients/errors.ts';
import { withTimeout } from '../../clients/http/signals.ts';
import type { CallContext } from '../../company/call-context.ts';
import { type DocumentSheet, documentPdf, documentSheet, joinSheets } from '../../company/document-pdf.ts';
import { explainFailure } from '../../company/failures.ts';

/** A document that has no such file, with the reason in words. */
export interface Without {
  readonly reason: string;
}

export interface XmlFetching {
  /** A document's file; undefined where it cannot be asked for alone. @throws UpstreamError */
  readonly fetch: (
    document: StoredDocument,
    signal: AbortSignal,
  ) => Promise<string | Uint8Array | Without | undefined>;
  /** Whether the file is made from the XML, so that kept XML is not enough. */
  readonly isMade?: boolean;
  /** Why a document has no XML, in words for a person; undefined for one that cannot be asked for alone. */
  readonly explain: (error: UpstreamError | undefined) => string;
  readonly atOnce: number;
  /** Nothing is fetched after this moment (milliseconds since 1970). */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Progress of an export's documents. */
export interface XmlProgress {
  /** Documents done with, from the first one on without a gap. */
  taken: number;
  /** Of these, those without XML. */
  readonly missing: { readonly key: string; readonly reason: string }[];
  /** The service failed, not a document: what follows was not asked for. */
  stopped?: UpstreamError;
}

/** One document that does not come must not take the time of all others. */
const LONGEST_DOCUMENT_MS = 12_000;
/** Failures of the service in a row, after which it is not asked any more. */
const MOST_FAILURES = 3;

/** A document whose XML did not come; without an error, one that cannot be asked for alone. */
interface Failed {
  readonly document: StoredDocument;
  readonly error: UpstreamError | undefined;
  readonly reason?: string;
}

type Fetched = { readonly document: StoredDocument; readonly xml: string | Uint8Array } | Failed;

const asBytes = (file: string | Uint8Array): Uint8Array =>
  typeof file === 'string' ? Buffer.from(file) : file;

/** Whether a failure says something of the service rather than of the document. */
function isOfService(error: UpstreamError): boolean {
  if (error instanceof TimedOut || error instanceof Unreachable) return true;
  return error instanceof Refused && [401, 403, 407].includes(error.refusal.status ?? 0);
}

async function fetchOne(
  document: StoredDocument,
  fetching: XmlFetching,
  stop: AbortSignal,
): Promise<Fetched> {
  if (document.xml !== undefined && !fetching.isMade) return { document, xml: document.xml };
  try {
    const xml = await withTimeout(LONGEST_DOCUMENT_MS, stop, (signal) => fetching.fetch(document, signal));
    if (xml === undefined) return { document, error: undefined };
    if (typeof xml === 'object' && 'reason' in xml) return { document, error: undefined, reason: xml.reason };
    return { document, xml };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { document, error };
  }
}

/** Fetches several at once and hands them on in the order of the documents. */
async function* inOrder(
  documents: AsyncIterable<StoredDocument>,
  fetching: XmlFetching,
  stop: AbortSignal,
): AsyncGenerator<Fetched> {
  const underWay: Promise<Fetched>[] = [];
  for await (const document of documents) {
    underWay.push(fetchOne(document, fetching, stop));
    const first = underWay.length < fetching.atOnce ? undefined : underWay.shift();
    if (first !== undefined) yield await first;
  }
  for (const last of underWay) yield await last;
}

/**
 * The documents with their XML, as it is kept or else fetched one by one, until all are done, the time is over or the
 * service fails. `progress` tells how far it came; a document whose XML cannot be had is a row without XML.
 * @throws what the service answered, where not one document came; what `fetch` throws besides
 */
export async function* xmlFiles(
  documents: AsyncIterable<StoredDocument>,
  fetching: XmlFetching,
  progress: XmlProgress,
): AsyncGenerator<XmlRow> {
  const { signal, deadline, explain } = fetching;
  const ending = new AbortController();
  const timeOver = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  const stop = AbortSignal.any([signal, timeOver, ending.signal]);
  /** Failures that may turn out to be the service's. */
  const doubtful: Failed[] = [];
  let came = 0;

  const without = ({ document: { summary, status }, error, reason: own }: Failed): XmlRow => {
    const reason = own ?? explain(error);
    progress.taken += 1;
    progress.missing.push({ key: summary.key ?? summary.number ?? '', reason });
    return { summary: { ...summary, status }, reason };
  };

  try {
    for await (const fetched of inOrder(documents, fetching, stop)) {
      if ('xml' in fetched) {
        for (const one of doubtful.splice(0)) yield without(one);
        const { summary, status } = fetched.document;
        came += 1;
        progress.taken += 1;
        yield { summary: { ...summary, status }, xml: asBytes(fetched.xml) };
        continue;
      }
      const { error } = fetched;
      if (signal.aborted && error !== undefined) throw error;
      if (stop.aborted) return;
      if (error === undefined || !isOfService(error)) {
        for (const one of [...doubtful.splice(0), fetched]) yield without(one);
        continue;
      }
      doubtful.push(fetched);
      if (doubtful.length < MOST_FAILURES) continue;
      if (came === 0) throw error;
      progress.stopped = error;
      return;
    }
    const [first] = doubtful;
    if (came === 0 && first?.error !== undefined) throw first.error;
    for (const one of doubtful) yield without(one);
  } finally {
    ending.abort();
  }
}

/** Patience with the service for one of its own sheets, among many. */
const SHEET_PATIENCE_MS = 5_000;

/** The sheets of one export: the service's own or drawn ones, or all drawn into one file. */
export class Sheets {
  /** Drawn sheets in the file. */
  rendered = 0;
  /** Why the first of them is not the service's. */
  failure: unknown;
  readonly isJoint: boolean;
  readonly #context: CallContext;
  /** A sheet of a joint file has a placeholder until all are drawn together. */
  readonly #drawn = new WeakMap<Uint8Array, DocumentSheet | undefined>();
  #failures = 0;

  constructor(context: CallContext, isJoint: boolean) {
    this.#context = context;
    this.isJoint = isJoint;
  }

  /** A document's sheet, or why it has none. @throws UpstreamError where its XML did not come */
  async make(reference: DocumentReference, signal: AbortSignal): Promise<Uint8Array | Without> {
    try {
      return await (this.isJoint ? this.#placeholder(reference, signal) : this.#sheet(reference, signal));
    } catch (error) {
      const reason =
        error instanceof UpstreamError ? undefined : explainFailure(error, this.#context.translator);
      if (reason === undefined) throw error;
      return { reason };
    }
  }

  async #placeholder(reference: DocumentReference, signal: AbortSignal): Promise<Uint8Array> {
    const placeholder = new Uint8Array();
    this.#drawn.set(placeholder, await documentSheet(reference, this.#context.company, signal));
    return placeholder;
  }

  async #sheet(reference: DocumentReference, signal: AbortSignal): Promise<Uint8Array> {
    const drawOnly = this.#failures >= MOST_FAILURES;
    const options = { signal, drawOnly, patience: SHEET_PATIENCE_MS };
    const pdf = await documentPdf(reference, this.#context.company, options);
    if (pdf.origin === 'service') {
      this.#failures = 0;
      return pdf.bytes;
    }
    if (pdf.failure !== undefined) {
      this.#failures += 1;
      this.failure ??= pdf.failure;
    }
    this.#drawn.set(pdf.bytes, undefined);
    return pdf.bytes;
  }

  /** Counts drawn sheets as they go into the file. */
  async *counted(rows: AsyncIterable<XmlRow>): AsyncGenerator<XmlRow> {
    for await (const row of rows) {
      if ('xml' in row && this.#drawn.has(row.xml)) this.rendered += 1;
      yield row;
    }
  }

  /** One PDF of the sheets with these placeholders. */
  join(placeholders: readonly Uint8Array[], title: string, date: Date): Promise<Uint8Array> {
    return joinSheets(
      placeholders.flatMap((one) => this.#drawn.get(one) ?? []),
      title,
      date,
    );
  }
}
