import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ReceivedDocument, ReplyBody } from '../../../src/clients/documents/replies/index.ts';
import {
  event,
  KEY,
  misunderstands,
  note,
  OTHER_KEY,
  place,
  readDocument,
  readList,
  refuses,
  replyOf,
  replyOfBody,
  understands,
  wrappings,
} from './reply.ts';

const [FIRST, SECOND] = [note(KEY), note(OTHER_KEY)];
const BROKEN = FIRST.replace('</emit>', '</dest>');
const FOREIGN = '<Outro><a>1</a></Outro>';
const nfse = '<NFe><ChaveNFe><NumeroNFe>7</NumeroNFe></ChaveNFe><ValorServicos>5</ValorServicos></NFe>';

function envelope(content: string, code = '100'): string {
  return `<retDownload><cStat>${code}</cStat><xMotivo>Motivo</xMotivo>${content}</retDownload>`;
}

const returned = (content: string) => envelope(`<retorno>${content}</retorno>`);

/** What a list says of itself, and its documents. */
async function readAll(reply: ReplyBody) {
  const received: ReceivedDocument[] = [];
  const list = await readList(reply, (document) => void received.push(document));
  return { ...list, received };
}

describe('a list of documents', () => {
  it.each(wrappings)('$name', async ({ wrap }) => {
    const { received, ...list } = await readAll(replyOf(wrap([FIRST, SECOND])));
    expect(list).toEqual({ count: 2, warnings: [], unreadable: [] });
    expect(received.map(({ xml }) => xml)).toEqual([FIRST, SECOND]);
    expect(received.map(({ summary }) => summary.key)).toEqual([KEY, OTHER_KEY]);
    expect(received[0]?.summary.issuer?.name).toBe('Ação & Cia 😀');
  });

  const named = (name: string) => ({ received: [{ summary: { issuer: { name } } }] });
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const other = note(KEY, 'Outra Ltda');
  understands(readAll, [
    [{ received: [{ xml: FIRST }] }, `\ufeff${FIRST}`],
    [
      named('Ação'),
      ...['ISO-8859-1', 'windows-1252'].map((encoding) =>
        latin(`<?xml version="1.0" encoding="${encoding}"?>${note(KEY, 'Ação')}`),
      ),
    ],
    // An entry of a list of NFS-e is no document but holds one.
    [
      { count: 1, warnings: [], received: [{ xml: nfse, summary: { kind: 'nfse', number: '7' } }] },
      returned(`<NFSe NumeroDocumento="7">${place(nfse)}</NFSe>`),
    ],
    // Both of two contents under one key.
    [{ count: 3, received: [{ xml: FIRST }, { xml: other }, { xml: FIRST }] }, FIRST + other + FIRST],
    [{ count: 0, warnings: [] }, '[]', envelope('<Quantidade>0</Quantidade>', '137')],
    [{ count: 0, warnings: [{ code: 'empty_reply' }] }, '""'],
  ]);

  it('is read in the charset of the header where the text does not say', async () => {
    const body = latin(note(KEY, 'Ação'));
    const reply = { ...replyOf(body), headers: { 'content-type': 'text/xml; charset=iso-8859-1' } };
    expect(await readAll(reply)).toMatchObject(named('Ação'));
    await expect(readAll(replyOf(body))).rejects.toMatchObject({ reason: 'invalid utf-8' });
  });

  function nested(times: number): string {
    let text = FIRST;
    for (let i = 0; i < times; i++)
      text = `<string>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</string>`;
    return text;
  }

  const packed = gzipSync(FIRST);
  misunderstands(readAll, {
    'document 2: truncated': [FIRST + SECOND.slice(0, -30)],
    'document 1: truncated': [packed.subarray(0, -12)],
    'broken compression': [Buffer.concat([packed, Buffer.from('fim')])],
    truncated: [envelope(FIRST).slice(0, -3), JSON.stringify(FIRST).slice(0, -1)],
    malformed: [`${FIRST}\nfim`],
    'content after the end': [`${JSON.stringify(FIRST)}fim`],
    'document 1: not a document': [envelope(place('indisponível'))],
    'document 1: no known layout': ['<NFe><outro/></NFe>', envelope('<NFSe><Foo>1</Foo></NFSe>')],
    'document 1: malformed': [BROKEN, FIRST.replace('</nfeProc>', '</nfe>')],
    doctype: [`${FIRST}<!DOCTYPE a><NFe/>`],
    'no document in the text': ['sem permissão', JSON.stringify(['erro', 'erro'])],
    'nothing recognised': [envelope('')],
    'too deep': ['<a>'.repeat(100)],
    'nested too deeply': [nested(12)],
  });

  it.each(['A & B', 'P&D', '<a b="1>c</a>'])('calls a name with %s malformed, not cut off', async (name) => {
    const broken = FIRST.replace(/<xNome>.*<\/xNome>/, `<xNome>${name}</xNome>`);
    const { unreadable } = await readAll(replyOf(JSON.stringify([broken, SECOND])));
    expect(unreadable).toEqual([{ place: '1', root: 'nfeProc', reason: 'malformed' }]);
    await expect(readDocument(replyOf(broken))).rejects.toMatchObject({ reason: 'document 1: malformed' });
  });

  it.each([
    ['beside others', (bill: string) => FIRST + bill + SECOND, 2],
    ['alone', (bill: string) => bill, 0],
    ['in an envelope', (bill: string) => returned(place(bill)), 0],
    [
      'in an envelope that counts it',
      (bill: string) => `<ret><Quantidade>1</Quantidade><retorno>${place(bill)}</retorno></ret>`,
      0,
    ],
  ])('outlines a document of another model, %s, and calls nothing unreadable', async (_, wrap, count) => {
    const key = '35261011222333000181620010000000011000000001';
    const bill =
      `<nfcomProc><NFCom><infNFCom Id="NFCom${key}"><ide><dhEmi>2026-10-10T10:00:00-03:00</dhEmi></ide>` +
      '<emit><CNPJ>11222333000181</CNPJ></emit><total><vNF>99.90</vNF></total></infNFCom></NFCom></nfcomProc>';
    const outline = { kind: 'NFCom', key, issuer: '11222333000181', date: '2026-10-10', total: '99.90' };
    const { received, ...list } = await readAll(replyOf(wrap(bill)));
    expect(list).toEqual({ count, warnings: [], unreadable: [expect.objectContaining({ outline })] });
    const cut = await readAll(replyOf(JSON.stringify([FIRST, bill.slice(0, -20)])));
    expect(cut.unreadable[0]).not.toHaveProperty('outline');
  });

  it('shows the start of what it does not understand without identifiers', async () => {
    const text = `senha=abc123 ${KEY} 58.716.523/0001-19 fim`;
    await expect(readAll(replyOf(text))).rejects.toMatchObject({
      reply: { kind: 'text', bytes: text.length, start: 'senha=*** 3517…3458 58…19 fim' },
    });
  });
});

