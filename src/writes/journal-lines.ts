import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { errorCode, openOwnFile } from '../disk/regular-file.ts';

/** Outcome of a write, or of one of its keys. */
export const outcomeStatuses = ['done', 'refused', 'not_sent', 'unknown'] as const;

export type OutcomeStatus = (typeof outcomeStatuses)[number];

const digest = z.string().regex(/^[0-9a-f]{64}$/);

const intentLine = z.object({
  line: z.literal('intent'),
  at: z.iso.datetime(),
  id: z.string(),
  tool: z.string(),
  operation: z.string(),
  service: z.string().optional(),
  mode: z.enum(['real', 'demo']).optional(),
  company: z.string().optional(),
  subject: z.string().optional(),
  /** Earlier versions wrote one line per key. */
  key: z.string().optional(),
  keys: z.array(z.string()).optional(),
  event: z.string().optional(),
  args: digest,
  justification: z.object({ length: z.number(), sha256: digest }).optional(),
  process: z.object({ pid: z.number(), started: z.number(), host: z.string() }),
});

const outcomeLine = z.object({
  line: z.literal('outcome'),
  at: z.iso.datetime(),
  id: z.string(),
  key: z.string().optional(),
  status: z.enum(outcomeStatuses),
  status_code: z.string().optional(),
  message: z.string().optional(),
});

const journalLine = z.discriminatedUnion('line', [intentLine, outcomeLine]);

export type IntentLine = z.infer<typeof intentLine>;
export type OutcomeLine = z.infer<typeof outcomeLine>;
export type JournalLine = IntentLine | OutcomeLine;

/** A segment between line breaks: a line, or damage. */
export type Stretch =
  | { readonly offset: number; readonly line: JournalLine }
  | { readonly offset: number; readonly line: undefined; readonly isTornEnd: boolean };

/** Longest line in bytes with its line break; one write is atomic up to this size. */
const longestLine = 4096;

/** Bytes; more than half a million writes. A larger file is not our journal. */
export const largestJournal = 256 * 1024 ** 2;

/** Time allowed for another process to finish writing a line. */
export const settlingMs = 50;

const LINE_BREAK = 10;

/** Decides from raw bytes whether to parse a line. */
export type LineFilter = (bytes: Buffer) => boolean;

