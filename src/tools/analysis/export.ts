import * as z from 'zod';
import type { Exported, ExportOptions, XmlRow } from '../../archive/export/index.ts';
import { referenceOf } from '../../archive/references.ts';
import type { StoredDocument } from '../../archive/store/index.ts';
import type { Selection } from '../../archive/store/question.ts';
import { kindName } from '../../messages/kinds.ts';
import { companyOf } from '../coverage.ts';
import { readTool, type ToolContext } from '../definition.ts';
import { Unfulfilled } from '../failure.ts';
import { shared } from '../parameters.ts';
import { type Basis, basisOutput, basisSentences, basisShape, layBasis } from './basis.ts';
import { filterShape, filtersFrom, statuses } from './filters.ts';
import { offsetCursor, readOffset } from './offset-cursor.ts';
import { daysFrom } from './period.ts';

/** How long documents whose XML is not kept may be fetched one by one. */
const LONGEST_XML_FETCH_MS = 25_000;

function input() {
  const { issuer, recipient, status } = filterShape();
  return z.strictObject({
    document: shared.document(),
    cnpj: shared.cnpj(),
    from: shared.date(),
    to: shared.date(),
    direction: shared.direction().optional(),
    issuer,
    recipient,
    status,
    format: z.enum(['csv', 'xlsx', 'zip']).describe('zip: the XML files'),
    rows: z.enum(['documents', 'items']).default('documents').describe('Default documents'),
    cursor: shared.cursor(),
  });
}

type Arguments = z.output<ReturnType<typeof input>>;

async function* summaries(documents: AsyncIterable<StoredDocument>) {
  for await (const { summary, status: now } of documents) yield { ...summary, status: now };
}

/** The documents with their XML: as it is kept, else fetched one by one while time allows. */
async function* withXml(
  documents: AsyncIterable<StoredDocument>,
  context: ToolContext,
): AsyncGenerator<XmlRow> {
  const until = Date.now() + LONGEST_XML_FETCH_MS;
  for await (const { summary, xml } of documents) {
    if (xml !== undefined) {
      yield { summary, xml: Buffer.from(xml) };
      continue;
    }
    const reference = referenceOf(summary);
    if (reference === undefined || Date.now() > until) throw new Unfulfilled('failure.zip_needs_xml');
    const document = await context.services.library.document(reference, context.signal);
    yield { summary, xml: Buffer.from(document.xml) };
  }
}

async function write(
  args: Arguments,
  selection: Selection,
  basis: Basis,
  context: ToolContext,
): Promise<Exported> {
  const { services, translator, signal } = context;
  const folder = services.settings.downloadDir;
  if (folder === undefined) throw new Unfulfilled('failure.download_dir');
  const exports = await import('../../archive/export/index.ts');
  const parts = [args.document, selection.company, selection.from, selection.to];
  const options: ExportOptions = {
    folder,
    name: [...parts, ...(args.rows === 'items' ? ['itens'] : [])].join('-'),
    language: translator.language,
    signal,
    onProgress(rows) {
      // Progress is a courtesy: the file does not wait for it.
      void context.progress(rows, rows, translator.say('analysis.exporting', { rows }));
    },
  };
  const documents = basis.archive.read(selection);
  try {
    if (args.format === 'zip') return await exports.writeZip(withXml(documents, context), options);
    const writeTable = args.format === 'csv' ? exports.writeCsv : exports.writeXlsx;
    return args.rows === 'items'
      ? await writeTable(exports.itemRows(summaries(documents)), exports.itemTable, options)
      : await writeTable(summaries(documents), exports.documentTable, options);
  } catch (error) {
    if (error instanceof exports.EntryTooLarge) {
      throw new Unfulfilled('failure.not_saved', { file: options.name, code: 'EFBIG' });
    }
    if (!(error instanceof exports.FileNotWritten)) throw error;
    throw new Unfulfilled('failure.not_saved', { file: error.file, code: error.code });
  }
}

export const exportDocuments = readTool({
  name: 'export_documents',
  group: 'analysis',
  description: 'Save the documents of a period in the download folder.',
  input,
  output: () => z.object({ ...basisShape(), path: z.string().optional(), rows: z.int(), bytes: z.int() }),
  async run(args, context) {
    const { services, translator } = context;
    if (services.settings.downloadDir === undefined) throw new Unfulfilled('failure.download_dir');
    const { cursor, ...query } = args;
    const company = companyOf(args, context);
    const days = daysFrom(args, context);
    await readOffset(cursor, { ...query, company }, context);
    const basis = await layBasis({ ...days, company, area: args.document, by: 'issue' }, context);
    const filters = { status: statuses, ...filtersFrom(args) };
    const { direction } = args;
    const selection = {
      company,
      area: args.document,
      by: 'issue',
      ...days,
      filters,
      ...(direction && { direction }),
    } as const;
    const isWaiting = basis.pending.length > 0;
    const saved = isWaiting ? { rows: 0, bytes: 0 } : await write(args, selection, basis, context);
    const nextCursor = isWaiting ? await offsetCursor(0, { ...query, company }) : undefined;
    const subject = `${kindName(args.document)}, ${translator.say('cover.company', { company })}, ${translator.say('cover.period', days)}.`;
    return {
      structured: {
        company,
        ...days,
        documents: saved.rows,
        ...basisOutput(basis, []),
        ...saved,
        ...(nextCursor !== undefined && { next_cursor: nextCursor }),
      },
      text: [
        subject,
        ...basisSentences(basis, saved.rows, [], context).slice(1),
        'path' in saved
          ? translator.say('analysis.exported', { path: saved.path, rows: saved.rows, bytes: saved.bytes })
          : translator.say('analysis.export_waits'),
        ...(nextCursor === undefined ? [] : [translator.say('cover.next', { cursor: nextCursor })]),
      ].join('\n'),
    };
  },
});
