import type { StoredDocument } from '../archive/archive.ts';
import { type DocumentReference, isOfService } from '../archive/references.ts';
import type { Remembered } from '../archive/remember/memory.ts';
import { Cancelled, UpstreamError } from '../clients/errors.ts';
import { withTimeout } from '../clients/http/call.ts';
import { standingEvents } from '../documents/events/event-history.ts';
import { kindName } from '../documents/summary/summary.ts';
import type { Translator } from '../messages/index.ts';
import type { DrawnDocument, Sheet } from '../sheets/render.ts';
import type { Company } from './company.ts';
import { NotConfigured, SecretFileUnusable } from './credentials.ts';
import { Unfulfilled } from './failures.ts';

/** Status of a document, and when it was last fetched. */
export type Standing = Pick<StoredDocument, 'summary' | 'status' | 'status_at' | 'events'>;

const loadRender = () => import('../sheets/render.ts');

/** Input of the sheet renderer: the document with its standing events and status date. */
function toBeDrawn(xml: string, document: Standing, translator: Translator): DrawnDocument {
  const { summary, status, status_at: at } = document;
  return { xml, summary, status, events: standingEvents(document), asOf: translator.moment(at) };
}

/**
 * The sheet of a document as data, for renderers other than the PDF. Undefined when the kind has no sheet or the XML
 * is unreadable.
 */
export async function sheetFor(
  xml: string,
  document: Standing,
  translator: Translator,
): Promise<Sheet | undefined> {
  const { sheetOf, XmlError } = await loadRender();
  try {
    return sheetOf(toBeDrawn(xml, document, translator));
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

export type DocumentPdf =
  | { readonly origin: 'service'; readonly bytes: Uint8Array }
  | {
      readonly origin: 'rendered';
      readonly bytes: Uint8Array;
      /** Watermarks, e.g. of a cancelled document. */
      readonly marks: readonly string[];
      readonly document: Remembered;
      /** Why the service's PDF failed; undefined when there is no service, or none for this kind. */
      readonly failure?: unknown;
    };

export interface PdfRequest {
  readonly signal: AbortSignal;
  /** Skips the service's PDF when it is known not to come. */
  readonly drawOnly?: boolean;
  /** Timeout of the service's PDF in milliseconds; default 20 seconds. */
  readonly timeoutMs?: number;
}

/** Leaves time for drawing when the service does not answer. */
const LONGEST_WAIT_MS = 20_000;

/** Builds something from a document's XML. @throws Unfulfilled when its kind has no sheet, or it is too long for one */
async function madeOf<Made>(
  reference: DocumentReference,
  { memory, translator }: Company,
  signal: AbortSignal,
  make: (
    render: Awaited<ReturnType<typeof loadRender>>,
    document: DrawnDocument,
  ) => Promise<Made | undefined>,
): Promise<{ readonly document: Remembered; readonly made: Made }> {
  const document = await memory.document(reference, { signal, needsXml: true });
  const { xml, summary } = document;
  const render = await loadRender();
  try {
    const made = xml === undefined ? undefined : await make(render, toBeDrawn(xml, document, translator));
    if (made !== undefined) return { document, made };
  } catch (error) {
    const isTooLong = error instanceof render.XmlError && error.reason === 'too_long';
    throw isTooLong ? new Unfulfilled('failure.sheet_too_long') : error;
  }
  throw new Unfulfilled('failure.no_sheet', { kind: kindName(summary.kind) });
}

export type DocumentSheet = Sheet;

/** Joins sheets into one PDF; deterministic for the same sheets and date. */
export async function joinSheets(sheets: readonly Sheet[], title: string, date: Date): Promise<Uint8Array> {
  return (await loadRender()).renderSheets(sheets, title, date);
}

/** Builds a document's sheet, to be joined with others. @throws as `documentPdf` does */
export async function documentSheet(
  reference: DocumentReference,
  company: Company,
  signal: AbortSignal,
): Promise<Sheet> {
  return (await madeOf(reference, company, signal, async (render, one) => render.sheetOf(one))).made;
}

/**
 * Returns the service's PDF, or draws one from the XML when the service has none (CT-e) or fails.
 * @throws what the memory throws when neither is available; Unfulfilled when the kind has no sheet
 */
export async function documentPdf(
  reference: DocumentReference,
  company: Company,
  { signal, drawOnly = false, timeoutMs = LONGEST_WAIT_MS }: PdfRequest,
): Promise<DocumentPdf> {
  let failure: unknown;
  if (reference.document !== 'cte' && !drawOnly && isOfService(reference)) {
    try {
      const bytes = await withTimeout(timeoutMs, signal, (ending) => company.memory.pdf(reference, ending));
      return { origin: 'service', bytes };
    } catch (error) {
      const isUpstream = error instanceof UpstreamError && !(error instanceof Cancelled);
      const isSetting = error instanceof NotConfigured || error instanceof SecretFileUnusable;
      if (signal.aborted || !(isUpstream || isSetting)) throw error;
      // Without a configured service nothing failed.
      const hasNoService = error instanceof NotConfigured && error.variables.flat().includes('DFE_URL');
      if (!hasNoService) failure = error;
    }
  }
  const { document, made } = await madeOf(reference, company, signal, (render, one) =>
    render.renderSheet(one),
  );
  return { origin: 'rendered', ...made, document, ...(failure !== undefined && { failure }) };
}
