import { gzipSync } from 'node:zlib';
import type { PdfForm, TextForm } from '../control.ts';
import { dayOf, isoWallClock, momentOfWallClock } from '../data/calendar.ts';
import { cdata, escapeXml, group, leaves } from '../data/text.ts';
import { jsonReply, type Reply, reply, type SandboxRequest } from '../http.ts';
import { zipOf } from '../zip.ts';
import { type Answer, RefusedInEnvelope } from './answers.ts';
import { BLOB_PREFIX, type DocumentsService, MOVED_PREFIX, type StoredFile } from './service.ts';

type Wrapped = 'json' | 'json-twice' | 'string-xml' | 'bare';

/** What goes around the pieces of a text, and what becomes of each of them. */
interface Wrapping {
  readonly contentType: string;
  readonly opening: string;
  readonly closing: string;
  wrap(piece: string): string;
}

/** The inside of a JSON string. */
function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const JSON_TYPE = 'application/json; charset=utf-8';
const STRING_ELEMENT = '<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">';

const wrappings: Readonly<Record<Wrapped, Wrapping>> = {
  json: { contentType: JSON_TYPE, opening: '"', closing: '"', wrap: jsonText },
  'json-twice': {
    contentType: JSON_TYPE,
    opening: '"\\"',
    closing: '\\""',
    wrap: (piece) => jsonText(jsonText(piece)),
  },
  'string-xml': {
    contentType: 'application/xml; charset=utf-8',
    opening: STRING_ELEMENT,
    closing: '</string>',
    wrap: escapeXml,
  },
  bare: { contentType: 'text/plain; charset=utf-8', opening: '', closing: '', wrap: (piece) => piece },
};

function* wrapped({ opening, closing, wrap }: Wrapping, pieces: Iterable<string>): Generator<string> {
  yield opening;
  for (const piece of pieces) yield wrap(piece);
  yield closing;
}

function textReply(pieces: Iterable<string>, form: Wrapped): Reply {
  const wrapping = wrappings[form];
  return reply(200, wrapping.contentType, wrapped(wrapping, pieces));
}

/** A PDF as text; `link` makes a shared-access URL for it. */
export function pdfText(pdf: Buffer, form: PdfForm, link: () => string): string {
  switch (form) {
    case 'hex':
      return pdf.toString('hex');
    case 'gzip-base64':
      return gzipSync(pdf).toString('base64');
    case 'url':
      return link();
    default:
      return pdf.toString('base64');
  }
}

/** A shared-access URL in a reply, as good as the form says. */
export function linkTo(path: string, { replyForm, sharedAccess }: DocumentsService): string {
  const { links } = replyForm();
  const place = links === 'moved' ? path.replace(BLOB_PREFIX, MOVED_PREFIX) : path;
  return sharedAccess.grant(place, links === 'expired');
}

type Text = Answer & { kind: 'text' };

function zipped({ pieces, documents }: Text): Buffer {
  const files = documents === undefined ? [[...pieces].join('')] : [...documents];
  return zipOf(
    files.map((text, i) => ({ name: `${String(i + 1).padStart(5, '0')}.xml`, bytes: Buffer.from(text) })),
  );
}

