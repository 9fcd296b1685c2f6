import * as z from 'zod';
import type { LeftOut } from '../archive/archive.ts';
import type { Fact } from '../archive/export/table.ts';
import type { XmlRow } from '../archive/export/zip.ts';
import { everyStatus } from '../archive/references.ts';
import type { CallContext } from '../company/call-context.ts';
import { explainFailure } from '../company/failures.ts';
import type { Period } from '../documents/days.ts';
import { maskTaxId } from '../documents/identity/tax-ids.ts';
import { kindName } from '../documents/summary/summary.ts';
import { type Arguments, checkDocuments, checkPeriod, input } from './export-arguments.ts';
import { added, basisSentences, basisShape, listTotal } from './shared/basis.ts';
import { readTool, sentences, texts } from './shared/definition.ts';
import { Sheets, type XmlProgress, xmlFiles, xmlSentences } from './shared/document-files.ts';
import {
  checkFolder,
  reporting,
  type SavedExport,
  savedSentences,
  saveExport,
} from './shared/exported-file.ts';
import { type CountedPart, countParts, fetchExport, readAll } from './shared/exporting.ts';
import { filterWords } from './shared/filters.ts';
import { checkUnchanged } from './shared/paging.ts';
import { checkRoutes, companiesInName, openQuestion } from './shared/question.ts';
import { resolvedSentences, resolvedShape, resolveNames } from './shared/resolve.ts';

/** Milliseconds; a call that fetched for longer leaves writing the file to the next one. */
const LONGEST_BEFORE_WRITING_MS = 20_000;

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

interface Order {
  readonly args: Arguments;
  readonly name: string;
  readonly days: Period;
  readonly parts: readonly CountedPart[];
  readonly offset: number;
  readonly total: number;
  readonly facts: readonly Fact[];
}

interface Outcome {
  /** Undefined if the deadline came before the first document. */
  readonly saved?: SavedExport | undefined;
  readonly progress?: XmlProgress;
  /** Rows of a table, files of a ZIP, sheets of a PDF. */
  readonly rows?: number;
  readonly sheets?: Sheets | undefined;
}

function save(
  { name, days: { from, to }, total }: Order,
  ending: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  rows: () => number,
  context: CallContext,
): Promise<SavedExport> {
  return saveExport({ name, ending }, content, () => [from, to, total, rows()].join(' '), context);
}

/** Current summaries with days of entry, until the deadline. */
async function* summaries(
  { parts, offset }: Order,
  progress: XmlProgress,
  { signal, deadline: { workBy } }: CallContext,
) {
  const ofParts = parts.map(({ selection, basis }) => basis.archive.entryDays(selection));
  const days = new Map((await Promise.all(ofParts)).flatMap((map) => [...map]));
  for await (const { summary, status } of readAll(parts, offset, signal)) {
    if (Date.now() > workBy) return;
    yield { ...summary, status, entered_on: days.get(summary.key ?? '') };
    progress.taken += 1;
  }
}

/** Saves a table with as many documents as the deadline allows; the next file continues. */
async function saveTable(order: Order, context: CallContext): Promise<Outcome> {
  const { args, offset, total } = order;
  const { language, say } = context.translator;
  const progress: XmlProgress = { taken: 0, missing: [] };
  let rows = 0;
  async function* counted<Row>(all: AsyncIterable<Row>): AsyncGenerator<Row> {
    for await (const row of all) {
      yield row;
      rows += 1;
    }
  }
  const facts = (): readonly Fact[] => {
    const reached = offset + progress.taken;
    const isPart = reached < total || offset > 0;
    const part = say('export.part', { first: offset + 1, last: reached, total });
    return [...order.facts, ...(isPart ? [[part] as const] : [])];
  };
  const { documentTable, itemRows, itemTable } = await import('../archive/export/document-tables.ts');
  const { spreadsheetOf } = await import('../archive/export/xlsx.ts');
  const documents = summaries(order, progress, context);
  const content =
    args.rows === 'items'
      ? spreadsheetOf(args.format, counted(itemRows(documents)), itemTable(args.status), language, facts)
      : spreadsheetOf(args.format, counted(documents), documentTable(args.status), language, facts);
  const count = () => rows;
  const saved = await reporting(count, total, context, () =>
    save(order, args.format, content, count, context),
  );
  return { saved, progress, rows };
}

/** Sheets in one PDF at most. */
const MOST_IN_ONE_FILE = 100;

