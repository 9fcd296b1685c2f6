import { describe, expect, it } from 'vitest';
import { NotUnderstood, Refused } from '../../../src/clients/errors.ts';
import { byteByByte, readEventRecord, readEventRecords, replyOf } from './reply.ts';

const KEY = '35170458716523000119550010000000121000123458';
const sent = {
  ChaveNFe: KEY,
  Evento: '210210',
  Mensagem: '135 Evento registrado',
  Sucesso: 1,
  Usuario: 'maria',
};
const read = { key: KEY, event: '210210', message: '135 Evento registrado', success: 1 };

const xml = (record: typeof sent) =>
  `<EventoRespDto xmlns:i="x"><ChaveNFe>${record.ChaveNFe}</ChaveNFe><Evento>${record.Evento}</Evento>` +
  `<Mensagem>${record.Mensagem}</Mensagem><Sucesso>${record.Sucesso}</Sucesso><Usuario>maria</Usuario></EventoRespDto>`;

const forms: [string, string][] = [
  ['a JSON object', JSON.stringify(sent)],
  ['a JSON array', JSON.stringify([sent])],
  ['a JSON object in a JSON string', JSON.stringify(JSON.stringify(sent))],
  ['an array quoted twice', JSON.stringify(JSON.stringify(JSON.stringify([sent])))],
  ['XML', xml(sent)],
  ['an array in XML', `<ArrayOfEventoRespDto>${xml(sent)}</ArrayOfEventoRespDto>`],
  ['the string wrapper', `<string>${JSON.stringify(sent)}</string>`],
  [
    'names in another case',
    JSON.stringify({ chaveNFe: KEY, evento: '210210', mensagem: sent.Mensagem, sucesso: 1 }),
  ],
];

describe('event records', () => {
  it.each(forms)('%s, as one record and as a batch', async (_, text) => {
    expect(await readEventRecord(replyOf(text))).toEqual(read);
    expect(await readEventRecords(replyOf(text))).toEqual([read]);
    expect(await readEventRecord(byteByByte(text))).toEqual(read);
  });

  it('several, in the order they came', async () => {
    const refused = { ...sent, Sucesso: 0, Mensagem: '573 Duplicidade' };
    const expected = [read, { ...read, success: 0, message: '573 Duplicidade' }];
    expect(await readEventRecords(replyOf(JSON.stringify([sent, refused])))).toEqual(expected);
    expect(await readEventRecords(replyOf(`<A>${xml(sent)}${xml(refused)}</A>`))).toEqual(expected);
  });

  it('members that are missing or null are absent; the user is dropped', async () => {
    const text = JSON.stringify({ ChaveNFe: KEY, Evento: null, Mensagem: '', Sucesso: -1, Usuario: 'maria' });
    expect(await readEventRecord(replyOf(text))).toEqual({ key: KEY, success: -1 });
  });

  it('a record of nothing but null is a record, and says nothing', async () => {
    const nothing = { ChaveNFe: null, Evento: null, Mensagem: null, Sucesso: null, Usuario: null };
    expect(await readEventRecord(replyOf(JSON.stringify(nothing)))).toEqual({});
    expect(await readEventRecords(replyOf(JSON.stringify([sent, nothing])))).toEqual([read, {}]);
    const nil =
      '<ArrayOfEventoRespDto xmlns:i="x"><EventoRespDto><ChaveNFe i:nil="true"/><Sucesso i:nil="true"/></EventoRespDto>' +
      `${xml(sent)}</ArrayOfEventoRespDto>`;
    expect(await readEventRecords(replyOf(nil))).toEqual([{}, read]);
  });

  it('a success that is missing is not 0', async () => {
    const { Sucesso: _, ...without } = sent;
    expect((await readEventRecord(replyOf(JSON.stringify(without)))).success).toBeUndefined();
    expect((await readEventRecord(replyOf(JSON.stringify({ ...sent, Sucesso: 0 })))).success).toBe(0);
  });

  it('a list in value is the list', async () => {
    const text = JSON.stringify({ '@odata.context': 'x', '@odata.count': 2, value: [sent, sent] });
    expect(await readEventRecords(replyOf(text))).toEqual([read, read]);
    expect(await readEventRecord(replyOf(JSON.stringify({ value: [sent] })))).toEqual(read);
    expect(await readEventRecords(replyOf('{"value":[]}'))).toEqual([]);
  });

  it('a message that is XML is a text', async () => {
    const text = JSON.stringify({ ...sent, Mensagem: '<retEvento><cStat>573</cStat></retEvento>' });
    expect((await readEventRecord(replyOf(text))).message).toBe('<retEvento><cStat>573</cStat></retEvento>');
  });

  it('a batch without records is empty only where the reply says so', async () => {
    expect(await readEventRecords(replyOf('[]'))).toEqual([]);
    expect(await readEventRecords(replyOf('<ArrayOfEventoRespDto/>'))).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['an empty string', '""'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['an empty object beside a record', JSON.stringify([sent, {}])],
    ['an unknown object beside a record', JSON.stringify([sent, { Foo: 1 }])],
    ['an unknown object in value', JSON.stringify({ value: [{ Foo: 1 }] })],
    ['words', 'ok'],
    ['a number', '1'],
    ['a success that is no integer', JSON.stringify({ ...sent, Sucesso: 'sim' })],
    ['JSON cut', JSON.stringify([sent]).slice(0, -1)],
    ['XML cut', xml(sent).slice(0, -5)],
    ['something after it', `${JSON.stringify(sent)} fim`],
    ['HTML', '<html><body>Erro</body></html>'],
  ])('%s is not understood', async (_, text) => {
    await expect(readEventRecords(replyOf(text))).rejects.toBeInstanceOf(NotUnderstood);
    await expect(readEventRecord(replyOf(text))).rejects.toBeInstanceOf(NotUnderstood);
  });

  it('a thousand records are read, and more than that are too much for any question', async () => {
    const records = (count: number) => `<a>${xml(sent).repeat(count)}</a>`;
    expect(await readEventRecords(replyOf(records(1000)))).toHaveLength(1000);
    const more = await readEventRecords(replyOf(records(1001))).catch((thrown: unknown) => thrown);
    expect(more).toMatchObject({ name: 'NotUnderstood', reason: 'too large' });
  });

  it('one record is not several, and not none', async () => {
    const several = await readEventRecord(replyOf(JSON.stringify([sent, sent]))).catch((e: unknown) => e);
    expect(several).toMatchObject({ name: 'NotUnderstood', reason: 'several records' });
    await expect(readEventRecord(replyOf('[]'))).rejects.toBeInstanceOf(NotUnderstood);
  });

  it('an error of the service is a refusal', async () => {
    const text =
      '{"Message":"No HTTP resource was found","MessageDetail":"No action was found on the controller"}';
    const error = await readEventRecord(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({
      refusal: { message: 'No HTTP resource was found No action was found on the controller' },
    });
  });
});
