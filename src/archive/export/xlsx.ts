import { writeNewFile } from '../../disk/new-file.ts';
import type { Column, ColumnKind, HeadingLanguage, Table } from './column.ts';
import { countedRows, type Exported, type ExportOptions, type Rows } from './export.ts';
import {
  columnLetters,
  headingRow,
  sheetNamespace,
  sheetPath,
  valueRow,
  workbookParts,
} from './xlsx-parts.ts';
import { createZipContainer, type ZipContainer, zipTime } from './zip-container.ts';

/** Rows a sheet may have, its heading among them; what is more goes on in a further sheet. */
const rowsPerSheet = 1_048_576;

const PIECE_CHARACTERS = 64 * 1024;

/** In characters. */
const widthOf: Readonly<Record<ColumnKind, number>> = { text: 20, code: 20, money: 14, number: 12, date: 12 };

function widths<Row>(columns: readonly Column<Row>[]): string {
  const list = columns.map(({ kind, characters = widthOf[kind] }, i) => {
    const place = i + 1;
    return `<col min="${place}" max="${place}" width="${characters}" customWidth="1"/>`;
  });
  return `<cols>${list.join('')}</cols>`;
}

/** The heading stays in view. */
const FROZEN_HEADING =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/**
 * One sheet, in pieces, from as many rows as it may have.
 * @param first the row the iterator gave last
 * @param onEnd given the first row that is not in this sheet
 */
async function* sheet<Row>(
  columns: readonly Column<Row>[],
  language: HeadingLanguage,
  first: IteratorResult<Row>,
  rows: AsyncIterator<Row>,
  onEnd: (next: IteratorResult<Row>) => void,
): AsyncGenerator<string> {
  let piece =
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${sheetNamespace}">` +
    `${FROZEN_HEADING}${widths(columns)}<sheetData>${headingRow(columns, language)}`;
  let rowNumber = 1;
  let next = first;
  while (next.done !== true && rowNumber < rowsPerSheet) {
    rowNumber++;
    piece += valueRow(columns, next.value, rowNumber, language);
    if (piece.length > PIECE_CHARACTERS) {
      yield piece;
      piece = '';
    }
    next = await rows.next();
  }
  onEnd(next);
  const range = `A1:${columnLetters(columns.length - 1)}${rowNumber}`;
  yield `${piece}</sheetData><autoFilter ref="${range}"/></worksheet>`;
}

/** The parts of a workbook have no date of their own, so that the same rows give the same bytes. */
const UNDATED = zipTime(undefined);

async function writeWorkbook<Row>(
  zip: ZipContainer,
  rows: AsyncIterator<Row>,
  { columns, title }: Table<Row>,
  language: HeadingLanguage,
): Promise<void> {
  const names: string[] = [];
  let next = await rows.next();
  do {
    names.push(names.length === 0 ? title[language] : `${title[language]} (${names.length + 1})`);
    const pieces = sheet(columns, language, next, rows, (rest) => {
      next = rest;
    });
    await zip.addStream(sheetPath(names.length), pieces, UNDATED);
  } while (next.done !== true);
  for (const [path, text] of Object.entries(workbookParts(names))) {
    await zip.add(path, Buffer.from(text), UNDATED);
  }
  await zip.finish();
}

/**
 * Writes a table as an Excel workbook, row by row: identifiers are text, money and quantities numbers, days real days.
 * Text is never a formula in a workbook. A number of more than fifteen digits stays text, since a cell could not hold
 * it exactly.
 * @throws FileNotWritten, EntryTooLarge, the signal's reason, or what the rows throw; nothing is left behind then
 */
export async function writeXlsx<Row>(
  rows: Rows<Row>,
  { columns, title }: Table<Row>,
  options: ExportOptions,
): Promise<Exported> {
  const { folder, name, language, signal } = options;
  const counted = countedRows(rows, options);
  const saved = await writeNewFile(
    { folder, name, ending: 'xlsx' },
    async (sink) => {
      try {
        await writeWorkbook(createZipContainer(sink), counted.rows, { columns, title }, language);
      } finally {
        await counted.rows.return(undefined);
      }
    },
    signal,
  );
  return { ...saved, rows: counted.count };
}
