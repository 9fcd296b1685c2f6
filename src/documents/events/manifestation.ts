import { checkAccessKey, normalizeKey } from '../identity/keys.ts';
import { checkTaxId } from '../identity/tax-ids.ts';
import type { Problem } from '../problems.ts';
import { normalizeJustification } from './justification.ts';

/** The names by which people call the four events. */
export const eventNames = ['ciencia', 'confirmacao', 'desconhecimento', 'nao_realizada'] as const;

export type EventName = (typeof eventNames)[number];

/** What the rules say of one manifestation event. */
export interface ManifestationEvent {
  readonly name: EventName;
  /** `tpEvento`. */
  readonly code: '210200' | '210210' | '210220' | '210240';
  /** `descEvento`, to the letter: without accents, as the schema has it. */
  readonly description: string;
  /** Whether it settles the recipient's position. Ciência does not: a conclusive event is due after it. */
  readonly conclusive: boolean;
  readonly justification: 'none' | 'optional' | 'required';
  /** Calendar days from the note's authorisation (`dhRecbto`). Fuel, cigarettes and drinks have shorter ones. */
  readonly deadlineDays: 10 | 180;
}

/**
 * The recipient's manifestation events. Codes, names and justifications are those of the schemas e210200, e210210,
 * e210220 and e210240; deadlines those of Ajuste SINIEF 44/20 and 43/23 and of NT 2020.001. Codes 210200 and
 * 210210 are often swapped in other software: the lower one is Confirmação.
 * Source: docs/fiscal/events.md.
 */
export const manifestationEvents: Readonly<Record<EventName, ManifestationEvent>> = {
  ciencia: {
    name: 'ciencia',
    code: '210210',
    description: 'Ciencia da Operacao',
    conclusive: false,
    justification: 'none',
    deadlineDays: 10,
  },
  confirmacao: {
    name: 'confirmacao',
    code: '210200',
    description: 'Confirmacao da Operacao',
    conclusive: true,
    justification: 'none',
    deadlineDays: 180,
  },
  desconhecimento: {
    name: 'desconhecimento',
    code: '210220',
    description: 'Desconhecimento da Operacao',
    conclusive: true,
    justification: 'optional',
    deadlineDays: 180,
  },
  nao_realizada: {
    name: 'nao_realizada',
    code: '210240',
    description: 'Operacao nao Realizada',
    conclusive: true,
    justification: 'required',
    deadlineDays: 180,
  },
};

/** The event with a `tpEvento` code, undefined for every other event. */
export function eventByCode(code: string): ManifestationEvent | undefined {
  return Object.values(manifestationEvents).find((event) => event.code === code);
}

/** A manifestation as it was asked for. */
export interface ManifestationRequest {
  readonly key: string;
  readonly event: EventName;
  /** As the person wrote it; only blanks count as none. */
  readonly justification?: string | undefined;
  /** The tax id of the company that manifests, masked or not. */
  readonly company?: string | undefined;
}

function keyProblems(text: string, company: string | undefined): Problem[] {
  const key = checkAccessKey(text);
  if (!key.ok) return [key.problem];
  const { model, issuer } = key.value;
  const problems: Problem[] = [];
  if (model !== '55') problems.push({ code: 'manifestation_model', values: { found: model } });
  if (company === undefined) return problems;
  const manifesting = checkTaxId(company);
  if (!manifesting.ok) problems.push(manifesting.problem);
  else if (manifesting.value.id === issuer.id) {
    problems.push({ code: 'manifestation_own_note', values: { company: issuer.id } });
  }
  return problems;
}

function justificationProblems(name: EventName, written: string): Problem[] {
  const rule = manifestationEvents[name].justification;
  const { text, problems } = normalizeJustification(written);
  if (text !== '' && rule === 'none') return [{ code: 'justification_not_taken', values: { event: name } }];
  if (text === '' && rule === 'required') return [{ code: 'justification_missing', values: { event: name } }];
  return text === '' ? [] : [...problems];
}

