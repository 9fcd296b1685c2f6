import type { DocumentStatus } from '../summary/summary.ts';

/**
 * The one list of status codes (`cStat`) of documents and events, with what each says in a word. The catalogue has the
 * words for people under `event_status.<meaning>`. 120 authorises with alerts; 134 is a CT-e's, registered with an alert;
 * 650 is said of Ciência and 651 of Desconhecimento; 573 means that the same event is registered already.
 * Source: docs/fiscal/events.md, status codes.
 */
const eventStatusCodes = {
  100: 'note_authorized',
  101: 'note_cancelled',
  110: 'note_denied',
  120: 'note_authorized',
  128: 'batch_processed',
  134: 'registered',
  135: 'registered',
  136: 'registered_unlinked',
  150: 'note_authorized',
  151: 'note_cancelled',
  155: 'cancelled_late',
  205: 'note_denied',
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

export type EventStatusMeaning = (typeof eventStatusCodes)[keyof typeof eventStatusCodes];

const meanings: ReadonlyMap<string, EventStatusMeaning> = new Map(Object.entries(eventStatusCodes));

/** The meaning of a status code; undefined for an unknown code. */
export function meaningOfStatus(code: string | undefined): EventStatusMeaning | undefined {
  return meanings.get(code ?? '');
}

const documentStatuses: Readonly<Partial<Record<EventStatusMeaning, DocumentStatus>>> = {
  note_authorized: 'authorized',
  note_cancelled: 'cancelled',
  cancelled_late: 'cancelled',
  note_denied: 'denied',
};

/** Status of a document by its protocol's code; `unknown` for an unknown code. */
export function statusByCode(code: string | undefined): DocumentStatus {
  if (code === undefined) return 'no_protocol';
  const meaning = meaningOfStatus(code);
  return (meaning && documentStatuses[meaning]) ?? 'unknown';
}

const registered: ReadonlySet<EventStatusMeaning | undefined> = new Set([
  'registered',
  'registered_unlinked',
  'cancelled_late',
]);

/** Whether an event with this code in its receipt is registered. */
export function isRegisteredCode(code: string | undefined): boolean {
  return registered.has(meaningOfStatus(code));
}

/** The event is registered, now or already. Every other known code is a refusal. */
const standing: ReadonlySet<EventStatusMeaning> = new Set([
  'registered',
  'registered_unlinked',
  'already_registered',
]);
/** Codes about the batch or the note, not the event. */
const saysNothing: ReadonlySet<EventStatusMeaning> = new Set(['batch_processed', 'note_authorized']);

/** Outcome of an event that was sent or queried; `unknown` for codes that are not about the event. */
export function outcomeOfStatus(code: string | undefined): 'done' | 'refused' | 'unknown' {
  const meaning = meaningOfStatus(code);
  if (meaning === undefined || saysNothing.has(meaning)) return 'unknown';
  return standing.has(meaning) ? 'done' : 'refused';
}

/** Three digits that stand alone: not inside a longer number, a date, a sum, a masked tax id or a word. */
const LONE_THREE_DIGITS = /(?<![\p{L}\p{N}_])(?<!\p{N}[.,/:-])[1-9]\d{2}(?![\p{L}\p{N}_%])(?![.,/:-]\p{N})/gu;
const MARK_BEFORE =
  /(?<!\p{L})(?:c_?stat|status|rejei[cç][aã]o|c[oó]digo|code) ?["']? ?(?:[:=#-]|n[oº]\.?)? ?["']?[([]? ?$/iu;
/** Characters before a number in which its label is searched. */
const LABEL_REACH = 32;
const NOTHING_BEFORE = /^[\s"'([#]*$/u;
const OTHER_LABEL_BEFORE =
  /[\p{L}\p{N}_][:=]$|(?:R\$|(?<!\p{L})(?:n[oº°]|n|n[uú]mero|s[eé]rie|item|itens|nota|nf-?e|linha|lote|p[aá]gina|protocolo))[.:=#]? ?$/iu;
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
    const before = message.slice(Math.max(0, match.index - LABEL_REACH), match.index).replace(/\s+/g, ' ');
    const isFirst = match.index < LABEL_REACH && NOTHING_BEFORE.test(before);
    const isQuantity = QUANTITY_AFTER.test(message.slice(match.index + code.length));
    const isNamed = isFirst || MARK_BEFORE.test(before);
    const isKnown = meanings.has(code) && !OTHER_LABEL_BEFORE.test(before);
    if (!isQuantity && (isNamed || isKnown)) found.add(code);
  }
  const [code] = found;
  return found.size === 1 ? code : undefined;
}

/** The status of an event: registered, or sent and not answered. */
export function eventStatusByCode(code: string | undefined): DocumentStatus {
  if (code === undefined) return 'no_protocol';
  return isRegisteredCode(code) ? 'authorized' : 'unknown';
}
