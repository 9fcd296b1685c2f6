import { money as decimal, taxId } from '../../render/printed.ts';
import type { Speaker } from '../frame/words.ts';
import type { Column, Row } from './columns.ts';

/** Columns of tax ids, which are read with their mask. */
const partyIds = new Set(['issuer', 'recipient', 'payer']);

/** Days left, in words. */
function daysText(text: string, speaker: Speaker): string {
  const days = Number(text);
  if (!Number.isInteger(days)) return text;
  if (days === 0) return speaker.say('view.last_day');
  return days < 0 ? speaker.say('view.days_over', { days: -days }) : speaker.say('view.days_left', { days });
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number as the language has it; a quantity keeps its unit. */
function numberText(text: string, { language }: Speaker): string {
  const [number = '', ...unit] = text.split(' ');
  if (!/^-?\d+(\.\d+)?$/.test(number) || text.includes('|')) return text;
  const places = number.split('.')[1]?.length ?? 0;
  const name = `${language} ${places}`;
  const format =
    formats.get(name) ??
    new Intl.NumberFormat(language, { minimumFractionDigits: places, maximumFractionDigits: 20 });
  formats.set(name, format);
  return [format.format(number as `${number}`), ...unit].join(' ');
}

/** A cell as people read it; nothing for what the answer doesn't say. */
export function cellText({ kind, name, words = '' }: Column, row: Row, speaker: Speaker): string {
  const text = row.cells[name];
  if (text === undefined) return '';
  switch (kind) {
    case 'difference':
      return `${text.startsWith('-') ? '' : '+'}${cellText({ kind: 'money', name, heading: '' }, row, speaker)}`;
    case 'money':
      return speaker.language === 'en' ? numberText(text, speaker) : decimal(text);
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
      return partyIds.has(name) ? taxId(text) : text;
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
