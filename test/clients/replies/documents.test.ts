import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type {
  DocumentList,
  ReceivedDocument,
  ReplyBody,
} from '../../../src/clients/documents/replies/index.ts';
import { NotUnderstood, Refused } from '../../../src/clients/errors.ts';
import {
  event,
  KEY,
  misunderstood,
  note,
  OTHER_KEY,
  readDocument,
  readList,
  replyOf,
  replyOfBody,
  wrappings,
} from './reply.ts';

function envelope(content: string, code = '100'): string {
  return `<retDownload><cStat>${code}</cStat><xMotivo>Motivo</xMotivo>${content}</retDownload>`;
}

async function collect(reply: ReplyBody): Promise<{ list: DocumentList; received: ReceivedDocument[] }> {
  const received: ReceivedDocument[] = [];
  const list = await readList(reply, (document) => {
    received.push(document);
  });
  return { list, received };
}

const FIRST = note(KEY);
const SECOND = note(OTHER_KEY);

describe('forms of a list of documents', () => {
  it.each(wrappings)('$name', async ({ wrap }) => {
    const { list, received } = await collect(replyOf(wrap([FIRST, SECOND])));
    expect(list).toEqual({ count: 2, warnings: [], unreadable: [] });
    expect(received.map(({ xml }) => xml)).toEqual([FIRST, SECOND]);
    expect(received.map(({ summary }) => summary.key)).toEqual([KEY, OTHER_KEY]);
    expect(received[0]?.summary.issuer?.name).toBe('Ação & Cia 😀');
  });

  it('UTF-8 with a byte-order mark, ISO-8859-1 and windows-1252 by declaration', async () => {
    expect((await collect(replyOf(`\ufeff${FIRST}`))).received[0]?.xml).toBe(FIRST);
    const latin = note(KEY, 'Ação');
    for (const encoding of ['ISO-8859-1', 'windows-1252']) {
      const bytes = Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>${latin}`, 'latin1');
      expect((await collect(replyOf(bytes))).received[0]?.summary.issuer?.name).toBe('Ação');
    }
  });

  it('the charset of the header where the text does not say', async () => {
    const body = Buffer.from(note(KEY, 'Ação'), 'latin1');
    const reply = { ...replyOf(body), headers: { 'content-type': 'text/xml; charset=iso-8859-1' } };
    expect((await collect(reply)).received[0]?.summary.issuer?.name).toBe('Ação');
    const error = await collect(replyOf(body)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'invalid utf-8' });
  });

  it('entries of NFS-e lists are no documents but hold them', async () => {
    const nfse = '<NFe><ChaveNFe><NumeroNFe>7</NumeroNFe></ChaveNFe><ValorServicos>5</ValorServicos></NFe>';
    const text = envelope(
      `<Quantidade>1</Quantidade><retorno><NFSe NumeroDocumento="7"><Conteudo>${nfse}</Conteudo></NFSe></retorno>`,
    );
    const { list, received } = await collect(replyOf(text));
    expect(list).toMatchObject({ count: 1, warnings: [] });
    expect(received[0]?.xml).toBe(nfse);
    expect(received[0]?.summary).toMatchObject({ kind: 'nfse', number: '7' });
  });
});

describe('the service’s own checks', () => {
  const checksFirst = (document: string) =>
    `<vIntegridade>1</vIntegridade><vSefaz>0</vSefaz><Conteudo>${document}</Conteudo>`;
  const checksLast = (document: string) =>
    `<Conteudo>${document}</Conteudo><vIntegridade>1</vIntegridade><vSefaz>0</vSefaz>`;
  const checks = { integrity: '1', sefaz: '0' };
  const cancellation = `<Conteudo>${event(KEY)}</Conteudo>`;

  it.each([
    ['before the document', checksFirst(FIRST), checks],
    ['after the document', checksLast(FIRST), checks],
    ['beside a document and its event', checksFirst(FIRST) + cancellation, checks],
    ['of two documents', checksFirst(FIRST) + checksFirst(SECOND), undefined],
    ['of a document and its event', checksLast(FIRST) + checksLast(event(KEY)), undefined],
    [
      'beside a document that can’t be read',
      checksLast(FIRST) + checksFirst('<Outro><a>1</a></Outro>'),
      undefined,
    ],
    [
      'of a document that can’t be read',
      checksFirst('<Outro><a>1</a></Outro>') + cancellation + FIRST,
      undefined,
    ],
  ])('%s', async (_, content, expected) => {
    const reply = replyOf(envelope(`<retorno>${content}</retorno>`));
    const { summary, service_checks } = await readDocument(reply, { key: KEY });
    expect(summary.key).toBe(KEY);
    expect(service_checks).toEqual(expected);
  });
});

describe('an empty list of documents', () => {
  it.each([
    ['an empty array', '[]', []],
    ['code 137', envelope('<Quantidade>0</Quantidade>', '137'), []],
    ['an empty string', '""', [{ code: 'empty_reply', values: {} }]],
  ])('%s', async (_, text, warnings) => {
    expect((await collect(replyOf(text))).list).toMatchObject({ count: 0, warnings });
  });
});

describe('a reply that is not understood loses nothing silently', () => {
  it.each([
    ['the reply cut in a document', FIRST + SECOND.slice(0, -30), 'document 2: truncated'],
    ['the reply cut after a document', envelope(FIRST).slice(0, -3), 'truncated'],
    ['the JSON string cut after a document', JSON.stringify(FIRST).slice(0, -1), 'truncated'],
    ['garbage after the last document', `${FIRST}\nfim`, 'malformed'],
    ['garbage after the JSON string', `${JSON.stringify(FIRST)}fim`, 'content after the end'],
    [
      'text in a document’s place',
      envelope('<Conteudo>indisponível</Conteudo>'),
      'document 1: not a document',
    ],
    ['an unknown layout under a known name', '<NFe><outro/></NFe>', 'document 1: no known layout'],
    ['an entry without a document', envelope('<NFSe><Foo>1</Foo></NFSe>'), 'document 1: no known layout'],
    ['a broken document alone', FIRST.replace('</emit>', '</dest>'), 'document 1: malformed'],
    ['a broken document without its end', FIRST.replace('</nfeProc>', '</nfe>'), 'document 1: malformed'],
    ['a DOCTYPE in a document', `${FIRST}<!DOCTYPE a><NFe/>`, 'doctype'],
    ['words', 'sem permissão', 'no document in the text'],
    ['words in an array', JSON.stringify(['erro', 'erro']), 'no document in the text'],
    ['a success without content', envelope(''), 'nothing recognised'],
    ['nesting without end', '<a>'.repeat(100), 'too deep'],
    ['quoting without end', nested(12), 'nested too deeply'],
  ])('%s', async (_, text, reason) => {
    expect(await misunderstood(collect(replyOf(text)))).toBe(reason);
  });

  it.each([
    ['an unescaped ampersand', 'A & B'],
    ['an unescaped ampersand before a letter', 'P&D'],
    ['an attribute without its closing quote', '<a b="1>c</a>'],
  ])('calls %s malformed, not cut off', async (_, name) => {
    const broken = FIRST.replace(/<xNome>.*<\/xNome>/, `<xNome>${name}</xNome>`);
    const { list } = await collect(replyOf(JSON.stringify([broken, SECOND])));
    expect(list.unreadable).toEqual([{ place: '1', root: 'nfeProc', reason: 'malformed' }]);
    const alone = await readDocument(replyOf(broken)).catch((thrown: unknown) => thrown);
    expect(alone).toMatchObject({ reason: 'document 1: malformed' });
  });

  it.each([
    ['alone', (text: string) => text],
    ['in a string', (text: string) => JSON.stringify(text)],
    ['in an envelope', (text: string) => envelope(`<retorno><Conteudo>${text}</Conteudo></retorno>`)],
  ])('names the model of a document that is not read, %s', async (_, wrap) => {
    const manifest =
      '<mdfeProc><MDFe><infMDFe Id="MDFe1"><ide><mod>58</mod></ide></infMDFe></MDFe></mdfeProc>';
    const error = await readDocument(replyOf(wrap(manifest))).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotUnderstood);
    expect(error).toMatchObject({ model: 'MDF-e' });
  });

  it.each([
    ['beside others', (bill: string) => FIRST + bill + SECOND, 2],
    ['alone', (bill: string) => bill, 0],
    ['in an envelope', (bill: string) => envelope(`<retorno><Conteudo>${bill}</Conteudo></retorno>`), 0],
  ])('outlines a document of another model, %s, and calls nothing unreadable', async (_, wrap, count) => {
    const key = '35261011222333000181620010000000011000000001';
    const bill =
      `<nfcomProc><NFCom><infNFCom Id="NFCom${key}"><ide><dhEmi>2026-10-10T10:00:00-03:00</dhEmi></ide>` +
      '<emit><CNPJ>11222333000181</CNPJ></emit><total><vNF>99.90</vNF></total></infNFCom></NFCom></nfcomProc>';
    const { list, received } = await collect(replyOf(wrap(bill)));
    expect(received).toHaveLength(count);
    expect(list.warnings).toEqual([]);
    const outline = { kind: 'NFCom', key, issuer: '11222333000181', date: '2026-10-10', total: '99.90' };
    expect(list.unreadable).toEqual([expect.objectContaining({ outline })]);
    const cut = await collect(replyOf(JSON.stringify([FIRST, bill.slice(0, -20)])));
    expect(cut.list.unreadable[0]).not.toHaveProperty('outline');
  });

  it('gives both of two contents under one key', async () => {
    const other = note(KEY, 'Outra Ltda');
    const { list, received } = await collect(replyOf(FIRST + other + FIRST));
    expect(received.map(({ xml }) => xml)).toEqual([FIRST, other, FIRST]);
    expect(list.count).toBe(3);
    const single = await readDocument(replyOf(FIRST + other + FIRST), { key: KEY });
    expect([single.xml, ...single.otherContents.map(({ xml }) => xml)].toSorted()).toEqual(
      [...new Set([FIRST, other])].toSorted(),
    );
  });

  function nested(times: number): string {
    let text = FIRST;
    for (let i = 0; i < times; i++)
      text = `<string>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</string>`;
    return text;
  }

  it('compression cut or followed by something', async () => {
    const packed = gzipSync(FIRST);
    const cut = await collect(replyOf(packed.subarray(0, -12))).catch((thrown: unknown) => thrown);
    expect(cut).toMatchObject({ name: 'NotUnderstood' });
    const mixed = await collect(replyOf(Buffer.concat([packed, Buffer.from('fim')]))).catch(
      (e: unknown) => e,
    );
    expect(mixed).toMatchObject({ name: 'NotUnderstood' });
  });

  it('shows the start of the reply without identifiers', async () => {
    const text = `senha=abc123 ${KEY} 58.716.523/0001-19 fim`;
    const error = await collect(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      reply: { kind: 'text', bytes: text.length, start: 'senha=*** 3517…3458 58…19 fim' },
    });
  });
});

describe('who takes the documents', () => {
  it('is waited for before the next one comes', async () => {
    const log: string[] = [];
    await readList(replyOf(FIRST, SECOND), async () => {
      log.push('begin');
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push('end');
    });
    expect(log).toEqual(['begin', 'end', 'begin', 'end']);
  });

  it('gets a document before the reply has ended', async () => {
    const log: string[] = [];
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`<ret>${FIRST}${SECOND}`);
      log.push('more');
      yield Buffer.from('</ret>');
    }
    await readList(replyOfBody(body()), ({ summary }) => {
      log.push(summary.key ?? '');
    });
    expect(log).toEqual([KEY, OTHER_KEY, 'more']);
  });

  it('sees its own error again, and the body is closed', async () => {
    let closed = false;
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from(FIRST + SECOND);
        yield Buffer.from(FIRST);
      } finally {
        closed = true;
      }
    }
    const own = new Error('disk full');
    const reading = readList(replyOfBody(body()), () => Promise.reject(own));
    await expect(reading).rejects.toBe(own);
    expect(closed).toBe(true);
  });

  it('sees an error of the connection as it is', async () => {
    const lost = new Error('socket hang up');
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(FIRST);
      throw lost;
    }
    await expect(readList(replyOfBody(body()), () => {})).rejects.toBe(lost);
  });
});

describe('one document', () => {
  it('alone, and with its events', async () => {
    expect(await readDocument(replyOf(JSON.stringify(FIRST)))).toMatchObject({ xml: FIRST, events: [] });
    const { xml, events } = await readDocument(replyOf(event(KEY) + FIRST + event(KEY)));
    expect(xml).toBe(FIRST);
    expect(events.map(({ summary }) => summary.event?.code)).toEqual(['210200', '210200']);
  });

  it.each([
    ['two documents', FIRST + SECOND, 'several documents'],
    ['the event of another', FIRST + event(OTHER_KEY), 'events of another document'],
    ['an empty string', '""', 'empty'],
    ['an empty array', '[]', 'nothing recognised'],
  ])('%s is not understood', async (_, text, reason) => {
    expect(await misunderstood(readDocument(replyOf(text)))).toBe(reason);
  });

  it('that is not there is a refusal with the service’s words', async () => {
    const error = await readDocument(replyOf(envelope('', '137'))).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ refusal: { code: '137', message: 'Motivo' } });
  });
});
