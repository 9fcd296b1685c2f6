import * as z from 'zod';
import type { Filters, LeftOut } from '../archive/archive.ts';
import type { Exported, ExportOptions, Fact } from '../archive/export/table.ts';
import { everyStatus } from '../archive/references.ts';
import type { CallContext } from '../company/call-context.ts';
import { explainFailure } from '../company/failures.ts';
import type { Period } from '../documents/days.ts';
import { maskTaxId } from '../documents/identity/tax-ids.ts';
import { kindName } from '../documents/summary/summary.ts';
import type { Translator } from '../messages/index.ts';
import { type Arguments, checkDocuments, checkPeriod, input } from './export-arguments.ts';
import { added, basisOutput, basisSentences, basisShape, listTotal, subjectLine } from './shared/basis.ts';
import { readTool, sentences, texts } from './shared/definition.ts';
import {
  type CountedPart,
  checkFolder,
  readAll,
  type SavedExport,
  Sheets,
  saveExport,
  type XmlProgress,
  xmlFiles,
  xmlSentences,
} from './shared/exported-file.ts';
import { fetchParts, jointBasis, type Part } from './shared/fetching.ts';
import { filterWords } from './shared/filters.ts';
import { checkUnchanged, cursorTo } from './shared/paging.ts';
import { checkRoutes, companiesInName, openQuestion } from './shared/question.ts';
import { resolvedSentences, resolvedShape, resolveNames } from './shared/resolve.ts';

/** Milliseconds; a call that fetched for longer leaves writing the file to the next one. */
const LONGEST_BEFORE_WRITING_MS = 20_000;

/** Milliseconds; hosts may give up on a call that is silent for five seconds. */
const PROGRESS_EVERY_MS = 3_000;

const output = () =>
  z.object({
    ...basisShape(),
    ...resolvedShape(),
    ...texts('path', 'url'),
    rows: z.int(),
    bytes: z.int(),
    manifest_sha256: z.string().optional().describe('dossier: keep it apart from the file'),
    rendered: z.int().optional().describe("pdf: drawn from the XML, the others are the service's"),
    without_xml: z.array(z.object({ key: z.string(), reason: z.string() })).optional(),
  });

/** Left out of sums, but kept in tables with a mark. */
const keptInTables: ReadonlySet<LeftOut['reason']> = new Set(['cancelled', 'denied', 'test']);

/** Counts the documents of a file. `kept` are in a table although its totals (`sums`) exclude them. */
async function countParts(
  fetched: readonly Part[],
  asked: Filters,
  isTable: boolean,
  translator: Translator,
) {
  const parts: CountedPart[] = [];
  const left_out: LeftOut[] = [];
  const sums: string[] = [];
  for (const { basis, selection: period } of fetched) {
    const filters = { ...asked, status: asked.status ?? everyStatus, withTest: isTable };
    const selection = { ...period, filters };
    const held = await basis.archive.list({ ...selection, limit: 1 });
    parts.push({ basis, selection, total: held.total });
    const counted = isTable ? await basis.archive.list({ ...period, filters: asked, limit: 1 }) : held;
    left_out.push(...counted.left_out);
    if (isTable && counted.total > 0) sums.push(listTotal(period.area, counted, translator));
  }
  const kept = isTable ? left_out.filter(({ reason }) => keptInTables.has(reason)) : [];
  return { parts, left_out, kept, sums };
}

/** Current summaries with days of entry, until the deadline. */
async function* summaries(order: Order, progress: XmlProgress) {
  const ofParts = order.parts.map(({ selection, basis }) => basis.archive.entryDays(selection));
  const days = new Map((await Promise.all(ofParts)).flatMap((map) => [...map]));
  for await (const { summary, status } of readAll(order.parts, order.offset)) {
    if (Date.now() > order.deadline) return;
    yield { ...summary, status, entered_on: days.get(summary.key ?? '') };
    progress.taken += 1;
  }
}

interface Order {
  readonly args: Arguments;
  /** File name, without the part's suffix. */
  readonly name: string;
  readonly days: Period;
  readonly parts: readonly CountedPart[];
  readonly offset: number;
  readonly total: number;
  readonly deadline: number;
  /** Facts shown inside the file. */
  readonly facts: readonly Fact[];
}

interface Outcome {
  /** Undefined if the deadline came before the first document. */
  readonly saved?: SavedExport<Exported>;
  readonly progress?: XmlProgress;
  readonly sheets?: Sheets | undefined;
}

