import { isDecimal } from '../../../documents/decimals.ts';

/** Amounts are kept as whole millionths of a real. Source: the totals of all layouts have 2 decimals, some have 4. */
const places = 6;
/** Ninety of the largest amounts, of a hundred billion reais each, still add up within 64 bits. */
const largest = 10n ** 17n;

const shownPlaces = 2;

/** Millionths; undefined where the text is no number or has more decimals or digits than can be held exactly. */
export function unitsOf(text: string): bigint | undefined {
  if (!isDecimal(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  const kept = decimals.replace(/0+$/, '');
  if (kept.length > places) return undefined;
  const units = BigInt(whole.replace('-', '') + kept.padEnd(places, '0'));
  if (units >= largest) return undefined;
  return text.startsWith('-') ? -units : units;
}

/** The decimal text of a whole number of millionths, with two decimals or as many more as it takes. */
export function amountText(units: string): string {
  const negative = units.startsWith('-');
  const digits = units.slice(negative ? 1 : 0).padStart(places + 1, '0');
  const decimals = digits.slice(-places).replace(/0+$/, '').padEnd(shownPlaces, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -places)}.${decimals}`;
}
