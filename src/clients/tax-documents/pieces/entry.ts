import { reasonOf, UnreadableText } from './forms.ts';
import type { Piece, Reading } from './piece.ts';
import type { More, TextCursor } from './text-cursor.ts';

/** What a text in quotes is to the text around it. */
export interface Quoting {
  /** `markup` where it is known to be XML. */
  readonly form: 'string' | 'markup';
  /** Whether it is one thing among others, so that they can be read without it. */
  readonly isEntry: boolean;
}

/** Reads what stands in quotes. */
export type OpenText = (text: TextCursor, quoting: Quoting) => Generator<Piece | More>;

/** What is no damage of a text but means harm, or is more than there may be. */
const NO_DAMAGE: ReadonlySet<string> = new Set([
  'too large',
  'too long',
  'too deep',
  'nested too deeply',
  'doctype',
]);

/** Whether an error is the damage of a text alone in which nothing was found before it. */
export function isOwnDamage(error: unknown, hasDocuments: boolean): boolean {
  const reason = reasonOf(error);
  if (reason === undefined || NO_DAMAGE.has(reason)) return false;
  return error instanceof UnreadableText || !hasDocuments;
}

/**
 * Reads one text among others. Where it is damaged, and nothing but itself, it is passed over to its end and given as
 * unreadable; elements that were open in it are closed.
 */
export function* readEntry(
  text: TextCursor,
  layer: Generator<Piece | More>,
  reading: Reading,
): Generator<Piece | More> {
  const before = reading.documents;
  const open: string[] = [];
  try {
    for (let next = layer.next(); next.done !== true; next = layer.next()) {
      const piece = next.value;
      if (typeof piece === 'object' && piece.kind === 'open') open.push(piece.name);
      else if (typeof piece === 'object' && piece.kind === 'close') open.pop();
      yield piece;
    }
  } catch (error) {
    if (text.isBroken || !isOwnDamage(error, reading.documents > before)) throw error;
    for (let part = yield* text.take(); part !== undefined; ) part = yield* text.take();
    yield* afterDamage(error, open, reading);
  }
}

/** What stands in the place of a text that is damaged. */
export function* afterDamage(error: unknown, open: readonly string[], reading: Reading): Generator<Piece> {
  reading.isInDocument = false;
  reading.documents++;
  const root = (error instanceof UnreadableText ? error.root : undefined) ?? open[0];
  yield { kind: 'unreadable', root, reason: reasonOf(error) ?? '' };
  for (const name of open.toReversed()) yield { kind: 'close', name };
}
