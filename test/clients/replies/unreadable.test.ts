import { describe, expect, it } from 'vitest';
import { NotUnderstood, Refused } from '../../../src/clients/errors.ts';
import { zipOf } from '../../support/zip.ts';
import {
  cdata,
  DECLARATION,
  event,
  KEY,
  note,
  OTHER_KEY,
  place,
  readDocument,
  readList,
  readNfse,
  replyOf,
  THIRD_KEY,
  wrappings,
} from './reply.ts';

const [FIRST, SECOND, THIRD] = [note(KEY), note(OTHER_KEY), note(THIRD_KEY)];
const BROKEN = FIRST.replace('</emit>', '</dest>');
/** A layout of no one. */
const FOREIGN =
  '<NotaPropria><Prestador><Nome>Padaria</Nome></Prestador><Itens><Item><Valor>5</Valor></Item></Itens></NotaPropria>';

function envelope(content: string, count = 3): string {
  return `<ret><cStat>100</cStat><Quantidade>${count}</Quantidade><retorno>${content}</retorno></ret>`;
}

async function read(text: string | Uint8Array) {
  const keys: (string | undefined)[] = [];
  const list = await readList(replyOf(text), ({ summary }) => {
    keys.push(summary.key);
  });
  return { keys, unreadable: list.unreadable, warnings: list.warnings };
}

describe('a document that cannot be read spoils none of the others', () => {
  it.each<
    [what: string, text: string, root: string | undefined, reason: string | undefined, isContained?: boolean]
  >([
    ['broken', BROKEN, 'nfeProc', 'malformed'],
    ['of unknown layout', FOREIGN, 'NotaPropria', 'unknown_layout'],
    ['of unknown layout under a known name', '<NFe><outro><a>1</a></outro></NFe>', 'NFe', 'unknown_layout'],
    ['cut', SECOND.slice(0, -30), 'nfeProc', 'truncated', true],
    ['broken beyond all documents', FOREIGN.replace('</Nome>', '</Nada>'), 'NotaPropria', 'malformed', true],
    ['a page', '<html><body>Erro</body></html>', undefined, undefined, true],
    ['words', 'documento indisponível', undefined, undefined, true],
  ])('%s, however the list comes', async (_, text, root, reason, isContained = false) => {
    for (const { name, wrap, isolates } of wrappings) {
      if (isContained && isolates !== true) continue;
      const { keys, unreadable, warnings } = await read(wrap([FIRST, text, SECOND]));
      expect(keys, name).toEqual([KEY, OTHER_KEY]);
      expect(unreadable, name).toMatchObject([
        { place: '2', ...(reason && { reason }), ...(root && { root }) },
      ]);
      expect(warnings, name).toMatchObject([{ code: 'unreadable', values: { count: '1' } }]);
    }
  });

  it('several, the first and the last among them', async () => {
    const { keys, unreadable } = await read(
      envelope([BROKEN, FIRST, FOREIGN, BROKEN, SECOND, FOREIGN].map(place).join(''), 6),
    );
    expect(keys).toEqual([KEY, OTHER_KEY]);
    expect(unreadable).toEqual([
      { place: '1', root: 'nfeProc', reason: 'malformed' },
      { place: '3', root: 'NotaPropria', reason: 'unknown_layout' },
      { place: '4', root: 'nfeProc', reason: 'malformed' },
      { place: '6', root: 'NotaPropria', reason: 'unknown_layout' },
    ]);
  });

  it('whose end is missing, up to the next one', async () => {
    const open = FIRST.replace('</nfeProc>', '</x>');
    for (const text of [SECOND + open + THIRD, envelope([SECOND, open, THIRD].map(place).join(''))]) {
      const { keys, unreadable } = await read(text);
      expect(keys).toEqual([OTHER_KEY, THIRD_KEY]);
      expect(unreadable).toEqual([{ place: '2', root: 'nfeProc', reason: 'malformed' }]);
    }
  });

  it('with a prefix, in a frame with prefixes and attributes', async () => {
    const broken = BROKEN.replaceAll('<nfeProc', '<n:nfeProc').replaceAll('</nfeProc', '</n:nfeProc');
    const text = `<s:Envelope a="1"><s:Header><Id>1</Id></s:Header><s:Body x='<>'>${FIRST}${broken}${SECOND}</s:Body></s:Envelope>`;
    const { keys, unreadable } = await read(text.replace("x='<>'", "x='&lt;>'"));
    expect(keys).toEqual([KEY, OTHER_KEY]);
    expect(unreadable).toEqual([{ place: '2', root: 'nfeProc', reason: 'malformed' }]);
  });

  it('what stands around documents is none of them', async () => {
    const city =
      `<RetornoConsulta><Cabecalho Versao="1"><Sucesso>true</Sucesso></Cabecalho>${FIRST}` +
      '<Signature><SignedInfo><Reference>1</Reference></SignedInfo></Signature></RetornoConsulta>';
    expect(await read(city)).toMatchObject({ keys: [KEY], unreadable: [], warnings: [] });
    const paged = `<ret><cStat>100</cStat><Paginacao><Pagina>1</Pagina><Total>9</Total></Paginacao><retorno>${FIRST}</retorno></ret>`;
    expect(await read(paged)).toMatchObject({ keys: [KEY], unreadable: [], warnings: [] });
  });
});

