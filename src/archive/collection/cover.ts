import type { TaxDocumentsClient } from '../../clients/tax-documents/client.ts';
import { type DateField, documentRoute } from '../../clients/tax-documents/listings.ts';
import type { DocumentArea } from '../references.ts';
import type { Archive } from '../store/index.ts';
import { type CollectionProgress, type CollectionResult, collect, type MissingDays } from './collect.ts';
import type { DayRange } from './windows.ts';

/** What a question rests on: a company's documents of some days, in both directions. */
export interface CoverRequest extends DayRange {
  readonly company: string;
  readonly area: DocumentArea;
  readonly by: DateField;
}

export interface CoverOptions {
  readonly archive: Archive;
  readonly client: TaxDocumentsClient;
  readonly concurrency: number;
  readonly hasTimes: boolean;
  readonly keepXml: boolean;
  readonly refreshDays: number;
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CollectionProgress) => void;
}

const LONGEST_WINDOW_DAYS = 31;
/** What was fetched just now is not asked for again, however young its days are. */
const TRUSTED_MINUTES = 10;

/**
 * Fetches what a question needs and the archive lacks or may have outdated. Both directions are always fetched, so
 * that a document's direction is decided from the document and not from which list it came in.
 * @throws what the service answered, where nothing at all could be fetched
 */
export async function cover(request: CoverRequest, options: CoverOptions): Promise<CollectionResult> {
  const { area, by, company } = request;
  const { archive, client, signal } = options;
  const route = documentRoute({ document: area, by });
  if (route === undefined) throw new TypeError(`no listing of ${area} by ${by}`);
  const results: CollectionResult[] = [];
  for (const direction of route.directions) {
    const scope = { company, area, by, ...(direction && { direction }) };
    const freshness = { now: new Date(), refreshDays: options.refreshDays, trustedMinutes: TRUSTED_MINUTES };
    const ranges = await archive.missing({ ...scope, from: request.from, to: request.to }, freshness);
    if (ranges.length === 0) continue;
    const result = await collect(ranges, {
      ...options,
      longestWindow: by === 'entry' ? 1 : LONGEST_WINDOW_DAYS,
      async fetch(window, begin, stop) {
        const take = begin;
        await client.call(
          route.operation,
          { company, ...window, direction },
          {
            signal: stop,
            begin: () => {
              const arrive = take();
              return ({ summary, xml }) => arrive(options.keepXml ? { summary, xml } : { summary });
            },
          },
        );
      },
      async store(days, arrivals) {
        await archive.store({ ...scope, ...days, fetchedAt: new Date() }, arrivals, signal);
      },
    });
    results.push(result);
  }
  return {
    missing: results.flatMap(({ missing }): readonly MissingDays[] => missing),
    pending: results.flatMap(({ pending }) => pending),
    documents: results.reduce((sum, { documents }) => sum + documents, 0),
  };
}
