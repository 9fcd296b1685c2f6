import { createHash } from 'node:crypto';
import * as z from 'zod';

/** Outcome of a write, or of one of its keys. */
export const outcomeStatuses = ['done', 'refused', 'not_sent', 'unknown'] as const;

export type OutcomeStatus = (typeof outcomeStatuses)[number];

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const common = { at: z.iso.datetime(), id: z.string() };

const intentLine = z.object({
  line: z.literal('intent'),
  ...common,
  tool: z.string(),
  /** The service's operation, e.g. `Mercadoria/RealizarManifesto`. */
  operation: z.string(),
  service: z.string().optional(),
  mode: z.enum(['real', 'demo']),
  company: z.string().optional(),
  /** Target of a write without keys, e.g. `companies/12/settings/34`. */
  subject: z.string().optional(),
  keys: z.array(z.string()).optional(),
  event: z.string().optional(),
  args: digest,
  justification: z.object({ length: z.number(), sha256: digest }).optional(),
  process: z.object({ pid: z.number(), started: z.number(), host: z.string() }),
});

const outcomeLine = z.object({
  line: z.literal('outcome'),
  ...common,
  key: z.string().optional(),
  status: z.enum(outcomeStatuses),
  status_code: z.string().optional(),
  message: z.string().optional(),
});

/** A confirmation is spent: `id` is the token's; the first line of an id counts, whose attempt is named by `by`. */
const spentLine = z.object({ line: z.literal('spent'), ...common, by: z.string() });

const journalLine = z.discriminatedUnion('line', [intentLine, outcomeLine, spentLine]);

export type IntentLine = z.infer<typeof intentLine>;
export type OutcomeLine = z.infer<typeof outcomeLine>;
export type JournalLine = z.infer<typeof journalLine>;

/** Longest line in bytes without its line break: one write of 4,096 bytes is atomic. */
export const longestLine = 4095;

/** Serialises a line, without a line break. @throws RangeError for one that is too long */
export function encodeLine(line: JournalLine): string {
  const text = JSON.stringify(line);
  const bytes = Buffer.byteLength(text);
  if (bytes > longestLine) throw new RangeError(`a journal line of ${bytes} bytes is too long`);
  return text;
}

/** Parses a line without its line break; undefined if invalid. */
export function decodeLine(bytes: Buffer): JournalLine | undefined {
  if (bytes.length > longestLine) return undefined;
  try {
    return journalLine.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).data;
  } catch {
    return undefined;
  }
}

/** SHA-256 of a text's UTF-8 bytes, hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Serialises a JSON value with sorted names, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_, member: unknown) => {
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
