import { keyGroups, money, quantity, taxId } from '../../sheets/printed.ts';
import type { Speaker } from '../frame/words.ts';
import type { Column, Row } from './table.ts';

/** Columns of tax ids, which are read with their mask. */
const isPartyId = (name: string) => /^(issuer|recipient|counterparty|payer)$/.test(name);

/** Days left, in words. */
function daysText(text: string, speaker: Speaker): string {
  const days = Number(text);
  if (!Number.isInteger(days)) return text;
  if (days === 0) return speaker.say('last_day');
  return days < 0 ? speaker.say('days_over', { days: -days }) : speaker.say('days_left', { days });
}

/** A number as the language has it, of one that is written in Portuguese. */
export function inLanguage(text: string, { language }: Speaker): string {
  return language === 'en' ? text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : text;
}

/** A number as the language has it; a quantity keeps its unit. */
function numberText(text: string, speaker: Speaker): string {
  const [number = '', ...unit] = text.split(' ');
  return text.includes('|') ? text : [inLanguage(quantity(number), speaker), ...unit].join(' ');
}

/** A cell as people read it; nothing for what the answer doesn't say. */
export function cellText({ kind, name, words = '' }: Column, row: Row, speaker: Speaker): string {
  const text = row.cells[name];
  if (text === undefined) return '';
  switch (kind) {
    case 'difference':
      return `${text.startsWith('-') ? '' : '+'}${cellText({ kind: 'money', name, heading: '' }, row, speaker)}`;
    case 'money':
      return inLanguage(money(text), speaker);
    case 'number':
      return numberText(text, speaker);
    case 'day':
    case 'month':
      return speaker.day(text);
    case 'word':
      return speaker.name(words, text);
    case 'days':
      return daysText(text, speaker);
    case 'code':
      return name === 'key' ? keyGroups(text) : isPartyId(name) ? taxId(text) : text;
    default:
      return text;
  }
}

const asNumber = (text: string): number => Number(text.split(' ')[0]);

/** The order of two cells of a column; what has nothing in it comes last. */
export function compareCells({ name, kind }: Column, collator: Intl.Collator) {
  const isNumber = kind === 'money' || kind === 'number' || kind === 'days' || kind === 'difference';
  return (one: Row, other: Row): number => {
    const [a, b] = [one.cells[name], other.cells[name]];
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
    return isNumber ? asNumber(a) - asNumber(b) || 0 : collator.compare(a, b);
  };
}

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
