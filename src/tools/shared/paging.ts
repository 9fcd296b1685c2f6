import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import type { Archive } from '../../archive/archive.ts';
import type { CallContext } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { parseJson } from '../../documents/untrusted.ts';
import { unfit } from './arguments.ts';
import type { ReadTool } from './definition.ts';

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
  const { canonicalJson, sha256 } = await import('../../writes/journal-lines.ts');
  return sha256(canonicalJson(value)).slice(0, 16);
}

export interface Place {
  readonly offset: number;
  /** Length that the answer must still have; undefined on the first page. */
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

interface Page {
  readonly place: Place;
  readonly shown: number;
  readonly total: number;
  readonly isPartial: boolean;
  /** When a refresh began. */
  readonly since?: Date | undefined;
  /** Entries of the page that the next call no longer finds. */
  readonly dropped?: number;
}

/** @throws Unfulfilled if the answer's length differs from that on the previous page */
export function checkUnchanged({ total }: Place, length: number): void {
  if (total !== undefined && total !== length) throw new Unfulfilled('failure.list_changed');
}

/**
 * Cursor of the next page, or of the same one while days are still to be fetched.
 * @throws as `checkUnchanged`, once all days are fetched
 */
export async function cursorAfter(page: Page, query: unknown): Promise<string | undefined> {
  const { place, shown, isPartial, since, dropped = 0 } = page;
  const asOf = since?.toISOString();
  if (isPartial) return cursorTo({ offset: place.offset, total: place.total, asOf }, query);
  checkUnchanged(place, page.total);
  const [offset, total] = [place.offset + shown, page.total - dropped];
  return offset < total ? cursorTo({ offset, total, asOf }, query) : undefined;
}

/** When a refresh began: with this call or the one its cursor continues. */
export function refreshSince(refresh: boolean | undefined, { asOf }: Place, { company }: CallContext) {
  if (!refresh) return undefined;
  return asOf === undefined ? new Date(company.now()) : new Date(asOf);
}

/** @throws BadArguments for a cursor of another question */
export async function readPlace(
  cursor: string | undefined,
  query: unknown,
  context: CallContext,
): Promise<Place> {
  if (cursor === undefined) return { offset: 0 };
  const count = z.int().min(0);
  const moment = z.string().refine((text) => !Number.isNaN(Date.parse(text)));
  const rest = { total: count.optional(), asOf: moment.optional(), before: z.string().optional() };
  const content = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  const parsed = z.tuple([count, z.string(), z.object(rest)]).safeParse(content);
  if (parsed.success) {
    const [offset, ofQuery, place] = parsed.data;
    if (ofQuery === (await digestOf(query))) return { offset, ...place };
  }
  throw unfit('cursor', context.translator.say('argument.cursor'), context);
}

interface PageRequest<T> {
  readonly items: readonly T[];
  readonly limit: number;
  readonly place: Place;
  /** The question, without limit and cursor. */
  readonly query: unknown;
}

/** Cuts a page from a refetched list. @throws Unfulfilled if the part before it changed */
export async function takePage<T>({ items, limit, place: { offset, before }, query }: PageRequest<T>) {
  const digestBefore = (end: number) => digestOf(items.slice(0, end));
  if (offset > items.length || (offset > 0 && before !== (await digestBefore(offset)))) {
    throw new Unfulfilled('failure.list_changed');
  }
  const next = offset + limit;
  const nextCursor =
    next < items.length
      ? await cursorTo({ offset: next, before: await digestBefore(next) }, query)
      : undefined;
  return { items: items.slice(offset, next), nextCursor };
}

/** All pages of another tool's answer. */
export type AllPages<Answer> = Awaited<ReturnType<typeof askAllPages<Answer>>>;

/** Rows of the first page, as a client may ask for; the others follow at once, as far as an answer holds them. */
const FIRST_PAGE = 200;

/**
 * Calls a tool page by page as a client would, so that a file and an answer never differ.
 * @param list the answer's field with the rows
 * @returns the first page with the rows of all, its warnings, and whether the question must be repeated, as fetching or
 * reading is unfinished
 * @throws what the tool throws
 */
export async function askAllPages<Answer>(
  tool: ReadTool,
  args: Readonly<Record<string, unknown>>,
  list: keyof Answer & string,
  context: CallContext,
) {
  const rows: unknown[] = [];
  const warnings: string[] = [];
  let first: Readonly<Record<string, unknown>> | undefined;
  let cursor: string | undefined;
  for (let offset = 0; ; ) {
    const page = tool.input().parse({ ...args, limit: FIRST_PAGE, ...(cursor !== undefined && { cursor }) });
    const limit = cursor === undefined ? FIRST_PAGE : Number.MAX_SAFE_INTEGER;
    const { structured, text } = await tool.run({ ...page, limit }, { ...context, hasViews: false });
    const answer = structured as Readonly<Record<string, unknown>>;
    rows.push(...(answer[list] as readonly unknown[]));
    if (first === undefined) warnings.push(...text.filter((line) => line.startsWith('⚠')));
    first ??= answer;
    cursor = answer.next_cursor as string | undefined;
    const [next] = cursor === undefined ? [] : JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    // The cursor of an unfinished page repeats it.
    const isWaiting = cursor !== undefined && (next <= offset || Date.now() > context.deadline.workBy);
    if (cursor === undefined || isWaiting)
      return { answer: { ...first, [list]: rows } as Answer, warnings, isWaiting };
    offset = next;
  }
}

/** Work over several calls: a generator that yields where a call may stop. */
export class Resumable<Call extends { readonly signal: AbortSignal }> {
  isDone = false;
  /** A step threw: the work can't continue, and its result is incomplete. */
  isBroken = false;
  readonly #begin: (current: () => Call) => AsyncGenerator<void>;
  #steps: AsyncGenerator<void> | undefined;
  #turn: Promise<void> = Promise.resolve();
  #current: Call | undefined;

  /** @param begin starts the work; `current` returns the call that runs the current step */
  constructor(begin: (current: () => Call) => AsyncGenerator<void>) {
    this.#begin = begin;
  }

  /**
   * Runs steps until all are done or the time is over; concurrent calls take turns. Broken work runs no further step.
   * @throws the error of a step of this call; the signal's reason
   */
  proceed(call: Call, isOver: () => boolean): Promise<void> {
    this.#turn = this.#turn.catch(() => undefined).then(() => this.#proceed(call, isOver));
    return this.#turn;
  }

  async #proceed(call: Call, isOver: () => boolean): Promise<void> {
    this.#current = call;
    this.#steps ??= this.#begin(() => this.#current ?? call);
    while (!this.isDone && !this.isBroken) {
      call.signal.throwIfAborted();
      try {
        this.isDone = (await this.#steps.next()).done === true;
      } catch (error) {
        this.isBroken = true;
        throw error;
      }
      if (isOver()) return;
    }
  }
}

/** Milliseconds since its last page. */
const KEPT_MS = 10 * 60_000;

/** Cache of work for its next pages, by archive and question. */
export function keptByQuestion<Work extends object>({ max }: { readonly max: number }) {
  const options = { max, ttl: KEPT_MS, ttlAutopurge: true, updateAgeOnGet: true };
  const ofArchives = new WeakMap<Archive, LRUCache<string, Work>>();
  return (archive: Archive): LRUCache<string, Work> => {
    const kept = ofArchives.get(archive) ?? new LRUCache(options);
    ofArchives.set(archive, kept);
    return kept;
  };
}
