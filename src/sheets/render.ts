import type { Sheet } from './sheet.ts';
import { sheetOf } from './sheet-of.ts';
import type { DrawnDocument } from './standing.ts';

export type { Sheet } from './sheet.ts';
export { sheetOf } from './sheet-of.ts';
export type { DrawnDocument } from './standing.ts';

/** A sheet as a PDF. */
export interface RenderedSheet {
  readonly bytes: Uint8Array;
  /** What stands across it; empty for a valid document. */
  readonly marks: readonly string[];
}

/** The day a document was issued, so that its sheet is the same bytes whenever it is drawn. */
function dateOf(text: string | undefined): Date {
  const date = new Date(text ?? 0);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/**
 * A document's sheet as a PDF; undefined for an event or a summary. Throws an XmlError for malformed text.
 */
export async function renderSheet(document: DrawnDocument): Promise<RenderedSheet | undefined> {
  const sheet = await sheetOf(document);
  if (sheet === undefined) return undefined;
  const { drawSheet } = await import('./draw/draw-sheet.ts');
  return { bytes: await drawSheet(sheet, dateOf(document.summary.issued_at)), marks: sheet.marks };
}

/** The sheets of several documents as one PDF, one after the other, whose outline names them. */
export async function renderSheets(sheets: readonly Sheet[], title: string, date: Date): Promise<Uint8Array> {
  const { drawSheets } = await import('./draw/draw-sheet.ts');
  return drawSheets(sheets, title, date);
}
