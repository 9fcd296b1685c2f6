const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,20}))?$/;
const PLACES = 20;

/** A decimal text as a whole number of its last place; undefined for what is none. */
function scaled(text: string): bigint | undefined {
  const [, sign = '', whole, places = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const value = BigInt(`${whole}${places.padEnd(PLACES, '0')}`);
  return sign === '' ? value : -value;
}

function placesOf(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point - 1;
}

function written(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(PLACES + 1, '0');
  const whole = digits.slice(0, -PLACES);
  const rest = digits.slice(-PLACES).slice(0, places);
  return `${value < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** The exact sum; undefined where there is no part, or one is no number: a sum of half the parts would be wrong. */
export function sumOf(parts: readonly string[]): string | undefined {
  let sum = 0n;
  let places = 0;
  for (const part of parts) {
    const value = scaled(part);
    if (value === undefined) return undefined;
    sum += value;
    places = Math.max(places, placesOf(part));
  }
  return parts.length === 0 ? undefined : written(sum, places);
}

/** How much the second is more than the first, exactly, and in per cent of the first where that isn't nothing. */
export function differenceOf(
  before: string,
  after: string,
): { readonly amount: string; readonly percent?: number } | undefined {
  const [from, to] = [scaled(before), scaled(after)];
  if (from === undefined || to === undefined) return undefined;
  const amount = written(to - from, Math.max(placesOf(before), placesOf(after)));
  const base = Number(before);
  return base === 0 ? { amount } : { amount, percent: (Number(amount) / Math.abs(base)) * 100 };
}
