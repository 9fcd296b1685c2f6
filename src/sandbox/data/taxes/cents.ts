/** Money in whole cents. */
export type Cents = number;

/** A rate in hundredths of a percent: 18 % is 1800, 0.1 % is 10. */
export type Rate = number;

function withPoint(value: number, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** `1234.50`. */
export function formatCents(cents: Cents): string {
  return withPoint(cents, 2);
}

/** `18.00`, or with more decimals as a layout asks for. */
export function formatRate(rate: Rate, decimals = 2): string {
  return withPoint(rate, 2) + '0'.repeat(decimals - 2);
}

/** A quantity in ten-thousandths as `12.5000`. */
export function formatQuantity(tenThousandths: number): string {
  return withPoint(tenThousandths, 4);
}

/** `value × numerator ÷ denominator`, rounded half up. All are whole and not negative. */
export function proportion(value: Cents, numerator: number, denominator: number): Cents {
  return Math.floor((value * numerator * 2 + denominator) / (denominator * 2));
}

/** What a rate makes of a base, rounded half up. */
export function taxOn(base: Cents, rate: Rate): Cents {
  return proportion(base, rate, 10_000);
}

export function sumOf<T>(items: readonly T[], value: (item: T) => Cents): Cents {
  return items.reduce((sum, item) => sum + value(item), 0);
}

/** Parts as equal as cents allow; they add up to the whole. The last one takes what is left over. */
export function installmentsOf(total: Cents, parts: number): Cents[] {
  const part = Math.floor(total / parts);
  return Array.from({ length: parts }, (_, i) => (i === parts - 1 ? total - part * (parts - 1) : part));
}

const inBrazil = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 });

/** `1.234,50`, as people write it. */
export function brazilianMoney(cents: Cents): string {
  return inBrazil.format(formatCents(cents) as `${number}`);
}
