import type { Sections } from '../../summary/collected.ts';

/**
 * A decimal as the rest of the program writes it, from `1.234,56`. Without a comma the text stays: its point is a
 * decimal point already, which layouts with commas never use alone.
 */
export function withDecimalPoint(text: string): string {
  return /^-?[\d.]*,\d+$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text;
}

function mend(texts: Record<string, string | undefined>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text?.includes(',')) texts[name] = withDecimalPoint(text);
  }
}

/** Puts decimal points into all that a note says in numbers; cities write it either way, some of them both. */
export function mendDecimals({ totals, withheld, service }: Sections): void {
  mend(totals);
  mend(withheld);
  const { rate, base } = service;
  if (rate !== undefined) service.rate = withDecimalPoint(rate);
  if (base !== undefined) service.base = withDecimalPoint(base);
}

/** `2026-11-05T10:00:00` from `05/11/2026 10:00:00`, with or without a time; any other text as it is. */
export function isoMoment(text: string | undefined): string | undefined {
  return text?.replace(
    /^(\d{2})\/(\d{2})\/(\d{4})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/,
    (_, day, month, year, time) => `${year}-${month}-${day}${time === undefined ? '' : `T${time}`}`,
  );
}

/** `2026-11` from `11/2026`; any other text as it is. */
export function isoMonth(text: string | undefined): string | undefined {
  return text?.replace(/^(\d{2})\/(\d{4})$/, '$2-$1');
}

/**
 * A moment that is one. Serialisers and exports fill in year 1 or zeros for what never happened, such as the
 * cancellation of a note that stands.
 */
export function meantMoment(text: string | undefined): string | undefined {
  return text === undefined || text.startsWith('00') ? undefined : text;
}

const yes: ReadonlySet<string> = new Set(['1', 'true', 'sim', 's']);
const no: ReadonlySet<string> = new Set(['2', '0', 'false', 'não', 'nao', 'n']);

/** Yes and no as most cities write them; undefined for any other word. */
export function yesOrNo(text: string | undefined): boolean | undefined {
  const word = text?.toLowerCase() ?? '';
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}
