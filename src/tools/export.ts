import * as z from 'zod';
import type { Exported, ExportOptions } from '../archive/export/index.ts';
import { referenceOf } from '../archive/references.ts';
import type { StoredDocument } from '../archive/store/archive.ts';
import type { Selection } from '../archive/store/ask/question.ts';
import { companyOf } from '../mcp/coverage.ts';
import { saveTool } from '../mcp/definition.ts';
import { filterShape, filtersFrom, statuses } from '../mcp/filters.ts';
import { cursorTo, readPlace, refreshSince } from '../mcp/offset-cursor.ts';
import { shared } from '../mcp/parameters.ts';
import { daysFrom } from '../mcp/period.ts';
import { kindName } from '../messages/kinds.ts';
import { type Basis, basisOutput, basisSentences, basisShape, ensureFetched } from '../questions/basis.ts';
import { type XmlProgress, xmlFiles } from '../questions/xml-files.ts';
import type { CallContext } from '../services/call-context.ts';
import { explainFailure, Unfulfilled } from '../services/failures.ts';

/** The whole call ends within this, because hosts give it a minute. Source: docs/hosts.md, F2. */
const LONGEST_CALL_MS = 42_000;
/** A call that fetched for so long leaves the writing of the file to the next one. */
const LONGEST_BEFORE_WRITING_MS = 20_000;

/** A host may give up on a call that is silent for longer than five seconds. */
const PROGRESS_EVERY_MS = 3_000;

function input() {
  const { issuer, recipient, status } = filterShape();
  return z.strictObject({
    document: shared.document(),
    cnpj: shared.cnpj(),
    from: shared.firstDay(),
    to: shared.lastDay(),
    direction: shared.direction().optional(),
    issuer,
    recipient,
    status,
    format: z.enum(['csv', 'xlsx', 'zip']).describe('zip: the XML files'),
    rows: z.enum(['documents', 'items']).default('documents').describe('Default documents'),
    cursor: shared.cursor(),
    refresh: shared.refresh(),
  });
}

type Arguments = z.output<ReturnType<typeof input>>;

const output = () =>
  z.object({
    ...basisShape(),
    path: z.string().optional(),
    rows: z.int(),
    bytes: z.int(),
    without_xml: z.array(z.object({ key: z.string(), reason: z.string() })).optional(),
  });

/** The documents as they stand now, until the time is over. */
async function* summaries(documents: AsyncIterable<StoredDocument>, deadline: number, progress: XmlProgress) {
  for await (const { summary, status } of documents) {
    if (Date.now() > deadline) return;
    yield { ...summary, status };
    progress.taken += 1;
  }
}

/** What is to be written, and from which document on. */
interface Order {
  readonly args: Arguments;
  readonly selection: Selection;
  readonly basis: Basis;
  readonly offset: number;
  /** Documents in all. */
  readonly total: number;
  readonly deadline: number;
}

interface Outcome {
  /** Undefined where the time was over before there was anything to write. */
  readonly file?: Exported;
  readonly progress?: XmlProgress;
}

type Save = (
  exports: typeof import('../archive/export/index.ts'),
  options: ExportOptions,
) => Promise<Exported>;

/** Saves the file, with what stands in the way of that in words for a person. */
async function saved(order: Order, context: CallContext, save: Save): Promise<Exported> {
  const { args, selection, offset } = order;
  const { services, translator, signal } = context;
  const folder = services.settings.downloadDir;
  if (folder === undefined) throw new Unfulfilled('failure.download_dir');
  const exports = await import('../archive/export/index.ts');
  const parts = [args.document, selection.company, selection.from, selection.to];
  const rest = [
    ...(args.rows === 'items' ? ['itens'] : []),
    ...(offset > 0 ? [`a-partir-de-${offset + 1}`] : []),
  ];
  const options: ExportOptions = {
    folder,
    name: [...parts, ...rest].join('-'),
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
    if (error instanceof exports.EntryTooLarge) {
      throw new Unfulfilled('failure.not_saved', { file: options.name, code: 'EFBIG' });
    }
    if (!(error instanceof exports.FileNotWritten)) throw error;
    throw new Unfulfilled('failure.not_saved', { file: error.file, code: error.code });
  }
}

/** A table of what can be written in the time there is; the rest goes into the next one. */
async function saveTable(order: Order, context: CallContext): Promise<Outcome> {
  const { args, selection, basis, offset, deadline } = order;
  const progress: XmlProgress = { taken: 0, missing: [] };
  const documents = summaries(basis.archive.read(selection, offset), deadline, progress);
  const file = await saved(order, context, (exports, options) => {
    const writeTable = args.format === 'csv' ? exports.writeCsv : exports.writeXlsx;
    return args.rows === 'items'
      ? writeTable(exports.itemRows(documents), exports.itemTable, options)
      : writeTable(documents, exports.documentTable, options);
  });
  return { file, progress };
}

