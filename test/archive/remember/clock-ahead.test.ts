import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/built-program.ts';
import { accessKey, documentListReply, downloadReply, nfeXml } from '../../support/documents.ts';
import { duringTests } from '../../support/during-tests.ts';
import { settingsFor } from '../../support/event-service.ts';
import { connectInProcess } from '../../support/in-process.ts';
import { json, startRecordingUpstream } from '../../support/recording-upstream.ts';

const key = accessKey({ number: 1 });
const note = nfeXml({ number: 1 });
const hour = 3_600_000;

const upstream = duringTests(() =>
  startRecordingUpstream(({ path }, response) =>
    json(response, path.endsWith('/DownloadXml') ? downloadReply(note) : documentListReply([note])),
  ),
);
let clock = Date.parse('2026-11-20T12:00:00Z');

it('what was fetched with a clock that was ahead is asked for once more, and then holds', async () => {
  const folder = temporaryFolder();
  const env = settingsFor(upstream, folder, { DFE_ARCHIVE: 'file' });
  const connection = await connectInProcess('v1', { env, now: () => clock });
  const day = { document: 'nfe', from: '2026-11-05', to: '2026-11-05', by: 'issue' };
  const calls = [
    ['get_document', { document: 'nfe', key }],
    ['list_documents', day],
    ['query_documents', { ...day, document: ['nfe'] }],
  ] as const;
  const askAll = async () => {
    const before = upstream.seen.length;
    const moments: unknown[] = [];
    for (const [tool, args] of calls) {
      const { structured, isError, text } = await connection.call(tool, args);
      expect(isError, text).not.toBe(true);
      moments.push(structured?.as_of ?? structured?.status_at);
    }
    return { moments, asked: upstream.seen.length - before };
  };

  const right = clock;
  clock = right + 30 * hour;
  await askAll();
  clock = right;
  const back = await askAll();
  // The document and its day; the question is answered from what the day has brought.
  expect(back.asked).toBeGreaterThanOrEqual(2);
  clock = right + 60_000;
  const again = await askAll();
  expect(again.asked).toBe(0);
  for (const moment of [...back.moments, ...again.moments])
    expect(moment).toBe(new Date(right).toISOString());
});