/**
 * Everything that can be known to be wrong with a manifestation before it is sent: the key's form and check digit,
 * its model (only NF-e, 55, takes a manifestation; NFC-e, 65, does not), a note issued by the manifesting company
 * itself, and the justification. An empty list says only that the form is right, not that it will be accepted.
 */
export function checkManifestation(request: ManifestationRequest): readonly Problem[] {
  return [
    ...keyProblems(request.key, request.company),
    ...justificationProblems(request.event, request.justification ?? ''),
  ];
}

/** What is wrong with the keys of a batch taken together: none at all, or one that appears twice. */
export function checkBatch(keys: readonly string[]): readonly Problem[] {
  if (keys.length === 0) return [{ code: 'batch_empty', values: {} }];
  const times = new Map<string, number>();
  for (const key of keys.map(normalizeKey)) times.set(key, (times.get(key) ?? 0) + 1);
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([key, count]) => ({ code: 'batch_repeated_key', values: { key, times: String(count) } }));
}

export interface Deadline {
  /** The last day on which the event is in time, `YYYY-MM-DD`. */
  readonly lastDay: string;
  /** Whole days from today to the last day: 0 on the last day itself, negative after it. */
  readonly daysLeft: number;
}

const DAY_MS = 86_400_000;
const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Days are counted as UTC midnights, so that no change of clocks comes between them. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

