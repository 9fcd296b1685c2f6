import { isoWallClock } from '../data/calendar.ts';
import { cdata, group, leaves } from '../data/xml.ts';
import type { Answer } from './answers.ts';
import { RefusedInEnvelope } from './refusals.ts';
import type { DocumentsService } from './service.ts';

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

/**
 * Writes an envelope around what `produce` finds. Nothing found is code 137 without `retorno`; a refusal is its own
 * code without `retorno`.
 */
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
