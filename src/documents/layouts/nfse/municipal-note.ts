import { addDecimals, negateDecimal } from '../../decimals.ts';
import { checkNetValue, type Unchecked } from '../../summary/checks.ts';
import type { Collected, DocumentLayout, FieldTable, ListRecords } from '../../summary/fields.ts';
import { unlessEmpty } from '../../summary/parties.ts';
import type { DocumentStatus, DocumentSummary, Reference } from '../../summary/summary.ts';
import { commonParts, withWarnings } from '../common-parts.ts';

export const federalTaxes = {
  pis: 'ValorPIS',
  cofins: 'ValorCOFINS',
  inss: 'ValorINSS',
  income_tax: 'ValorIR',
  csll: 'ValorCSLL',
};

/** Converts `1.234,56` to `1234.56` and `.50` to `0.50`; layouts with commas never use a lone point. */
function plainDecimal(text: string): string {
  const plain = /^-?[\d.]*,\d+$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text;
  return plain.replace(/^(-?)\./, '$10.');
}

/** Normalises decimals: cities use points, commas or both. */
function normalizeDecimals({ totals, withheld, service }: Collected): void {
  for (const texts of [totals, withheld] as Record<string, string | undefined>[])
    for (const [name, text] of Object.entries(texts)) if (text) texts[name] = plainDecimal(text);
  if (service.rate !== undefined) service.rate = plainDecimal(service.rate);
  if (service.base !== undefined) service.base = plainDecimal(service.base);
}

/**
 * Converts `05/11/2026 10:00:00` or `2026-11-05 10:00:00.0 BRT` to `2026-11-05T10:00:00`; a date may lack a time.
 * Suffixes other than Brazilian time zones are kept, since they change the time: UTC, PM.
 */
export function isoMoment(text: string | undefined): string | undefined {
  return text
    ?.replace(/^(\d{2})\/(\d{2})\/(\d{4})(?![^ T])/, '$3-$2-$1')
    .replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?: (?:BR|AM|AC|FN)S?T)?$/, '$1T$2');
}

/** Converts `11/2026`, `202611` or `202611Z` to `2026-11`; returns other text unchanged. */
function isoMonth(text: string | undefined): string | undefined {
  return text?.replace(/^(\d{2})\/(\d{4})$/, '$2-$1').replace(/^(20\d{2})(0[1-9]|1[0-2])Z?$/, '$1-$2');
}

/** Normalises dates, timestamps and months: cities write them in either order. */
function normalizeDates({ document: header, raw }: Collected): void {
  header.issued_at = isoMoment(header.issued_at);
  header.competence = isoMoment(isoMonth(header.competence));
  raw.cancelled_at = isoMoment(raw.cancelled_at);
}

/** The timestamp, unless it is a placeholder: exports write year 1 or zeros for events that never happened. */
export function meantMoment(text: string | undefined): string | undefined {
  return text === undefined || text.startsWith('00') ? undefined : text;
}

/** Words or codes for yes and no, in lower case. */
type YesAndNo = readonly [yes: string, no: string];

/** Parses yes and no as most cities write them, or by a layout's own codes; undefined for any other word. */
export function yesOrNo(
  text = '',
  [yes, no]: YesAndNo = ['1 true sim s', '2 0 false não nao n'],
): boolean | undefined {
  const word = text.toLowerCase();
  if (yes.split(' ').includes(word)) return true;
  return no.split(' ').includes(word) ? false : undefined;
}

/** Some cities write zeros as the replaced note's number if there is none. */
const isReference = ({ number }: Reference): boolean => number === undefined || !/^0+$/.test(number);

/** Fields common to all NFS-e layouts. */
export function noteParts(collected: Collected, layout: string, status: DocumentStatus): Unchecked {
  const parts = commonParts(collected, { kind: 'nfse', layout, status });
  return Object.assign(parts, {
    service: unlessEmpty(collected.service),
    references: parts.references.every(isReference) ? parts.references : parts.references.filter(isReference),
  });
}

type Line = ListRecords['parts'];

function valuesOf({ parts }: Collected, name: keyof Line): string[] {
  return parts.flatMap((line) => line[name] ?? []);
}

/** Sum of a field over a note's lines, in plain notation; undefined if all are missing or one is no number. */
export function sumOfLines(collected: Collected, name: keyof Line): string | undefined {
  return addDecimals(valuesOf(collected, name).map(plainDecimal));
}

function commonValue(collected: Collected, name: keyof Line): string | undefined {
  const [first, ...others] = valuesOf(collected, name);
  return others.every((text) => text === first) ? first : undefined;
}

