import type { StoredDocument } from '../../archive/archive.ts';
import type { XmlRow } from '../../archive/export/zip.ts';
import { type DocumentReference, referenceOf } from '../../archive/references.ts';
import { Refused, TimedOut, Unreachable } from '../../clients/errors.ts';
import { withTimeout } from '../../clients/http/call.ts';
import type { CallContext } from '../../company/call-context.ts';
import { type DocumentSheet, documentPdf, documentSheet, joinSheets } from '../../company/document-pdf.ts';
import { explainFailure } from '../../company/failures.ts';
import { asWord } from '../../documents/untrusted.ts';
import { sentences } from './definition.ts';

/** How documents' files are fetched; by default their XML. */
export interface FileFetching {
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** Makes a file from a document rather than return its stored XML. @throws what the memory throws; Unfulfilled */
  readonly make?: ((reference: DocumentReference, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  /** Why the service is not asked at all. */
  readonly failure?: unknown;
}

export interface XmlProgress {
  /** Documents finished without a gap from the first. */
  taken: number;
  /** Of these, documents without XML. */
  readonly missing: { readonly key: string; readonly reason: string }[];
  /** The service failed: later documents were not asked for. */
  stopped?: unknown;
}

/** Milliseconds; one slow document must not use up the time of the others. */
const LONGEST_DOCUMENT_MS = 12_000;
/** Consecutive failures of the service after which it is not asked again. */
const MOST_FAILURES = 3;

/** A document with its file, or why it has none; without an error it has no identity to ask by. */
interface Fetched {
  readonly document: StoredDocument;
  readonly file?: string | Uint8Array | undefined;
  readonly error?: unknown;
}

/** Whether a failure is the service's rather than the document's. */
function isOfService(error: unknown): boolean {
  if (error instanceof TimedOut || error instanceof Unreachable) return true;
  return error instanceof Refused && [401, 403, 407].includes(error.refusal.status ?? 0);
}

async function fetchOne(
  document: StoredDocument,
  { make, failure }: FileFetching,
  { company, translator }: CallContext,
  stop: AbortSignal,
): Promise<Fetched> {
  if (document.xml !== undefined && make === undefined) return { document, file: document.xml };
  const reference = referenceOf(document.summary);
  if (reference === undefined) return { document };
  if (failure !== undefined) return { document, error: failure };
  try {
    const file = await withTimeout(LONGEST_DOCUMENT_MS, stop, async (signal) => {
      if (make !== undefined) return make(reference, signal);
      return (await company.memory.document(reference, { signal, needsXml: true })).xml;
    });
    return { document, file };
  } catch (error) {
    if (explainFailure(error, translator) === undefined) throw error;
    return { document, error };
  }
}

/**
 * Documents with their XML or another file, stored or fetched one by one, until the deadline or a failure of the
 * service. `progress` is updated; a document without a file yields a row without it.
 * @throws the service's error if no document came; unexpected errors
 */
export async function* xmlFiles(
  documents: AsyncIterable<StoredDocument>,
  fetching: FileFetching,
  progress: XmlProgress,
  context: CallContext,
): AsyncGenerator<XmlRow & { readonly document: StoredDocument }> {
  const { company, signal, translator } = context;
  const ending = new AbortController();
  const timeOver = AbortSignal.timeout(Math.max(1, fetching.deadline - Date.now()));
  const stop = AbortSignal.any([signal, timeOver, ending.signal]);
  /** Failures that may turn out to be the service's. */
  const doubtful: Fetched[] = [];
  let came = 0;

  /** Fetches several concurrently and yields them in order. */
  async function* inOrder(): AsyncGenerator<Fetched> {
    const underWay: Promise<Fetched>[] = [];
    for await (const document of documents) {
      const fetched = fetchOne(document, fetching, context, stop);
      // Its error is thrown at its `await`; if an earlier one ends the export, it is ignored.
      fetched.catch(() => undefined);
      underWay.push(fetched);
      const first = underWay.length < company.settings.concurrency ? undefined : underWay.shift();
      if (first !== undefined) yield await first;
    }
    for (const last of underWay) yield await last;
  }
  const without = ({ document, error }: Fetched) => {
    const { summary, status } = document;
    const reason = explainFailure(error, translator) ?? translator.say('analysis.not_alone');
    progress.taken += 1;
    progress.missing.push({ key: summary.key ?? summary.number ?? '', reason });
    return { document, summary: { ...summary, status }, reason };
  };

  try {
    for await (const fetched of inOrder()) {
      const { document, file, error } = fetched;
      if (file !== undefined) {
        for (const one of doubtful.splice(0)) yield without(one);
        const { summary, status } = document;
        came += 1;
        progress.taken += 1;
        const xml = typeof file === 'string' ? Buffer.from(file) : file;
        yield { document, summary: { ...summary, status }, xml };
        continue;
      }
      if (signal.aborted && error !== undefined) throw error;
      if (stop.aborted) return;
      if (!isOfService(error) || error === fetching.failure) {
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
    if (came === 0 && first !== undefined) throw first.error;
    for (const one of doubtful) yield without(one);
  } finally {
    ending.abort();
  }
}

/** Documents without XML named in an answer; the file lists all. */
const MOST_NAMED = 10;

/** Names documents without XML, and why later ones were not asked for. */
export function xmlSentences({ stopped, missing }: XmlProgress, { translator }: CallContext): string[] {
  const named = missing.slice(0, MOST_NAMED).map(({ key, reason }) => `${asWord(key)}: ${reason}`);
  const failure = explainFailure(stopped, translator);
  return sentences(
    missing.length > 0 && [
      `⚠ ${translator.say('analysis.without_xml', { count: missing.length })}`,
      ...named,
    ],
    failure !== undefined && `⚠ ${translator.say('analysis.zip_stopped')} ${failure}`,
  );
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

  /** A document's sheet. @throws what its XML's memory throws, Unfulfilled when there is none */
  async make(reference: DocumentReference, signal: AbortSignal): Promise<Uint8Array> {
    const { company } = this.#context;
    if (this.isJoint) {
      const placeholder = new Uint8Array();
      this.#drawn.set(placeholder, await documentSheet(reference, company, signal));
      return placeholder;
    }
    const drawOnly = this.#failures >= MOST_FAILURES;
    const pdf = await documentPdf(reference, company, { signal, drawOnly, timeoutMs: SHEET_TIMEOUT_MS });
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

  /** Joins the sheets of these rows into one PDF. */
  join(rows: readonly XmlRow[], title: string, date: Date): Promise<Uint8Array> {
    const sheets = rows.flatMap((row) => ('xml' in row ? (this.#drawn.get(row.xml) ?? []) : []));
    return joinSheets(sheets, title, date);
  }
}
