import * as z from 'zod';
import type { CallContext } from '../company/call-context.ts';
import { BadArguments } from '../company/failures.ts';
import { bookKinds } from '../documents/books/book.ts';
import { bookFindings, certainties } from '../documents/books/findings.ts';
import { columnFields } from '../documents/books/table.ts';
import { csvLine } from '../messages/message.ts';
import type { About } from './pages/asked.ts';
import { basisOutput, basisSentences } from './shared/basis.ts';
import { readTool } from './shared/definition.ts';
import { cursorAfter, linesThatFit, readPlace, refreshSince } from './shared/paging.ts';
import { limit, shared } from './shared/parameters.ts';
import { recentDays } from './shared/period.ts';
import {
  deadlineLines,
  type FileOutput,
  fileLines,
  fileOutput,
  findingLines,
  findingOutput,
  MOST_SUPPLIERS,
  type ReconcileOutput,
  readingSentence,
  reconcileOutput,
  supplierLines,
} from './shared/reconcile-output.ts';
import { createReconcileWords, type ReconcileWords } from './shared/reconcile-words.ts';
import { listFolders, reconcileFiles } from './shared/reconcile-work.ts';
import { pageForView } from './shared/views.ts';

const amount = () => z.string().regex(/^\d{1,12}(?:\.\d{1,2})?$/);

const input = () =>
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

type Arguments = z.output<ReturnType<typeof input>>;
/** @throws BadArguments for an unknown finding or column field */
function checkNames({ columns = {}, finding = [] }: Arguments, { translator }: CallContext): void {
  if (finding.some((one) => !bookFindings.some((name) => name === one))) {
    const choices = bookFindings.join(', ');
    throw new BadArguments([translator.say('argument.not_among', { argument: 'finding', choices })]);
  }
  const odd = Object.values(columns).find((field) => !columnFields.some((one) => one === field));
  if (odd === undefined) return;
  const fields = columnFields.join(', ');
  throw new BadArguments([translator.say('reconcile.unknown_column', { field: odd, fields })]);
}

/** An answer of nothing compared yet. */
const nothing: Pick<
  ReconcileOutput,
  'company' | 'from' | 'to' | 'documents' | 'by_finding' | 'findings' | 'not_compared' | 'total'
> = {
  ...{ company: '', from: '', to: '', documents: 0, total: 0 },
  ...{ by_finding: [], findings: [], not_compared: [] },
};

/** Lists the available files when the call names none. */
async function listFiles(context: CallContext, words: ReconcileWords) {
  const folders = await listFolders(context);
  const { findUserBooks } = await import('../archive/files/user-books.ts');
  const found = await findUserBooks(folders);
  const files: FileOutput[] = found
    .filter(({ book: { company = '' } }) => company.length !== 14 || context.company.allows(company))
    .map(({ path, book: { kind, layout, company, from, to } }) => {
      return { file: path, kind, layout: layout || undefined, company, from, to, notes: [] };
    });
  const lines = files.map(({ file, kind = 'list', layout, company, from, to }) =>
    csvLine([file, words.kind(kind), layout, company, from, to]),
  );
  const heading = words.say('text.files', { count: files.length });
  return {
    structured: { ...nothing, complete: true, files },
    text:
      files.length === 0
        ? [words.say('text.no_files')]
        : [heading, ...linesThatFit([], lines), words.say('text.call')],
  };
}

