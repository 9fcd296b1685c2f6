import type { XmlRow } from '../archive/export/index.ts';
import type { DocumentReference } from '../archive/references.ts';
import { UpstreamError } from '../clients/errors.ts';
import type { CallContext } from '../services/call-context.ts';
import { type DocumentSheet, documentPdf, documentSheet, joinSheets } from '../services/document-pdf.ts';
import { explainFailure } from '../services/failures.ts';
import type { Without } from './xml-files.ts';

/** How the sheets of an export came about. */
export interface SheetTally {
  /** Sheets in the file that were drawn from the XML. */
  rendered: number;
  /** Why the first of them is not the service's, where the service has such. */
  failure?: unknown;
}

/** The sheets of many documents. */
export interface Sheets {
  readonly tally: SheetTally;
  /** A document's sheet, or why it has none. @throws UpstreamError where its XML could not be had */
  make(reference: DocumentReference, signal: AbortSignal): Promise<Uint8Array | Without>;
  /** The same rows; counts those that were drawn as they go into the file. */
  counted(rows: AsyncIterable<XmlRow>): AsyncGenerator<XmlRow>;
}

/** The sheets of many documents as one file, all of them drawn. */
export interface JointSheets extends Sheets {
  /** One PDF of these, which `make` gave. */
  join(sheets: readonly Uint8Array[], title: string, date: Date): Promise<Uint8Array>;
}

/** What is to be drawn together stands in the place of a file until it is. */
export function createJointSheets({ services, translator }: CallContext): JointSheets {
  const tally: SheetTally = { rendered: 0 };
  const drawn = new WeakMap<Uint8Array, DocumentSheet>();
  return {
    tally,
    async make(reference, signal) {
      try {
        const place = new Uint8Array();
        drawn.set(place, await documentSheet(reference, services, signal));
        return place;
      } catch (error) {
        const reason = error instanceof UpstreamError ? undefined : explainFailure(error, translator);
        if (reason === undefined) throw error;
        return { reason };
      }
    },
    async *counted(rows) {
      for await (const row of rows) {
        if ('xml' in row) tally.rendered += 1;
        yield row;
      }
    },
    join(places, title, date) {
      return joinSheets(
        places.flatMap((place) => drawn.get(place) ?? []),
        title,
        date,
      );
    },
  };
}

/** So many of the service's own that don't come, one after the other, and it is not asked for them any more. */
const FAILURES_BEFORE_DRAWING = 3;

/** What the service has for one of its own, among many. */
const PATIENCE_MS = 5_000;

/** Makes the sheets of one export: the service's own, or drawn ones. */
export function createSheets({ services, translator }: CallContext): Sheets {
  const tally: SheetTally = { rendered: 0 };
  const drawn = new WeakSet<Uint8Array>();
  let failures = 0;
  return {
    tally,
    async make(reference, signal) {
      const drawOnly = failures >= FAILURES_BEFORE_DRAWING;
      try {
        const pdf = await documentPdf(reference, services, { signal, drawOnly, patience: PATIENCE_MS });
        if (pdf.origin === 'service') {
          failures = 0;
          return pdf.bytes;
        }
        if (pdf.failure !== undefined) {
          failures += 1;
          tally.failure ??= pdf.failure;
        }
        drawn.add(pdf.bytes);
        return pdf.bytes;
      } catch (error) {
        const reason = error instanceof UpstreamError ? undefined : explainFailure(error, translator);
        if (reason === undefined) throw error;
        return { reason };
      }
    },
    async *counted(rows) {
      for await (const row of rows) {
        if ('xml' in row && drawn.has(row.xml)) tally.rendered += 1;
        yield row;
      }
    },
  };
}
