import type { Speaker } from '../frame/words.ts';
import { cellText } from './cells.ts';
import type { Column, Row } from './columns.ts';

/** What a spreadsheet takes for the beginning of a formula. Text by strangers must not become one. */
const FORMULA = /^[=+\-@\t\r\n]/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

function plain(column: Column, row: Row, speaker: Speaker): string {
  const text = row.cells[column.name] ?? '';
  switch (column.kind) {
    case 'money':
    case 'number':
    case 'days':
    case 'difference':
      if (DECIMAL.test(text)) return text.replace('.', ',');
      break;
    case 'code':
      // A tab in front keeps an identifier text in a spreadsheet, which else turns 44 digits into 3.5E+43.
      if (/^[0-9A-Za-z]+$/.test(text)) return `\t${text}`;
      break;
    case 'word':
      return cellText(column, row, speaker);
  }
  return FORMULA.test(text) ? `'${text}` : text;
}

function line(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[";\r\n\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(';')}\r\n`;
}

/** Rows as a spreadsheet in Brazil opens them: semicolons, decimal comma, days as in ISO 8601. */
export function csvOf(columns: readonly Column[], rows: readonly Row[], speaker: Speaker): string {
  return [
    line(columns.map(({ heading }) => heading)),
    ...rows.map((row) => line(columns.map((column) => plain(column, row, speaker)))),
  ].join('');
}
