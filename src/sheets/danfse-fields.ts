import { DASH, money } from './printed.ts';
import { type Field, field } from './sheet.ts';

/** An empty field is a dash on this form. */
export function shown(label: string, value: string | undefined, width: number): Field {
  return field(label, value || DASH, width);
}

/** What a code means; a code that no table has stays. */
export function word(code: string | undefined, table: Readonly<Record<string, string>>): string | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : code;
}

/** An amount with its currency; absent is empty. */
export function reais(text: string | undefined): string {
  return text === undefined ? '' : `R$ ${money(text)}`;
}

/** A rate; absent is empty. */
export function percent(text: string | undefined): string {
  return text === undefined ? '' : `${money(text)}%`;
}
