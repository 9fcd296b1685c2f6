import { basename } from 'node:path';
import * as z from 'zod';
import type { Filters, LeftOut, StoredDocument } from '../archive/archive.ts';
import type { Exported, Fact } from '../archive/export/index.ts';
import { everyStatus, referenceOf } from '../archive/references.ts';
import type { CallContext } from '../company/call-context.ts';
import { explainFailure, Unfulfilled } from '../company/failures.ts';
import { maskTaxId } from '../documents/identity/tax-ids.ts';
import { kindName } from '../documents/summary/summary.ts';
import { asWord } from '../documents/untrusted.ts';
import type { Translator } from '../messages/index.ts';
import { type Arguments, checkDocuments, checkPeriod, input } from './export-arguments.ts';
import { checkRoutes } from './routes.ts';
import {
  basisOutput,
  basisSentences,
  basisShape,
  jointBasis,
  listTotal,
  subjectLine,
} from './shared/basis.ts';
import { saveTool } from './shared/definition.ts';
import { checkFolder, placeOf, type Save, saveExport } from './shared/exported-file.ts';
import { filterWords } from './shared/filter-words.ts';
import { added } from './shared/left-out.ts';
import { cursorTo } from './shared/paging.ts';
import { companiesInName, fetchParts, openQuestion, type Part } from './shared/question.ts';
import { resolvedSentences, resolvedShape, resolveNames } from './shared/resolve.ts';
import { linkSentence } from './shared/saved-files.ts';
import { Sheets, type XmlProgress, xmlFiles } from './shared/xml-files.ts';

/** Milliseconds; a call that fetched for longer leaves writing the file to the next one. */
const LONGEST_BEFORE_WRITING_MS = 20_000;

/** Milliseconds; hosts may give up on a call that is silent for five seconds. */
const PROGRESS_EVERY_MS = 3_000;

const output = () =>
  z.object({
    ...basisShape(),
    ...resolvedShape(),
    path: z.string().optional(),
    url: z.string().optional(),
    rows: z.int(),
    bytes: z.int(),
    manifest_sha256: z.string().optional().describe('dossier: keep it apart from the file'),
    rendered: z.int().optional().describe("pdf: drawn from the XML, the others are the service's"),
    without_xml: z.array(z.object({ key: z.string(), reason: z.string() })).optional(),
  });

/** Documents of one kind, with their number. */
interface Counted extends Part {
  readonly total: number;
}

/** Left out of sums, but kept in tables with a mark. */
const keptInTables: ReadonlySet<LeftOut['reason']> = new Set(['cancelled', 'denied', 'test']);

