import * as z from 'zod';
import { bookKinds } from '../../documents/books/book.ts';
import {
  type BookFinding,
  bookFindings,
  certainties,
  type OpenSupplier,
} from '../../documents/books/findings.ts';
import { asWord } from '../../documents/untrusted.ts';
import { csvLine } from '../../messages/message.ts';
import { basisShape } from './basis.ts';
import type { FileNote, ReadFile, ReconcileWords } from './reconcile-words.ts';
import type { Deadlines, Reading, Tally } from './reconcile-work.ts';

const fileShape = () =>
  z.object({
    file: z.string(),
    kind: z.enum(bookKinds).optional(),
    layout: z.string().optional(),
    company: z.string().optional(),
    establishment: z.string().optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    entries: z.int().optional(),
    sums: z.record(z.string(), z.string()).optional().describe('Of amounts as the file has them'),
    whole: z.boolean().optional().describe('False: cut or damaged; nothing is said to be missing in it'),
    generated_at: z.string().optional(),
    columns: z.record(z.string(), z.string()).optional(),
    notes: z.array(z.string()),
  });

const findingShape = () =>
  z.object({
    finding: z.enum(bookFindings),
    certainty: z.enum(certainties),
    key: z.string().optional(),
    number: z.string().optional(),
    issuer: z.string().optional(),
    issuer_name: z.string().optional(),
    field: z.string().optional(),
    ours: z.string().optional().describe("The documents' side"),
    theirs: z.string().optional().describe("The file's"),
    difference: z.string().optional(),
    file: z.string(),
    line: z.int().optional(),
    amount: z.string().optional().describe('At stake'),
    message: z.string(),
    todo: z.string(),
  });

/** Output of `reconcile`. */
export const reconcileOutput = () =>
  z.object({
    ...basisShape(),
    files: z.array(fileShape()),
    compared: z
      .object({
        entries: z.int(),
        documents: z.int(),
        matched: z.int(),
        by_key: z.int(),
        by_number: z.int(),
        agree: z.int(),
      })
      .optional(),
    by_finding: z.array(
      z.object({
        finding: z.enum(bookFindings),
        certainty: z.enum(certainties),
        count: z.int(),
        amount: z.string(),
      }),
    ),
    by_supplier: z
      .array(
        z.object({
          issuer: z.string().optional(),
          issuer_name: z.string().optional(),
          count: z.int(),
          amount: z.string().describe('At risk'),
        }),
      )
      .optional()
      .describe('not_extinguished, the largest first'),
    findings: z.array(findingShape()),
    not_compared: z.array(z.object({ reason: z.string(), count: z.int() })),
    deadlines: z.object({ presented_by: z.string(), adjust_until: z.string() }).optional(),
    total: z.int(),
  });

export type FileOutput = z.input<ReturnType<typeof fileShape>>;
export type ReconcileOutput = z.input<ReturnType<typeof reconcileOutput>>;

/** Facts of a file, with the reason if it is not compared, or none of its company's documents were asked for. */
export function fileOutput(
  file: ReadFile,
  passed: FileNote | undefined,
  tally: Tally | undefined,
  companies: readonly string[],
  words: ReconcileWords,
): FileOutput {
  const { path, book } = file;
  const root = book?.company?.slice(0, 8);
  const isUnasked = root !== undefined && !companies.some((one) => one.startsWith(root));
  const unasked: FileNote | undefined = isUnasked
    ? { code: 'not_asked', values: { company: book?.company ?? '' } }
    : undefined;
  const notes = words.notes(file, passed ?? unasked);
  if (book === undefined) return { file: path, notes };
  const { kind, layout, company, establishment, from, to, isWhole, generatedAt, columns } = book;
  const days = { from, to, ...tally, whole: isWhole };
  return {
    file: path,
    kind,
    layout,
    company,
    establishment,
    ...days,
    generated_at: generatedAt,
    columns,
    notes,
  };
}

/** A finding with its words. */
export function findingOutput(found: BookFinding, files: readonly ReadFile[], words: ReconcileWords) {
  const { variant: _, file, ...said } = found;
  return { ...said, file: files[file]?.path ?? '', message: words.message(found), todo: words.todo(found) };
}

/** Files as lines. */
export function fileLines(files: readonly FileOutput[], words: ReconcileWords): string[] {
  return files.map(({ file, kind, layout, company, from, to, entries, notes }) => {
    const head = kind === undefined ? '⚠' : `${words.kind(kind)} ${asWord(layout ?? '')},`;
    const about = [company, from && to && `${from}…${to}`, entries].filter(
      (one) => one !== undefined && one !== '',
    );
    return `${asWord(file)}: ${head} ${[about.join(', '), ...notes].filter((one) => one !== '').join('; ')}`;
  });
}

/** Findings as lines, under their kind's remedy. */
export function findingLines(
  shown: ReconcileOutput['findings'],
  found: readonly BookFinding[],
  words: ReconcileWords,
): string[] {
  const lines: string[] = [];
  let heading = '';
  for (const [at, one] of shown.entries()) {
    const todo = `${words.certainty(one.certainty)}, ${one.finding}${found[at]?.variant ? ` (${found[at].variant})` : ''}: ${one.todo}.`;
    if (todo !== heading) lines.push(todo);
    heading = todo;
    const place = one.line === undefined ? one.file : `${one.file}:${one.line}`;
    const { key, number, issuer_name: name, issuer, amount: stake } = one;
    lines.push(csvLine([`- ${one.message}`, key ?? `${number ?? ''}`, name ?? issuer, stake, place]));
  }
  return lines;
}

/** Suppliers named in an answer. */
export const MOST_SUPPLIERS = 20;

/** Suppliers with open debits, and the credits at risk. */
export function supplierLines(suppliers: readonly OpenSupplier[], words: ReconcileWords): string[] {
  if (suppliers.length === 0) return [];
  const shown = suppliers.slice(0, MOST_SUPPLIERS);
  return [
    words.say('text.suppliers', { count: suppliers.length, shown: shown.length }),
    ...shown.map(({ issuer, issuer_name: name, count, amount }) =>
      csvLine([`- ${issuer ?? '–'}`, name, String(count), amount]),
    ),
  ];
}

/** Progress of reading. */
export function readingSentence({ read, size }: Reading, words: ReconcileWords): string {
  const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
  return words.say('text.reading', { read: megabytes(read), size: megabytes(size) });
}

/** Deadline of adjustments, and the effect of silence. */
export function deadlineLines(
  { month, presented_by, adjust_until }: Deadlines,
  words: ReconcileWords,
): string[] {
  return [
    words.say('text.deadlines', { presented: presented_by, adjust: adjust_until }),
    words.say(month < '2027' ? 'note.before_2027' : 'note.silence'),
  ];
}
