import { NotUnderstood } from '../../errors.ts';
import { sketchReply } from '../../http/redact.ts';
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

  function requireNoUrl(): void {
    const { url } = reading;
    if (mayBeUrl.has(kind) && url !== undefined) throw new RepliedWithUrl(url);
  }

  const pieces = piecesOf(counted(), reply.headers['content-type'], reading);
  try {
    const result = yield* read({ pieces, forms });
    requireNoUrl();
    return result;
  } catch (error) {
    requireNoUrl();
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
