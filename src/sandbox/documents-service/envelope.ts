import { isoWallClock, type Moment } from '../data/calendar.ts';
import { cdata, group, leaves } from '../data/text.ts';
import { quotedReply, type Reply } from '../http.ts';

/** What makes an operation answer with an envelope that carries a code other than success. */
export class RefusedInEnvelope extends Error {
  /** `cStat`, three digits. */
  readonly code: string;

  constructor(code: string, reason: string) {
    super(code === '999' ? reason : `Rejeicao: ${reason}`);
    this.code = code;
  }
}

/** What goes into an envelope. */
interface EnvelopeContent {
  /** Pieces of XML, each written when it is sent. */
  readonly pieces: Iterable<string>;
  /** Further fields before `retorno`, e.g. the page. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Number of pieces of a list, sent as `Quantidade`; undefined for a single download, which has none. */
  readonly quantity: number | undefined;
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

/** Key lists of NF-e and CT-e come inside an element literally named `xml`. Source: docs/upstream-services.md. */
const WRAPPED_IN_XML_ELEMENT = ['retChavesNfe', 'retChavesCte'];

function* written(root: string, head: string, pieces: Iterable<string> | undefined): Generator<string> {
  const wrapped = WRAPPED_IN_XML_ELEMENT.includes(root);
  const opening = wrapped ? '<xml version="1.0">' : '<?xml version="1.0" encoding="utf-8"?>';
  yield `${opening}<${root} versao="1.00">${head}`;
  if (pieces) {
    yield '<retorno>';
    yield* pieces;
    yield '</retorno>';
  }
  yield `</${root}>${wrapped ? '</xml>' : ''}`;
}

/** Wraps what `produce` finds. Nothing found is code 137, a refusal its own code, both without `retorno`. */
export function enveloped(
  { now, maxDocumentsPerReply = Number.POSITIVE_INFINITY }: EnvelopeLimits,
  root: string,
  produce: () => EnvelopeContent,
): Reply {
  const head = (cStat: string, xMotivo: string, fields = {}) =>
    leaves({ cStat, xMotivo, dhResp: isoWallClock(now()), ...fields });
  try {
    const { pieces, fields, quantity } = produce();
    if (quantity !== undefined && quantity > maxDocumentsPerReply)
      throw new RefusedInEnvelope('999', 'Consumo: reduza o período');
    const Quantidade = quantity === undefined ? undefined : String(quantity);
    if (quantity !== 0)
      return quotedReply(written(root, head('100', 'OK', { Quantidade, ...fields }), pieces));
    const nothing = head('137', 'Nenhum documento localizado', { Quantidade, ...fields });
    return quotedReply(written(root, nothing, undefined));
  } catch (error) {
    if (!(error instanceof RefusedInEnvelope)) throw error;
    return quotedReply(written(root, head(error.code, error.message), undefined));
  }
}

interface EnvelopeLimits {
  now(): Moment;
  /** A list of more is refused with a code that asks for a shorter period. */
  readonly maxDocumentsPerReply: number | undefined;
}
