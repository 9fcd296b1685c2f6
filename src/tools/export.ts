import { basename } from 'node:path';
import * as z from 'zod';
import type { Exported, ExportOptions } from '../archive/export/index.ts';
import { referenceOf } from '../archive/references.ts';
import type { CallContext, FileLink } from '../company/call-context.ts';
import { explainFailure, Unfulfilled } from '../company/failures.ts';
import { companiesAsked } from '../company/files-basis.ts';
import { asWord } from '../documents/untrusted.ts';
import { checkRoutes } from './routes.ts';
import { allTogether } from './shared/all-problems.ts';
import { basisOutput, basisSentences, basisShape, jointBasis, subjectLine } from './shared/basis.ts';
import { saveTool } from './shared/definition.ts';
import { type Counted, countParts, entryDaysOf, keptSentence, readAll } from './shared/exported-parts.ts';
import { partyShape, statusShape } from './shared/filters.ts';
import { cursorTo, readPlace, refreshSince } from './shared/offset-cursor.ts';
import { shared } from './shared/parameters.ts';
import { daysFrom } from './shared/period.ts';
import { resolvedSentences, resolvedShape, resolveNames } from './shared/resolve.ts';
import { linkSentence } from './shared/saved-files.ts';
import { fetchParts } from './shared/several-kinds.ts';
import { createJointSheets, createSheets, type SheetTally } from './shared/sheet-files.ts';
import { type XmlProgress, xmlFiles } from './shared/xml-files.ts';

/** A call that fetched for so long leaves the writing of the file to the next one. */
const LONGEST_BEFORE_WRITING_MS = 20_000;

/** A host may give up on a call that is silent for longer than five seconds. */
const PROGRESS_EVERY_MS = 3_000;

function input() {
  return z.strictObject({
    document: shared.documents(),
    cnpj: shared.cnpjs(),
    from: shared.firstDay(),
    to: shared.lastDay(),
    by: shared.by(),
    direction: shared.direction().optional(),
    ...partyShape(),
    status: statusShape(),
    format: z
      .enum(['csv', 'xlsx', 'zip', 'pdf'])
      .describe('zip: the XML files; pdf: sheets, one file or a ZIP'),
    rows: z.enum(['documents', 'items']).default('documents').describe('Default documents'),
    cursor: shared.cursor(),
    refresh: shared.refresh(),
  });
}

type Arguments = z.output<ReturnType<typeof input>>;

const output = () =>
  z.object({
    ...basisShape(),
    ...resolvedShape(),
    path: z.string().optional(),
    url: z.string().optional(),
    rows: z.int(),
    bytes: z.int(),
    rendered: z.int().optional().describe("pdf: drawn from the XML, the others are the service's"),
    without_xml: z.array(z.object({ key: z.string(), reason: z.string() })).optional(),
  });

/** The documents as they stand now, until the time is over. */
async function* summaries({ parts, offset, deadline }: Order, progress: XmlProgress) {
  const days = await entryDaysOf(parts);
  for await (const { summary, status } of readAll(parts, offset)) {
    if (Date.now() > deadline) return;
    yield { ...summary, status, entered_on: days.get(summary.key ?? '') };
    progress.taken += 1;
  }
}

/** What is to be written, and from which document on. */
interface Order {
  readonly args: Arguments;
  /** What the file is called after: kinds of document, companies, days. */
  readonly named: readonly string[];
  readonly parts: readonly Counted[];
  readonly offset: number;
  /** Documents in all. */
  readonly total: number;
  readonly deadline: number;
}

interface Outcome {
  /** Undefined where the time was over before there was anything to write. */
  readonly file?: Exported;
  readonly progress?: XmlProgress;
  readonly sheets?: SheetTally;
}

type Save = (
  exports: typeof import('../archive/export/index.ts'),
  options: ExportOptions,
) => Promise<Exported>;