function* inArray(documents: Iterable<string>): Generator<string> {
  let before = '[';
  for (const document of documents) {
    yield `${before}${JSON.stringify(document)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function textInForm(answer: Text, form: TextForm, service: DocumentsService): Reply {
  const { pieces, documents } = answer;
  switch (form) {
    case 'side-by-side':
      return textReply(documents ?? pieces, 'json');
    case 'json-array':
      return documents ? reply(200, JSON_TYPE, inArray(documents)) : textReply(pieces, 'json');
    case 'zip':
      return reply(200, 'application/zip', zipped(answer));
    case 'url': {
      const make = () => Buffer.from([...pieces].join(''));
      return textReply([linkTo(service.files.keep('xml', 'application/xml', make), service)], 'json');
    }
    case 'url-zip': {
      const make = () => zipped(answer);
      return textReply([linkTo(service.files.keep('zip', 'application/zip', make), service)], 'json');
    }
    default:
      return textReply(pieces, form);
  }
}

function recordsInForm(value: unknown, { replyForm }: DocumentsService): unknown {
  const { records } = replyForm();
  if (typeof value !== 'object' || value === null || records === 'plain') return value;
  if (records === 'value') return { value: [value].flat() };
  return Array.isArray(value) ? value.map(sparse) : sparse(value);
}

/** A record without what may be missing, or with nothing in it. */
function sparse(record: object): object {
  const { Sucesso: _success, Usuario: _user, ...others }: { Sucesso?: unknown; Usuario?: unknown } = record;
  return { ...others, Evento: null };
}

/** Puts an answer into the form asked for. Values other than strings are JSON in every form. */
export function formed(answer: Answer, service: DocumentsService): Reply {
  const { form, pdf } = service.replyForm();
  switch (answer.kind) {
    case 'value':
      return jsonReply(200, recordsInForm(answer.value, service));
    case 'text':
      return textInForm(answer, answer.isPlain ? wrappedForm(form) : form, service);
    case 'pdf':
      if (pdf === 'raw') return reply(200, 'application/pdf', answer.pdf);
      if (pdf === 'json-bytes') return jsonReply(200, [...answer.pdf]);
      return textReply([pdfText(answer.pdf, pdf, () => linkTo(answer.path, service))], wrappedForm(form));
  }
}

/** A PDF, and the answer of an operation that is no list, are quoted in forms that are for documents only. */
function wrappedForm(form: TextForm): Wrapped {
  return Object.hasOwn(wrappings, form) ? (form as Wrapped) : 'json';
}

/** What goes into an envelope. */
export interface EnvelopeContent {
  /** Pieces of XML, each written when it is sent. */
  readonly pieces: Iterable<string>;
  /** Further fields before `retorno`, e.g. the page. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The documents in these pieces, as they are. */
  readonly documents?: Iterable<string>;
  /** How many pieces a list has, told as `Quantidade`; undefined for a single download, which tells none. */
  readonly quantity: number | undefined;
}

/** Key lists of NF-e and CT-e come inside an element literally named `xml`. Source: docs/upstream-services.md. */
const WRAPPED_IN_XML_ELEMENT = ['retChavesNfe', 'retChavesCte'];

type Fields = Readonly<Record<string, string>>;

function* written(root: string, fields: Fields, content: Iterable<string> | undefined): Generator<string> {
  const wrapped = WRAPPED_IN_XML_ELEMENT.includes(root);
  const opening = wrapped ? '<xml version="1.0">' : '<?xml version="1.0" encoding="utf-8"?>';
  yield `${opening}<${root} versao="1.00">${leaves(fields)}`;
  if (content) {
    yield '<retorno>';
    yield* content;
    yield '</retorno>';
  }
  yield `</${root}>${wrapped ? '</xml>' : ''}`;
}

function* piecesOf<T>(documents: Iterable<T>, write: (document: T) => string): Generator<string> {
  for (const document of documents) yield write(document);
}

function countOf(documents: Iterable<unknown>): number {
  let count = 0;
  for (const _ of documents) count += 1;
  return count;
}

/** A list of documents, each in a piece of its own. They are gone through twice: to count them and to write them. */
export function listed<T>(documents: Iterable<T>, write: (document: T) => string): EnvelopeContent {
  return { pieces: piecesOf(documents, write), quantity: countOf(documents) };
}

/** A list of whole documents. */
export function listedDocuments<T>(documents: Iterable<T>, xmlOf: (document: T) => string): EnvelopeContent {
  return {
    ...listed(documents, (document) => contentOf(xmlOf(document))),
    documents: { [Symbol.iterator]: () => piecesOf(documents, xmlOf) },
  };
}

/** A document in the place where the service puts it. */
export function contentOf(xml: string): string {
  return group('Conteudo', cdata(xml));
}

/** The content with documents behind its first one that nobody can read: one of no known layout, one that is broken. */
function withStrangeDocuments({ pieces, documents = [], quantity = 0 }: EnvelopeContent): EnvelopeContent {
  const strange = [FOREIGN_DOCUMENT, BROKEN_DOCUMENT];
  return {
    pieces: afterFirst(pieces, strange.map(contentOf)),
    documents: afterFirst(documents, strange),
    quantity: quantity + strange.length,
  };
}

function* afterFirst(pieces: Iterable<string>, others: readonly string[]): Generator<string> {
  let isFirst = true;
  for (const piece of pieces) {
    yield piece;
    if (isFirst) yield* others;
    isFirst = false;
  }
}

const FOREIGN_DOCUMENT =
  '<NotaDeOutraCidade versao="1"><Emissor><Nome>Padaria do Largo</Nome></Emissor><Valor>12.50</Valor></NotaDeOutraCidade>';
const BROKEN_DOCUMENT =
  '<nfeProc versao="4.00"><NFe><infNFe versao="4.00"><ide><mod>55</mod></infNFe></NFe></nfeProc>';

function refuseTooMany({ maxDocumentsPerReply }: DocumentsService, quantity: number | undefined): void {
  if (maxDocumentsPerReply === undefined || quantity === undefined) return;
  if (quantity > maxDocumentsPerReply) throw new RefusedInEnvelope('999', 'Consumo: reduza o período');
}

/** Wraps what `produce` finds. Nothing found is code 137, a refusal its own code, both without `retorno`. */
export function enveloped(service: DocumentsService, root: string, produce: () => EnvelopeContent): Answer {
  const at = { dhResp: isoWallClock(service.now()) };
  try {
    const found = produce();
    const isStrange = found.documents !== undefined && found.quantity && service.replyForm().strange;
    const { pieces, fields, documents, quantity } = isStrange ? withStrangeDocuments(found) : found;
    refuseTooMany(service, quantity);
    const isEmpty = quantity === 0;
    const outcome = !isEmpty
      ? { cStat: '100', xMotivo: 'OK' }
      : { cStat: '137', xMotivo: 'Nenhum documento localizado' };
    const count = quantity === undefined ? undefined : { Quantidade: String(quantity) };
    const head = { ...outcome, ...at, ...count, ...fields };
    return {
      kind: 'text',
      pieces: written(root, head, isEmpty ? undefined : pieces),
      documents: isEmpty ? undefined : documents,
    };
  } catch (error) {
    if (!(error instanceof RefusedInEnvelope)) throw error;
    const refusal = { cStat: error.code, xMotivo: error.message, ...at };
    return { kind: 'text', pieces: written(root, refusal, undefined) };
  }
}

const NFE_PATH = /^\/blob\/nfe\/([0-9A-Z]{44})\.pdf$/;
const NFSE_PATH = /^\/blob\/nfse\/([0-9A-Z]{14})-(\d+)-(\d{4}-\d{2}-\d{2})\.pdf$/;

function storageError(status: number, code: string, text: string): Reply {
  const body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${text}</Message></Error>`;
  return reply(status, 'application/xml', body);
}

async function pdfAt(path: string, { books }: DocumentsService): Promise<Buffer | undefined> {
  const [, key] = NFE_PATH.exec(path) ?? [];
  if (key) {
    const note = books.nfe.find(key);
    const { danfePdf } = await import('../printed-page.ts');
    return note && danfePdf(note, books.seed);
  }
  const [, issuer, number, date] = NFSE_PATH.exec(path) ?? [];
  if (!issuer || !number || !date) return undefined;
  const note = books.nfse.find(number, dayOf(momentOfWallClock(`${date}T00:00:00`)), issuer);
  const { nfsePdf } = await import('../printed-page.ts');
  return note && nfsePdf(note, books.seed);
}

async function fileAt(path: string, service: DocumentsService): Promise<StoredFile | undefined> {
  const pdf = await pdfAt(path, service);
  return pdf ? { type: 'application/pdf', bytes: pdf } : service.files.at(path);
}

/** Answers a shared-access URL. */
export async function readBlob({ path, query }: SandboxRequest, service: DocumentsService): Promise<Reply> {
  if (!service.sharedAccess.allows(path, query)) {
    return storageError(403, 'AuthenticationFailed', 'Server failed to authenticate the request.');
  }
  if (path.startsWith(MOVED_PREFIX)) {
    const location = service.sharedAccess.grant(BLOB_PREFIX + path.slice(MOVED_PREFIX.length));
    return { status: 302, headers: { location }, body: Buffer.alloc(0) };
  }
  const file = await fileAt(path, service);
  return file
    ? reply(200, file.type, file.bytes)
    : storageError(404, 'BlobNotFound', 'The specified blob does not exist.');
}
