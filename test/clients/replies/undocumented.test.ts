import { expect, it } from 'vitest';
import { byteByByte, misunderstands, readUndocumented, refuses, replyOf, understands } from './reply.ts';

const two: Record<string, string>[] = [
  { Chave: '1', 'Emitente.Nome': 'A & B', 'Emitente.@uf': 'SP' },
  { Chave: '2', 'Emitente.Nome': 'C' },
];
const inXml =
  '<ret><retorno><Capa><Chave>1</Chave><Emitente uf="SP"><Nome>A &amp; B</Nome></Emitente></Capa>' +
  '<Capa><Chave>2</Chave><Emitente><Nome>C</Nome></Emitente></Capa></retorno></ret>';
const inJson =
  '[{"Chave":"1","Emitente":{"Nome":"A & B","@uf":"SP"}},{"Chave":2,"Emitente":{"Nome":"C"},"Vazio":null}]';
const records = (...values: Record<string, string>[]) => ({ records: values, warnings: [] });

understands(readUndocumented, [
  [records(...two), inXml, inJson, JSON.stringify(inXml), JSON.stringify(inJson)],
  [
    records({ 'i.c': '1', 'i.2.c': '2' }, { 'i.c': '3' }),
    '<l><r><i><c>1</c></i><i><c>2</c></i></r><r><i><c>3</c></i></r></l>',
  ],
  [
    { ...records({ a: '1' }, { a: '2' }), around: { 'ret.Paginas': '9' }, total: 2 },
    '<ret versao="1"><cStat>138</cStat><xMotivo>Ok</xMotivo><Quantidade>2</Quantidade><Paginas>9</Paginas>' +
      '<retorno><R><a>1</a></R><R><a>2</a></R></retorno></ret>',
  ],
  [
    { records: [{ a: '1' }], warnings: [{ code: 'count_differs', values: { declared: '3', found: '1' } }] },
    '<ret><Quantidade>3</Quantidade><retorno><R><a>1</a></R></retorno></ret>',
  ],
  [
    records({ Chave: '1', Valor: '2.00' }),
    '<ret><cStat>100</cStat><retorno><Capa><Chave>1</Chave><Valor>2.00</Valor></Capa></retorno></ret>',
  ],
  [
    { ...records(), around: { 'ret.Pagina': '1' }, total: 0 },
    '<ret versao="1"><cStat>137</cStat><Quantidade>0</Quantidade><Pagina>1</Pagina></ret>',
  ],
  [records(), '[]'],
  [{ text: 'CFOP;NCM\n5102;73181500', truncated: false }, '"CFOP;NCM\\r\\n5102;73181500\\u202e"'],
  [{ text: `${'a;'.repeat(9999)}a…`, truncated: true }, 'a;'.repeat(20_000)],
]);

it('an undocumented reply is read the same byte by byte', async () => {
  for (const text of [inXml, inJson]) {
    expect(await readUndocumented(byteByByte(text))).toMatchObject(records(...two));
  }
});

it.each([
  '[{"__proto__":"a","constructor":"b","toString":"c"},{"x":"d"}]',
  '<l><r><__proto__>a</__proto__><constructor>b</constructor><toString>c</toString></r><r><x>d</x></r></l>',
])('names of inherited properties keep their values: %s', async (text) => {
  const reply = await readUndocumented(replyOf(text));
  const own = { ['__proto__']: 'a', constructor: 'b', toString: 'c' };
  const expected = [own, { x: 'd' }].map((record) => Object.entries(record));
  expect('records' in reply && reply.records.map((record) => Object.entries(record))).toEqual(expected);
});

it('a name spelt like the path to another value takes nothing from it', async () => {
  const reply = await readUndocumented(replyOf('{"a":{"b":"1"},"a.b":"2","c":["3","4"],"c.2":"5"}'));
  const values = 'records' in reply ? reply.records.flatMap((record) => Object.values(record)) : [];
  expect(values.sort()).toEqual(['1', '2', '3', '4', '5']);
});

misunderstands(readUndocumented, {
  empty: [''],
  'html page': ['<html><body>Erro</body></html>'],
  truncated: ['<a><b>1</b><b>2'],
  'broken json': ['[{"a":1},{"a"'],
  'mixed content': ['<a>x<b>1</b></a>'],
  'nothing recognised': ['<a/>'],
});
refuses(readUndocumented, [
  [{ code: '656', message: 'Consumo' }, '<ret><cStat>656</cStat><xMotivo>Consumo</xMotivo></ret>'],
  [{ code: '999' }, '<ret><cStat>999</cStat><retorno></retorno></ret>'],
  [{ message: 'Falha' }, '{"Message":"Falha"}'],
  [{ message: 'No action was found on the controller' }, 'No action was found on the controller'],
]);
