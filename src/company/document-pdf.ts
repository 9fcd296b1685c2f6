import type { StoredDocument } from '../archive/archive.ts';
import { type DocumentReference, isOfService } from '../archive/references.ts';
import type { Remembered } from '../archive/remember/memory.ts';
import { Cancelled, UpstreamError } from '../clients/errors.ts';
import { withTimeout } from '../clients/http/signals.ts';
import { standingEvents } from '../documents/events/statuses.ts';
import { kindName } from '../documents/summary/summary.ts';
import { XmlError } from '../documents/xml/events.ts';
import type { Translator } from '../messages/index.ts';
import type { DrawnDocument, Sheet } from '../sheets/render.ts';
import type { Company } from './company.ts';
import { NotConfigured, PasswordFileUnreadable } from './credentials.ts';
import { Unfulfilled } from './failures.ts';

/** What is known of a document beside its text: its status, and since when that is known. */
export type Standing = Pick<StoredDocument, 'summary' | 'status' | 'status_at' | 'events'>;

/** A document as its sheet shows it: with the events that stand, and its status as of when. */
function toBeDrawn(xml: string, document: Standing, translator: Translator): DrawnDocument {
  const { summary, status, status_at: at } = document;
  const events = standingEvents(
    summary,
    document.events.map((one) => one.summary),
  );
  return { xml, summary, status, events, asOf: translator.moment(at) };
}

/**
 * What the sheet of a document shows, for who lays it out otherwise than as a PDF; undefined for what has none, and for
 * a text that can't be read.
 */
export async function sheetFor(
  xml: string,
  document: Standing,
  translator: Translator,
): Promise<Sheet | undefined> {
  const { sheetOf } = await import('../sheets/render.ts');
  try {
    return await sheetOf(toBeDrawn(xml, document, translator));
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

/** The PDF of a document, and where it is from. */
export type DocumentPdf =
  | { readonly origin: 'service'; readonly bytes: Uint8Array }
  | {
      readonly origin: 'rendered';
      readonly bytes: Uint8Array;
      /** What stands across it, because the document isn't valid as it is. */
      readonly marks: readonly string[];
      /** What it was drawn from. */
      readonly document: Remembered;
      /** Why the service's own could not be had; undefined where there is no service, or it has none of this kind. */
      readonly failure?: unknown;
    };

export interface PdfRequest {
  readonly signal: AbortSignal;
  /** Leaves the service's own PDF alone, for whoever knows that it doesn't come. */
  readonly drawOnly?: boolean;
  /** Milliseconds that the service has for its own; 20 seconds unless given. */
  readonly patience?: number;
}

/** A service that doesn't answer must leave time for what can be done without it. */
const LONGEST_WAIT_MS = 20_000;

/** Whether a failure leaves the chance that the document's XML is at hand all the same. */
function mayBeDrawn(error: unknown): boolean {
  if (error instanceof UpstreamError) return !(error instanceof Cancelled);
  return error instanceof NotConfigured || error instanceof PasswordFileUnreadable;
}

/** Whether there is no service at all, as with the user's files alone: nothing failed then. */
function isWithoutService(error: unknown): boolean {
  return error instanceof NotConfigured && error.variables.flat().includes('DFE_URL');
}

/** A document of more elements than any has can be had as it is, but not laid out. */
function unlessTooLong(error: unknown): never {
  const isTooLong = error instanceof XmlError && error.reason === 'too_long';
  throw isTooLong ? new Unfulfilled('failure.sheet_too_long') : error;
}

type Render = typeof import('../sheets/render.ts');

/** What is made of a document's text, once that is at hand. @throws Unfulfilled where it has no sheet */
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

/** What a document's sheet shows. */
export type DocumentSheet = Sheet;

/** Sheets one after the other as one PDF; the same sheets and date are the same bytes. */
export async function joinSheets(sheets: readonly Sheet[], title: string, date: Date): Promise<Uint8Array> {
  const { renderSheets } = await import('../sheets/render.ts');
  return renderSheets(sheets, title, date);
}

/**
 * What a document's sheet shows, to be drawn among others.
 * @throws what the memory throws where its XML can't be had; Unfulfilled for a document that has no sheet
 */
export async function documentSheet(
  reference: DocumentReference,
  company: Company,
  signal: AbortSignal,
): Promise<Sheet> {
  return (await madeOf(reference, company, signal, (render, one) => render.sheetOf(one))).made;
}

/**
 * A document as a PDF: the service's own, or a sheet drawn from its XML where the service has none (CT-e) or fails.
 * @throws what the memory throws where neither can be had; Unfulfilled for a document that has no sheet
 */
export async function documentPdf(
  reference: DocumentReference,
  company: Company,
  { signal, drawOnly = false, patience = LONGEST_WAIT_MS }: PdfRequest,
): Promise<DocumentPdf> {
  const isDrawn = reference.document === 'cte' || drawOnly || !isOfService(reference);
  if (isDrawn) return draw(reference, company, signal, undefined);
  try {
    const bytes = await withTimeout(patience, signal, (ending) => company.memory.pdf(reference, ending));
    return { origin: 'service', bytes };
  } catch (error) {
    if (signal.aborted || !mayBeDrawn(error)) throw error;
    return draw(reference, company, signal, isWithoutService(error) ? undefined : error);
  }
}
