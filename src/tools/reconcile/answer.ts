import * as z from 'zod';
import { column, type Table } from '../../archive/export/table.ts';
import { bookKinds } from '../../documents/books/book.ts';
import {
  type BookFinding,
  bookFindings,
  certainties,
  type OpenSupplier,
} from '../../documents/books/findings.ts';
import { asWord } from '../../documents/untrusted.ts';
import { csvLine } from '../../messages/message.ts';
import { basisShape } from '../shared/basis.ts';
import { texts } from '../shared/definition.ts';
import { limit, shared } from '../shared/parameters.ts';
import type { ReadFile, ReconcileWords } from './words.ts';

const amount = () => z.string().regex(/^\d{1,12}(?:\.\d{1,2})?$/);

export const reconcileInput = () =>
  z.strictObject({
    file: z.array(z.string().min(1)).min(1).max(60).optional().describe('Paths in the DFE_FILES folders'),
    kind: z.enum(bookKinds).optional().describe('Default: recognised'),
    cnpj: shared.cnpj(),
    from: shared.firstDay().optional(),
    to: shared.lastDay(),
    tolerance_total: amount().optional().describe('Default 0.00'),
    tolerance_tax: amount().optional().describe('Default 0.02; assessment 0.00'),
    columns: z.record(z.string(), z.string()).optional().describe('List heading to field'),
    finding: z.array(z.string()).min(1).optional().describe('Only these'),
    certainty: z.array(z.enum(certainties)).min(1).optional().describe('Only these'),
    limit: limit(50, 200),
    cursor: shared.cursor(),
    refresh: shared.refresh(),
  });

export type Arguments = z.output<ReturnType<typeof reconcileInput>>;

const text = () => z.string().optional();
const byName = () => z.record(z.string(), z.string()).optional();
const kindOfFinding = () => ({ finding: z.enum(bookFindings), certainty: z.enum(certainties) });

export const reconcileOutput = () =>
  z.object({
    ...basisShape(),
    files: z.array(
      z.object({
        file: z.string(),
        kind: z.enum(bookKinds).optional(),
        ...texts('layout', 'company', 'establishment', 'from', 'to'),
        entries: z.int().optional(),
        sums: byName().describe('Of amounts as the file has them'),
        whole: z.boolean().optional().describe('False: cut or damaged; nothing is said to be missing in it'),
        generated_at: text(),
        columns: byName(),
        notes: z.array(z.string()),
      }),
    ),
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
    by_finding: z.array(z.object({ ...kindOfFinding(), count: z.int(), amount: z.string() })),
    by_supplier: z
      .array(
        z.object({
          ...texts('issuer', 'issuer_name'),
          count: z.int(),
          amount: z.string().describe('At risk'),
        }),
      )
      .optional()
      .describe('not_extinguished, the largest first'),
    findings: z.array(
      z.object({
        ...kindOfFinding(),
        ...texts('key', 'number', 'issuer', 'issuer_name', 'field'),
        ours: text().describe("The documents' side"),
        theirs: text().describe("The file's"),
        difference: text(),
        file: z.string(),
        line: z.int().optional(),
        amount: text().describe('At stake'),
        message: z.string(),
        todo: z.string(),
      }),
    ),
    not_compared: z.array(z.object({ reason: z.string(), count: z.int() })),
    deadlines: z.object({ presented_by: z.string(), adjust_until: z.string() }).optional(),
    total: z.int(),
  });

export type ReconcileOutput = z.input<ReturnType<typeof reconcileOutput>>;
export type FileOutput = ReconcileOutput['files'][number];
type FindingRow = ReconcileOutput['findings'][number];

/** Facts of a file, with a note if it or its company's documents were not compared. */
export function fileOutput(file: ReadFile, companies: readonly string[], words: ReconcileWords): FileOutput {
  const { path, book, passed, tally } = file;
  if (book === undefined) return { file: path, notes: words.notes(file) };
  const { kind, layout, company, establishment, from, to, isWhole: whole, columns } = book;
  const isAsked = company === undefined || companies.some((one) => one.startsWith(company.slice(0, 8)));
  const unasked = isAsked ? undefined : ({ code: 'not_asked', values: { company } } as const);
  return {
    ...{ file: path, kind, layout, company, establishment, from, to, ...tally, whole },
    ...{
      generated_at: book.generatedAt,
      columns,
      notes: words.notes({ ...file, passed: passed ?? unasked }),
    },
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
  shown: readonly FindingRow[],
  found: readonly BookFinding[],
  words: ReconcileWords,
): string[] {
  let heading = '';
  return shown.flatMap((one, at) => {
    const { message, key, number = '', issuer_name: name, issuer, amount, file, line } = one;
    const variant = found[at]?.variant ? ` (${found[at].variant})` : '';
    const before = heading;
    heading = `${words.certainty(one.certainty)}, ${one.finding}${variant}: ${one.todo}.`;
    const place = line === undefined ? file : `${file}:${line}`;
    return [
      ...(heading === before ? [] : [heading]),
      csvLine([`- ${message}`, key ?? number, name ?? issuer, amount, place]),
    ];
  });
}

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

/** Table of `reconcile`'s findings; amounts of different findings are never summed. */
export function findingsTable(words: ReconcileWords): Table<FindingRow> {
  const said = (value: string | undefined) => (value === undefined ? undefined : words.written(value));
  return {
    title: { 'pt-BR': 'Achados', en: 'Findings' },
    columns: [
      column('text', 'Achado', 'Finding', ({ finding }) => finding),
      column('text', 'Certeza', 'Certainty', ({ certainty }) => words.certainty(certainty)),
      column('code', 'Chave de acesso', 'Access key', ({ key }) => key),
      column('text', 'Número', 'Number', ({ number }) => number),
      column('tax_id', 'CNPJ/CPF do emitente', 'Issuer tax id', ({ issuer }) => issuer),
      column('text', 'Emitente', 'Issuer', ({ issuer_name }) => issuer_name),
      column('text', 'Campo', 'Field', ({ field }) => field),
      column('text', 'No documento', 'In the document', ({ ours }) => said(ours)),
      column('text', 'No arquivo', 'In the file', ({ theirs }) => said(theirs)),
      column('money', 'Diferença', 'Difference', ({ difference }) => difference),
      column('money', 'Valor em jogo', 'At stake', ({ amount }) => amount),
      column('text', 'Arquivo', 'File', ({ file }) => file),
      column('number', 'Linha', 'Line', ({ line }) => line?.toString()),
      column('text', 'Explicação', 'Explanation', ({ message }) => message),
      column('text', 'O que fazer', 'What to do', ({ todo }) => todo),
    ],
    standing: ({ finding, certainty, amount }) => ({
      group: `${certainty}|${finding}`,
      status: `${finding} (${words.certainty(certainty)})`,
      counts: true,
      amount,
    }),
  };
}
