import { expect, it } from 'vitest';
import { type ReplyBody, readers } from '../../../src/clients/documents/replies/index.ts';
import { leastCpuTime } from '../../support/cpu-time.ts';
import { nfeXml } from '../../support/documents.ts';
import { cdata, place as inPlace, readList, replyOf, replyOfBody } from './reply.ts';

const MEBIBYTE = 1024 * 1024;
/** Bytes of one document at most: limits memory, too. */
const MOST_TAKEN = 33 * MEBIBYTE;

const note = nfeXml({ number: 1 });
const place = note.indexOf('<total>');
const item = '<det nItem="1"><prod><xProd>Item</xProd><CFOP>5102</CFOP><vProd>1.00</vProd></prod></det>';

const fillings: readonly (readonly [name: string, most: string, one: string, times: number])[] = [
  ['a text of 64 MB', 'too large', 'x'.repeat(65_536), 1024],
  ['a million items', 'too long', item.repeat(100), 10_000],
  ['a million empty items', 'too long', '<det/>'.repeat(1000), 1000],
  ['a million elements of no table', 'too large', '<outro>1</outro>'.repeat(1000), 3000],
];

const kinds: Readonly<Record<string, (reply: ReplyBody) => Promise<unknown>>> = {
  alone: readers.document,
  'in a list': (reply) => readList(reply),
  'as an NFS-e': readers.service_document,
};

it.each(fillings)('a very large document is an error within bounds: %s', async (_, reason, one, times) => {
  for (const [kind, read] of Object.entries(kinds)) {
    let taken = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      const isText = one.startsWith('x');
      yield Buffer.from(note.slice(0, place) + (isText ? '<infAdic><infCpl>' : ''));
      for (let i = 0; i < times; i++) {
        taken += one.length;
        yield Buffer.from(one);
      }
      yield Buffer.from((isText ? '</infCpl></infAdic>' : '') + note.slice(place));
    }
    const error = await read(replyOfBody(body())).catch((thrown: unknown) => thrown);
    expect(error, kind).toMatchObject({ name: 'NotUnderstood', reason: `document 1: ${reason}` });
    expect(taken, kind).toBeLessThan(MOST_TAKEN);
  }
});

it('as many items as a note may have are read', async () => {
  const whole = note.slice(0, place) + item.repeat(989) + note.slice(place);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(whole);
  }
  expect(await readers.document(replyOfBody(body()))).toMatchObject({
    document: { summary: { item_count: 990 } },
  });
});

it.each([
  ['CDATA', (text: string) => `<ret><retorno>${inPlace(cdata(text))}</retorno></ret>`],
  ['a JSON object', (text: string) => JSON.stringify({ Xml: text })],
])('many broken documents quoted in one %s take no longer than outside', async (_, quoted) => {
  const broken = note.replace('</infNFe>', '</dest>').repeat(1500);
  const timeOf = (text: string) =>
    leastCpuTime(async () => expect((await readList(replyOf(text))).unreadable).toHaveLength(1500));
  expect(await timeOf(quoted(broken + note))).toBeLessThan(4 * (await timeOf(broken + note)));
});
