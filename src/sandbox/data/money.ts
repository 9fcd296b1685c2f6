/** Money in whole cents. */
export type Cents = number;

/** `1234.50`. */
export function formatCents(cents: Cents): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
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
