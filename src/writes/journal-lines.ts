import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { openOwnFile } from '../disk/regular-file.ts';

/** What became of a write, or of one key of it. */
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
  /** Of a line that an earlier version wrote: one line per key. */
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

/** A stretch of the journal between line breaks: a line, or damage that no line can be read from. */
export type Stretch =
  | { readonly offset: number; readonly line: JournalLine }
  | { readonly offset: number; readonly line: undefined; readonly isTornEnd: boolean };

/** The most a line may take, in bytes, with its line break: one write of it goes to the disk whole. */
const longestLine = 4096;

/** Bytes: more than half a million writes. What is larger is no journal of ours, and reading it would take minutes. */
export const largestJournal = 256 * 1024 ** 2;

/** How long a line that another process is writing may be seen in part. */
export const settlingMs = 50;

const LINE_BREAK = 10;

/** Says from a line's bytes whether it is worth reading. */
export type LineFilter = (bytes: Buffer) => boolean;

/** A line as the bytes that one write appends. */
export function encodeLine(line: JournalLine): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`, 'utf8');
  if (bytes.length > longestLine) throw new RangeError(`a journal line of ${bytes.length} bytes is too long`);
  return bytes;
}

/** A line from its bytes, without its line break; undefined where they are none. */
export function decodeLine(bytes: Buffer): JournalLine | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return journalLine.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * The id of a line, found without reading the line as JSON; undefined when the line has none. Ids and keys are written
 * without escapes.
 */
export function idIn(line: string): string | undefined {
  return /"id":"([^"]*)"/.exec(line)?.[1];
}

/** What may be a key in a line, found without reading the line as JSON. */
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
  // The stream closes the file, also where its reader stops early.
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
 * Reads a journal from its beginning, one stretch at a time. Holds no more of a stretch than a line may take, so a file
 * that is no journal costs no memory. Blank lines, which two processes closing the same torn line leave behind, are
 * passed over, and so are lines that are not wanted. An end inside a line is looked at again after a moment: another
 * process may have been writing it.
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
