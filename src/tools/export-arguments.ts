import * as z from 'zod';
import type { CallContext } from '../company/call-context.ts';
import { BadArguments } from '../company/failures.ts';
import { missing } from './shared/arguments.ts';
import { partyShape, statusShape } from './shared/filters.ts';
import { shared } from './shared/parameters.ts';

/** Arguments of `export_documents`. */
export function input() {
  return z.strictObject({
    document: shared.documents().optional().describe('Document kinds; report, dossier: default all'),
    cnpj: shared.holders(),
    from: shared.firstDay().optional(),
    to: shared.lastDay(),
    by: shared.by(),
    direction: shared.direction().optional(),
    ...partyShape(),
    status: statusShape(),
    format: z
      .enum(['csv', 'xlsx', 'zip', 'pdf', 'report', 'dossier'])
      .describe('zip: XML; pdf: sheets, one file or a ZIP; report: month closing, HTML; dossier: evidence'),
    pdf: z.boolean().optional().describe('The report as PDF'),
    reconcile_files: z
      .array(z.string().min(1))
      .min(1)
      .max(60)
      .optional()
      .describe('As file of reconcile; csv, xlsx: only its findings'),
    rows: z.enum(['documents', 'items']).default('documents').describe('Default documents'),
    cursor: shared.cursor(),
    refresh: shared.refresh(),
  });
}

export type Given = z.output<ReturnType<typeof input>>;
export type Whole = Given & { readonly from: string };
/** Arguments of an export of documents, rather than of a dossier or report. */
export type Arguments = Whole & { readonly document: NonNullable<Given['document']> };

/** @throws BadArguments without a period, which only findings of files don't need */
export function checkPeriod({ from, ...args }: Given, context: CallContext): Whole {
  if (from === undefined) throw missing('from', context);
  return { ...args, from };
}

/** @throws BadArguments without a kind of document, and for arguments of other formats */
export function checkDocuments(
  { document, ...args }: Whole,
  { translator: { say } }: CallContext,
): Arguments {
  const others = (['pdf', 'reconcile_files'] as const).filter((name) => args[name] !== undefined);
  const reasons = others.map((argument) => say(`argument.format_of_${argument}`));
  if (document === undefined) reasons.push(say('argument.missing', { argument: 'document' }));
  if (document === undefined || reasons.length > 0) throw new BadArguments(reasons);
  return { ...args, document };
}

/** Arguments that make a part of the documents look like all of them. */
export function narrowing({ issuer, recipient, payer, status, by, rows }: Given): string[] {
  const filters = Object.entries({ issuer, recipient, payer, status });
  const names = filters.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return [...names, ...(by === 'issue' ? [] : ['by']), ...(rows === 'documents' ? [] : ['rows'])];
}

/** @throws BadArguments for arguments that narrow, with these words */
export function refuseFilters(args: Given, words: string, { translator: { say } }: CallContext): void {
  const reasons = narrowing(args).map((argument) => say('argument.problem', { argument, words }));
  if (reasons.length > 0) throw new BadArguments(reasons);
}
