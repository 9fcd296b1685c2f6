import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  type DocumentList,
  type ReceivedDocument,
  type ReplyBody,
  readDocuments,
  readers,
} from '../../../src/clients/documents/replies/index.ts';
import { NotUnderstood } from '../../../src/clients/errors.ts';
import { redactSecrets } from '../../../src/clients/http/redact.ts';

export const {
  access_keys: readAccessKeys,
  service_keys: readKeys,
  service_document: readNfse,
  pdf: readPdf,
  record: readEventRecord,
  records: readEventRecords,
  integer: readInteger,
  text: readText,
  url: readUrl,
  undocumented: readUndocumented,
} = readers;

/** The document asked for, with what is said of it. */
export async function readDocument(reply: ReplyBody, asked?: Parameters<typeof readers.document>[1]) {
  const { document, ...others } = await readers.document(reply, asked);
  if (document === undefined) throw new Error('no document');
  return { ...document, ...others };
}

const call = { service: 'documents', operation: 'Mercadoria/Teste' } as const;

export const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>';
export const KEY = '35170458716523000119550010000000121000123458';
export const OTHER_KEY = '35260712ABC34501DE35550010000001231102030403';
export const THIRD_KEY = '26180875335849000115550010000016871192213331';

/** A small NF-e with this key. */
export function note(key: string, name = 'Ação & Cia 😀'): string {
  return (
    '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe>' +
    `<infNFe Id="NFe${key}" versao="4.00"><ide><mod>55</mod></ide><emit><xNome>${escaped(name)}</xNome></emit>` +
    '<total><ICMSTot><vNF>10.00</vNF></ICMSTot></total></infNFe></NFe></nfeProc>'
  );
}