describe('a zip of many files', () => {
  const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });

  it('is a list, in the order of its files', async () => {
    const packed = zipOf([
      file('a.xml', DECLARATION + FIRST),
      { name: 'pasta/', bytes: Buffer.alloc(0), stored: true },
      file('pasta/b.xml', `\ufeff${SECOND}`),
      { name: 'c.zip', bytes: zipOf([file('c.xml', THIRD)]), stored: true },
    ]);
    expect(await read(packed)).toMatchObject({
      keys: [KEY, OTHER_KEY, THIRD_KEY],
      unreadable: [],
      warnings: [],
    });
  });

  it('has files that cannot be read beside those that can, by name', async () => {
    const packed = zipOf([
      file('a.xml', FIRST),
      file('b.xml', BROKEN),
      file('cortado.xml', THIRD.slice(0, -20)),
      file('vazio.xml', ''),
      file('pagina.html', '<html><body>Erro</body></html>'),
      file('leia.txt', 'Prezados'),
      file('outra.xml', FOREIGN),
      { name: 'dados.bin', bytes: Buffer.from([0xff, 0x00, 0x81, 0xfe]) },
      file('z.xml', SECOND),
    ]);
    const { keys, unreadable } = await read(packed);
    expect(keys).toEqual([KEY, OTHER_KEY]);
    expect(unreadable.map(({ place: file, reason }) => `${file} ${reason}`)).toEqual([
      'b.xml malformed',
      'cortado.xml truncated',
      'vazio.xml no_document',
      'pagina.html no_document',
      'leia.txt no_document',
      'outra.xml unknown_layout',
      'dados.bin damaged',
    ]);
  });

  it('is bounded in how much it unpacks to', async () => {
    const bomb = zipOf([{ name: 'a.xml', bytes: Buffer.alloc(64 * 1024 * 1024, 0x20) }]);
    await expect(read(bomb)).rejects.toMatchObject({ name: 'NotUnderstood', reason: 'too large' });
  });

  it('is an error where its directory or a file in it is not whole', async () => {
    const packed = zipOf([file('a.xml', FIRST), file('b.xml', SECOND)]);
    await expect(read(packed.subarray(0, -1))).rejects.toMatchObject({ reason: 'truncated' });
    const changed = Buffer.from(packed);
    changed.writeUInt32LE(1, packed.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 16);
    const { keys, unreadable } = await read(changed);
    expect(keys.at(-1)).toBe(OTHER_KEY);
    expect(unreadable).toMatchObject([{ place: 'a.xml', reason: 'damaged' }]);
  });
});

