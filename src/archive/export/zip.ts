import { createHash } from 'node:crypto';
import { writeNewFile } from '../../disk/new-file.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { fileNameOf, referenceOf } from '../references.ts';
import type { Column } from './column.ts';
import { byteOrderMark, headingLine, rowLine } from './csv.ts';
import { identityColumns } from './document-tables.ts';
import { countedRows, type Exported, type ExportOptions, type Rows } from './export.ts';
import { createZipContainer, zipTime } from './zip-container.ts';

/** A document with its file (its own XML, byte for byte as it was received, or a sheet), or why there is none. */
export type XmlRow = { readonly summary: DocumentSummary } & (
  | { readonly xml: Uint8Array }
  | { readonly reason: string }
);

interface ManifestRow {
  readonly summary: DocumentSummary;
  readonly file?: string;
  readonly sha256?: string;
  readonly bytes?: string;
  readonly remark?: string;
}

function ofDocument(column: Column<DocumentSummary>): Column<ManifestRow> {
  return { ...column, value: ({ summary }, language) => column.value(summary, language) };
}

const { key, kind, issuerId, number, issued, status } = identityColumns;

/** What the archive holds, and what of the documents asked for it does not: one line per document. */
const manifestColumns: readonly Column<ManifestRow>[] = [
  { heading: { 'pt-BR': 'Arquivo', en: 'File' }, kind: 'text', value: ({ file }) => file },
  ...[key, kind, issuerId, number, issued, status].map(ofDocument),
  { heading: { 'pt-BR': 'SHA-256', en: 'SHA-256' }, kind: 'text', value: ({ sha256 }) => sha256 },
  { heading: { 'pt-BR': 'Bytes', en: 'Bytes' }, kind: 'number', value: ({ bytes }) => bytes },
  { heading: { 'pt-BR': 'Observação', en: 'Remark' }, kind: 'text', value: ({ remark }) => remark },
];

const manifestFile = 'manifest.csv';

/** `<key>.xml`; an NFS-e without a key by issuer, number and day; an event by its document, code and sequence. */
function baseName(summary: DocumentSummary): string {
  const { event } = summary;
  if (summary.kind === 'event') return [summary.key, event?.code, event?.sequence].filter(Boolean).join('-');
  if (summary.key !== undefined) return summary.key;
  const reference = referenceOf(summary);
  return reference === undefined ? '' : fileNameOf(reference);
}

/** Names of which no two are alike, also where a file system does not tell capitals apart. */
function createNames(ending: string): (summary: DocumentSummary) => string {
  const copies = new Map<string, number>();

  function take(name: string): string {
    const copy = (copies.get(name.toLowerCase()) ?? 0) + 1;
    copies.set(name.toLowerCase(), copy);
    return copy === 1 ? name : take(`${name}_${copy}`);
  }

  return (summary) => `${take(baseName(summary).replace(/[^0-9A-Za-z-]/g, '_') || summary.kind)}.${ending}`;
}

/**
 * Writes the files of documents, XML unless told otherwise, into one ZIP, and a list of them with their hashes at its
 * end (`manifest.csv`), which also names documents whose XML could not be had. The rows of the answer are the files.
 * Each file is dated by its document, so that the same documents give the same bytes. What is kept in memory is the
 * list: some three hundred bytes per document.
 * @throws FileNotWritten, the signal's reason, or what the rows throw; nothing is left behind then
 */
export async function writeZip(
  rows: Rows<XmlRow>,
  options: ExportOptions,
  ending: 'xml' | 'pdf' = 'xml',
): Promise<Exported> {
  const { folder, name, language, signal } = options;
  const counted = countedRows(rows, options);
  let files = 0;
  const saved = await writeNewFile(
    { folder, name, ending: 'zip' },
    async (sink) => {
      const zip = createZipContainer(sink);
      const nameOf = createNames(ending);
      const manifest = [Buffer.from(byteOrderMark + headingLine(manifestColumns, language))];
      const list = (row: ManifestRow) =>
        void manifest.push(Buffer.from(rowLine(manifestColumns, row, language)));
      for await (const row of counted.rows) {
        const { summary } = row;
        if ('reason' in row) {
          list({ summary, remark: row.reason });
          continue;
        }
        const { xml } = row;
        files += 1;
        const file = nameOf(summary);
        await zip.add(file, xml, zipTime(summary.issued_at ?? summary.event?.at));
        const sha256 = createHash('sha256').update(xml).digest('hex');
        list({ summary, file, sha256, bytes: String(xml.length) });
      }
      await zip.add(manifestFile, Buffer.concat(manifest), zipTime(undefined));
      await zip.finish();
    },
    signal,
  );
  return { ...saved, rows: files };
}
