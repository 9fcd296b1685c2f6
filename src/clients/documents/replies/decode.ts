import { NotUnderstood } from '../../errors.ts';
import { sketchReply } from '../../http/redact.ts';
import { type Forms, formOfValue, reasonOf, Unreadable } from '../decoding/forms.ts';
import { piecesOf } from '../decoding/layers.ts';
import { limitsOf } from '../decoding/limits.ts';
import type { Piece } from '../decoding/piece.ts';
import { Reading, type Takes } from '../decoding/reading.ts';
import type { ReplyKind } from '../operations.ts';
import type { ReplyBody } from './results.ts';

/** A reply on its way through the decoder. */
export interface Arrival {
  /** The pieces of each part of the reply, in order. To be iterated once and to its end. */
  readonly pieces: AsyncIterable<readonly Piece[]>;
  readonly forms: Forms;
}

/** Kinds whose reply may be the address of a file. A PDF's reader gives the address itself. */
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

  const pieces = piecesOf(counted(), reply.contentType, reading);
  try {
    return yield* read({ pieces: mayBeUrl.has(kind) ? unlessUrl(pieces) : pieces, forms });
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const sketch = sketchReply(reading.start, bytes, reply.redact, forms.kind);
    const model = error instanceof Unreadable ? error.model : undefined;
    throw new NotUnderstood(reply.call, reason, sketch, model);
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

/** The reply is the address of a file that holds the answer. No failure: the caller follows it. */
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

/** The envelope's own elements; beside these an address is all there is. */
export const ENVELOPE_ELEMENTS: ReadonlySet<string> = new Set(['cStat', 'xMotivo', 'dhResp', 'Quantidade']);

function isContent(piece: Piece): boolean {
  if (piece.kind === 'open' || piece.kind === 'close' || piece.kind === 'file') return false;
  return piece.kind !== 'value' || !ENVELOPE_ELEMENTS.has(piece.name);
}

function urlIn(piece: Piece): string | undefined {
  if (piece.kind !== 'value' && piece.kind !== 'text') return undefined;
  const stand = formOfValue(piece.text.trim());
  return stand?.form === 'url' ? stand.url : undefined;
}

/** Passes pieces on, but for those from a first address on, which wait until something else comes. @throws RepliedWithUrl */
async function* unlessUrl(parts: AsyncIterable<readonly Piece[]>): AsyncGenerator<readonly Piece[]> {
  let url: string | undefined;
  let hasOther = false;
  let held: Piece[] = [];
  for await (const pieces of parts) {
    for (const piece of hasOther ? [] : pieces) {
      if (!isContent(piece)) continue;
      const found = urlIn(piece);
      hasOther = found === undefined || url !== undefined;
      url ??= found;
      if (hasOther) break;
    }
    if (hasOther || url === undefined) {
      yield held.length > 0 ? [...held, ...pieces] : pieces;
      held = [];
    } else held.push(...pieces);
  }
  if (url !== undefined && !hasOther) throw new RepliedWithUrl(url);
}

/** The result of a reader, unless it is the address of a PDF. @throws RepliedWithUrl */
export function throwUrl(result: unknown): unknown {
  const isUrl = typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'url';
  if (isUrl && 'url' in result && typeof result.url === 'string') throw new RepliedWithUrl(result.url);
  return result;
}
