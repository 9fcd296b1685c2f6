import { expect, it } from 'vitest';
import {
  byteByByte,
  KEY,
  misunderstands,
  misunderstood,
  readEventRecord,
  readEventRecords,
  refuses,
  replyOf,
  understands,
} from './reply.ts';

const sent = {
  ...{ ChaveNFe: KEY, Evento: '210210', Mensagem: '135 Evento registrado', Sucesso: 1 },
  Usuario: 'maria',
};
const read = { key: KEY, event: '210210', message: '135 Evento registrado', success: 1 };
const { Sucesso: _, ...withoutSuccess } = sent;

const xml = (record: typeof sent) =>
  `<EventoRespDto xmlns:i="x"><ChaveNFe>${record.ChaveNFe}</ChaveNFe><Evento>${record.Evento}</Evento>` +
  `<Mensagem>${record.Mensagem}</Mensagem><Sucesso>${record.Sucesso}</Sucesso><Usuario>maria</Usuario></EventoRespDto>`;
const nil = '<EventoRespDto><ChaveNFe i:nil="true"/><Sucesso i:nil="true"/></EventoRespDto>';
const json = (...values: unknown[]) => values.map((value) => JSON.stringify(value));

/** One record, in all forms that it may come in. */
const forms = [
  ...json(sent, [sent], JSON.stringify(sent), JSON.stringify(JSON.stringify([sent])), { value: [sent] }),
  ...json({ chaveNFe: KEY, evento: '210210', mensagem: sent.Mensagem, sucesso: 1 }),
  ...[xml(sent), `<ArrayOfEventoRespDto>${xml(sent)}</ArrayOfEventoRespDto>`],
  `<string>${JSON.stringify(sent)}</string>`,
  JSON.stringify({ cStat: '138', xMotivo: 'OK', Registros: { Item: sent } }),
];

it.each(forms)('an event record is read alone and as a batch: %s', async (text) => {
  expect(await readEventRecord(replyOf(text))).toEqual(read);
  expect(await readEventRecords(byteByByte(text))).toEqual([read]);
});

it.each<[expected: object[], ...texts: string[]]>([
  [
    [read, { ...read, success: 0, message: '573 Duplicidade' }],
    ...json([sent, { ...sent, Sucesso: 0, Mensagem: '573 Duplicidade' }]),
    `<A>${xml(sent)}${xml({ ...sent, Sucesso: 0, Mensagem: '573 Duplicidade' })}</A>`,
  ],
  [[read, read], ...json({ '@odata.context': 'x', '@odata.count': 2, value: [sent, sent] })],
  // A member that is missing or null is absent, a missing success is not 0, and the user is dropped.
  [[{ key: KEY, success: -1 }], ...json({ ...sent, Evento: null, Mensagem: '', Sucesso: -1 })],
  [[{ key: KEY, event: '210210', message: read.message }], ...json(withoutSuccess)],
  [[read, {}], ...json([sent, { ChaveNFe: null, Evento: null, Mensagem: null, Sucesso: null }])],
  [[{}, read], `<ArrayOfEventoRespDto xmlns:i="x">${nil}${xml(sent)}</ArrayOfEventoRespDto>`],
  // A message that is XML is a text.
  [
    [{ ...read, message: '<ret><cStat>573</cStat></ret>' }],
    ...json({ ...sent, Mensagem: '<ret><cStat>573</cStat></ret>' }),
  ],
  [[], '[]', '{"value":[]}', '<ArrayOfEventoRespDto/>'],
])('a batch of event records is %j', async (expected, ...texts) => {
  for (const text of texts) expect(await readEventRecords(replyOf(text))).toEqual(expected);
});

const damaged = {
  empty: [''],
  truncated: [xml(sent).slice(0, -5)],
  'no event record in the text': ['null', 'ok', '1'],
  'unknown record': ['{}', ...json([sent, {}], [sent, { Foo: 1 }], { value: [{ Foo: 1 }] })],
  'Sucesso is not an integer': json({ ...sent, Sucesso: 'sim' }),
  'broken json': [JSON.stringify([sent]).slice(0, -1), `${JSON.stringify(sent)} fim`],
  'html page': ['<html><body>Erro</body></html>'],
};
misunderstands(readEventRecords, { ...damaged, 'too large': [`<a>${xml(sent).repeat(1001)}</a>`] });
misunderstands(readEventRecord, {
  ...damaged,
  'several records': json([sent, sent]),
  'nothing recognised': ['[]'],
});

it('an empty string is not an empty batch', async () => {
  expect(await misunderstood(readEventRecords(replyOf('""')))).toBe('empty');
  expect(await misunderstood(readEventRecord(replyOf('""')))).toBe('empty');
});

understands(readEventRecords, [[{ length: 1000 }, `<a>${xml(sent).repeat(1000)}</a>`]]);
refuses(readEventRecord, [
  [
    { message: 'No HTTP resource was found No action was found on the controller' },
    '{"Message":"No HTTP resource was found","MessageDetail":"No action was found on the controller"}',
  ],
]);
