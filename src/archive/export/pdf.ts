import { writeNewFile } from '../../disk/new-file.ts';
import { countedRows, type Exported, type ExportOptions, type Rows } from './export.ts';
import { writeZip, type XmlRow } from './zip.ts';

/**
 * Writes the sheets of documents into one PDF, which `join` makes of them. Where there is not one sheet, a ZIP says of
 * each document why.
 * @throws FileNotWritten, the signal's reason, or what the rows throw; nothing is left behind then
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
  const bytes = await join(sheets);
  const saved = await writeNewFile({ folder, name, ending: 'pdf' }, (sink) => sink.write(bytes), signal);
  return { ...saved, rows: sheets.length };
}