describe('a reply in which nothing is understood stays an error', () => {
  it.each([
    ['a broken document', envelope(place(BROKEN), 1), 'document 1: malformed'],
    ['two of them', envelope(place(BROKEN) + place(BROKEN)), 'document 1: malformed'],
    ['an unknown layout', envelope(place(FOREIGN)), 'nothing recognised'],
    ['an unknown layout alone', FOREIGN, 'nothing recognised'],
    ['an array of unknown layouts', JSON.stringify([FOREIGN, FOREIGN]), 'nothing recognised'],
    ['an array of words', JSON.stringify(['a', 'b']), 'no document in the text'],
  ])('%s', async (_, text, reason) => {
    const error = await read(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotUnderstood);
    expect(error).toMatchObject({ reason });
  });

  it('and where the frame itself breaks nobody knows what is missing', async () => {
    const text = envelope(place(FIRST) + place(SECOND));
    await expect(read(text.replace('</retorno>', '</retornado>'))).rejects.toMatchObject({
      reason: 'malformed',
    });
    await expect(read(text.slice(0, -20))).rejects.toMatchObject({ reason: 'truncated' });
    await expect(read(`${FIRST}<!DOCTYPE a>${SECOND}`)).rejects.toMatchObject({ reason: 'doctype' });
    await expect(read(FIRST + SECOND.slice(0, -30))).rejects.toMatchObject({
      reason: 'document 2: truncated',
    });
    const inside = `<ret><cStat>100</cStat><Resultado>${cdata(text.slice(0, -20))}</Resultado></ret>`;
    await expect(read(inside)).rejects.toBeInstanceOf(NotUnderstood);
  });

  it('a refusal stays one', async () => {
    const text = `<ret><cStat>999</cStat><xMotivo>Não</xMotivo><retorno>${place(BROKEN)}</retorno></ret>`;
    await expect(read(text)).rejects.toBeInstanceOf(Refused);
  });
});

describe('a download that answers with several notes', () => {
  it('is searched for the one asked for', async () => {
    const text = envelope([FIRST, SECOND, event(OTHER_KEY), event(KEY), THIRD].map(place).join(''), 5);
    const { xml, events, warnings } = await readDocument(replyOf(text), { key: OTHER_KEY });
    expect(xml).toBe(SECOND);
    expect(events.map(({ summary }) => summary.key)).toEqual([OTHER_KEY]);
    expect(warnings).toEqual([{ code: 'others_left_out', values: { count: '3' } }]);
  });

  it('gives it where others are broken, and says so', async () => {
    const text = JSON.stringify([BROKEN, SECOND, FOREIGN]);
    const { xml, unreadable } = await readDocument(replyOf(text), { key: OTHER_KEY });
    expect(xml).toBe(SECOND);
    expect(unreadable.map(({ place: at }) => at)).toEqual(['1', '3']);
  });

  it('is not understood where the one asked for is not among them, or nothing was asked for', async () => {
    const asked = await readDocument(replyOf(FIRST + SECOND), { key: THIRD_KEY }).catch((e: unknown) => e);
    expect(asked).toMatchObject({ name: 'NotUnderstood', reason: 'several documents' });
    const any = await readDocument(replyOf(FIRST + SECOND)).catch((e: unknown) => e);
    expect(any).toMatchObject({ name: 'NotUnderstood', reason: 'several documents' });
  });

  it('has the fuller one of two files of the same note', async () => {
    const authorized = FIRST.replace(
      '</NFe>',
      `</NFe><protNFe><infProt><chNFe>${KEY}</chNFe><nProt>135170000000001</nProt><cStat>100</cStat></infProt></protNFe>`,
    );
    for (const text of [authorized + FIRST, FIRST + authorized]) {
      expect((await readDocument(replyOf(text), { key: KEY })).xml).toBe(authorized);
    }
  });

  it('NFS-e by number, issuer and day', async () => {
    const nfse = (number: string, issuer: string, day: string) =>
      `<NFe><ChaveNFe><NumeroNFe>${number}</NumeroNFe></ChaveNFe><DataEmissaoNFe>${day}T00:00:00</DataEmissaoNFe>` +
      `<CPFCNPJPrestador><CNPJ>${issuer}</CNPJ></CPFCNPJPrestador><ValorServicos>5</ValorServicos></NFe>`;
    const [wanted, ...others] = [
      nfse('7', '58716523000119', '2026-08-30'),
      nfse('17', '58716523000119', '2026-08-30'),
      nfse('7', '11222333000181', '2026-08-30'),
      nfse('7', '58716523000119', '2025-08-30'),
    ];
    const asked = { number: '7', issuer: '58716523000119', issueDate: '2026-08-30' };
    const text = envelope([...others, wanted].map((one) => `<NFSe>${place(one ?? '')}</NFSe>`).join(''), 4);
    const { document, warnings } = await readNfse(replyOf(text), asked);
    expect(document?.xml).toBe(wanted);
    expect(warnings).toEqual([{ code: 'others_left_out', values: { count: '3' } }]);
  });
});
