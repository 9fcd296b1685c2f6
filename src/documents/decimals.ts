const DECIMAL = /^-?\d{1,20}(?:\.\d{1,20})?$/;

/** True for a number in the notation of fiscal files: digits, at most one point, no exponent, no separators. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
/** Sums of amounts this long are exact in a double. */
const LONGEST_AMOUNT = 16;

/** An amount of money (`-12.50`) in cents; NaN for other notations and for amounts too long to be exact. */
function centsIn(text: string): number {
  const point = text.length - 3;
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  if (point <= start || text.length > LONGEST_AMOUNT) return Number.NaN;
  let cents = 0;
  for (let i = start; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (i === point) {
      if (digit !== POINT - ZERO) return Number.NaN;
    } else {
      if (digit < 0 || digit > 9) return Number.NaN;
      cents = cents * 10 + digit;
    }
  }
  return start === 0 ? cents : -cents;
}

const twoDigits = Array.from({ length: 100 }, (_, cents) => String(cents).padStart(2, '0'));

function fromCents(cents: number): string {
  const amount = Math.abs(cents);
  const rest = amount % 100;
  return `${cents < 0 ? '-' : ''}${(amount - rest) / 100}.${twoDigits[rest]}`;
}

function decimalPlaces(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point - 1;
}

/** A decimal as an integer, scaled to `places`, which must not be fewer than its own. */
function unitsIn(text: string, places: number): bigint {
  return BigInt(text.replace('.', '') + '0'.repeat(places - decimalPlaces(text)));
}

function fromUnits(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${units < 0n ? '-' : ''}${whole}${places === 0 ? '' : `.${digits.slice(-places)}`}`;
}

/** The product, in plain notation with all its decimal places. Both must be decimals. */
export function multiplyDecimals(first: string, second: string): string {
  const places = decimalPlaces(first) + decimalPlaces(second);
  return fromUnits(unitsIn(first, decimalPlaces(first)) * unitsIn(second, decimalPlaces(second)), places);
}

/** Removes trailing zeros after the decimal point. */
export function withoutEndingZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** Rounds to `places` decimal places, half away from zero. */
export function roundDecimal(text: string, places: number): string {
  const surplus = decimalPlaces(text) - places;
  if (surplus <= 0) return fromUnits(unitsIn(text, places), places);
  const scale = 10n ** BigInt(surplus);
  const units = unitsIn(text, decimalPlaces(text));
  const half = units < 0n ? -scale / 2n : scale / 2n;
  return fromUnits((units + half) / scale, places);
}

/** The exact sum with the most decimal places of its parts. Undefined if all are missing or one is no number. */
export function addDecimals(parts: readonly (string | undefined)[]): string | undefined {
  let isEmpty = true;
  // NaN unless all parts are amounts and the sum is exact, as in nearly every document.
  let cents = 0;
  for (const part of parts) {
    if (part === undefined) continue;
    isEmpty = false;
    cents = Math.abs(cents) > Number.MAX_SAFE_INTEGER / 2 ? Number.NaN : cents + centsIn(part);
  }
  if (isEmpty) return undefined;
  if (!Number.isNaN(cents)) return fromCents(cents);
  const given = parts.filter((part) => part !== undefined);
  if (!given.every(isDecimal)) return undefined;
  const places = Math.max(...given.map(decimalPlaces));
  return fromUnits(
    given.reduce((sum, part) => sum + unitsIn(part, places), 0n),
    places,
  );
}

/** The negated number. */
export function negateDecimal(text: string): string {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}

/** The absolute difference. Both must be decimals. */
export function distance(first: string, second: string): string {
  return (addDecimals([first, negateDecimal(second)]) ?? '').replace('-', '');
}

/** Negative, 0 or positive if the first is less than, equal to or greater than the second. Both must be decimals. */
export function compareDecimals(first: string, second: string): number {
  if (first === second) return 0;
  const difference = centsIn(first) - centsIn(second);
  if (!Number.isNaN(difference)) return difference;
  const places = Math.max(decimalPlaces(first), decimalPlaces(second));
  const exact = unitsIn(first, places) - unitsIn(second, places);
  return exact === 0n ? 0 : exact < 0n ? -1 : 1;
}

/** True if two texts are the same number, such as `10` and `10.00`. Other texts equal only themselves. */
export function sameDecimal(first: string, second: string): boolean {
  if (first === second) return true;
  return isDecimal(first) && isDecimal(second) && compareDecimals(first, second) === 0;
}
