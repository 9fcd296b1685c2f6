import { formOfValue } from '../pieces/forms.ts';
import type { Piece } from '../pieces/piece.ts';

/** The reply is the address of a file that holds the answer. No failure; who made the call follows it. */
export class Elsewhere extends Error {
  override readonly name = 'Elsewhere';
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

/** What an envelope says of its answer; beside these an address is alone. */
const ENVELOPE_ELEMENTS: ReadonlySet<string> = new Set(['cStat', 'xMotivo', 'dhResp', 'Quantidade']);

function addressIn(piece: Piece): string | undefined {
  if (piece.kind !== 'value' && !(piece.kind === 'text' && piece.isLast)) return undefined;
  const stand = formOfValue(piece.text.trim());
  return stand?.form === 'url' ? stand.url : undefined;
}

function isContent(piece: Piece): boolean {
  switch (piece.kind) {
    case 'open':
    case 'close':
    case 'file':
      return false;
    case 'value':
      return !ENVELOPE_ELEMENTS.has(piece.name);
    default:
      return true;
  }
}

/** Passes pieces on, but for those from a first address on, which wait until something else comes. @throws Elsewhere */
export async function* unlessElsewhere(
  parts: AsyncIterable<readonly Piece[]>,
): AsyncGenerator<readonly Piece[]> {
  let address: string | undefined;
  let hasOther = false;
  let held: Piece[] = [];
  for await (const pieces of parts) {
    for (const piece of hasOther ? [] : pieces) {
      if (!isContent(piece)) continue;
      const url = addressIn(piece);
      hasOther = url === undefined || address !== undefined;
      address ??= url;
      if (hasOther) break;
    }
    if (hasOther || address === undefined) {
      yield held.length > 0 ? [...held, ...pieces] : pieces;
      held = [];
    } else held.push(...pieces);
  }
  if (address !== undefined && !hasOther) throw new Elsewhere(address);
}

/** What a reader gave, unless it is the address of a PDF. @throws Elsewhere */
export function throwAddress(result: unknown): unknown {
  const isAddress =
    typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'url';
  if (isAddress && 'url' in result && typeof result.url === 'string') throw new Elsewhere(result.url);
  return result;
}
