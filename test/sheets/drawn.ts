import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { type DrawnDocument, renderSheet } from '../../src/sheets/render.ts';
import { dense, sheetText } from '../support/sheet-reader.ts';

/** Draws a document's text; undefined without a sheet. */
export async function render(xml: string, more: Partial<DrawnDocument> = {}) {
  const [summary] = readDocuments(more.xml ?? xml);
  if (summary === undefined) throw new Error('no document');
  const { status, events = [] } = summary;
  return renderSheet({ summary, status, events, ...more, xml });
}

/** A drawn sheet of a document's text, and its own text without blanks. */
export async function drawn(xml: string, more: Partial<DrawnDocument> = {}) {
  const sheet = await render(xml, more);
  if (sheet === undefined) throw new Error('no sheet');
  const text = sheetText(sheet.bytes);
  return { ...sheet, text, dense: dense(text) };
}
