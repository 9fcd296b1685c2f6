import type { StoredDocument } from '../../archive/archive.ts';
import type { XmlRow } from '../../archive/export/zip.ts';
import type { DocumentReference } from '../../archive/references.ts';
import { Refused, TimedOut, Unreachable, UpstreamError } from '../../clients/errors.ts';
import { withTimeout } from '../../clients/http/call.ts';
import type { CallContext } from '../../company/call-context.ts';
import { type DocumentSheet, documentPdf, documentSheet, joinSheets } from '../../company/document-pdf.ts';
import { explainFailure } from '../../company/failures.ts';

/** A document without file, with the reason in words. */
export interface Without {
  readonly reason: string;
}

export interface XmlFetching {
  /** Fetches a document's file; undefined if it has no identity to ask by. @throws UpstreamError */
  readonly fetch: (
    document: StoredDocument,
    signal: AbortSignal,
  ) => Promise<string | Uint8Array | Without | undefined>;
  /** Whether the file is derived from the XML, so that stored XML does not suffice. */
  readonly isMade?: boolean;
  /** Explains why a document has no XML; undefined for one without identity. */
  readonly explain: (error: UpstreamError | undefined) => string;
  readonly atOnce: number;
  /** Deadline of fetching (milliseconds since 1970). */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Progress of an export. */
export interface XmlProgress {
  /** Documents finished without a gap from the first. */
  taken: number;
  /** Of these, documents without XML. */
  readonly missing: { readonly key: string; readonly reason: string }[];
  /** The service failed: later documents were not asked for. */
  stopped?: UpstreamError;
}

/** Milliseconds; one slow document must not use up the time of the others. */
const LONGEST_DOCUMENT_MS = 12_000;
/** Consecutive failures of the service after which it is not asked again. */
const MOST_FAILURES = 3;

/** A document whose XML failed, or without identity. */
interface Failed {
  readonly document: StoredDocument;
  readonly error: UpstreamError | undefined;
  readonly reason?: string;
}

type Fetched = { readonly document: StoredDocument; readonly xml: string | Uint8Array } | Failed;

const asBytes = (file: string | Uint8Array): Uint8Array =>
  typeof file === 'string' ? Buffer.from(file) : file;

/** Whether a failure is the service's rather than the document's. */
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

/** Fetches several concurrently and yields them in order. */
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
 * Documents with their XML, stored or fetched one by one, until the deadline or a failure of the service. `progress`
 * is updated; a document without XML yields a row without it.
 * @throws the service's error if no document came; other errors of `fetch`
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

/** Timeout of one PDF of the service among many, in milliseconds. */
const SHEET_TIMEOUT_MS = 5_000;

/** Sheets of an export: the service's or drawn ones, or all drawn into one file. */
export class Sheets {
  /** Number of drawn sheets. */
  rendered = 0;
  /** Why the first drawn sheet is not the service's. */
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

  /** A document's sheet, or why it has none. @throws UpstreamError when its XML did not come */
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
    const options = { signal, drawOnly, timeoutMs: SHEET_TIMEOUT_MS };
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

  /** Counts drawn sheets as they are written. */
  async *counted(rows: AsyncIterable<XmlRow>): AsyncGenerator<XmlRow> {
    for await (const row of rows) {
      if ('xml' in row && this.#drawn.has(row.xml)) this.rendered += 1;
      yield row;
    }
  }

  /** Joins the sheets of these placeholders into one PDF. */
  join(placeholders: readonly Uint8Array[], title: string, date: Date): Promise<Uint8Array> {
    return joinSheets(
      placeholders.flatMap((one) => this.#drawn.get(one) ?? []),
      title,
      date,
    );
  }
}
