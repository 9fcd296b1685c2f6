import type { XmlRow } from '../../archive/export/index.ts';
import type { DocumentReference } from '../../archive/references.ts';
import { UpstreamError } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { type DocumentSheet, documentPdf, documentSheet, joinSheets } from '../../company/document-pdf.ts';
import { explainFailure } from '../../company/failures.ts';
import { MOST_FAILURES, type Without } from './xml-files.ts';

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

/** Sheets of which `make` gives one; what it can't draw has no sheet, for the reason that it gives. */
function sheetsOf(
  { translator }: CallContext,
  tally: SheetTally,
  drawn: { has(sheet: Uint8Array): boolean },
  make: (reference: DocumentReference, signal: AbortSignal) => Promise<Uint8Array>,
): Sheets {
  return {
    tally,
    async make(reference, signal) {
      try {
        return await make(reference, signal);
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

/** What is to be drawn together stands in the place of a file until it is. */
export function createJointSheets(context: CallContext): JointSheets {
  const drawn = new WeakMap<Uint8Array, DocumentSheet>();
  return {
    ...sheetsOf(context, { rendered: 0 }, drawn, async (reference, signal) => {
      const place = new Uint8Array();
      drawn.set(place, await documentSheet(reference, context.company, signal));
      return place;
    }),
    join(places, title, date) {
      return joinSheets(
        places.flatMap((place) => drawn.get(place) ?? []),
        title,
        date,
      );
    },
  };
}

/** What the service has for one of its own, among many. */
const PATIENCE_MS = 5_000;

/** Makes the sheets of one export: the service's own, or drawn ones. */
export function createSheets(context: CallContext): Sheets {
  const tally: SheetTally = { rendered: 0 };
  const drawn = new WeakSet<Uint8Array>();
  let failures = 0;
  return sheetsOf(context, tally, drawn, async (reference, signal) => {
    const drawOnly = failures >= MOST_FAILURES;
    const options = { signal, drawOnly, patience: PATIENCE_MS };
    const pdf = await documentPdf(reference, context.company, options);
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
  });
}