function save(
  { name, days: { from, to }, offset, total }: Order,
  context: CallContext,
  write: (options: ExportOptions) => Promise<Exported>,
): Promise<SavedExport<Exported>> {
  const ofPart = offset > 0 ? `${name}-a-partir-de-${offset + 1}` : name;
  return saveExport(ofPart, context, write, ({ rows }) => [from, to, total, rows].join(' '));
}

/** Saves a table with as many documents as the deadline allows; the next file continues. */
async function saveTable(order: Order, context: CallContext): Promise<Outcome> {
  const { args } = order;
  const { translator } = context;
  const progress: XmlProgress = { taken: 0, missing: [] };
  const documents = summaries(order, progress);
  const facts = (): readonly Fact[] => {
    const reached = order.offset + progress.taken;
    const isPart = reached < order.total || order.offset > 0;
    const part = translator.say('export.part', {
      first: order.offset + 1,
      last: reached,
      total: order.total,
    });
    return [...order.facts, ...(isPart ? [[part] as const] : [])];
  };
  const { documentTable, itemRows, itemTable } = await import('../archive/export/document-tables.ts');
  const writeTable =
    args.format === 'csv'
      ? (await import('../archive/export/table.ts')).writeCsv
      : (await import('../archive/export/xlsx.ts')).writeXlsx;
  const saved = await save(order, context, (given) => {
    const options = { ...given, facts };
    return args.rows === 'items'
      ? writeTable(itemRows(documents), itemTable(args.status), options)
      : writeTable(documents, documentTable(args.status), options);
  });
  return { saved, progress };
}

/** Sheets in one PDF at most. */
const MOST_IN_ONE_FILE = 100;

/** Saves a ZIP or PDF with as many documents as the deadline allows; the next file continues. */
async function saveFiles(order: Order, context: CallContext): Promise<Outcome> {
  const { args, parts, total, deadline } = order;
  const { company, translator } = context;
  // Few sheets form one PDF, unless some are the service's, which can't be joined.
  const isDrawn = !company.hasService || args.document.every((area) => area === 'cte');
  const sheets =
    args.format === 'pdf' ? new Sheets(context, isDrawn && total <= MOST_IN_ONE_FILE) : undefined;
  const progress: XmlProgress = { taken: 0, missing: [] };
  const make = sheets?.make.bind(sheets);
  const rows = xmlFiles(readAll(parts, order.offset), { deadline, make }, progress, context);
  const ticking = setInterval(() => {
    const { taken: count } = progress;
    void context.progress(count, total, translator.say('analysis.exporting', { rows: count }));
  }, PROGRESS_EVERY_MS);
  try {
    const first = await rows.next();
    if (first.done === true && total > 0) return { progress };
    async function* all() {
      if (first.done !== true) yield first.value;
      yield* rows;
    }
    const files = sheets?.counted(all()) ?? all();
    // A fixed day, so that the same sheets give the same bytes.
    const date = new Date(parts[0]?.selection.to ?? 0);
    const { writePdf, writeZip } = await import('../archive/export/zip.ts');
    const saved = await save(order, context, (options) =>
      sheets?.isJoint
        ? writePdf(files, options, (some) => sheets.join(some, options.name, date))
        : writeZip(files, options, sheets === undefined ? 'xml' : 'pdf'),
    );
    return { saved, progress, sheets };
  } finally {
    clearInterval(ticking);
  }
}

function sheetSentences({ rendered, failure }: Sheets, { translator }: CallContext): string[] {
  const reason = failure === undefined ? undefined : explainFailure(failure, translator);
  return sentences(
    rendered > 0 && translator.say('analysis.rendered', { count: rendered }),
    reason !== undefined && `⚠ ${translator.say('document.pdf_failed', { reason })}`,
  );
}

