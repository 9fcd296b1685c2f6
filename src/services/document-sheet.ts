import type { StoredDocument } from '../archive/store/archive.ts';
import { standingEvents } from '../documents/events/statuses.ts';
import type { Translator } from '../messages/index.ts';
import type { DrawnDocument } from '../render/render.ts';
import type { Sheet } from '../render/sheet.ts';

/** What is known of a document beside its text: its status, and since when that is known. */
export type Standing = Pick<StoredDocument, 'summary' | 'status' | 'status_at' | 'events'>;

/** A document as its sheet shows it: with the events that stand, and its status as of when. */
export function toBeDrawn(xml: string, document: Standing, translator: Translator): DrawnDocument {
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
  const [{ sheetOf }, { XmlError }] = await Promise.all([
    import('../render/sheet-of.ts'),
    import('../documents/xml/xml-error.ts'),
  ]);
  try {
    return await sheetOf(toBeDrawn(xml, document, translator));
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}
