import type { CallContext } from '../../company/call-context.ts';
import { BadArguments, Unfulfilled } from '../../company/failures.ts';

/** Characters of an answer's text; hosts truncate longer ones. Source: docs/hosts.md, Results. */
export const LONGEST_TEXT = 50_000;

/** Characters of lists and records; the rest is for the sentences around them. */
export const LONGEST_CONTENT = 40_000;

/** The leading items that fit the limit. */
export function thatFit<T>(
  items: readonly T[],
  characters: number,
  lengthOf: (item: T) => number,
): readonly T[] {
  let room = characters;
  const tooMany = items.findIndex((item) => {
    room -= lengthOf(item);
    return room < 0;
  });
  return tooMany === -1 ? items : items.slice(0, tooMany);
}

/** The lines that fit after the opening, at least one; the next page begins after them. */
export function linesThatFit(opening: readonly string[], lines: readonly string[]): readonly string[] {
  const room = LONGEST_CONTENT - opening.join('\n').length;
  const fitting = thatFit(lines, room, (line) => line.length + 1);
  return fitting.length > 0 ? fitting : lines.slice(0, 1);
}

/** Short digest of a question, or of the beginning of a list. */
async function digestOf(value: unknown): Promise<string> {
  const { canonicalJson, sha256 } = await import('../../writes/canonical-json.ts');
  return sha256(canonicalJson(value)).slice(0, 16);
}

/** A position in an answer. */
export interface Place {
  readonly offset: number;
  /** Length of the answer, if it must not change. */
  readonly total?: number | undefined;
  /** ISO 8601: when the list was fetched, or when the refresh began. */
  readonly asOf?: string | undefined;
  /** Digest of everything before the offset, for a list that may change. */
  readonly before?: string | undefined;
}

/** Encodes a cursor, valid for the same question only. */
export async function cursorTo({ offset, ...rest }: Place, query: unknown): Promise<string> {
  return Buffer.from(JSON.stringify([offset, await digestOf(query), rest])).toString('base64url');
}

/** Decodes a position; undefined for foreign content. */
function placeFrom(offset: unknown, { total, asOf, before }: Partial<Place>): Place | undefined {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  const isMoment = isText(asOf) && !Number.isNaN(Date.parse(asOf ?? '2026'));
  const isPlace = isCount(offset) && isCount(total ?? 0) && isMoment && isText(before);
  return isPlace ? { offset: Number(offset), total, asOf, before } : undefined;
}

interface Shown {
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
  /** Whether days are still to be fetched. */
  readonly isPartial: boolean;
  /** When a refresh began. */
  readonly since?: Date | undefined;
}

/** Cursor of the next page, or of the same one while days are still to be fetched. */
export async function cursorAfter(
  { offset, shown, total, isPartial, since }: Shown,
  query: unknown,
): Promise<string | undefined> {
  const asOf = since?.toISOString();
  if (isPartial) return cursorTo({ offset, asOf }, query);
  return offset + shown < total ? cursorTo({ offset: offset + shown, asOf }, query) : undefined;
}

/** When a refresh began: with this call or the one its cursor continues. */
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

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Items as text lines. */
  readonly lines: readonly string[];
  /** Present if there is more. */
  readonly nextCursor?: string;
}

interface PageRequest<T> {
  readonly items: readonly T[];
  /** Formats an item. */
  readonly write: (item: T) => string;
  readonly limit: number;
  readonly place: Place;
  /** The question, without limit and cursor. */
  readonly query: unknown;
}

/** Cuts a page from a refetched list. @throws Unfulfilled if the part before it changed */
export async function takePage<T>({ items, write, limit, place, query }: PageRequest<T>): Promise<Page<T>> {
  const { offset, before } = place;
  const digestBefore = (end: number) => digestOf(items.slice(0, end));
  if (offset > items.length || (offset > 0 && before !== (await digestBefore(offset)))) {
    throw new Unfulfilled('failure.list_changed');
  }
  const lines = linesThatFit([], items.slice(offset, offset + limit).map(write));
  const next = offset + lines.length;
  if (next >= items.length) return { items: items.slice(offset), lines };
  const nextCursor = await cursorTo({ offset: next, before: await digestBefore(next) }, query);
  return { items: items.slice(offset, next), lines, nextCursor };
}