/** Counts the documents of a file. `kept` are in a table although its totals (`sums`) exclude them. */
async function countParts(
  fetched: readonly Part[],
  asked: Filters,
  isTable: boolean,
  translator: Translator,
) {
  const parts: Counted[] = [];
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

/** Documents of all kinds, after the offset. */
async function* readAll({ parts, offset }: Order): AsyncGenerator<StoredDocument> {
  let left = offset;
  for (const { selection, basis, total } of parts) {
    if (left < total) yield* basis.archive.read(selection, left);
    left = Math.max(0, left - total);
  }
}

/** Current summaries with days of entry, until the deadline. */
async function* summaries(order: Order, progress: XmlProgress) {
  const ofParts = order.parts.map(({ selection, basis }) => basis.archive.entryDays(selection));
  const days = new Map((await Promise.all(ofParts)).flatMap((map) => [...map]));
  for await (const { summary, status } of readAll(order)) {
    if (Date.now() > order.deadline) return;
    yield { ...summary, status, entered_on: days.get(summary.key ?? '') };
    progress.taken += 1;
  }
}

/** A file to write. */
interface Order {
  readonly args: Arguments;
  /** Parts of the file name: kinds, companies, days. */
  readonly named: readonly string[];
  readonly parts: readonly Counted[];
  readonly offset: number;
  /** Total number of documents. */
  readonly total: number;
  readonly deadline: number;
  /** Facts shown inside the file. */
  readonly facts: readonly Fact[];
  /** Whether filters narrow the period. */
  readonly isNarrowed: boolean;
}

interface Outcome {
  /** Undefined if the deadline came before the first document. */
  readonly file?: Exported;
  readonly progress?: XmlProgress;
  readonly sheets?: Sheets | undefined;
}

/** Saves the file. @throws Unfulfilled */
function saved(
  { args, named, offset, isNarrowed }: Order,
  context: CallContext,
  save: Save,
): Promise<Exported> {
  const rest = [
    ...(isNarrowed ? ['filtrado'] : []),
    ...(args.rows === 'items' ? ['itens'] : []),
    ...(args.format === 'pdf' ? ['pdf'] : []),
    ...(offset > 0 ? [`a-partir-de-${offset + 1}`] : []),
  ];
  return saveExport([...named, ...rest].join('-'), context, save);
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
  const exports = await import('../archive/export/index.ts');
  const file = await saved(order, context, (given) => {
    const options = { ...given, facts };
    const writeTable = args.format === 'csv' ? exports.writeCsv : exports.writeXlsx;
    return args.rows === 'items'
      ? writeTable(exports.itemRows(documents), exports.itemTable(args.status), options)
      : writeTable(documents, exports.documentTable(args.status), options);
  });
  return { file, progress };
}

/** Sheets in one PDF at most. */
const MOST_IN_ONE_FILE = 100;

/** Whether the sheets form one PDF: few, and all drawn, since the service's PDFs can't be joined. */
function isOneFile({ args, total }: Order, { company }: CallContext): boolean {
  const isDrawn = !company.hasService || args.document.every((area) => area === 'cte');
  return args.format === 'pdf' && isDrawn && total <= MOST_IN_ONE_FILE;
}

/** Saves a ZIP or PDF with as many documents as the deadline allows; the next file continues. */
async function saveFiles(order: Order, context: CallContext): Promise<Outcome> {
  const { args, parts, total, deadline } = order;
  const sheets = args.format === 'pdf' ? new Sheets(context, isOneFile(order, context)) : undefined;
  const { company, translator, signal } = context;
  const progress: XmlProgress = { taken: 0, missing: [] };
  const fetching = {
    async fetch({ summary }: StoredDocument, stop: AbortSignal) {
      const reference = referenceOf(summary);
      if (reference === undefined) return undefined;
      if (sheets !== undefined) return sheets.make(reference, stop);
      return (await company.memory.document(reference, { signal: stop, needsXml: true })).xml;
    },
    isMade: sheets !== undefined,
    explain: (error: unknown) => explainFailure(error, translator) ?? translator.say('analysis.not_alone'),
    atOnce: company.settings.concurrency,
    deadline,
    signal,
  };
  const rows = xmlFiles(readAll(order), fetching, progress);
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
    const { writePdf, writeZip } = await import('../archive/export/index.ts');
    const file = await saved(order, context, (options) =>
      sheets?.isJoint
        ? writePdf(files, options, (some) => sheets.join(some, options.name, date))
        : writeZip(files, options, sheets === undefined ? 'xml' : 'pdf'),
    );
    return { file, progress, sheets };
  } finally {
    clearInterval(ticking);
  }
}

/** Documents without XML named in the answer; the manifest lists all. */
const MOST_NAMED = 10;

function sheetSentences({ rendered, failure }: Sheets, { translator }: CallContext): string[] {
  const reason = failure === undefined ? undefined : explainFailure(failure, translator);
  return [
    ...(rendered === 0 ? [] : [translator.say('analysis.rendered', { count: rendered })]),
    ...(reason === undefined ? [] : [`⚠ ${translator.say('document.pdf_failed', { reason })}`]),
  ];
}

function zipSentences({ stopped, missing }: XmlProgress, { translator }: CallContext): string[] {
  const named = missing.slice(0, MOST_NAMED).map(({ key, reason }) => `${asWord(key)}: ${reason}`);
  return [
    ...(missing.length === 0
      ? []
      : [`⚠ ${translator.say('analysis.without_xml', { count: missing.length })}`, ...named]),
    ...(stopped === undefined
      ? []
      : [`⚠ ${translator.say('analysis.zip_stopped')} ${explainFailure(stopped, translator) ?? ''}`.trim()]),
  ];
}

/** Names the documents a table has beyond its totals. */
function keptSentence(kept: readonly LeftOut[], { say }: Translator): string {
  const words = added(kept).map(({ reason, count }) => say(`left_out.${reason}`, { count }));
  return say('analysis.kept_in_table', { words: words.join(', ') });
}