/** A ZIP of what can be fetched in the time there is; where that is not all, the rest goes into the next one. */
async function saveZip(order: Order, context: CallContext): Promise<Outcome> {
  const { selection, basis, offset, total, deadline } = order;
  const { services, translator, signal } = context;
  const progress: XmlProgress = { taken: 0, missing: [] };
  const rows = xmlFiles(
    basis.archive.read(selection, offset),
    {
      async fetch({ summary }, stop) {
        const reference = referenceOf(summary);
        return reference && (await services.memory.document(reference, { signal: stop, needsXml: true })).xml;
      },
      explain: (error) =>
        (error && explainFailure(error, translator)) ?? translator.say('analysis.not_alone'),
      atOnce: services.settings.concurrency,
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
    const file = await saved(order, context, ({ writeZip }, options) => writeZip(all(), options));
    return { file, progress };
  } finally {
    clearInterval(ticking);
  }
}

/** Documents without XML that an answer names; the manifest has all. */
const MOST_NAMED = 10;

function zipSentences({ stopped, missing }: XmlProgress, { translator }: CallContext): string[] {
  const named = missing.slice(0, MOST_NAMED).map(({ key, reason }) => `${key}: ${reason}`);
  return [
    ...(missing.length === 0
      ? []
      : [`⚠ ${translator.say('analysis.without_xml', { count: missing.length })}`, ...named]),
    ...(stopped === undefined
      ? []
      : [`⚠ ${translator.say('analysis.zip_stopped')} ${explainFailure(stopped, translator) ?? ''}`.trim()]),
  ];
}

export const exportDocuments = saveTool({
  name: 'export_documents',
  group: 'analysis',
  description: 'Save the documents of a period in the download folder.',
  input,
  output,
  async run(args, context) {
    const { services, translator } = context;
    if (services.settings.downloadDir === undefined) throw new Unfulfilled('failure.download_dir');
    const began = Date.now();
    const company = companyOf(args, context);
    const days = daysFrom(args, context);
    const { cursor, direction, document: area, ...others } = args;
    const query = { ...others, area, direction, company };
    const place = await readPlace(cursor, query, context);
    const given = filtersFrom(args, context);
    const filters = { ...given, status: given.status ?? statuses };
    const since = refreshSince(args.refresh, place, context);
    const basis = await ensureFetched({ ...days, company, area, by: 'issue' }, context, { since });
    const selection: Selection = {
      company,
      area,
      by: 'issue',
      ...days,
      filters,
      direction,
    };
    const { total, left_out } = await basis.archive.list({ ...selection, limit: 1 });
    if (place.total !== undefined && place.total !== total) throw new Unfulfilled('failure.list_changed');
    const order = { args, selection, basis, offset: place.offset, total, deadline: began + LONGEST_CALL_MS };
    const isWaiting = basis.pending.length > 0 || Date.now() - began > LONGEST_BEFORE_WRITING_MS;
    const save = args.format === 'zip' ? saveZip : saveTable;
    const { file, progress }: Outcome = isWaiting ? {} : await save(order, context);
    const reached = place.offset + (progress?.taken ?? 0);
    const isPart = progress !== undefined && reached < total;
    const nextCursor =
      isWaiting || isPart
        ? await cursorTo(
            { offset: reached, total: isWaiting ? place.total : total, asOf: since?.toISOString() },
            query,
          )
        : undefined;
    const subject = `${kindName(area)}, ${translator.say('cover.company', { company })}, ${translator.say('cover.period', days)}.`;
    const done = { rows: 0, bytes: 0, ...file };
    return {
      structured: {
        company,
        ...days,
        documents: total,
        ...basisOutput(basis, left_out, context),
        ...done,
        ...(progress !== undefined && args.format === 'zip' && { without_xml: progress.missing }),
        next_cursor: nextCursor,
      },
      text: [
        subject,
        ...basisSentences(basis, total, left_out, context),
        file === undefined
          ? translator.say('analysis.export_waits')
          : translator.say('analysis.exported', { path: file.path, rows: file.rows, bytes: file.bytes }),
        ...(progress ? zipSentences(progress, context) : []),
        ...(isPart ? [translator.say('analysis.export_part', { reached, total })] : []),
        ...(isPart && args.format === 'zip' ? [translator.say('analysis.zip_part')] : []),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ].join('\n'),
    };
  },
});
