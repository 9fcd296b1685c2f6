import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConfiguredServer,
  startConfigured,
  startConfiguredProgram,
} from '../support/configured-server.ts';
import { cteXml, documentListReply, nfeXml, nfseXml } from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';
import { json } from '../support/recording-upstream.ts';

/** Seconds at which days, months and clocks change, each as a document writes it. */
const moments = [
  '2018-10-31T23:59:59-03:00',
  '2018-11-01T00:00:00-03:00',
  // São Paulo kept summer time from 4 November 2018 to 16 February 2019.
  '2018-11-03T23:59:59-03:00',
  '2018-11-04T01:00:00-02:00',
  '2018-11-30T23:59:59-02:00',
  '2018-12-01T00:00:00-02:00',
  // An hour and two later in São Paulo, where it was another month already.
  '2018-11-30T23:59:59-04:00',
  '2018-11-30T23:30:00-05:00',
  '2018-12-01T00:00:00-04:00',
  '2018-12-31T23:59:59-02:00',
  '2019-01-01T00:00:00-02:00',
  '2019-02-16T23:30:00-03:00',
  '2024-02-29T23:59:59-03:00',
  '2024-03-01T00:00:00-03:00',
] as const;

const days = moments.map((moment) => moment.slice(0, 10));
const count = (values: readonly string[]) =>
  [...new Set(values)].sort().map((value) => [value, String(values.filter((one) => one === value).length)]);

const notes = moments.map((moment, i) =>
  nfeXml({ number: i + 1 }).replaceAll('2026-11-05T10:00:00-03:00', moment),
);
const transports = moments.map((moment, i) =>
  cteXml({ number: i + 1 }).replaceAll('2026-11-05T10:00:00-03:00', moment),
);
/** Municipal notes write no offset. */
const services = moments.map((moment, i) =>
  nfseXml({ number: i + 1 }).replaceAll('2026-11-05T09:00:00', moment.slice(0, 19)),
);

interface Answer {
  readonly documents: number;
  readonly rows: readonly { group: Record<string, string>; measures: Record<string, string> }[];
}

describe.each([
  ['a clock fourteen hours ahead', 'Pacific/Kiritimati'],
  ['a clock eleven hours behind', 'Pacific/Pago_Pago'],
])('on a machine with %s', (_, TZ) => {
  let program: ConfiguredServer;
  beforeAll(async () => {
    program = await startConfiguredProgram({
      env: { TZ },
      respond: holding([...notes, ...transports, ...services]),
    });
  });
  afterAll(() => program.close());

  async function ask(document: string, from: string, to: string, grouping: string): Promise<Answer> {
    const args = { document, from, to, group_by: [grouping], measures: ['count'] };
    const { isError, text, structured } = await program.call('query_documents', args);
    expect(isError, text).toBe(false);
    return structured as unknown as Answer;
  }

  const counted = ({ rows }: Answer, grouping: string) =>
    rows.map(({ group, measures }) => [group[grouping], measures.count]);

  it.each(['nfe', 'cte', 'nfse'])('the day of %s is the one written in the document', async (document) => {
    const byDay = await ask(document, '2018-10-01', '2019-02-28', 'day');
    expect(counted(byDay, 'day')).toEqual(count(days.filter((day) => day < '2020')));
    const byMonth = await ask(document, '2018-10-01', '2019-02-28', 'month');
    const months = days.filter((day) => day < '2020').map((day) => day.slice(0, 7));
    expect(counted(byMonth, 'month')).toEqual(count(months));
  });

  it.each(['nfe', 'cte', 'nfse'])(
    'a period of %s has its first and last second and no more',
    async (document) => {
      const november = await ask(document, '2018-11-01', '2018-11-30', 'month');
      expect(counted(november, 'month')).toEqual([['2018-11', '6']]);
      expect((await ask(document, '2018-11-30', '2018-11-30', 'day')).documents).toBe(3);
      expect((await ask(document, '2018-12-01', '2018-12-01', 'day')).documents).toBe(2);
      expect((await ask(document, '2024-02-29', '2024-02-29', 'day')).documents).toBe(1);
      expect((await ask(document, '2024-03-01', '2024-03-31', 'day')).documents).toBe(1);
    },
  );
});

describe('a service whose clock is not that of the documents', () => {
  let program: ConfiguredServer;
  beforeAll(async () => {
    const [late = ''] = notes.slice(7);
    // 23:30 of 30 November at UTC-5 is the first of December at UTC.
    const reply = documentListReply([late]);
    program = await startConfigured({
      env: { DFE_LANGUAGE: 'en' },
      respond: ({ query }, response) =>
        json(response, new Map(query).get('dataDe') === '01/12/2018' ? reply : documentListReply([])),
    });
  });
  afterAll(() => program.close());

  it('does not move a document, and the answer says that it counts on another day', async () => {
    const day = { from: '2018-12-01', to: '2018-12-01' };
    const { text, structured } = await program.call('query_documents', { document: 'nfe', ...day });
    expect(structured).toMatchObject({ documents: 0, listed: [] });
    expect(text).toContain('listed 1 document of another date of issue');
    const wider = { document: 'nfe', from: '2018-11-30', to: '2018-12-01' };
    const { structured: found } = await program.call('query_documents', wider);
    expect(found).toMatchObject({ documents: 1, listed: [{ issued_at: '2018-11-30T23:30:00-05:00' }] });
  });
});
