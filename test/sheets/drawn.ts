import { readDocuments } from '../../src/documents/summary/read-document.ts';
import type { DocumentStatus } from '../../src/documents/summary/summary.ts';
import { renderSheet } from '../../src/sheets/render.ts';
import { sheetText } from '../support/sheet-reader.ts';

/** A sheet of a document's text as the program draws it, and what it says without its blanks. */
export async function drawn(xml: string, status?: DocumentStatus) {
  const [summary] = readDocuments(xml);
  if (summary === undefined) throw new Error('no document');
  const events = summary.events ?? [];
  const sheet = await renderSheet({ xml, summary, status: status ?? summary.status, events });
  if (sheet === undefined) throw new Error('no sheet');
  const text = sheetText(sheet.bytes);
  return { ...sheet, text, dense: dense(text) };
}

/** A text without blanks, so that it doesn't matter where its lines end. */
export function dense(text: string): string {
  return text.replace(/\s+/g, '');
}