/** Saves the file, with what stands in the way of that in words for a person. */
async function saved(order: Order, context: CallContext, save: Save): Promise<Exported> {
  const { args, named, offset } = order;
  const { company, translator, signal, links } = context;
  const folder = links === undefined ? company.settings.downloadDir : await links.folder();
  if (folder === undefined) throw new Unfulfilled('failure.export_dir');
  const exports = await import('../archive/export/index.ts');
  const rest = [
    ...(args.rows === 'items' ? ['itens'] : []),
    ...(args.format === 'pdf' ? ['pdf'] : []),
    ...(offset > 0 ? [`a-partir-de-${offset + 1}`] : []),
  ];
  const options: ExportOptions = {
    folder,
    name: [...named, ...rest].join('-'),
    language: translator.language,
    signal,
    onProgress(rows) {
      // Progress is a courtesy: the file does not wait for it.
      void context.progress(rows, rows, translator.say('analysis.exporting', { rows }));
    },
  };
  try {
    return await save(exports, options);
  } catch (error) {
    if (!(error instanceof exports.FileNotWritten)) throw error;
    if (links !== undefined) throw new Unfulfilled('failure.not_prepared', { code: error.code });
    throw new Unfulfilled('failure.not_saved', { file: error.file, code: error.code });
  }
}

/** A table of what can be written in the time there is; the rest goes into the next one. */
async function saveTable(order: Order, context: CallContext): Promise<Outcome> {
  const { args } = order;
  const progress: XmlProgress = { taken: 0, missing: [] };
  const documents = summaries(order, progress);
  const file = await saved(order, context, (exports, options) => {
    const writeTable = args.format === 'csv' ? exports.writeCsv : exports.writeXlsx;
    return args.rows === 'items'
      ? writeTable(exports.itemRows(documents), exports.itemTable, options)
      : writeTable(documents, exports.documentTable, options);
  });
  return { file, progress };
}

/** Sheets that go into one file: as many as somebody prints or sends together. */
const MOST_IN_ONE_FILE = 100;

/** Whether the sheets are one PDF: they are few, and all drawn, since the service's own can't be put together. */
function isOneFile({ args, total }: Order, { company }: CallContext): boolean {
  const isDrawn = !company.hasService || args.document.every((area) => area === 'cte');
  return args.format === 'pdf' && isDrawn && total <= MOST_IN_ONE_FILE;
}

/** A day of the period, so that the same sheets are the same bytes. */
function dateOf({ parts: [first] }: Order): Date {
  return new Date(first?.selection.to ?? 0);
}

/** A ZIP of what can be fetched in the time there is; where that is not all, the rest goes into the next one. */
async function saveZip(order: Order, context: CallContext): Promise<Outcome> {
  const { args, parts, offset, total, deadline } = order;
  const joint = isOneFile(order, context) ? createJointSheets(context) : undefined;
  const sheets = args.format === 'pdf' ? (joint ?? createSheets(context)) : undefined;
  const { company, translator, signal } = context;
  const progress: XmlProgress = { taken: 0, missing: [] };
  const rows = xmlFiles(
    readAll(parts, offset),
    {
      async fetch({ summary }, stop) {
        const reference = referenceOf(summary);
        if (reference === undefined) return undefined;
        if (sheets !== undefined) return sheets.make(reference, stop);
        return (await company.memory.document(reference, { signal: stop, needsXml: true })).xml;
      },
      isMade: sheets !== undefined,
      explain: (error) =>
        (error && explainFailure(error, translator)) ?? translator.say('analysis.not_alone'),
      atOnce: company.settings.concurrency,
      deadline,
      signal,
    },
    progress,
  );
  const tell = () =>
    void context.progress(
      progress.taken,
      total,
      translator.say('analysis.exporting', { rows: progress.taken }),
    );
  const ticking = setInterval(tell, PROGRESS_EVERY_MS);
  try {
    const first = await rows.next();
    if (first.done === true && total > 0) return { progress };
    async function* all() {
      if (first.done !== true) yield first.value;
      yield* rows;
    }
    const files = sheets === undefined ? all() : sheets.counted(all());
    const ending = sheets === undefined ? 'xml' : 'pdf';
    const file = await saved(order, context, (exports, options) =>
      joint === undefined
        ? exports.writeZip(files, options, ending)
        : exports.writePdf(files, options, (some) => joint.join(some, options.name, dateOf(order))),
    );
    return { file, progress, sheets: sheets?.tally };
  } finally {
    clearInterval(ticking);
  }
}

/** Documents without XML that an answer names; the manifest has all. */
const MOST_NAMED = 10;

