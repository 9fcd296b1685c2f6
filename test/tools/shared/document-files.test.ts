import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { StoredDocument } from '../../../src/archive/archive.ts';
import { Cancelled, Refused, TimedOut, Unreachable } from '../../../src/clients/errors.ts';
import type { CallContext } from '../../../src/company/call-context.ts';
import { Unfulfilled } from '../../../src/company/failures.ts';
import { createTranslator } from '../../../src/messages/index.ts';
import { type XmlProgress, xmlFiles } from '../../../src/tools/shared/document-files.ts';
import { accessKey } from '../../support/documents.ts';
import { summaryOf } from '../../support/summaries.ts';

const call = { service: 'documents', operation: 'Mercadoria/DownloadXml' } as const;
const notThere = new Refused(call, { status: 404 });
const timedOut = new TimedOut(call, 60);
const unreachable = new Unreachable(call, 'service.example', 'ECONNREFUSED');
const unforeseen = new TypeError('x is undefined');
const forbidden = new Refused(call, { status: 403 });

const keyOf = (number: number) => accessKey({ number });
const xml = (number: number) => `<n${number}/>`;
const xmls = (...numbers: number[]) => numbers.map(xml);

async function* documentsOf(count: number, kept: readonly number[]): AsyncGenerator<StoredDocument> {
  for (let number = 1; number <= count; number++) {
    const at = '2026-11-20T12:00:00.000Z';
    yield {
      summary: summaryOf({ number: String(number), key: keyOf(number) }),
      ...{ status: 'authorized', status_from: 'document', status_at: at, events: [] },
      ...{ source: 'service', fetched_at: at, contents: 1 },
      ...(kept.includes(number) && { xml: `<kept n="${number}"/>` }),
    };
  }
}

interface Run {
  readonly count: number;
  /** The fault of a document, by its number; the others have their XML. */
  readonly but?: (number: number) => undefined | 'nothing' | 'hangs' | Error;
  readonly kept?: readonly number[];
  readonly milliseconds?: number;
  readonly signal?: AbortSignal;
}

/** The rows, one text per document, and the progress. */
async function run({ count, but = () => undefined, kept = [], milliseconds = 60_000, signal }: Run) {
  const progress: XmlProgress = { taken: 0, missing: [] };
  const asked: number[] = [];
  let underWay = 0;
  let most = 0;
  async function xmlOf(reference: object, stop: AbortSignal) {
    const number = Number('key' in reference && String(reference.key).slice(25, 34));
    asked.push(number);
    underWay += 1;
    most = Math.max(most, underWay);
    // Later ones answer earlier, so that order is not a matter of luck.
    await sleep(8 - (number % 4) * 2);
    underWay -= 1;
    const fault = but(number);
    if (fault === 'hangs') {
      if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve));
      throw new Cancelled(call);
    }
    if (fault instanceof Error) throw fault;
    return fault === undefined ? xml(number) : undefined;
  }
  const memory = {
    document: async (reference: object, options: { signal: AbortSignal }) => ({
      xml: await xmlOf(reference, options.signal),
    }),
  };
  const context = {
    company: { settings: { concurrency: 3 }, memory },
    ...{ translator: createTranslator('en'), signal: signal ?? new AbortController().signal },
  } as unknown as CallContext;
  const fetching = { deadline: Date.now() + milliseconds };
  const seen: string[] = [];
  let thrown: unknown;
  try {
    for await (const row of xmlFiles(documentsOf(count, kept), fetching, progress, context))
      seen.push(
        'xml' in row
          ? Buffer.from(row.xml).toString()
          : `${row.summary.number}: ${/status 404|60 s|no valid key|no sheet/.exec(row.reason)}`,
      );
  } catch (error) {
    thrown = error;
  }
  return { seen, thrown, progress, asked, most };
}

describe('the XML of documents', () => {
  it('comes in their order, a few at once, and what is kept is not fetched', async () => {
    const { seen, progress, asked, most } = await run({ count: 9, kept: [4] });
    expect(seen).toEqual([...xmls(1, 2, 3), '<kept n="4"/>', ...xmls(5, 6, 7, 8, 9)]);
    expect(asked).not.toContain(4);
    expect(most).toBe(3);
    expect(progress).toEqual({ taken: 9, missing: [] });
  });

  const late = { milliseconds: 300, but: (number: number) => (number > 4 ? 'hangs' : undefined) } as const;
  const failing = (error: Error, least: number, most = 99) => ({
    but: (number: number) => (number >= least && number <= most ? error : undefined),
  });
  it.each<[what: string, Run, seen: readonly string[], progress: Partial<XmlProgress>, thrown?: Error]>([
    [
      'that one document lacks does not cost the others theirs',
      { count: 5, but: (number) => ({ 2: notThere, 4: 'nothing' as const })[number] },
      [xml(1), '2: status 404', xml(3), '4: no valid key', xml(5)],
      {
        taken: 5,
        missing: [
          { key: keyOf(2), reason: expect.stringContaining('status 404') },
          { key: keyOf(4), reason: expect.stringContaining('no valid key') },
        ],
      },
    ],
    [
      'goes on after two failures of the service, and names them',
      { count: 5, ...failing(timedOut, 2, 3) },
      [xml(1), '2: 60 s', '3: 60 s', xml(4), xml(5)],
      { taken: 5 },
    ],
    [
      'that cannot be made of one document does not cost the others theirs',
      { count: 3, ...failing(new Unfulfilled('failure.no_sheet', { kind: 'NFS-e' }), 2, 2) },
      [xml(1), '2: no sheet', xml(3)],
      { taken: 3 },
    ],
    [
      'that fails unexpectedly is an error',
      { count: 3, ...failing(unforeseen, 2) },
      [xml(1)],
      {},
      unforeseen,
    ],
    // The failed document does not count as taken: the next call fetches it again.
    ...[timedOut, unreachable, forbidden].map((stopped): [string, Run, string[], XmlProgress] => [
      `ends before three failures in a row: ${stopped}`,
      { count: 30, ...failing(stopped, 3) },
      xmls(1, 2),
      { taken: 2, missing: [], stopped },
    ]),
    [
      'ends at the third failure in a row, though later documents would come',
      { count: 9, ...failing(timedOut, 3, 5) },
      xmls(1, 2),
      { taken: 2, missing: [], stopped: timedOut },
    ],
    ['of which nothing comes is an error', { count: 30, ...failing(unreachable, 1) }, [], {}, unreachable],
    ['of one that does not come is an error', { count: 1, ...failing(unreachable, 1) }, [], {}, unreachable],
    ['ends when the time is over', { count: 30, ...late }, xmls(1, 2, 3, 4), { taken: 4, missing: [] }],
  ])('%s', async (_, asked, expected, came, error) => {
    const { seen, thrown, progress, asked: fetched } = await run(asked);
    expect([seen, thrown]).toEqual([expected, error]);
    expect(progress).toMatchObject(came);
    if (asked.count > 10) expect(fetched.length).toBeLessThan(10);
  });

  it('is an error when the caller goes away', async () => {
    const { thrown } = await run({ count: 30, but: () => 'hangs', signal: AbortSignal.timeout(100) });
    expect(thrown).toBeInstanceOf(Cancelled);
  });
});
