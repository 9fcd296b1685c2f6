import { describe, expect, it } from 'vitest';
import { zipOf } from '../../support/zip.ts';
import {
  cdata,
  DECLARATION,
  event,
  KEY,
  misunderstands,
  note,
  OTHER_KEY,
  place,
  readDocument,
  readList,
  readNfse,
  refuses,
  replyOf,
  THIRD_KEY,
  wrappings,
} from './reply.ts';

const [FIRST, SECOND, THIRD] = [note(KEY), note(OTHER_KEY), note(THIRD_KEY)];
const BROKEN = FIRST.replace('</emit>', '</dest>');
/** A layout of no one. */
const FOREIGN =
  '<NotaPropria><Prestador><Nome>Padaria</Nome></Prestador><Itens><Item><Valor>5</Valor></Item></Itens></NotaPropria>';

const envelope = (content: string, count = 3) =>
  `<ret><cStat>100</cStat><Quantidade>${count}</Quantidade><retorno>${content}</retorno></ret>`;
const places = (...texts: string[]) => envelope(texts.map(place).join(''), texts.length);

async function read(text: string | Uint8Array) {
  const keys: (string | undefined)[] = [];
  const list = await readList(replyOf(text), ({ summary }) => void keys.push(summary.key));
  return { keys, unreadable: list.unreadable, warnings: list.warnings };
}

describe('a document that cannot be read spoils none of the others', () => {
  it.each<[what: string, text: string, unreadable: object, isContained?: boolean]>([
    ['broken', BROKEN, { root: 'nfeProc', reason: 'malformed' }],
    ['of unknown layout', FOREIGN, { root: 'NotaPropria', reason: 'unknown_layout' }],
    ['of a known name', '<NFe><outro><a>1</a></outro></NFe>', { root: 'NFe', reason: 'unknown_layout' }],
    ['cut', SECOND.slice(0, -30), { root: 'nfeProc', reason: 'truncated' }, true],
    [
      'hardly begun',
      FOREIGN.replace('</Nome>', '</Nada>'),
      { root: 'NotaPropria', reason: 'malformed' },
      true,
    ],
    ['a page', '<html><body>Erro</body></html>', {}, true],
    ['words', 'documento indisponível', {}, true],
  ])('%s, however the list comes', async (_, text, unreadable, isContained = false) => {
    for (const { name, wrap, isolates } of wrappings) {
      if (isContained && isolates !== true) continue;
      expect(await read(wrap([FIRST, text, SECOND])), name).toMatchObject({
        keys: [KEY, OTHER_KEY],
        unreadable: [{ ...unreadable, place: '2' }],
        warnings: [{ code: 'unreadable', values: { count: '1' } }],
      });
    }
  });

  const broken = (at: string) => ({ place: at, root: 'nfeProc', reason: 'malformed' });
  const foreign = (at: string) => ({ place: at, root: 'NotaPropria', reason: 'unknown_layout' });
  const open = FIRST.replace('</nfeProc>', '</x>');
  const prefixed = BROKEN.replaceAll('<nfeProc', '<n:nfeProc').replaceAll('</nfeProc', '</n:nfeProc');
  it.each<[what: string, text: string, keys: string[], unreadable: object[]]>([
    [
      'several, the first and the last among them',
      places(BROKEN, FIRST, FOREIGN, BROKEN, SECOND, FOREIGN),
      [KEY, OTHER_KEY],
      [broken('1'), foreign('3'), broken('4'), foreign('6')],
    ],
    ['the last, with a comment after it', `${FIRST}${BROKEN}\n<!-- fim -->\n`, [KEY], [broken('2')]],
    ['one without its end, up to the next', SECOND + open + THIRD, [OTHER_KEY, THIRD_KEY], [broken('2')]],
    ['the same in an envelope', places(SECOND, open, THIRD), [OTHER_KEY, THIRD_KEY], [broken('2')]],
    [
      'one with a prefix, in a frame with prefixes and attributes',
      `<s:Envelope a="1"><s:Header><Id>1</Id></s:Header><s:Body x='&lt;>'>${FIRST}${prefixed}${SECOND}</s:Body></s:Envelope>`,
      [KEY, OTHER_KEY],
      [broken('2')],
    ],
    [
      'nothing around documents is unreadable',
      `<RetornoConsulta><Cabecalho Versao="1"><Sucesso>true</Sucesso></Cabecalho>${FIRST}` +
        '<Signature><SignedInfo><Reference>1</Reference></SignedInfo></Signature></RetornoConsulta>',
      [KEY],
      [],
    ],
    [
      'nor is anything beside them',
      `<ret><Paginacao><Pagina>1</Pagina><Total>9</Total></Paginacao><retorno>${FIRST}</retorno></ret>`,
      [KEY],
      [],
    ],
  ])('%s', async (_, text, keys, unreadable) => {
    const warnings = unreadable.length > 0 ? [{ code: 'unreadable' }] : [];
    expect(await read(text)).toMatchObject({ keys, warnings });
    expect((await read(text)).unreadable).toEqual(unreadable);
  });
});