export const exportDocuments = readTool({
  name: 'export_documents',
  kind: 'save',
  group: 'analysis',
  description: 'Save the documents of a period, or its month closing (report), as a file.',
  input,
  output,
  async run(given, context) {
    const { translator } = context;
    const { say } = translator;
    checkFolder(context);
    const isTable = given.format === 'csv' || given.format === 'xlsx';
    if (isTable && given.reconcile_files !== undefined) {
      const { exportFindings } = await import('./dossier/findings.ts');
      return exportFindings(given, context);
    }
    const whole = checkPeriod(given, context);
    if (given.format === 'report') {
      const { exportReport } = await import('./report/export-report.ts');
      return exportReport(whole, context);
    }
    if (given.format === 'dossier') {
      const { exportDossier } = await import('./dossier/export-dossier.ts');
      return exportDossier(whole, context);
    }
    const args = checkDocuments(whole, context);
    const began = Date.now();
    const question = await openQuestion(args, { routes: () => checkRoutes(args) }, context);
    const { days, companies, company, areas, query, place, since } = question;
    const { by, direction } = args;
    const fetched = await fetchParts({ companies, areas, ...days, by, direction }, context, { since });
    const basis = jointBasis(fetched);
    const { filters: meant, resolved } = await resolveNames(args, basis, context);
    const asked = { ...meant, status: args.status };
    const { parts, left_out, kept, sums } = await countParts(fetched, asked, isTable, translator);
    const total = parts.reduce((sum, part) => sum + part.total, 0);
    checkUnchanged(place, total);
    const notKept = left_out.filter((one) => !kept.includes(one));
    const basisWords = sentences(
      resolvedSentences(resolved, context),
      basisSentences(basis, total, notKept, context),
    );
    const narrowed = filterWords(args, translator);
    const reasons = added(kept).map(({ reason, count }) => say(`left_out.${reason}`, { count }));
    const keptWords = kept.length > 0 ? [say('analysis.kept_in_table', { words: reasons.join(', ') })] : [];
    const names = await basis.archive.partyNames(companies);
    const companyText = (one: string) => [maskTaxId(one), names.get(one)].filter(Boolean).join(' ');
    const facts = [
      ['company', companies.map(companyText).join(', ')],
      ['documents', areas.map(kindName).join(', ')],
      ['period', translator.period(days)],
      ['filters', narrowed],
      ['as_of', basis.as_of && translator.moment(basis.as_of)],
    ] as const;
    const order: Order = {
      args,
      name: sentences(
        areas.join('+'),
        companiesInName(companies),
        days.from,
        days.to,
        narrowed !== undefined && 'filtrado',
        args.rows === 'items' && 'itens',
        args.format === 'pdf' && 'pdf',
      ).join('-'),
      days,
      parts,
      offset: place.offset,
      total,
      deadline: context.deadline.workBy,
      facts: [
        ...facts.flatMap(([name, fact]): Fact[] =>
          fact === undefined ? [] : [[say(`export.${name}`), fact]],
        ),
        ...[...basisWords, ...keptWords].map((sentence) => [sentence] as const),
      ],
    };
    const isWaiting = basis.pending.length > 0 || Date.now() - began > LONGEST_BEFORE_WRITING_MS;
    const saveOrder = isTable ? saveTable : saveFiles;
    const { saved, progress, sheets }: Outcome = isWaiting ? {} : await saveOrder(order, context);
    const taken = progress?.taken ?? 0;
    const reached = place.offset + taken;
    const isPart = progress !== undefined && reached < total;
    const next = { offset: reached, total: isWaiting ? place.total : total, asOf: since?.toISOString() };
    const nextCursor = isWaiting || isPart ? await cursorTo(next, query) : undefined;
    const { rows = 0, bytes = 0 } = saved?.file ?? {};
    return {
      structured: {
        company,
        ...days,
        documents: total,
        ...basisOutput(basis, left_out, context),
        resolved: resolved.length > 0 ? resolved : undefined,
        ...saved?.place,
        rows,
        bytes,
        ...(progress !== undefined && !isTable && { without_xml: progress.missing }),
        rendered: sheets?.rendered,
        next_cursor: nextCursor,
      },
      text: sentences(
        subjectLine(areas, company, days, translator),
        narrowed !== undefined && `${say('export.filters')}: ${narrowed}.`,
        basisWords,
        saved && [...keptWords, ...sums],
        saved === undefined
          ? say('analysis.export_waits')
          : say(args.rows === 'items' ? 'analysis.exported_items' : 'analysis.exported', {
              path: saved.shown,
              documents: taken,
              rows,
              bytes,
            }),
        saved?.linkSentences,
        sheets && sheetSentences(sheets, context),
        progress && xmlSentences(progress, context),
        isPart && say('analysis.export_part', { reached, total }),
        isPart && !isTable && say('analysis.zip_part'),
        nextCursor !== undefined && say('cover.next', { cursor: nextCursor }),
      ),
    };
  },
});
