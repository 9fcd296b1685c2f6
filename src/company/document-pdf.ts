import type { StoredDocument } from '../archive/archive.ts';
import { type DocumentReference, isOfService } from '../archive/references.ts';
import type { Remembered } from '../archive/remember/memory.ts';
import { Cancelled, UpstreamError } from '../clients/errors.ts';
import { withTimeout } from '../clients/http/call.ts';
import { standingEvents } from '../documents/events/event-history.ts';
import { kindName } from '../documents/summary/summary.ts';
import { XmlError } from '../documents/xml/xml.ts';
import type { Translator } from '../messages/index.ts';
import type { DrawnDocument, Sheet } from '../sheets/render.ts';
import type { Company } from './company.ts';
import { NotConfigured, SecretFileUnusable } from './credentials.ts';
import { Unfulfilled } from './failures.ts';

/** Status of a document, and when it was last fetched. */
export type Standing = Pick<StoredDocument, 'summary' | 'status' | 'status_at' | 'events'>;

/** Input of the sheet renderer: the document with its standing events and status date. */
function toBeDrawn(xml: string, document: Standing, translator: Translator): DrawnDocument {
  const { summary, status, status_at: at } = document;
  const events = standingEvents(
    summary,
    document.events.map((one) => one.summary),
  );
  return { xml, summary, status, events, asOf: translator.moment(at) };
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
  const { sheetOf } = await import('../sheets/render.ts');
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

/** Whether the document's XML may still be available. */
function mayBeDrawn(error: unknown): boolean {
  if (error instanceof UpstreamError) return !(error instanceof Cancelled);
  return error instanceof NotConfigured || error instanceof SecretFileUnusable;
}

/** Whether no service is configured, so nothing failed. */
function isWithoutService(error: unknown): boolean {
  return error instanceof NotConfigured && error.variables.flat().includes('DFE_URL');
}

/** Documents beyond the element limit are stored but have no sheet. */
function unlessTooLong(error: unknown): never {
  const isTooLong = error instanceof XmlError && error.reason === 'too_long';
  throw isTooLong ? new Unfulfilled('failure.sheet_too_long') : error;
}

type Render = typeof import('../sheets/render.ts');

/** Builds something from a document's XML. @throws Unfulfilled when its kind has no sheet */
async function madeOf<Made>(
  reference: DocumentReference,
  { memory, translator }: Company,
  signal: AbortSignal,
  make: (render: Render, document: DrawnDocument) => Promise<Made | undefined>,
): Promise<{ readonly document: Remembered; readonly made: Made }> {
  const document = await memory.document(reference, { signal, needsXml: true });
  const { xml } = document;
  const render = await import('../sheets/render.ts');
  const made =
    xml === undefined
      ? undefined
      : await make(render, toBeDrawn(xml, document, translator)).catch(unlessTooLong);
  if (made === undefined)
    throw new Unfulfilled('failure.no_sheet', { kind: kindName(document.summary.kind) });
  return { document, made };
}

async function draw(
  reference: DocumentReference,
  company: Company,
  signal: AbortSignal,
  failure: unknown,
): Promise<DocumentPdf> {
  const { document, made } = await madeOf(reference, company, signal, (render, one) =>
    render.renderSheet(one),
  );
  return { origin: 'rendered', ...made, document, ...(failure !== undefined && { failure }) };
}

export type DocumentSheet = Sheet;

/** Joins sheets into one PDF; deterministic for the same sheets and date. */
export async function joinSheets(sheets: readonly Sheet[], title: string, date: Date): Promise<Uint8Array> {
  const { renderSheets } = await import('../sheets/render.ts');
  return renderSheets(sheets, title, date);
}

/**
 * Builds a document's sheet, to be joined with others.
 * @throws what the memory throws when the XML is unavailable; Unfulfilled when the kind has no sheet
 */
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
  const isDrawn = reference.document === 'cte' || drawOnly || !isOfService(reference);
  if (isDrawn) return draw(reference, company, signal, undefined);
  try {
    const bytes = await withTimeout(timeoutMs, signal, (ending) => company.memory.pdf(reference, ending));
    return { origin: 'service', bytes };
  } catch (error) {
    if (signal.aborted || !mayBeDrawn(error)) throw error;
    return draw(reference, company, signal, isWithoutService(error) ? undefined : error);
  }
}