/** A confirmation of the NF-e with this key. */
export function event(key: string): string {
  return (
    '<procEventoNFe versao="1.00"><evento versao="1.00"><infEvento><tpAmb>1</tpAmb>' +
    `<chNFe>${key}</chNFe><tpEvento>210200</tpEvento></infEvento></evento></procEventoNFe>`
  );
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export const cdata = (text: string) => `<![CDATA[${text}]]>`;
/** Where the service puts a document. */
export const place = (text: string) => `<Conteudo>${text}</Conteudo>`;

const each = (texts: readonly string[], write: (text: string) => string) => texts.map(write).join('');
const listed = (texts: readonly string[], content: string) =>
  `<ret><cStat>100</cStat><Quantidade>${texts.length}</Quantidade><retorno>${content}</retorno></ret>`;
const quotedTwice = (text: string) => JSON.stringify(JSON.stringify(text));

type Wrap = (texts: readonly string[]) => string | Uint8Array;
const inEach =
  (write: (text: string) => string): Wrap =>
  (texts) =>
    listed(texts, each(texts, write));
const joined = (texts: readonly string[]) => texts.join('');
const inXmlString = (text: string) => `<string>${text}</string>`;
const inString = (text: string) => `<string xmlns="x">${escaped(text)}</string>`;

const ways: readonly (readonly [name: string, wrap: Wrap, isolates?: boolean])[] = [
  ['side by side', (texts) => texts.join('\n')],
  ['each with its declaration', (texts) => texts.map((text) => DECLARATION + text).join('\r\n')],
  ['nested', (texts) => listed(texts, joined(texts))],
  ['nested one by one', inEach(place)],
  ['nested in one element', (texts) => listed(texts, place(joined(texts)))],
  ['in a root named xml', (texts) => `<xml version="1.0">${listed(texts, joined(texts))}</xml>`],
  ['entries of NFS-e', inEach((text) => `<NFSe Numero="1"><vSefaz>1</vSefaz>${place(text)}</NFSe>`)],
  ['CDATA', inEach((text) => place(cdata(DECLARATION + text))), true],
  ['several in one CDATA', (texts) => listed(texts, cdata(each(texts, (text) => DECLARATION + text)))],
  ['escaped', inEach((text) => place(escaped(text))), true],
  ['in the string wrapper', (texts) => inString(joined(texts))],
  ['an XML array', (texts) => `<ArrayOfstring>${each(texts, inString)}</ArrayOfstring>`, true],
  ['an XML array of XML', (texts) => `<ArrayOfstring>${each(texts, inXmlString)}</ArrayOfstring>`],
  ['in a JSON string', (texts) => JSON.stringify(joined(texts))],
  ['in a JSON string quoted twice', (texts) => quotedTwice(listed(texts, joined(texts)))],
  [
    'in unicode escapes',
    (texts) => JSON.stringify(joined(texts)).replaceAll('<', '\\u003c').replaceAll('😀', '\\ud83d\\ude00'),
  ],
  [
    'declaring another encoding',
    (texts) => JSON.stringify(`<?xml version="1.0" encoding="ISO-8859-1"?>${joined(texts)}`),
  ],
  ['a JSON array', (texts) => JSON.stringify(texts), true],
  ['JSON records', (texts) => JSON.stringify(texts.map((Xml) => ({ Numero: 7, Xml }))), true],
  [
    'JSON records in value',
    (texts) => JSON.stringify({ '@a': 'x', value: texts.map((Xml) => ({ Xml })) }),
    true,
  ],
  ['gzip', (texts) => gzipSync(joined(texts))],
];

/** How lists of documents come. `isolates`: each document is a text of its own, whose damage ends with it. */
export const wrappings = ways.map(([name, wrap, isolates = false]) => ({ name, wrap, isolates }));

/** The reason why a reply is not understood; any other outcome fails the test. */
export async function misunderstood(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => new Error('was understood'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof NotUnderstood) return error.reason;
  throw error;
}

type Read = (reply: ReplyBody) => Promise<unknown>;
type Texts = readonly (string | Uint8Array)[];

/** Each text with its beginning as a title. */
const titled = (texts: Texts) =>
  texts.map((text) => [typeof text === 'string' ? text.slice(0, 70) : 'bytes', text] as const);

/** Tests that a reader makes this of each of these replies, compared as `toMatchObject` does. */
export function understands(read: Read, cases: readonly (readonly [expected: unknown, ...Texts])[]): void {
  for (const [expected, ...texts] of cases) {
    it.each(titled(texts))('understands %s', async (_, text) => {
      const value = await read(replyOf(text));
      if (typeof expected === 'object' && expected !== null) expect(value).toMatchObject(expected);
      else expect(value).toBe(expected);
    });
  }
}

/** Tests that a reader does not understand these replies, for the reason that they are listed by. */
export function misunderstands(read: Read, cases: Readonly<Record<string, Texts>>): void {
  for (const [reason, texts] of Object.entries(cases)) {
    it.each(titled(texts))(`does not understand (${reason}) %s`, async (_, text) => {
      expect(await misunderstood(read(replyOf(text)))).toBe(reason);
    });
  }
}

/** Tests that a reader makes a refusal with these words of each of these replies. */
export function refuses(read: Read, cases: readonly (readonly [refusal: object, text: string])[]): void {
  it.each(cases)('makes the refusal %j of it', async (refusal, text) => {
    await expect(read(replyOf(text))).rejects.toMatchObject({ name: 'Refused', refusal });
  });
}

/** A reply with this body, to a call without secrets. */
export function replyOfBody(body: ReplyBody['body']): ReplyBody {
  return { call, headers: {}, body, redact: redactSecrets, hide: (text) => text };
}

/** A reply whose body comes in the given pieces; text is sent as UTF-8. */
export function replyOf(...pieces: (string | Uint8Array)[]): ReplyBody {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
  }
  return replyOfBody(body());
}

/** The same bytes in two pieces, for every place to cut them, or each of so many. */
export function* cutEverywhere(content: string | Uint8Array, every = 1): Generator<ReplyBody> {
  const bytes = Buffer.from(content as string);
  for (let at = 1; at < bytes.length; at += every) yield replyOf(bytes.subarray(0, at), bytes.subarray(at));
}

/** The same bytes one by one. */
export function byteByByte(content: string | Uint8Array): ReplyBody {
  return replyOf(...Array.from(Buffer.from(content as string), (byte) => Buffer.of(byte)));
}

/** What a reading ends with, to compare: its value, or its error without the stack. */
export async function outcome<T>(reading: Promise<T>): Promise<unknown> {
  try {
    return { value: await reading };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...error, name: error.name };
  }
}

/** Reads a list to its end, document by document, and gives what it says of itself. */
export async function readList(
  reply: ReplyBody,
  take: (document: ReceivedDocument) => void | Promise<void> = () => {},
): Promise<DocumentList> {
  let list: DocumentList | undefined;
  async function* documents(): AsyncGenerator<ReceivedDocument> {
    list = yield* readDocuments(reply);
  }
  for await (const document of documents()) await take(document);
  if (list === undefined) throw new Error('the list has not ended');
  return list;
}
