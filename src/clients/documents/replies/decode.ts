import { NotUnderstood } from '../../errors.ts';
import { sketchReply } from '../../http/redact.ts';
import { formOfValue } from '../decoding/forms.ts';
import { piecesOf } from '../decoding/layers.ts';
import { limitsOf, Unreadable } from '../decoding/limits.ts';
import { type Forms, type Piece, Reading, reasonOf, type Takes } from '../decoding/reading.ts';
import type { ReplyKind } from '../operations.ts';
import type { ReplyBody } from './results.ts';

/** A reply on its way through the decoder. */
export interface Arrival {
  /** The pieces of each part of the reply, in order. To be iterated once and to its end. */
  readonly pieces: AsyncIterable<readonly Piece[]>;
  readonly forms: Forms;
}

/** Kinds whose reply may be the address of a file and nothing else. A PDF's reader gives the address itself. */
const mayBeUrl: ReadonlySet<ReplyKind> = new Set([
  'document',
  'documents',
  'service_document',
  'access_keys',
  'service_keys',
  'undocumented',
]);

/** The envelope's own elements; beside these an address is all there is. */
export const ENVELOPE_ELEMENTS: ReadonlySet<string> = new Set(['cStat', 'xMotivo', 'dhResp', 'Quantidade']);

/** Watches pieces for a reply that is an address alone. */
function createUrlWatch(parts: AsyncIterable<readonly Piece[]>) {
  const urls: (string | undefined)[] = [];
  let isWhole = false;

  function note(piece: Piece): void {
    if (piece.kind === 'open' || piece.kind === 'close' || piece.kind === 'file') return;
    if (piece.kind === 'value' && ENVELOPE_ELEMENTS.has(piece.name)) return;
    const text = piece.kind === 'value' || piece.kind === 'text' ? piece.text.trim() : '';
    const stand = formOfValue(text);
    urls.push(stand?.form === 'url' ? stand.url : undefined);
  }

  async function* pieces(): AsyncGenerator<readonly Piece[]> {
    for await (const part of parts) {
      for (const piece of part) if (urls.length < 2) note(piece);
      yield part;
    }
    isWhole = true;
  }

  return {
    pieces: pieces(),
    /** @throws RepliedWithUrl */
    check(): void {
      const [url, ...others] = urls;
      if (isWhole && url !== undefined && others.length === 0) throw new RepliedWithUrl(url);
    },
  };
}

/**
 * Reads a reply while it arrives and hands on what `read` yields.
 *
 * @throws NotUnderstood with the start of the reply for what the decoder can't read; RepliedWithUrl; what `read` and
 *   the connection throw
 */
export async function* decode<T, R>(
  reply: ReplyBody,
  kind: ReplyKind,
  takes: Takes,
  read: (arrival: Arrival) => AsyncGenerator<T, R>,
): AsyncGenerator<T, R> {
  const source = reply.body[Symbol.asyncIterator]();
  const reading = new Reading(limitsOf[kind], takes);
  const { forms } = reading;
  let bytes = 0;

  async function* counted(): AsyncGenerator<Uint8Array> {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      bytes += next.value.length;
      yield next.value;
    }
  }

  const watch = createUrlWatch(piecesOf(counted(), reply.contentType, reading));
  const check = (): void => {
    if (mayBeUrl.has(kind)) watch.check();
  };
  try {
    const result = yield* read({ pieces: watch.pieces, forms });
    check();
    return result;
  } catch (error) {
    check();
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const sketch = sketchReply(reading.start, bytes, reply.redact, forms.kind);
    throw new NotUnderstood(
      reply.call,
      reason,
      sketch,
      error instanceof Unreadable ? error.model : undefined,
    );
  } finally {
    await source.return?.();
  }
}

/** Reads a reply that is needed whole. @throws as `decode` does */
export async function decodeWhole<T>(
  reply: ReplyBody,
  kind: ReplyKind,
  takes: Takes,
  read: (arrival: Arrival) => Promise<T>,
): Promise<T> {
  async function* whole(arrival: Arrival): AsyncGenerator<never, T> {
    yield* [];
    return await read(arrival);
  }
  const { value } = await decode(reply, kind, takes, whole).next();
  return value;
}

/** The reply is the address of a file that holds the answer; the caller follows it. */
export class RepliedWithUrl extends Error {
  override readonly name = 'RepliedWithUrl';
  readonly #url: string;

  constructor(url: string) {
    super('the reply is an address');
    this.#url = url;
  }

  /** A secret: it may carry a shared-access signature. No property, so that nothing shows it by chance. */
  get url(): string {
    return this.#url;
  }
}

/** The result of a reader, unless it is the address of a PDF. @throws RepliedWithUrl */
export function throwUrl(result: unknown): unknown {
  const isUrl = typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'url';
  if (isUrl && 'url' in result && typeof result.url === 'string') throw new RepliedWithUrl(result.url);
  return result;
}
