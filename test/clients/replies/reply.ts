import { gzipSync } from 'node:zlib';
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
  document: readDocument,
  service_document: readNfse,
  pdf: readPdf,
  record: readEventRecord,
  records: readEventRecords,
  integer: readInteger,
  text: readText,
  url: readUrl,
  undocumented: readUndocumented,
} = readers;

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

/** How lists of documents come. `isolates`: each document is a text of its own, whose damage ends with it. */
export const wrappings: readonly {
  readonly name: string;
  readonly wrap: (texts: readonly string[]) => string | Uint8Array;
  readonly isolates?: boolean;
}[] = [
  { name: 'side by side', wrap: (texts) => texts.join('\n') },
  {
    name: 'each with its declaration',
    wrap: (texts) => texts.map((text) => DECLARATION + text).join('\r\n'),
  },
  { name: 'nested', wrap: (texts) => listed(texts, texts.join('')) },
  { name: 'nested one by one', wrap: (texts) => listed(texts, each(texts, place)) },
  { name: 'nested in one element', wrap: (texts) => listed(texts, place(texts.join(''))) },
  {
    name: 'in a root named xml',
    wrap: (texts) => `<xml version="1.0">${listed(texts, texts.join(''))}</xml>`,
  },
  {
    name: 'entries of NFS-e',
    wrap: (texts) =>
      listed(
        texts,
        each(texts, (text) => `<NFSe NumeroDocumento="1"><vSefaz>1</vSefaz>${place(text)}</NFSe>`),
      ),
  },
  {
    name: 'CDATA',
    wrap: (texts) =>
      listed(
        texts,
        each(texts, (text) => place(cdata(DECLARATION + text))),
      ),
    isolates: true,
  },
  {
    name: 'several in one CDATA',
    wrap: (texts) => listed(texts, cdata(each(texts, (text) => DECLARATION + text))),
  },
  {
    name: 'escaped',
    wrap: (texts) =>
      listed(
        texts,
        each(texts, (text) => place(escaped(text))),
      ),
    isolates: true,
  },
  { name: 'in the string wrapper', wrap: (texts) => `<string xmlns="x">${escaped(texts.join(''))}</string>` },
  {
    name: 'an array of strings in XML',
    wrap: (texts) =>
      `<ArrayOfstring>${each(texts, (text) => `<string>${escaped(text)}</string>`)}</ArrayOfstring>`,
    isolates: true,
  },
  { name: 'in a JSON string', wrap: (texts) => JSON.stringify(texts.join('')) },
  { name: 'in a JSON string quoted twice', wrap: (texts) => quotedTwice(listed(texts, texts.join(''))) },
  {
    name: 'in a JSON string with unicode escapes',
    wrap: (texts) =>
      JSON.stringify(texts.join('')).replaceAll('<', '\\u003c').replaceAll('😀', '\\ud83d\\ude00'),
  },
  {
    name: 'in a JSON string that declares another encoding',
    wrap: (texts) => JSON.stringify(`<?xml version="1.0" encoding="ISO-8859-1"?>${texts.join('')}`),
  },
  { name: 'a JSON array', wrap: (texts) => JSON.stringify(texts), isolates: true },
  {
    name: 'JSON records',
    wrap: (texts) => JSON.stringify(texts.map((Xml) => ({ Numero: 7, Xml }))),
    isolates: true,
  },
  {
    name: 'JSON records in value',
    wrap: (texts) => JSON.stringify({ '@odata.context': 'x', value: texts.map((Xml) => ({ Xml })) }),
    isolates: true,
  },
  { name: 'gzip', wrap: (texts) => gzipSync(texts.join('')) },
];

/** The reason why a reply is not understood; any other outcome fails the test. */
export async function misunderstood(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => new Error('was understood'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof NotUnderstood) return error.reason;
  throw error;
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