export const reconcile = readTool({
  name: 'reconcile',
  group: 'analysis',
  view: 'period',
  description:
    "Compare a SPED file (EFD), the tax authority's CBS assessment or an ERP list with the documents: missing, different, cancelled, duplicated; without file: which files there are.",
  input,
  output: reconcileOutput,
  async run(args, context) {
    const { translator } = context;
    const words = createReconcileWords(translator);
    if (args.file === undefined) return listFiles(context, words);
    checkNames(args, context);
    const asked = args.from === undefined && args.to === undefined ? {} : recentDays(args, 31, context);
    const { cursor, limit: size, ...query } = args;
    const { offset, ...place } = await readPlace(cursor, { ...query, asked }, context);
    const since = refreshSince(args.refresh, { offset, ...place }, context);
    const { file: named, kind, cnpj, columns, finding, certainty } = args;
    const question = { files: named, kind, cnpj, columns, finding, certainty, days: asked, since };
    const tolerances = { toleranceTotal: args.tolerance_total, toleranceTax: args.tolerance_tax };
    const compared = await reconcileFiles({ ...question, ...tolerances }, cursor !== undefined, context);
    const { reading } = compared;
    const next = (shown: number, total: number, isPartial: boolean) =>
      cursorAfter({ offset, shown, total, isPartial, since }, { ...query, asked });
    if (compared.result === undefined) {
      const nextCursor = await next(0, 0, true);
      return {
        structured: { ...nothing, company: cnpj ?? '', files: [], complete: false, next_cursor: nextCursor },
        text: [readingSentence(reading, words), translator.say('cover.next', { cursor: nextCursor ?? '' })],
      };
    }
    const { files } = reading;
    const { side, result, findings: kept, deadlines } = compared;
    const { total } = result.findings;
    const part = kept.slice(offset, offset + size);
    const shown = part.map((one) => findingOutput(one, files, words));
    for (const { key } of shown) if (key !== undefined) context.company.memory.seen.noteKey(key);
    const { basis } = side;
    const nextCursor = await next(part.length, kept.length, (basis?.pending.length ?? 0) > 0);
    const told = files.map((file, at) =>
      fileOutput(file, compared.passed.get(at), compared.tallies[at], side.companies, words),
    );
    const suppliers = result.findings.suppliers();
    const { entries, byKey: by_key, byNumber: by_number, agree } = result;
    const documents = side.documents.length;
    const sentences = (said: CallContext) =>
      basis === undefined ? [] : basisSentences(basis, documents, [], said);
    const counts = { entries, documents, matched: by_key + by_number, by_key, by_number, agree };
    const structured: ReconcileOutput = {
      company: side.companies.join(', '),
      from: side.from,
      to: side.to,
      documents,
      ...(basis ? basisOutput(basis, [], context) : { complete: false }),
      files: told,
      compared: counts,
      by_finding: [...result.findings.groups()],
      by_supplier: suppliers.length === 0 ? undefined : suppliers.slice(0, MOST_SUPPLIERS),
      findings: shown,
      not_compared: [...result.notCompared].map(([reason, count]) => ({ reason, count })),
      deadlines: deadlines && { presented_by: deadlines.presented_by, adjust_until: deadlines.adjust_until },
      total,
      next_cursor: nextCursor,
    };
    const left = structured.not_compared.map(({ reason, count }) => `${count} ${words.left(reason)}`);
    const about: About | undefined = basis && {
      ...{ tool: 'reconcile', args, areas: ['nfe', 'cte', 'nfse'], archive: basis.archive },
      resolved: [],
      linesIn: (said) => ['', ...sentences(said)],
    };
    return {
      forView:
        about &&
        (await pageForView(context, async () => {
          const { reconcilePage } = await import('./pages/reconcile.ts');
          return reconcilePage({ ...structured, found: kept }, about, context);
        })),
      structured,
      text: [
        ...fileLines(told, words),
        ...sentences(context),
        words.say('text.compared', counts),
        ...structured.by_finding.map(
          ({ finding, certainty, count, amount }) =>
            `- ${count}× ${finding} (${words.certainty(certainty)}): ${translator.money(amount)}`,
        ),
        ...(left.length > 0 ? [`${words.say('text.not_compared')}: ${left.join('; ')}.`] : []),
        ...(deadlines === undefined ? [] : deadlineLines(deadlines, words)),
        ...supplierLines(suppliers, words),
        words.say('text.findings', { total, shown: shown.length }),
        ...findingLines(shown, part, words),
        ...(total > kept.length ? [words.say('text.kept', { kept: kept.length })] : []),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ],
    };
  },
});