it('a list that announces more documents than it holds lacks the others', async () => {
  const values = { declared: '5', found: '2' };
  expect(await read(envelope(place(FIRST) + place(SECOND), 5))).toEqual({
    keys: [KEY, OTHER_KEY],
    unreadable: ['3', '4', '5'].map((at) => ({ place: at, reason: 'not_sent' })),
    warnings: [{ code: 'count_differs', values }],
  });
  expect(await read(envelope(place(FIRST) + place(SECOND), 1))).toMatchObject({ unreadable: [] });
  expect((await read(envelope(place(FIRST), 999_999_999))).unreadable).toHaveLength(1000);
});

describe('a zip of many files', () => {
  const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });

  it('is a list in the order of its files, those that cannot be read by name', async () => {
    const packed = zipOf([
      file('a.xml', DECLARATION + FIRST),
      { name: 'pasta/', bytes: Buffer.alloc(0), stored: true },
      file('pasta/b.xml', `\ufeff${SECOND}`),
      file('quebrado.xml', BROKEN),
      file('cortado.xml', THIRD.slice(0, -20)),
      file('vazio.xml', ''),
      file('pagina.html', '<html><body>Erro</body></html>'),
      file('leia.txt', 'Prezados'),
      file('outra.xml', FOREIGN),
      { name: 'dados.bin', bytes: Buffer.from([0xff, 0x00, 0x81, 0xfe]) },
      { name: 'c.zip', bytes: zipOf([file('c.xml', THIRD)]), stored: true },
    ]);
    const { keys, unreadable } = await read(packed);
    expect(keys).toEqual([KEY, OTHER_KEY, THIRD_KEY]);
    expect(unreadable.map(({ place: name, reason }) => `${name} ${reason}`)).toEqual([
      'quebrado.xml malformed',
      'cortado.xml truncated',
      'vazio.xml no_document',
      'pagina.html no_document',
      'leia.txt no_document',
      'outra.xml unknown_layout',
      'dados.bin damaged',
    ]);
  });

  it('is an error where it unpacks to too much, or it or a file in it is not whole', async () => {
    const bomb = zipOf([{ name: 'a.xml', bytes: Buffer.alloc(64 * 1024 * 1024, 0x20) }]);
    await expect(read(bomb)).rejects.toMatchObject({ name: 'NotUnderstood', reason: 'too large' });
    const packed = zipOf([file('a.xml', FIRST), file('b.xml', SECOND)]);
    await expect(read(packed.subarray(0, -1))).rejects.toMatchObject({ reason: 'truncated' });
    const changed = Buffer.from(packed);
    changed.writeUInt32LE(1, packed.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 16);
    const { keys, unreadable } = await read(changed);
    expect(keys.at(-1)).toBe(OTHER_KEY);
    expect(unreadable).toMatchObject([{ place: 'a.xml', reason: 'damaged' }]);
  });
});

