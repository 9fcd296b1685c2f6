import { isoWallClock } from '../data/calendar.ts';
import { cdata, group, leaves } from '../data/text.ts';
import { quotedReply, type Reply } from '../http.ts';
import { RefusedInEnvelope } from './inputs.ts';
import type { DocumentsService } from './service.ts';

type Fields = Readonly<Record<string, string>>;

/** What goes into an envelope. */
interface EnvelopeContent {
  /** Pieces of XML, each written when it is sent. */
  readonly pieces: Iterable<string>;
  /** Further fields before `retorno`, e.g. the page. */
  readonly fields?: Fields;
  /** How many pieces a list has, told as `Quantidade`; undefined for a single download, which tells none. */
  readonly quantity: number | undefined;
}

/** Key lists of NF-e and CT-e come inside an element literally named `xml`. Source: docs/upstream-services.md. */
const WRAPPED_IN_XML_ELEMENT = ['retChavesNfe', 'retChavesCte'];

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

/** A list of documents, each in a piece of its own. They are gone through twice: to count them and to write them. */
export function listed<T>(documents: Iterable<T>, write: (document: T) => string): EnvelopeContent {
  function* pieces(): Generator<string> {
    for (const document of documents) yield write(document);
  }
  let quantity = 0;
  for (const _ of documents) quantity += 1;
  return { pieces: pieces(), quantity };
}

/** A document in the place where the service puts it. */
export function contentOf(xml: string): string {
  return group('Conteudo', cdata(xml));
}

function refuseTooMany({ maxDocumentsPerReply }: DocumentsService, quantity: number | undefined): void {
  if (maxDocumentsPerReply === undefined || quantity === undefined) return;
  if (quantity > maxDocumentsPerReply) throw new RefusedInEnvelope('999', 'Consumo: reduza o período');
}

/** Wraps what `produce` finds. Nothing found is code 137, a refusal its own code, both without `retorno`. */
export function enveloped(service: DocumentsService, root: string, produce: () => EnvelopeContent): Reply {
  const at = { dhResp: isoWallClock(service.now()) };
  try {
    const { pieces, fields, quantity } = produce();
    refuseTooMany(service, quantity);
    if (quantity === 0) {
      const nothing = { cStat: '137', xMotivo: 'Nenhum documento localizado' };
      return quotedReply(written(root, { ...nothing, ...at, Quantidade: '0', ...fields }, undefined));
    }
    const count = quantity === undefined ? undefined : { Quantidade: String(quantity) };
    return quotedReply(written(root, { cStat: '100', xMotivo: 'OK', ...at, ...count, ...fields }, pieces));
  } catch (error) {
    if (!(error instanceof RefusedInEnvelope)) throw error;
    return quotedReply(written(root, { cStat: error.code, xMotivo: error.message, ...at }, undefined));
  }
}
