import { describe, expect, it } from 'vitest';
import { NotUnderstood, Refused } from '../../../src/clients/errors.ts';
import { byteByByte, readUndocumented, replyOf } from './reply.ts';

const records = [
  { Chave: '1', 'Emitente.Nome': 'A & B', 'Emitente.@uf': 'SP' },
  { Chave: '2', 'Emitente.Nome': 'C' },
];

describe('an answer of unknown form', () => {
  it.each([
    [
      'repeated elements',
      '<ret><retorno><Capa><Chave>1</Chave><Emitente uf="SP"><Nome>A &amp; B</Nome></Emitente></Capa>' +
        '<Capa><Chave>2</Chave><Emitente><Nome>C</Nome></Emitente></Capa></retorno></ret>',
    ],
    [
      'a JSON array',
      '[{"Chave":"1","Emitente":{"Nome":"A & B","@uf":"SP"}},{"Chave":2,"Emitente":{"Nome":"C"},"Vazio":null}]',
    ],
  ])('%s are flat records', async (_, text) => {
    const expected = text.startsWith('[') ? records.map((r) => ({ ...r })) : records;
    expect(await readUndocumented(replyOf(text))).toMatchObject({ records: expected, warnings: [] });
    expect(await readUndocumented(replyOf(JSON.stringify(text)))).toMatchObject({ records: expected });
    expect(await readUndocumented(byteByByte(text))).toMatchObject({ records: expected });
  });

  it('repetition inside a record gets its place in the name', async () => {
    const text = '<l><r><i><c>1</c></i><i><c>2</c></i></r><r><i><c>3</c></i></r></l>';
    expect(await readUndocumented(replyOf(text))).toMatchObject({
      records: [{ 'i.c': '1', 'i.2.c': '2' }, { 'i.c': '3' }],
    });
  });

  it.each([
    ['members of every object', '[{"__proto__":"a","constructor":"b","toString":"c"},{"x":"d"}]'],
    [
      'elements',
      '<l><r><__proto__>a</__proto__><constructor>b</constructor><toString>c</toString></r><r><x>d</x></r></l>',
    ],
  ])('names that are %s keep their values', async (_, text) => {
    const reply = await readUndocumented(replyOf(text));
    const records = 'records' in reply ? reply.records : [];
    expect(records.map((record) => Object.entries(record))).toEqual([
      [
        ['__proto__', 'a'],
        ['constructor', 'b'],
        ['toString', 'c'],
      ],
      [['x', 'd']],
    ]);
  });

  it('a name spelt like the path to another value takes nothing from it', async () => {
    const reply = await readUndocumented(replyOf('{"a":{"b":"1"},"a.b":"2","c":["3","4"],"c.2":"5"}'));
    const records = 'records' in reply ? reply.records : [];
    expect(records.flatMap((record) => Object.values(record)).sort()).toEqual(['1', '2', '3', '4', '5']);
  });

  it('the count and what stands beside the records are told', async () => {
    const text =
      '<ret versao="1"><cStat>138</cStat><xMotivo>Ok</xMotivo><Quantidade>3</Quantidade><Paginas>9</Paginas>' +
      '<retorno><R><a>1</a></R><R><a>2</a></R></retorno></ret>';
    expect(await readUndocumented(replyOf(text))).toEqual({
      records: [{ a: '1' }, { a: '2' }],
      around: { 'ret.Paginas': '9' },
      total: 3,
      warnings: [{ code: 'count_differs', values: { declared: '3', found: '2' } }],
    });
  });

  it('a single record is a record', async () => {
    const text =
      '<ret><cStat>100</cStat><retorno><Capa><Chave>1</Chave><Valor>2.00</Valor></Capa></retorno></ret>';
    expect(await readUndocumented(replyOf(text))).toMatchObject({ records: [{ Chave: '1', Valor: '2.00' }] });
  });

  it('nothing found is no records', async () => {
    const text = '<ret versao="1"><cStat>137</cStat><Quantidade>0</Quantidade><Pagina>1</Pagina></ret>';
    expect(await readUndocumented(replyOf(text))).toEqual({
      records: [],
      around: { 'ret.Pagina': '1' },
      total: 0,
      warnings: [],
    });
    expect(await readUndocumented(replyOf('[]'))).toMatchObject({ records: [] });
  });

  it('anything else is text, cleaned and bounded', async () => {
    expect(await readUndocumented(replyOf('"CFOP;NCM\\r\\n5102;73181500\\u202e"'))).toMatchObject({
      text: 'CFOP;NCM\n5102;73181500',
      truncated: false,
    });
    const long = await readUndocumented(replyOf('a;'.repeat(20_000)));
    expect(long).toMatchObject({ truncated: true });
    expect('text' in long && long.text.length).toBe(20_000);
  });

  it.each([
    ['nothing', ''],
    ['HTML', '<html><body>Erro</body></html>'],
    ['XML cut', '<a><b>1</b><b>2'],
    ['JSON cut', '[{"a":1},{"a"'],
    ['elements and text', '<a>x<b>1</b></a>'],
    ['an element with nothing in it', '<a/>'],
  ])('%s is not understood', async (_, text) => {
    await expect(readUndocumented(replyOf(text))).rejects.toBeInstanceOf(NotUnderstood);
  });

  it.each([
    [
      '<ret><cStat>656</cStat><xMotivo>Consumo indevido</xMotivo></ret>',
      { code: '656', message: 'Consumo indevido' },
    ],
    ['{"Message":"Falha"}', { message: 'Falha' }],
    ['No action was found on the controller', { message: 'No action was found on the controller' }],
  ])('%s is a refusal', async (text, refusal) => {
    const error = await readUndocumented(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ refusal });
  });
});
