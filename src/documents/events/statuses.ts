import type { DocumentStatus } from '../summary/summary.ts';

/** Meaning of a status code for a document and for an event: registered, or no statement about it. */
interface StatusMeaning {
  readonly codes: string;
  readonly document?: DocumentStatus;
  /** Any other code refuses the event. */
  readonly event?: 'registered' | 'nothing';
}

/**
 * Status codes (`cStat`) by meaning; texts are in the catalogue (`event_status.<meaning>`). 120 authorises with alerts;
 * 134 is a CT-e's, registered with an alert; 650 concerns Ciência and 651 Desconhecimento; 573 means that the same
 * event is already registered. Source: docs/fiscal/events.md, status codes.
 */
const statuses = {
  note_authorized: { codes: '100 120 150', document: 'authorized', event: 'nothing' },
  note_cancelled: { codes: '101 151 218', document: 'cancelled' },
  note_denied: { codes: '110 205 301 302 303', document: 'denied' },
  batch_processed: { codes: '128', event: 'nothing' },
  registered: { codes: '134 135', event: 'registered' },
  registered_unlinked: { codes: '136', event: 'registered' },
  cancelled_late: { codes: '155', document: 'cancelled' },
  already_registered: { codes: '573' },
  note_unknown: { codes: '217 494' },
  key_check_digit: { codes: '236' },
  author_tax_id: { codes: '489 490' },
  event_type: { codes: '491' },
  event_schema: { codes: '493' },
  author_not_recipient: { codes: '575' },
  event_date: { codes: '577 578 579' },
  note_not_authorized: { codes: '580' },
  sequence_exceeded: { codes: '594' },
  justification_missing: { codes: '595' },
  out_of_time: { codes: '596' },
  download_out_of_time: { codes: '632' },
  download_needs_manifestation: { codes: '633' },
  note_cancelled_or_denied: { codes: '650 651' },
  download_void: { codes: '653 654' },
  already_conclusive: { codes: '655' },
  too_many_requests: { codes: '656' },
} as const satisfies Readonly<Record<string, StatusMeaning>>;

export type EventStatusMeaning = keyof typeof statuses;

const meanings = new Map(
  (Object.entries(statuses) as [EventStatusMeaning, StatusMeaning][]).flatMap(([meaning, { codes }]) =>
    codes.split(' ').map((code) => [code, meaning] as const),
  ),
);

/** The meaning of a status code; undefined for an unknown code. */
export function meaningOfStatus(code: string | undefined): EventStatusMeaning | undefined {
  return meanings.get(code ?? '');
}

function statusOf(code: string | undefined): StatusMeaning | undefined {
  const meaning = meaningOfStatus(code);
  return meaning && statuses[meaning];
}

/** Document status by the code of its protocol; `unknown` for an unknown code. */
export function statusByCode(code: string | undefined): DocumentStatus {
  return code === undefined ? 'no_protocol' : (statusOf(code)?.document ?? 'unknown');
}

/** True if a receipt's code means that the event is registered, a late cancellation included. */
export function isRegisteredCode(code: string | undefined): boolean {
  return statusOf(code)?.event === 'registered' || meaningOfStatus(code) === 'cancelled_late';
}

/** Event status: registered, or sent without a reply. */
export function eventStatusByCode(code: string | undefined): DocumentStatus {
  if (code === undefined) return 'no_protocol';
  return isRegisteredCode(code) ? 'authorized' : 'unknown';
}

/** Outcome of an event that was sent or queried; `unknown` for codes that don't concern the event. */
export function outcomeOfStatus(code: string | undefined): 'done' | 'refused' | 'unknown' {
  const status = statusOf(code);
  if (status === undefined || status.event === 'nothing') return 'unknown';
  const isDone = status.event === 'registered' || meaningOfStatus(code) === 'already_registered';
  return isDone ? 'done' : 'refused';
}

/** Three isolated digits: not inside a longer number, a date, a sum, a masked tax id or a word. */
const LONE_THREE_DIGITS = /(?<![\p{L}\p{N}_])(?<!\p{N}[.,/:-])[1-9]\d{2}(?![\p{L}\p{N}_%])(?![.,/:-]\p{N})/gu;
const MARK_BEFORE =
  /(?<!\p{L})(?:c_?stat|status|rejei[cç][aã]o|c[oó]digo|code) ?["']? ?(?:[:=#-]|n[oº]\.?)? ?["']?[([]? ?$/iu;
/** Characters before a number that are searched for its label. */
const LABEL_REACH = 32;
const NOTHING_BEFORE = /^[\s"'([#]*$/u;
const OTHER_LABEL_BEFORE =
  /[\p{L}\p{N}_][:=]$|(?:R\$|(?<!\p{L})(?:n[oº°]|n|n[uú]mero|s[eé]rie|item|itens|nota|nf-?e|linha|lote|p[aá]gina|protocolo))[.:=#]? ?$/iu;
const QUANTITY_AFTER =
  /^\s*(?:dias|horas|minutos|segundos|ms|caracteres|posi[cç][oõ]es|documentos|notas|eventos|chaves|itens|reais)(?!\p{L})|^\s*%/iu;

/**
 * Extracts the status code from a service's message; undefined for none or several. An isolated number counts if it is
 * labelled as a code (at the beginning, after "cStat", "Rejeição", "código"), or is a known code without another label
 * or unit. Nothing else is inferred from messages.
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
