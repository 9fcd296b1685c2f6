import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../support/clients.ts';
import { company, documentListReply, emptyReply, nfeXml } from '../../support/documents.ts';
import { duringTests, folderOfEachTest } from '../../support/during-tests.ts';
import { settingsFor } from '../../support/event-service.ts';
import { connectInProcess } from '../../support/in-process.ts';
import { daysAsked, json, startRecordingUpstream } from '../../support/recording-upstream.ts';

const notes = [1, 2].map((number) => nfeXml({ number }));
/** Between two that can be read. */
const broken = nfeXml({ number: 3 }).replace('</infNFe>', '');
const foreign = '<NotaEstranha xmlns="http://nowhere.invalid"><Numero>9</Numero></NotaEstranha>';
const day = { document: 'nfe', from: '2026-11-05', to: '2026-11-05' };
/** Long after the days that are asked for again by themselves. */
let clock = Date.parse('2027-11-20T12:00:00Z');
const now = () => {
  clock += 1_000;
  return clock;
};

let listed: readonly string[];
const folder = folderOfEachTest();
let connection: Connection;

const upstream = duringTests(() =>
  startRecordingUpstream((request, response) => {
    const { path } = request;
    const { from, to } = daysAsked(request);
    const isAsked = path.includes('/Mercadoria/') && from === '2026-11-05' && to === '2026-11-05';
    if (path.endsWith('/PesquisarStatusEvento')) return json(response, { Mensagem: '', Sucesso: 0 });
    json(response, isAsked ? documentListReply(listed) : emptyReply);
  }),
);
beforeEach(() => start());

async function start(): Promise<void> {
  const env = settingsFor(upstream, folder, {
    DFE_CNPJ: company,
    DFE_ARCHIVE: 'file',
    DFE_DATA_DIR: join(folder.path, 'data'),
    DFE_DOWNLOAD_DIR: folder.path,
  });
  connection = await connectInProcess('v1', { env, now });
}

/** How often the day was listed. */
const listsAsked = () => upstream.seen.filter(({ path }) => path.includes('/Mercadoria/RetornaLista')).length;

async function answer(tool: string, args: Record<string, unknown>) {
  const { isError, structured, text } = await connection.call(tool, args);
  expect(isError, text).toBe(false);
  return { structured: structured ?? {}, text };
}

/** Every question that rests on the days of issue. */
const questions: readonly (readonly [string, Record<string, unknown>])[] = [
  ['list_documents', day],
  ['query_documents', day],
  ['query_documents', { ...day, group_by: ['issuer'] }],
  ['check_documents', day],
  ['export_documents', { ...day, format: 'csv' }],
  ['list_pending_manifestations', { from: day.from, to: day.to }],
];

describe.each([
  ['broken', broken, 1],
  ['of no known layout', foreign, 1],
  ['announced and not there', '', 1],
])('a document that is %s', (_, unread, count) => {
  beforeEach(() => {
    listed = [notes[0] ?? '', unread, notes[1] ?? ''];
  });

  it.each(questions)(
    'is named once by %s(%j), and by every later answer after a restart',
    async (tool, args) => {
      expect((await answer(tool, args)).text.match(/could not be read/g)).toHaveLength(1);
      const asked = listsAsked();
      for (const isAfterRestart of [false, true]) {
        if (isAfterRestart) {
          await connection.close();
          await start();
        }
        for (const [other, question] of questions) {
          const { structured, text } = await answer(other, question);
          expect([other, structured.complete]).toEqual([other, false]);
          expect(structured.unreadable).toHaveLength(count);
          expect(structured.unreadable).toMatchObject([
            { place: expect.stringMatching(/./), reason: expect.stringMatching(/./) },
          ]);
          expect(text).toContain('1 document could not be read');
        }
      }
      // list_documents has its own cache by window; cached days do not fill it.
      expect(listsAsked() - asked).toBe(tool === 'list_documents' ? 0 : 1);
    },
  );

  it('is named no more once its day was read whole', async () => {
    for (const [tool, args] of questions) await answer(tool, args);
    listed = notes;
    await answer('query_documents', { ...day, refresh: true });
    for (const [tool, args] of questions.slice(1)) {
      const { structured } = await answer(tool, args);
      expect([tool, structured.complete]).toEqual([tool, true]);
      expect(structured).not.toHaveProperty('unreadable');
    }
  });
});