/** The file's location and number of documents; for items also of lines. */
function exportedWords(
  { rows: of }: Arguments,
  { path: place, rows, bytes }: Exported,
  progress: XmlProgress | undefined,
  { translator, links }: CallContext,
): string {
  const path = links === undefined ? place : basename(place);
  const documents = progress?.taken ?? 0;
  return of === 'items'
    ? translator.say('analysis.exported_items', { path, documents, rows, bytes })
    : translator.say('analysis.exported', { path, documents, bytes });
}

export const exportDocuments = saveTool({
  name: 'export_documents',
  group: 'analysis',
  description: 'Save the documents of a period, or its month closing (report), as a file.',
  input,
  output,
  async run(given, context) {
    const { translator } = context;
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
    const [firstPart, ...otherParts] = fetched;
    const basis = jointBasis([firstPart.basis, ...otherParts.map((part) => part.basis)]);
    const { filters: meant, resolved } = await resolveNames(args, basis, context);
    const asked = { ...meant, status: args.status };
    const { parts, left_out, kept, sums } = await countParts(fetched, asked, isTable, translator);
    const total = parts.reduce((sum, part) => sum + part.total, 0);
    if (place.total !== undefined && place.total !== total) throw new Unfulfilled('failure.list_changed');
    const notKept = left_out.filter((one) => !kept.includes(one));
    const basisWords = [
      ...resolvedSentences(resolved, context),
      ...basisSentences(basis, total, notKept, context),
    ];
    const narrowed = filterWords(args, translator);
    const keptWords = kept.length === 0 ? [] : [keptSentence(kept, translator)];
    const names = await basis.archive.partyNames(companies);
    const companyText = (one: string) => [maskTaxId(one), names.get(one)].filter(Boolean).join(' ');
    const order: Order = {
      args,
      named: [areas.join('+'), companiesInName(companies), days.from, days.to],
      parts,
      offset: place.offset,
      isNarrowed: narrowed !== undefined,
      total,
      deadline: context.deadline.workBy,
      facts: [
        [translator.say('export.company'), companies.map(companyText).join(', ')],
        [translator.say('export.documents'), areas.map(kindName).join(', ')],
        [translator.say('export.period'), translator.period(days)],
        ...(narrowed === undefined ? [] : [[translator.say('export.filters'), narrowed] as const]),
        ...(basis.as_of === undefined
          ? []
          : [[translator.say('export.as_of'), translator.moment(basis.as_of)] as const]),
        ...[...basisWords, ...keptWords].map((sentence) => [sentence] as const),
      ],
    };
    const isWaiting = basis.pending.length > 0 || Date.now() - began > LONGEST_BEFORE_WRITING_MS;
    const save = isTable ? saveTable : saveFiles;
    const { file, progress, sheets }: Outcome = isWaiting ? {} : await save(order, context);
    const reached = place.offset + (progress?.taken ?? 0);
    const isPart = progress !== undefined && reached < total;
    const next = { offset: reached, total: isWaiting ? place.total : total, asOf: since?.toISOString() };
    const nextCursor = isWaiting || isPart ? await cursorTo(next, query) : undefined;
    const holds = [days.from, days.to, total, file?.rows].join(' ');
    const { path, link } = await placeOf(file, holds, context);
    return {
      structured: {
        company,
        ...days,
        documents: total,
        ...basisOutput(basis, left_out, context),
        resolved: resolved.length > 0 ? resolved : undefined,
        path,
        url: link?.url,
        rows: file?.rows ?? 0,
        bytes: file?.bytes ?? 0,
        ...(progress !== undefined && !isTable && { without_xml: progress.missing }),
        rendered: sheets?.rendered,
        next_cursor: nextCursor,
      },
      text: [
        subjectLine(areas, company, days, translator),
        ...(narrowed === undefined ? [] : [`${translator.say('export.filters')}: ${narrowed}.`]),
        ...basisWords,
        ...(file === undefined ? [] : [...keptWords, ...sums]),
        file === undefined
          ? translator.say('analysis.export_waits')
          : exportedWords(args, file, progress, context),
        ...(link === undefined ? [] : [linkSentence(link, translator)]),
        ...(sheets === undefined ? [] : sheetSentences(sheets, context)),
        ...(progress ? zipSentences(progress, context) : []),
        ...(isPart ? [translator.say('analysis.export_part', { reached, total })] : []),
        ...(isPart && !isTable ? [translator.say('analysis.zip_part')] : []),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ],
    };
  },
});
