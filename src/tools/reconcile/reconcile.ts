import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { bookFindings } from '../../documents/books/findings.ts';
import { csvLine } from '../../messages/message.ts';
import type { About } from '../pages/asked.ts';
import { basisOutput, basisSentences } from '../shared/basis.ts';
import { pageForView, readTool, sentences } from '../shared/definition.ts';
import { cursorAfter, linesThatFit, readPlace, refreshSince } from '../shared/paging.ts';
import { recentDays } from '../shared/period.ts';
import {
  type Arguments,
  type FileOutput,
  fileLines,
  fileOutput,
  findingLines,
  findingOutput,
  MOST_SUPPLIERS,
  type ReconcileOutput,
  reconcileInput,
  reconcileOutput,
  supplierLines,
} from './answer.ts';
import type { ReconcileWords } from './words.ts';

/** @throws BadArguments for an unknown finding or column field */
async function checkNames({ columns = {}, finding = [] }: Arguments, { translator }: CallContext) {
  if (finding.some((one) => !bookFindings.some((name) => name === one))) {
    const choices = bookFindings.join(', ');
    throw new BadArguments([translator.say('argument.not_among', { argument: 'finding', choices })]);
  }
  const { columnFields } = await import('../../documents/books/table.ts');
  const odd = Object.values(columns).find((field) => !columnFields.some((one) => one === field));
  if (odd === undefined) return;
  const fields = columnFields.join(', ');
  throw new BadArguments([translator.say('reconcile.unknown_column', { field: odd, fields })]);
}

/** Fields of an answer before anything is compared. */
const nothing = {
  ...{ company: '', from: '', to: '', documents: 0, total: 0 },
  ...{ by_finding: [], findings: [], not_compared: [] },
};

/** Lists the available files when the call names none. */
async function listFiles(context: CallContext, words: ReconcileWords) {
  const { findFiles } = await import('./compare.ts');
  const files: FileOutput[] = (await findFiles(context))
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

const inMegabytes = (bytes: number) => Math.round(bytes / 1_000_000);

export const reconcile = readTool({
  name: 'reconcile',
  group: 'analysis',
  view: 'period',
  description:
    "Compare a SPED file (EFD), the tax authority's CBS assessment or an ERP list with the documents: missing, different, cancelled, duplicated; without file: which files there are.",
  input: reconcileInput,
  output: reconcileOutput,
  async run(args, context) {
    const { translator } = context;
    const { createReconcileWords } = await import('./words.ts');
    const words = createReconcileWords(translator);
    const { cursor, limit: size, file, ...given } = args;
    if (file === undefined) return listFiles(context, words);
    await checkNames(args, context);
    const days = args.from === undefined && args.to === undefined ? {} : recentDays(args, 31, context);
    const query = { ...given, ...days, file };
    const place = await readPlace(cursor, query, context);
    const since = refreshSince(args.refresh, place, context);
    const { offset } = place;
    const next = (shown: number, total: number, isPartial: boolean) =>
      cursorAfter({ place, shown, total, isPartial, since }, query);
    const isContinued = cursor !== undefined;
    const { reconcileFiles } = await import('./compare.ts');
    const { compared, read, size: bytes } = await reconcileFiles({ ...query, since }, isContinued, context);
    if (compared === undefined) {
      const nextCursor = (await next(0, 0, true)) ?? '';
      const company = args.cnpj ?? '';
      const progress = { read: inMegabytes(read), size: inMegabytes(bytes) };
      return {
        structured: { ...nothing, company, files: [], complete: false, next_cursor: nextCursor },
        text: [words.say('text.reading', progress), translator.say('cover.next', { cursor: nextCursor })],
      };
    }
    const { files, side, result, findings: kept, deadlines, isPartial } = compared;
    const { basis } = side;
    const { total } = result.findings;
    const part = kept.slice(offset, offset + size);
    const shown = part.map((one) => findingOutput(one, files, words));
    for (const { key } of shown) if (key !== undefined) context.company.memory.seen.noteKey(key);
    const nextCursor = await next(part.length, kept.length, isPartial);
    const described = files.map((one) => fileOutput(one, side.companies, words));
    const suppliers = result.findings.suppliers();
    const { entries, byKey: by_key, byNumber: by_number, agree } = result;
    const documents = side.documents.length;
    const basisIn = (said: CallContext) =>
      basis === undefined ? [] : basisSentences(basis, documents, [], said);
    const counts = { entries, documents, matched: by_key + by_number, by_key, by_number, agree };
    const structured: ReconcileOutput = {
      company: side.companies.join(', '),
      from: side.from,
      to: side.to,
      documents,
      ...(basis ? basisOutput(basis, [], context) : { complete: false }),
      files: described,
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
      linesIn: (said) => ['', ...basisIn(said)],
    };
    return {
      forView:
        about &&
        (await pageForView(context, async () => {
          const { reconcilePage } = await import('../pages/reconcile.ts');
          return reconcilePage({ ...structured, found: kept }, about, context);
        })),
      structured,
      text: sentences(
        fileLines(described, words),
        basisIn(context),
        words.say('text.compared', counts),
        structured.by_finding.map(
          ({ finding, certainty, count, amount: stake }) =>
            `- ${count}× ${finding} (${words.certainty(certainty)}): ${translator.money(stake)}`,
        ),
        left.length > 0 && `${words.say('text.not_compared')}: ${left.join('; ')}.`,
        deadlines && [
          words.deadlines(deadlines),
          words.say(deadlines.month < '2027' ? 'note.before_2027' : 'note.silence'),
        ],
        supplierLines(suppliers, words),
        words.say('text.findings', { total, shown: shown.length }),
        findingLines(shown, part, words),
        total > kept.length && words.say('text.kept', { kept: kept.length }),
        nextCursor !== undefined && translator.say('cover.next', { cursor: nextCursor }),
      ),
    };
  },
});