function dayText(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

function isDay(day: string): boolean {
  const number = dayNumber(day);
  return !Number.isNaN(number) && dayText(number) === day;
}

function dayIn(timeZone: string, moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(moment);
}

function dayAtOffset(moment: Date, offset: string): string {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  const shifted = moment.getTime() + (offset.startsWith('-') ? -minutes : minutes) * 60_000;
  return new Date(shifted).toISOString().slice(0, 10);
}

/**
 * The last day for an event and the days left to it, or undefined when the authorisation is not a real ISO date.
 * Days are calendar days and the day of authorisation is not counted. Both days are taken at the offset written in
 * the date, which is the authorising state's; a date in UTC (`Z`) or without an offset is read in `timeZone`.
 *
 * @param authorizedAt `dhRecbto` of the protocol: `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm[:ss][offset]`.
 */
export function deadlineOf(
  event: EventName,
  authorizedAt: string,
  now: Date,
  timeZone = 'America/Sao_Paulo',
): Deadline | undefined {
  const [, written, offset] = ISO_DATE.exec(authorizedAt) ?? [];
  if (written === undefined || !isDay(written)) return undefined;
  const moment = new Date(authorizedAt);
  if (Number.isNaN(moment.getTime())) return undefined;
  const local = offset === undefined || offset === 'Z' ? undefined : offset;
  const authorized = offset === 'Z' ? dayIn(timeZone, moment) : written;
  const today = local === undefined ? dayIn(timeZone, now) : dayAtOffset(now, local);
  const last = dayNumber(authorized) + manifestationEvents[event].deadlineDays;
  return { lastDay: dayText(last), daysLeft: last - dayNumber(today) };
}

/**
 * The status codes (`cStat`) an answer about an event is known to carry, with what each says in a word. The
 * catalogue has the words for people under `event_status.<meaning>`. 650 is said of Ciência and 651 of
 * Desconhecimento; 573 means that the same event is registered already.
 * Source: docs/fiscal/events.md.
 */
export const eventStatusCodes = {
  100: 'note_authorized',
  101: 'note_cancelled',
  110: 'note_denied',
  128: 'batch_processed',
  135: 'registered',
  136: 'registered_unlinked',
  150: 'note_authorized',
  151: 'note_cancelled',
  155: 'cancelled_late',
  217: 'note_unknown',
  218: 'note_cancelled',
  236: 'key_check_digit',
  301: 'note_denied',
  302: 'note_denied',
  303: 'note_denied',
  489: 'author_tax_id',
  490: 'author_tax_id',
  491: 'event_type',
  493: 'event_schema',
  494: 'note_unknown',
  573: 'already_registered',
  575: 'author_not_recipient',
  577: 'event_date',
  578: 'event_date',
  579: 'event_date',
  580: 'note_not_authorized',
  594: 'sequence_exceeded',
  595: 'justification_missing',
  596: 'out_of_time',
  632: 'download_out_of_time',
  633: 'download_needs_manifestation',
  650: 'note_cancelled_or_denied',
  651: 'note_cancelled_or_denied',
  653: 'download_note_cancelled',
  654: 'download_note_denied',
  655: 'already_conclusive',
  656: 'too_many_requests',
} as const;

export type EventStatusCode = `${keyof typeof eventStatusCodes}`;
export type EventStatusMeaning = (typeof eventStatusCodes)[keyof typeof eventStatusCodes];

const meanings: ReadonlyMap<string, EventStatusMeaning> = new Map(Object.entries(eventStatusCodes));

/** What a status code is known to mean; undefined for one that is not in the table. */
export function meaningOfStatus(code: string): EventStatusMeaning | undefined {
  return meanings.get(code);
}

/** Codes that say the event stands: registered now, or registered already. Every other known code is a no. */
const standing: ReadonlySet<EventStatusMeaning> = new Set([
  'registered',
  'registered_unlinked',
  'already_registered',
]);
/** Codes that speak of the batch or of the note and not of the event. */
const saysNothing: ReadonlySet<EventStatusMeaning> = new Set(['batch_processed', 'note_authorized']);

/** What a status code says of an event that was sent or asked about; `unknown` where it says nothing of it. */
export function outcomeOfStatus(code: string | undefined): 'done' | 'refused' | 'unknown' {
  const meaning = code === undefined ? undefined : meaningOfStatus(code);
  if (meaning === undefined || saysNothing.has(meaning)) return 'unknown';
  return standing.has(meaning) ? 'done' : 'refused';
}

/** Three digits that stand alone: not inside a longer number, a date, a sum, a masked tax id or a word. */
const LONE_THREE_DIGITS = /(?<![\p{L}\p{N}_])(?<!\p{N}[.,/:-])[1-9]\d{2}(?![\p{L}\p{N}_%])(?![.,/:-]\p{N})/gu;
const MARK_BEFORE =
  /(?<!\p{L})(?:c_?stat|status|rejei[cç][aã]o|c[oó]digo|code)\s*["']?\s*(?:[:=#-]|n[oº]\.?)?\s*["']?[([]?\s*$/iu;
/** How far before a number its label is looked for, in characters. */
const LABEL_REACH = 32;
const NOTHING_BEFORE = /^[\s"'([#]*$/u;
const OTHER_LABEL_BEFORE =
  /[\p{L}\p{N}_][:=]$|(?:R\$|(?<!\p{L})(?:n[oº°]|n|n[uú]mero|s[eé]rie|item|itens|nota|nf-?e|linha|lote|p[aá]gina|protocolo))[.:=#]?\s*$/iu;
const QUANTITY_AFTER =
  /^\s*(?:dias|horas|minutos|segundos|ms|caracteres|posi[cç][oõ]es|documentos|notas|eventos|chaves|itens|reais)(?!\p{L})|^\s*%/iu;

/**
 * The status code that a service's message carries, undefined when there is none or more than one. A number counts
 * when it stands alone and either is named as a code (at the beginning, after "cStat", "Rejeição", "código") or is
 * a known one that no other label or unit claims. Nothing else is inferred from messages.
 */
export function statusCodeIn(message: string): string | undefined {
  const found = new Set<string>();
  for (const match of message.matchAll(LONE_THREE_DIGITS)) {
    const [code] = match;
    const before = message.slice(Math.max(0, match.index - LABEL_REACH), match.index);
    const isFirst = match.index < LABEL_REACH && NOTHING_BEFORE.test(before);
    const isQuantity = QUANTITY_AFTER.test(message.slice(match.index + code.length));
    const isNamed = isFirst || MARK_BEFORE.test(before);
    const isKnown = meanings.has(code) && !OTHER_LABEL_BEFORE.test(before);
    if (!isQuantity && (isNamed || isKnown)) found.add(code);
  }
  const [code] = found;
  return found.size === 1 ? code : undefined;
}