/** Completes a note from its lines: sums, values common to all, and the first description. */
function completeFromLines(collected: Collected): void {
  const { service, totals, withheld } = collected;
  totals.services ??= sumOfLines(collected, 'total');
  totals.deductions ??= sumOfLines(collected, 'deduction');
  withheld.iss ??= sumOfLines(collected, 'iss_withheld');
  service.base ??= sumOfLines(collected, 'base');
  service.code ??= commonValue(collected, 'code');
  service.rate ??= commonValue(collected, 'rate');
  service.description ??= valuesOf(collected, 'description')[0];
}

/** Conditional and unconditional discounts: both lower the net value. */
export function discountsFrom({ totals, raw }: Collected): string[] {
  return [totals.discount, raw.discount_conditional].filter((amount) => amount !== undefined);
}

/** Sum of the withheld taxes; the ISS counts only if the recipient withholds it. */
function municipalWithheld({ totals, withheld }: Collected, issWithheld: boolean): string | undefined {
  const iss = issWithheld ? (withheld.iss ?? totals.iss ?? '0') : '0';
  const { iss: _, ...others } = withheld;
  return addDecimals([iss, ...Object.values(others)]);
}

/** Services less withheld taxes and discounts, if the file gives all of them. Source: ABRASF, ValorLiquidoNfse. */
function derivedNet(collected: Collected, issWithheld: boolean | undefined): string | undefined {
  const { raw, totals, withheld } = collected;
  // If the ISS is added to the amount, the amount paid is unknown.
  if (yesOrNo(raw.iss_on_top) === true) return undefined;
  const isIssKnown = issWithheld === false || (withheld.iss ?? totals.iss) !== undefined;
  const taken = municipalWithheld(collected, issWithheld === true);
  if (totals.total !== undefined || totals.services === undefined) return undefined;
  if (issWithheld === undefined || !isIssKnown || taken === undefined) return undefined;
  return addDecimals([totals.services, ...[taken, ...discountsFrom(collected)].map(negateDecimal)]);
}

/** A municipal layout: its fields and deviations from the common rules. */
interface City {
  readonly layout: string | ((collected: Collected) => string);
  readonly fields: FieldTable;
  /** Patterns for the stated situation, or a function. */
  readonly status:
    | { readonly authorized: RegExp; readonly cancelled: RegExp }
    | ((collected: Collected) => DocumentStatus);
  prepare?(collected: Collected): void;
  /** Codes for withheld ISS, if different from most cities'. */
  readonly issWithheld?: YesAndNo;
}

function statusFrom({ status }: City, collected: Collected): DocumentStatus {
  if (typeof status === 'function') return status(collected);
  const { situation = '' } = collected.raw;
  if (status.authorized.test(situation)) return 'authorized';
  return status.cancelled.test(situation) ? 'cancelled' : 'unknown';
}

/** Date and reason of a cancellation, if in the file; municipal layouts have no event code. */
function cancellationFrom({ raw }: Collected, status: DocumentStatus): DocumentSummary['event'] {
  const found = { at: meantMoment(raw.cancelled_at), text: raw.cancelled_for };
  return status === 'cancelled' ? unlessEmpty(found) : undefined;
}

/** False for a request, such as a cancellation request, which has a note's number but none of its data. */
function isNote({ document: header, totals }: Collected): boolean {
  const hasDate = header.issued_at !== undefined || header.competence !== undefined;
  return header.number !== undefined && (hasDate || unlessEmpty(totals) !== undefined);
}

/** Summarises a municipal note; undefined without a number, or with nothing else. */
function summarizeNote(city: City, collected: Collected): DocumentSummary | undefined {
  const { raw, totals, withheld } = collected;
  const layout = typeof city.layout === 'string' ? city.layout : city.layout(collected);
  city.prepare?.(collected);
  completeFromLines(collected);
  if (!isNote(collected)) return undefined;
  normalizeDates(collected);
  const status = statusFrom(city, collected);
  const issWithheld = yesOrNo(raw.iss_withheld, city.issWithheld);
  normalizeDecimals(collected);
  const known = municipalWithheld(collected, issWithheld === true);
  if (issWithheld || unlessEmpty(withheld) !== undefined) totals.withheld = known;
  totals.iss_withheld = issWithheld === false ? undefined : withheld.iss;
  totals.net_derived = derivedNet(collected, issWithheld);
  totals.total ??= totals.net_derived;
  const document: Unchecked = Object.assign(noteParts(collected, layout, status), {
    iss_withheld: issWithheld,
    event: cancellationFrom(collected, status),
  });
  return withWarnings(document, collected, [], checkNetValue(document, known, discountsFrom(collected)));
}

/** The layout of a city's notes. */
export function municipalLayout(city: City): DocumentLayout {
  return { fields: city.fields, summarize: (collected) => summarizeNote(city, collected) };
}
