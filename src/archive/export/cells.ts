import { isDecimal } from '../../documents/decimals.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { escapeXml } from '../../documents/untrusted.ts';
import { type ColumnKind, dayOf } from './table.ts';

export const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Cell formats by name, in the order of the styles: number format, font, fill and border by their places there. */
const cellFormats = {
  text: [0],
  code: [49],
  money: [4],
  number: [0],
  date: [164],
  // Rows that count in no total are grey.
  grey_text: [0, 2],
  grey_code: [49, 2],
  grey_money: [4, 2],
  grey_number: [0, 2],
  grey_date: [164, 2],
  heading: [0, 1, 2, 1],
  total: [0, 1, 0, 2],
  total_money: [4, 1, 0, 2],
  title: [0, 3],
  label: [0, 1],
} as const satisfies Readonly<Record<string, readonly number[]>>;
export type Format = keyof typeof cellFormats;
export const placeOf = new Map(Object.keys(cellFormats).map((name, place) => [name, place]));

const cellStyles = Object.entries<readonly number[]>(cellFormats).map(
  ([name, [format, font = 0, fill = 0, border = 0]]) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" ` +
    'applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">' +
    `<alignment vertical="${name === 'heading' ? 'center" wrapText="1' : 'top'}"/></xf>`,
);
const font = (form: string, size = 11) => `<font>${form}<sz val="${size}"/><name val="Calibri"/></font>`;
const edge = (side: 'top' | 'bottom') => {
  const line = (name: string) =>
    name === side ? `<${name} style="thin"><color auto="1"/></${name}>` : `<${name}/>`;
  return `<border>${['left', 'right', 'top', 'bottom', 'diagonal'].map(line).join('')}</border>`;
};
export const STYLES = `${HEAD}<styleSheet xmlns="${SPREADSHEET}">
<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>
<fonts count="4">${font('')}${font('<b/>')}<font><sz val="11"/><color rgb="FF7F7F7F"/><name val="Calibri"/></font>${font('<b/>', 14)}</fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFDDE5EC"/><bgColor indexed="64"/></patternFill></fill></fills>
<borders count="3"><border><left/><right/><top/><bottom/><diagonal/></border>${edge('bottom')}${edge('top')}</borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${cellStyles.length}">${cellStyles.join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;

/** Text that Excel would read as an escaped character. */
const ESCAPE_LIKE = /_(?=x[0-9A-Fa-f]{4}_)/g;
/** Characters of a cell. */
const LONGEST_TEXT = 32_767;
/** A cell's number is a double: with more digits than this it would be another number. */
const EXACT_DIGITS = 15;
/** Day 0 of a workbook, as it counts from March 1900 on; before, its days are one off. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_COUNTED_DAY = '1900-03-01';

/** A cell of text, cut to what a cell may hold. */
export function textCell(reference: string, format: Format, text: string): string {
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
  const escaped = escapeXml(shown.replace(ESCAPE_LIKE, '_x005F_'));
  return `<c r="${reference}" s="${placeOf.get(format)}" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

/** A cell of a number, as decimal text that a double holds exactly. */
export function numberCell(reference: string, format: Format, number: string): string {
  return `<c r="${reference}" s="${placeOf.get(format)}"><v>${number}</v></c>`;
}

/** The number that a cell of this kind holds; undefined where it must stay text. */
function numberOf(kind: ColumnKind, value: string): string | undefined {
  if (kind === 'date') {
    const day = dayOf(value);
    if (day === undefined || day < FIRST_COUNTED_DAY) return undefined;
    return String((Date.parse(`${day}T00:00:00Z`) - DAY_ZERO) / 86_400_000);
  }
  if ((kind !== 'money' && kind !== 'number') || !isDecimal(value)) return undefined;
  return value.replace(/\D/g, '').replace(/^0+/, '').length <= EXACT_DIGITS ? value : undefined;
}

/** A value as its column has it; `grey` where its row counts in no total. */
export function valueCell(reference: string, kind: ColumnKind, value: string, isGrey: boolean): string {
  const number = numberOf(kind, value);
  const plain = kind === 'tax_id' ? 'code' : number === undefined && kind !== 'code' ? 'text' : kind;
  const format = isGrey ? (`grey_${plain}` as const) : plain;
  if (number !== undefined) return numberCell(reference, format, number);
  return textCell(reference, format, kind === 'tax_id' ? maskTaxId(value) : value);
}

/** An amount that was added up: a number where a cell can hold it exactly, else text. */
export function amountCell(reference: string, format: Format, amount: string): string {
  const number = numberOf('money', amount);
  return number === undefined ? textCell(reference, format, amount) : numberCell(reference, format, number);
}

/** `A` for the first column, `AA` for the twenty-seventh. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}
