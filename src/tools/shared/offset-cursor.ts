import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';

/** Short digest of what was asked, or of what a list began with. */
export async function digestOf(value: unknown): Promise<string> {
  const { canonicalJson, sha256 } = await import('../../writes/canonical-json.ts');
  return sha256(canonicalJson(value)).slice(0, 16);
}

/** A place in the answer to a question. */
export interface Place {
  readonly offset: number;
  /** How long the answer was, where going on in another one would skip or repeat something. */
  readonly total?: number | undefined;
  /** ISO 8601: of which moment a list was, or since when a refresh has been going on. */
  readonly asOf?: string | undefined;
  /** Digest of everything before the offset, of a list that may be another one by now. */
  readonly before?: string | undefined;
}

/** A cursor to a place in the answer to a question; it works for that question only. */
export async function cursorTo({ offset, ...rest }: Place, query: unknown): Promise<string> {
  return Buffer.from(JSON.stringify([offset, await digestOf(query), rest])).toString('base64url');
}

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** A place as a cursor has it; undefined where no cursor of ours is like that. */
function placeFrom(offset: unknown, rest: Partial<Place>): Place | undefined {
  const { total, asOf, before } = rest;
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  const isMoment = isText(asOf) && !Number.isNaN(Date.parse(asOf ?? '2026'));
  const isWhole = isCount(offset) && isCount(total ?? 0) && isMoment && isText(before);
  return isWhole ? { offset: Number(offset), total, asOf, before } : undefined;
}

/** What was shown of an answer, and whether more of its basis is still to be fetched. */
export interface Shown {
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
  readonly isPartial: boolean;
  /** Since when a refresh has been going on. */
  readonly since?: Date | undefined;
}

/** How the answer goes on: at the next page, or at the same one again while days are still to be fetched. */
export async function cursorAfter(
  { offset, shown, total, isPartial, since }: Shown,
  query: unknown,
): Promise<string | undefined> {
  const asOf = since?.toISOString();
  if (isPartial) return cursorTo({ offset, asOf }, query);
  return offset + shown < total ? cursorTo({ offset: offset + shown, asOf }, query) : undefined;
}

/** Since when everything must have been asked for: from this call on, or from the one that a cursor goes on with. */
export function refreshSince(
  refresh: boolean | undefined,
  { asOf }: Place,
  { company }: CallContext,
): Date | undefined {
  if (!refresh) return undefined;
  return asOf === undefined ? new Date(company.now()) : new Date(asOf);
}

/** @throws BadArguments for a cursor of another question */
export async function readPlace(
  cursor: string | undefined,
  query: unknown,
  { translator }: CallContext,
): Promise<Place> {
  if (cursor === undefined) return { offset: 0 };
  try {
    const [offset, ofQuery, rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const place = placeFrom(offset, rest);
    if (place !== undefined && ofQuery === (await digestOf(query))) return place;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  const words = translator.say('argument.cursor');
  throw new BadArguments([translator.say('argument.problem', { argument: 'cursor', words })]);
}
