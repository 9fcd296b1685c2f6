import { keyGroups, money, quantity, taxId } from '../../sheets/printed.ts';
import type { Speaker } from '../frame/words.ts';
import type { Column, Row } from './columns.ts';

/** Columns of tax ids, which are read with their mask. */
const partyIds = new Set(['issuer', 'recipient', 'payer']);

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
      return name === 'key' ? keyGroups(text) : partyIds.has(name) ? taxId(text) : text;
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
