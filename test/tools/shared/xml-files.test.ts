import { describe, expect, it } from 'vitest';
import type { StoredDocument } from '../../../src/archive/archive.ts';
import { Cancelled, Refused, TimedOut, Unreachable, UpstreamError } from '../../../src/clients/errors.ts';
import { type XmlProgress, xmlFiles } from '../../../src/tools/shared/xml-files.ts';
import { accessKey } from '../../support/documents.ts';

const call = { service: 'documents', operation: 'Mercadoria/DownloadXml' } as const;
const notThere = new Refused(call, { status: 404 });
const timedOut = new TimedOut(call, 60);
const unreachable = new Unreachable(call, 'service.example', 'ECONNREFUSED');
const forbidden = new Refused(call, { status: 403 });

const keyOf = (number: number) => accessKey({ number });

type Reply = string | undefined | Error | 'hangs';

async function* documentsOf(count: number, kept: readonly number[]): AsyncGenerator<StoredDocument> {
  for (let number = 1; number <= count; number++) {
    const summary = { kind: 'nfe', number: String(number), key: keyOf(number) };
    yield {
      summary: summary as unknown as StoredDocument['summary'],
      status: number === 2 ? 'cancelled' : 'authorized',
      status_from: 'document',
      status_at: '2026-11-20T12:00:00.000Z',
      events: [],
      source: 'service',
      fetched_at: '2026-11-20T12:00:00.000Z',
      contents: 1,
      ...(kept.includes(number) && { xml: `<kept n="${number}"/>` }),
    };
  }
}

interface Run {
  readonly count: number;
  readonly reply: (number: number) => Reply;
  readonly kept?: readonly number[];
  readonly milliseconds?: number;
  readonly signal?: AbortSignal;
}

/** What comes out, a word per document, and how far it came. */
async function run({ count, reply, kept = [], milliseconds = 60_000, signal }: Run) {
  const progress: XmlProgress = { taken: 0, missing: [] };
  const asked: number[] = [];
  let underWay = 0;
  let most = 0;
  const rows = xmlFiles(
    documentsOf(count, kept),
    {
      async fetch(reference, stop) {
        const number = Number('key' in reference && reference.key.slice(25, 34));
        asked.push(number);
        underWay += 1;
        most = Math.max(most, underWay);
        // Later ones answer earlier, so that order is not a matter of luck.
        await new Promise((resolve) => setTimeout(resolve, 8 - (number % 4) * 2));
        underWay -= 1;
        const answer = reply(number);
        if (answer === 'hangs') {
          await new Promise<void>((resolve) => {
            if (stop.aborted) resolve();
            else stop.addEventListener('abort', () => resolve());
          });
          throw new Cancelled(call);
        }
        if (answer instanceof Error) throw answer;
        return answer;
      },
      explain: (error) => error?.name ?? 'alone',
      atOnce: 3,
      deadline: Date.now() + milliseconds,
      signal: signal ?? new AbortController().signal,
    },
    progress,
  );
  const seen: string[] = [];
  let thrown: unknown;
  try {
    for await (const row of rows) {
      seen.push('xml' in row ? Buffer.from(row.xml).toString() : `${row.summary.number}: ${row.reason}`);
    }
  } catch (error) {
    thrown = error;
  }
  return { seen, thrown, progress, asked, most };
}

const xml = (number: number) => `<n${number}/>`;
const xmls = (...numbers: number[]) => numbers.map(xml);

describe('the XML of documents', () => {
  it('comes in their order, a few at once, and what is kept is not fetched', async () => {
    const { seen, progress, asked, most } = await run({ count: 9, reply: xml, kept: [4] });
    expect(seen).toEqual([...xmls(1, 2, 3), '<kept n="4"/>', ...xmls(5, 6, 7, 8, 9)]);
    expect(asked).not.toContain(4);
    expect(most).toBe(3);
    expect(progress).toEqual({ taken: 9, missing: [] });
  });

  it('that one document lacks does not cost the others theirs', async () => {
    const reply = (number: number) => (number === 2 ? notThere : number === 4 ? undefined : xml(number));
    const { seen, progress } = await run({ count: 5, reply });
    expect(seen).toEqual([xml(1), '2: Refused', xml(3), '4: alone', xml(5)]);
    expect(progress).toEqual({
      taken: 5,
      missing: [
        { key: keyOf(2), reason: 'Refused' },
        { key: keyOf(4), reason: 'alone' },
      ],
    });
  });

  it('goes on after two failures of the service, and names them', async () => {
    const reply = (number: number) => ([2, 3].includes(number) ? timedOut : xml(number));
    const { seen, progress } = await run({ count: 5, reply });
    expect(seen).toEqual([xml(1), '2: TimedOut', '3: TimedOut', xml(4), xml(5)]);
    expect(progress).toMatchObject({ taken: 5 });
  });

  it.each([timedOut, unreachable, forbidden])('ends before three failures in a row: %s', async (error) => {
    const { seen, progress, asked } = await run({
      count: 30,
      reply: (number) => (number > 2 ? error : xml(number)),
    });
    expect(seen).toEqual(xmls(1, 2));
    // What failed is not done with: the next call asks for it again.
    expect(progress).toEqual({ taken: 2, missing: [], stopped: error });
    expect(asked.length).toBeLessThan(10);
  });

  it.each([
    ['many', 30],
    ['one', 1],
  ])('of which nothing comes is an error: %s', async (_, count) => {
    const { seen, thrown } = await run({ count, reply: () => unreachable });
    expect(seen).toEqual([]);
    expect(thrown).toBe(unreachable);
  });

  it('ends without an error when the time is over', async () => {
    const { seen, progress, thrown } = await run({
      count: 30,
      reply: (number) => (number > 4 ? 'hangs' : xml(number)),
      milliseconds: 300,
    });
    expect(thrown).toBeUndefined();
    expect(seen).toEqual(xmls(1, 2, 3, 4));
    expect(progress).toEqual({ taken: 4, missing: [] });
  });

  it('is an error when the caller goes away', async () => {
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 100);
    const { thrown } = await run({ count: 30, reply: () => 'hangs', signal: caller.signal });
    expect(thrown).toBeInstanceOf(UpstreamError);
    expect(thrown).toMatchObject({ name: 'Cancelled' });
  });
});