function sheetSentences({ rendered, failure }: SheetTally, { translator }: CallContext): string[] {
  const reason = failure === undefined ? undefined : explainFailure(failure, translator);
  return [
    translator.say('analysis.rendered', { count: rendered }),
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

/** Where the file is, with how many documents are in it; lines are told only where they are of items. */
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

/** Where the caller has the file: its path, or over HTTP a link to it. */
async function placeOf(
  file: Exported | undefined,
  { parts: [first], total }: Order,
  { links }: CallContext,
): Promise<{ path?: string; link?: FileLink }> {
  if (file === undefined || links === undefined) return { path: file?.path };
  const { from, to } = first?.selection ?? {};
  const { path, rows } = file;
  return { link: await links.link({ name: basename(path), path, holds: [from, to, total, rows].join(' ') }) };
}

export const exportDocuments = saveTool({
  name: 'export_documents',
  group: 'analysis',
  description: 'Save the documents of a period as a file.',
  input,
  output,
  async run(args, context) {
    const { translator } = context;
    if (context.company.settings.downloadDir === undefined && context.links === undefined) {
      throw new Unfulfilled('failure.export_dir');
    }
    const began = Date.now();
    const named = await companiesAsked(args, context);
    const { days, companies } = allTogether(
      {
        days: () => daysFrom(args, context),
        companies: named,
        routes: () => checkRoutes(args),
      },
      translator,
    );
    const { cursor, from: _from, to: _to, ...given } = args;
    const query = { ...given, ...days, companies };
    const place = await readPlace(cursor, query, context);
    const since = refreshSince(args.refresh, place, context);
    const areas = [...new Set(args.document)];
    const { by, direction } = args;
    const fetched = await fetchParts({ companies, areas, ...days, by, direction }, context, { since });
    const [firstPart, ...otherParts] = fetched;
    const basis = jointBasis([firstPart.basis, ...otherParts.map((part) => part.basis)]);
    const { filters: meant, resolved } = await resolveNames(args, basis.archive, context);
    const isZip = args.format === 'zip' || args.format === 'pdf';
    const asked = { ...meant, status: args.status };
    const { parts, left_out, kept, sums } = await countParts(fetched, asked, !isZip, translator);
    const total = parts.reduce((sum, part) => sum + part.total, 0);
    if (place.total !== undefined && place.total !== total) throw new Unfulfilled('failure.list_changed');
    const order: Order = {
      args,
      named: [areas.join('+'), companies.join('+'), days.from, days.to],
      parts,
      offset: place.offset,
      total,
      deadline: context.deadline.workBy,
    };
    const isWaiting = basis.pending.length > 0 || Date.now() - began > LONGEST_BEFORE_WRITING_MS;
    const save = isZip ? saveZip : saveTable;
    const { file, progress, sheets }: Outcome = isWaiting ? {} : await save(order, context);
    const reached = place.offset + (progress?.taken ?? 0);
    const isPart = progress !== undefined && reached < total;
    const nextCursor =
      isWaiting || isPart
        ? await cursorTo(
            { offset: reached, total: isWaiting ? place.total : total, asOf: since?.toISOString() },
            query,
          )
        : undefined;
    const company = companies.join(', ');
    const { path, link } = await placeOf(file, order, context);
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
        ...(progress !== undefined && isZip && { without_xml: progress.missing }),
        rendered: sheets?.rendered,
        next_cursor: nextCursor,
      },
      text: [
        subjectLine(areas, company, days, translator),
        ...resolvedSentences(resolved, context),
        ...basisSentences(
          basis,
          total,
          left_out.filter((one) => !kept.includes(one)),
          context,
        ),
        ...(kept.length === 0 || file === undefined ? [] : [keptSentence(kept, translator)]),
        ...(file === undefined ? [] : sums),
        file === undefined
          ? translator.say('analysis.export_waits')
          : exportedWords(args, file, progress, context),
        ...(link === undefined ? [] : [linkSentence(link, translator)]),
        ...(sheets === undefined ? [] : sheetSentences(sheets, context)),
        ...(progress ? zipSentences(progress, context) : []),
        ...(isPart ? [translator.say('analysis.export_part', { reached, total })] : []),
        ...(isPart && isZip ? [translator.say('analysis.zip_part')] : []),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ],
    };
  },
});