/** Saves a ZIP or PDF with as many documents as the deadline allows; the next file continues. */
async function saveFiles(order: Order, context: CallContext): Promise<Outcome> {
  const { args, parts, total, offset, name } = order;
  const { company, signal, deadline, translator } = context;
  // Few sheets form one PDF, unless some are the service's, which can't be joined.
  const isDrawn = !company.hasService || args.document.every((area) => area === 'cte');
  const sheets =
    args.format === 'pdf' ? new Sheets(context, isDrawn && total <= MOST_IN_ONE_FILE) : undefined;
  const progress: XmlProgress = { taken: 0, missing: [] };
  const count = () => progress.taken - progress.missing.length;
  const fetching = { deadline: deadline.workBy, make: sheets?.make.bind(sheets) };
  const rows = xmlFiles(readAll(parts, offset, signal), fetching, progress, context);
  const work = async (): Promise<SavedExport | undefined> => {
    const first = await rows.next();
    if (first.done === true && total > 0) return undefined;
    async function* all() {
      if (first.done !== true) yield first.value;
      yield* rows;
    }
    const { zipOf } = await import('../archive/export/zip.ts');
    const zip = (some: AsyncIterable<XmlRow> | Iterable<XmlRow>) =>
      save(order, 'zip', zipOf(some, translator.language, sheets && 'pdf'), count, context);
    const files = sheets?.counted(all()) ?? all();
    if (!sheets?.isJoint) return zip(files);
    const held: XmlRow[] = [];
    for await (const row of files) held.push(row);
    // Without a single sheet, a ZIP lists the reason for each document.
    if (count() === 0) return zip(held);
    // A fixed day, so that the same sheets give the same bytes.
    const date = new Date(parts[0]?.selection.to ?? 0);
    const joint = await sheets.join(held, name, date);
    return save(order, 'pdf', [joint], count, context);
  };
  const saved = await reporting(() => progress.taken, total, context, work);
  return { saved, progress, ...(saved && { rows: count(), sheets }) };
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
    const { days, companies, areas, place } = question;
    const { fetched, basis, cursorAt, answer } = await fetchExport(question, args, context);
    const { filters: meant, resolved } = await resolveNames(args, basis, context);
    const asked = { ...meant, status: args.status };
    const inFile = { ...asked, status: args.status ?? everyStatus, withTest: isTable };
    const { parts, total, ...counted } = await countParts(fetched, inFile);
    checkUnchanged(place, total);
    // A table keeps documents that its totals leave out.
    const summed = isTable ? await countParts(fetched, asked) : undefined;
    const { leftOut } = summed ?? counted;
    const kept = isTable ? leftOut.filter(({ reason }) => keptInTables.has(reason)) : [];
    const notKept = leftOut.filter((one) => !kept.includes(one));
    const basisWords = sentences(
      resolvedSentences(resolved, context),
      basisSentences(basis, total, notKept, context),
    );
    const narrowed = filterWords(args, translator);
    const reasons = added(kept).map(({ reason, count }) => say(`left_out.${reason}`, { count }));
    const keptWords = kept.length > 0 ? [say('analysis.kept_in_table', { words: reasons.join(', ') })] : [];
    const sums = summed?.parts.map(
      (part) => part.total > 0 && listTotal(part.selection.area, part, translator),
    );
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
        place.offset > 0 && `a-partir-de-${place.offset + 1}`,
      ).join('-'),
      days,
      parts,
      offset: place.offset,
      total,
      facts: [
        ...facts.flatMap(([name, fact]): Fact[] =>
          fact === undefined ? [] : [[say(`export.${name}`), fact]],
        ),
        ...[...basisWords, ...keptWords].map((sentence) => [sentence] as const),
      ],
    };
    const isWaiting = basis.pending.length > 0 || Date.now() - began > LONGEST_BEFORE_WRITING_MS;
    const saveOrder = isTable ? saveTable : saveFiles;
    const { saved, progress, rows = 0, sheets }: Outcome = isWaiting ? {} : await saveOrder(order, context);
    const taken = progress?.taken ?? 0;
    const reached = place.offset + taken;
    const isPart = progress !== undefined && reached < total;
    return answer(
      {
        documents: total,
        leftOut,
        saved,
        rows,
        nextCursor:
          isWaiting || isPart ? await cursorAt(reached, isWaiting ? place.total : total) : undefined,
      },
      {
        resolved: resolved.length > 0 ? resolved : undefined,
        ...(progress !== undefined && !isTable && { without_xml: progress.missing }),
        rendered: sheets?.rendered,
      },
      [
        narrowed !== undefined && `${say('export.filters')}: ${narrowed}.`,
        basisWords,
        saved && [...keptWords, ...(sums ?? [])],
        savedSentences(saved, context),
        saved && isTable && `${say('analysis.exporting', { rows })}.`,
        sheets && sheetSentences(sheets, context),
        progress && xmlSentences(progress, context),
        isPart && say('analysis.export_part', { reached, total }),
        isPart && !isTable && say('analysis.zip_part'),
      ],
    );
  },
});
