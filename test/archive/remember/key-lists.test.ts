import { beforeEach, expect, it } from 'vitest';
import { accessKeys, keyListReply } from '../../support/documents.ts';
import { duringTests, folderOfEachTest } from '../../support/during-tests.ts';
import { settingsFor } from '../../support/event-service.ts';
import { connectInProcess } from '../../support/in-process.ts';
import { json, startRecordingUpstream } from '../../support/recording-upstream.ts';

const keys = accessKeys(5);
const args = { document: 'nfe', from: '2026-11-05', to: '2026-11-05', limit: 2 };

const upstream = duringTests(() =>
  startRecordingUpstream((_, response) => json(response, keyListReply(listed))),
);
const folder = folderOfEachTest();
let listed: readonly string[] = [];

beforeEach(() => {
  upstream.seen.length = 0;
  listed = keys;
});

/** A server that is started for one call, on the same archive every time. */
async function call(more: object) {
  const server = await connectInProcess('v1', {
    env: settingsFor(upstream, folder, { DFE_ARCHIVE: 'file' }),
  });
  const { structured = {}, text, isError } = await server.call('list_document_keys', { ...args, ...more });
  await server.close();
  return { structured, text, isError };
}

it('list_document_keys downloads a list once for all its pages', async () => {
  const found: unknown[] = [];
  const moments = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page === 0 || cursor !== undefined; page++) {
    const { structured, text } = await call(cursor === undefined ? {} : { cursor });
    expect(structured, text).toMatchObject({ total: 5 });
    expect(text).toContain('As of');
    found.push(...(structured.keys as string[]));
    moments.add(structured.as_of);
    cursor = structured.next_cursor;
  }
  expect(found).toEqual(keys);
  expect(moments.size).toBe(1);
  expect(upstream.seen).toHaveLength(1);
});

it('list_document_keys fetches again for a first page, and a cursor of the list before is refused', async () => {
  const { structured } = await call({});
  listed = keys.slice(1);
  const again = await call({});
  expect(again.structured).toMatchObject({ total: 4, keys: keys.slice(1, 3) });
  expect(upstream.seen).toHaveLength(2);
  const further = await call({ cursor: structured.next_cursor });
  expect(further.isError, further.text).toBe(true);
  expect(upstream.seen).toHaveLength(2);
});
