import { writeNewFile } from '../../disk/new-file.ts';
import type { Table } from './column.ts';
import { byteOrderMark, headingLine, rowLine } from './csv-cells.ts';
import { countedRows, type Exported, type ExportOptions, type Rows } from './export.ts';

/**
 * Writes a table as CSV for Excel in Brazil, row by row. The guard against formulas, the decimal comma and what keeps
 * identifiers text are in `csv-cells.ts`.
 * @throws FileNotWritten, the signal's reason, or what the rows throw; nothing is left behind then
 */
export async function writeCsv<Row>(
  rows: Rows<Row>,
  { columns }: Table<Row>,
  options: ExportOptions,
): Promise<Exported> {
  const { folder, name, language, signal } = options;
  const counted = countedRows(rows, options);
  const saved = await writeNewFile(
    { folder, name, ending: 'csv' },
    async (sink) => {
      await sink.write(Buffer.from(byteOrderMark + headingLine(columns, language)));
      for await (const row of counted.rows) {
        await sink.write(Buffer.from(rowLine(columns, row, language)));
      }
    },
    signal,
  );
  return { ...saved, rows: counted.count };
}
