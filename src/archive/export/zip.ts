import { createHash } from 'node:crypto';
import { writeNewFile } from '../../disk/new-file.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { fileNameOf, referenceOf } from '../references.ts';
import { byteOrderMark, headingLine, rowLine } from './csv.ts';
import { identityColumns } from './document-tables.ts';
import { type Column, countedRows, type Exported, type ExportOptions, type Rows } from './table.ts';
import { type ZipEntry, zipped } from './zip-container.ts';

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

/** `<key>.xml`; an NFS-e without a key by issuer, number and day; an event by its document, code and sequence. */
function baseName(summary: DocumentSummary): string {
  const { event } = summary;
  if (summary.kind === 'event') return [summary.key, event?.code, event?.sequence].filter(Boolean).join('-');
  if (summary.key !== undefined) return summary.key;
  const reference = referenceOf(summary);
  return reference === undefined ? '' : fileNameOf(reference);
}

/** Names of which no two are alike, also where a file system does not tell capitals apart. */
export function createNames(ending: string): (summary: DocumentSummary) => string {
  const copies = new Map<string, number>();

  function take(name: string): string {
    const copy = (copies.get(name.toLowerCase()) ?? 0) + 1;
    copies.set(name.toLowerCase(), copy);
    return copy === 1 ? name : take(`${name}_${copy}`);
  }

  return (summary) => `${take(baseName(summary).replace(/[^0-9A-Za-z-]/g, '_') || summary.kind)}.${ending}`;
}

/**
 * Writes the files of documents into one ZIP, and a list of them with their hashes at its end (`manifest.csv`), which
 * also names documents without a file. The rows of the answer are the files. Each file is dated by its document, so
 * that the same documents give the same bytes. Only the list is held: some three hundred bytes per document.
 * @throws FileNotWritten, the signal's reason, or the rows' error; nothing is left behind then
 */
export async function writeZip(
  rows: Rows<XmlRow>,
  options: ExportOptions,
  ending: 'xml' | 'pdf' = 'xml',
): Promise<Exported> {
  const { folder, name, language, signal } = options;
  let files = 0;
  async function* entries(): AsyncGenerator<ZipEntry> {
    const nameOf = createNames(ending);
    const manifest = [Buffer.from(byteOrderMark + headingLine(manifestColumns, language))];
    const list = (row: ManifestRow) =>
      void manifest.push(Buffer.from(rowLine(manifestColumns, row, language)));
    for await (const row of countedRows(rows, options).rows) {
      const { summary } = row;
      if ('reason' in row) {
        list({ summary, remark: row.reason });
        continue;
      }
      const { xml } = row;
      files += 1;
      const file = nameOf(summary);
      yield { name: file, content: xml, modified: summary.issued_at ?? summary.event?.at };
      const sha256 = createHash('sha256').update(xml).digest('hex');
      list({ summary, file, sha256, bytes: String(xml.length) });
    }
    yield { name: 'manifest.csv', content: Buffer.concat(manifest) };
  }
  const saved = await writeNewFile({ folder, name, ending: 'zip' }, zipped(entries()), signal);
  return { ...saved, rows: files };
}

/**
 * Writes the sheets of documents into one PDF, which `join` makes of them. Without a single sheet, a ZIP says of each
 * document why.
 * @throws FileNotWritten, the signal's reason, or the rows' error; nothing is left behind then
 */
export async function writePdf(
  rows: Rows<XmlRow>,
  options: ExportOptions,
  join: (sheets: readonly Uint8Array[]) => Promise<Uint8Array>,
): Promise<Exported> {
  const { folder, name, signal } = options;
  const all: XmlRow[] = [];
  for await (const row of countedRows(rows, options).rows) all.push(row);
  const sheets = all.flatMap((row) => ('xml' in row ? row.xml : []));
  if (sheets.length === 0) return writeZip(all, options, 'pdf');
  const saved = await writeNewFile({ folder, name, ending: 'pdf' }, [await join(sheets)], signal);
  return { ...saved, rows: sheets.length };
}