describe('a reply in which nothing is understood, or whose frame breaks, stays an error', () => {
  const two = places(FIRST, SECOND);
  misunderstands(readList, {
    'document 1: malformed': [places(BROKEN), places(BROKEN, BROKEN)],
    'nothing recognised': [places(FOREIGN), FOREIGN, JSON.stringify([FOREIGN, FOREIGN])],
    'no document in the text': [JSON.stringify(['a', 'b'])],
    malformed: [two.replace('</retorno>', '</retornado>')],
    truncated: [two.slice(0, -20), `<ret><Resultado>${cdata(two.slice(0, -20))}</Resultado></ret>`],
    doctype: [`${FIRST}<!DOCTYPE a>${SECOND}`],
    'document 2: truncated': [FIRST + SECOND.slice(0, -30)],
  });
  refuses(readList, [[{ code: '999' }, places(BROKEN).replace('100', '999')]]);
});

describe('a download that answers with several notes', () => {
  const left = (count: string) => [{ code: 'others_left_out', values: { count } }];

  it('is searched for the one asked for, with its events', async () => {
    const text = places(FIRST, SECOND, event(OTHER_KEY), event(KEY), THIRD);
    const { xml, events, warnings } = await readDocument(replyOf(text), { key: OTHER_KEY });
    expect(xml).toBe(SECOND);
    expect(events.map(({ summary }) => summary.key)).toEqual([OTHER_KEY]);
    expect(warnings).toEqual(left('3'));
    const others = await readDocument(replyOf(JSON.stringify([BROKEN, SECOND, FOREIGN])), { key: OTHER_KEY });
    expect(others.xml).toBe(SECOND);
    expect(others.unreadable.map(({ place: at }) => at)).toEqual(['1', '3']);
    const missing = { name: 'NotUnderstood', reason: 'several documents' };
    await expect(readDocument(replyOf(FIRST + SECOND), { key: THIRD_KEY })).rejects.toMatchObject(missing);
  });

  it('has the fuller one of two files of the same note, and the other beside it', async () => {
    const protocol = `<infProt><chNFe>${KEY}</chNFe><nProt>135170000000001</nProt><cStat>100</cStat></infProt>`;
    const authorized = FIRST.replace('</NFe>', `</NFe><protNFe>${protocol}</protNFe>`);
    for (const text of [authorized + FIRST, FIRST + authorized]) {
      const { xml, otherContents } = await readDocument(replyOf(text), { key: KEY });
      expect([xml, ...otherContents.map((one) => one.xml)]).toEqual([authorized, FIRST]);
    }
  });

  it('is searched for an NFS-e by number, issuer and day', async () => {
    const nfse = (number: string, issuer: string, day: string) =>
      `<NFe><ChaveNFe><NumeroNFe>${number}</NumeroNFe></ChaveNFe><DataEmissaoNFe>${day}T00:00:00</DataEmissaoNFe>` +
      `<CPFCNPJPrestador><CNPJ>${issuer}</CNPJ></CPFCNPJPrestador><ValorServicos>5</ValorServicos></NFe>`;
    const wanted = nfse('7', '58716523000119', '2026-08-30');
    const others = [
      nfse('17', '58716523000119', '2026-08-30'),
      nfse('7', '11222333000181', '2026-08-30'),
      nfse('7', '58716523000119', '2025-08-30'),
    ];
    const asked = { number: '7', issuer_cnpj: '58716523000119', issue_date: '2026-08-30' };
    const text = envelope([...others, wanted].map((one) => `<NFSe>${place(one)}</NFSe>`).join(''), 4);
    const { document, warnings } = await readNfse(replyOf(text), asked);
    expect(document?.xml).toBe(wanted);
    expect(warnings).toEqual(left('3'));
  });
});