/** Encodes a line with its line break. */
export function encodeLine(line: JournalLine): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`, 'utf8');
  if (bytes.length > longestLine) throw new RangeError(`a journal line of ${bytes.length} bytes is too long`);
  return bytes;
}

/** Parses a line without its line break; undefined if invalid. */
export function decodeLine(bytes: Buffer): JournalLine | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return journalLine.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Extracts a line's id without parsing it; ids and keys are written without escapes. */
export function idIn(line: string): string | undefined {
  return /"id":"([^"]*)"/.exec(line)?.[1];
}

/** Extracts possible keys without parsing the line. */
export function keysIn(line: string): readonly string[] {
  return line.match(/(?<=")[0-9A-Z]{44}(?=")/g) ?? [];
}

function stretchOf(offset: number, bytes: Buffer, isComplete: boolean): Stretch {
  const line = isComplete && bytes.length <= longestLine ? decodeLine(bytes) : undefined;
  return line === undefined ? { offset, line, isTornEnd: !isComplete } : { offset, line };
}

async function* readFrom(path: string, offset: number, isWanted: LineFilter): AsyncGenerator<Stretch> {
  let held = Buffer.alloc(0);
  let start = offset;
  let position = offset;
  const file = await openOwnFile(path, 'read', largestJournal);
  // The stream closes the file, even if its consumer stops early.
  for await (const chunk of file.createReadStream({ start: offset })) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('the journal is read as bytes');
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, from)) {
      const tail = chunk.subarray(from, end);
      const bytes = held.length === 0 ? tail : Buffer.concat([held, tail]);
      if (bytes.length > 0 && isWanted(bytes)) yield stretchOf(start, bytes, true);
      held = Buffer.alloc(0);
      from = end + 1;
      start = position + from;
    }
    held = Buffer.concat([held, chunk.subarray(from)]).subarray(0, longestLine + 1);
    position += chunk.length;
  }
  if (held.length > 0) yield stretchOf(start, held, false);
}

/**
 * Streams a journal's segments. Memory is bounded by the longest line. Skips blank lines, which two processes closing
 * the same torn line leave behind, and unwanted ones. Rereads an incomplete last line after a moment, since another
 * process may be writing it.
 */
export async function* readJournal(path: string, isWanted: LineFilter = () => true): AsyncGenerator<Stretch> {
  let tornEnd: number | undefined;
  for await (const stretch of readFrom(path, 0, isWanted)) {
    if (stretch.line === undefined && stretch.isTornEnd) tornEnd = stretch.offset;
    else yield stretch;
  }
  if (tornEnd === undefined) return;
  await setTimeout(settlingMs);
  yield* readFrom(path, tornEnd, isWanted);
}

/** A write on one key, or one without keys, with its known outcome. */
export interface JournalEntry {
  readonly id: string;
  /** Time of the intent, ISO 8601, UTC. */
  readonly at: string;
  readonly tool: string;
  readonly operation: string;
  readonly company: string | undefined;
  readonly subject: string | undefined;
  readonly key: string | undefined;
  readonly event: string | undefined;
  /** `in_flight`: no outcome yet, and its process is alive and began it recently. */
  readonly state: OutcomeStatus | 'in_flight';
  readonly statusCode: string | undefined;
  readonly message: string | undefined;
}

interface Write {
  readonly intent: IntentLine;
  readonly key: string | undefined;
  outcome?: OutcomeLine;
}

type ProcessIdentity = IntentLine['process'];

/** Identity of this process; its start time tells it from a later one with the same pid. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: Math.round(performance.timeOrigin), host: hostname() };
}

/** Whether a process may be alive; true for other hosts. */
function mayBeAlive(identity: ProcessIdentity): boolean {
  const self = thisProcess();
  if (identity.host !== self.host) return true;
  if (identity.pid === self.pid) return identity.started === self.started;
  try {
    process.kill(identity.pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, owned by another user.
    return errorCode(error) === 'EPERM';
  }
}

/** How long a write without outcome counts as in flight while its process lives. */
const YOUNG_MS = 900_000;

function entryOf({ intent, key, outcome }: Write, now: number): JournalEntry {
  const isUnderWay = now - Date.parse(intent.at) < YOUNG_MS && mayBeAlive(intent.process);
  return {
    id: intent.id,
    at: intent.at,
    tool: intent.tool,
    operation: intent.operation,
    company: intent.company,
    subject: intent.subject,
    key,
    event: intent.event,
    state: outcome?.status ?? (isUnderWay ? 'in_flight' : 'unknown'),
    statusCode: outcome?.status_code,
    message: outcome?.message,
  };
}

export type Ledger = ReturnType<typeof createLedger>;

export const isUnsettled = ({ status }: OutcomeLine): boolean => status === 'unknown';

/** Creates a ledger of the writes with a wanted intent; drops those whose outcome need not be kept. */
export function createLedger(
  isWanted: (intent: IntentLine) => boolean,
  isKept: (outcome: OutcomeLine) => boolean,
) {
  const writes = new Map<string, Map<string | undefined, Write>>();

  const settle = (outcome: OutcomeLine) => {
    const ofId = writes.get(outcome.id);
    if (ofId === undefined) return;
    for (const [key, write] of ofId) {
      if (outcome.key !== undefined && outcome.key !== key) continue;
      if (isKept(outcome)) write.outcome = outcome;
      else ofId.delete(key);
    }
    if (ofId.size === 0) writes.delete(outcome.id);
  };

  return {
    take(line: JournalLine) {
      if (line.line === 'outcome') return settle(line);
      if (!isWanted(line)) return;
      const ofId = writes.get(line.id) ?? new Map<string | undefined, Write>();
      for (const key of line.keys ?? [line.key]) ofId.set(key, { intent: line, key });
      writes.set(line.id, ofId);
    },
    /** Writes, ordered by their intents. */
    entries: (now: number): readonly JournalEntry[] =>
      [...writes.values()].flatMap((ofId) => [...ofId.values()].map((write) => entryOf(write, now))),
  };
}