it('documents are handed over before more of the reply is read', async () => {
  const log: string[] = [];
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`<ret>${FIRST}${SECOND}`);
    log.push('more');
    yield Buffer.from('</ret>');
  }
  await readList(replyOfBody(body()), async () => {
    log.push('begin');
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push('end');
  });
  expect(log).toEqual(['begin', 'end', 'begin', 'end', 'more']);
});

it('an error of the consumer closes the body, and one of the connection is passed on', async () => {
  const [own, lost] = [new Error('disk full'), new Error('socket hang up')];
  let closed = false;
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(FIRST + SECOND);
      throw lost;
    } finally {
      closed = true;
    }
  }
  await expect(readList(replyOfBody(body()), () => Promise.reject(own))).rejects.toBe(own);
  expect(closed).toBe(true);
  await expect(readList(replyOfBody(body()))).rejects.toBe(lost);
});

describe('one document', () => {
  const events = [event(KEY), event(KEY)].map(() => ({ summary: { event: { code: '210200' } } }));
  understands(readDocument, [
    [{ xml: FIRST, events: [] }, JSON.stringify(FIRST)],
    [{ xml: FIRST, events }, event(KEY) + FIRST + event(KEY)],
  ]);
  misunderstands(readDocument, {
    'several documents': [FIRST + SECOND],
    'events of another document': [FIRST + event(OTHER_KEY)],
    empty: ['""'],
    'nothing recognised': ['[]'],
  });
  refuses(readDocument, [[{ code: '137', message: 'Motivo' }, envelope('', '137')]]);

  const manifest = '<mdfeProc><MDFe><infMDFe Id="MDFe1"><ide><mod>58</mod></ide></infMDFe></MDFe></mdfeProc>';
  it.each([manifest, JSON.stringify(manifest), returned(place(manifest))])(
    'of an unread model',
    async (text) => {
      const error = { name: 'NotUnderstood', model: 'MDF-e' };
      await expect(readDocument(replyOf(text))).rejects.toMatchObject(error);
    },
  );

  const checks = '<vIntegridade>1</vIntegridade><vSefaz>0</vSefaz>';
  const its = { integrity: '1', sefaz: '0' };
  it.each([
    ['before the document', checks + place(FIRST), its],
    ['after the document', place(FIRST) + checks, its],
    ['beside a document and its event', checks + place(FIRST) + place(event(KEY)), its],
    ['of two documents', checks + place(FIRST) + checks + place(SECOND), undefined],
    ['of a document and its event', place(FIRST) + checks + place(event(KEY)) + checks, undefined],
    ['beside a document that can’t be read', place(FIRST) + checks + place(FOREIGN), undefined],
    ['of one that can’t be read', checks + place(FOREIGN) + place(event(KEY)) + FIRST, undefined],
  ])('has the service’s own checks %s', async (_, content, expected) => {
    const { summary, checks: said } = await readDocument(replyOf(returned(content)), { key: KEY });
    expect(summary.key).toBe(KEY);
    expect(said).toEqual(expected);
  });
});
