import type { Collected, ListRecords } from '../summary/fields.ts';
import type { DocumentStatus, DocumentSummary, EventDetails, EventSummary } from '../summary/summary.ts';
import { manifestationEvents } from './manifestation.ts';

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

/** What a status code is known to mean; undefined for one that is not in the table. */
export function meaningOfStatus(code: string): EventStatusMeaning | undefined {
  return meanings.get(code);
}

const documentStatuses: Readonly<Partial<Record<EventStatusMeaning, DocumentStatus>>> = {
  note_authorized: 'authorized',
  note_cancelled: 'cancelled',
  cancelled_late: 'cancelled',
  note_denied: 'denied',
};

/** The status that a document's protocol stands for; `unknown` for a code that is not in the table. */
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

/** Whether an event's receipt says that it is registered. */
function isRegisteredCode(code: string | undefined): boolean {
  return code !== undefined && registered.has(meaningOfStatus(code));
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
  /(?<!\p{L})(?:c_?stat|status|rejei[cç][aã]o|c[oó]digo|code) ?["']? ?(?:[:=#-]|n[oº]\.?)? ?["']?[([]? ?$/iu;
/** How far before a number its label is looked for, in characters. */
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

/** Events (`tpEvento`) that cancel their document, NF-e and CT-e first. Source: docs/fiscal/events.md. */
export const cancellationEvents: ReadonlySet<string> = new Set([
  '110111',
  '110112',
  '101101',
  '105102',
  '105104',
  '305101',
]);

/** `descEvento` by `tpEvento`, to the letter of the schemas, without accents. Source: docs/fiscal/events.md. */
export const eventDescriptions: Readonly<Record<string, string>> = {
  '110110': 'Carta de Correcao',
  '110111': 'Cancelamento',
  '110112': 'Cancelamento por substituicao',
  ...Object.fromEntries(
    Object.values(manifestationEvents).map(({ code, description }) => [code, description]),
  ),
  '610110': 'Prestacao do Servico em Desacordo',
};

/** What an event is called whose file gives its code only, as a receipt without its request may; undefined for others. */
export function eventDescription(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(eventDescriptions, code) ? eventDescriptions[code] : undefined;
}

/** The status of an event: registered, or sent and not answered. */
export function eventStatusByCode(code: string | undefined): DocumentStatus {
  if (code === undefined) return 'no_protocol';
  return isRegisteredCode(code) ? 'authorized' : 'unknown';
}

/** Sent again when it was registered already. Source: docs/fiscal/events.md. */
const REGISTERED_BEFORE = '573';

/** Whether an event stands: its receipt says that it is registered, now or already. */
export function isRegistered({ status, protocol }: Pick<DocumentSummary, 'status' | 'protocol'>): boolean {
  return status === 'authorized' || protocol?.code === REGISTERED_BEFORE;
}

/** What is known of an event that came beside its document. */
type Beside = Pick<DocumentSummary, 'status' | 'protocol' | 'event'>;

/** Cancels an event, not its document. Source: NT 2025.002-RTC v1.52; docs/fiscal/events.md. */
const EVENT_CANCELLATION = '110001';

/** What 110001 never undoes: a cancelled note stays cancelled, and manifestations have rules of their own. */
const lasting: ReadonlySet<string | undefined> = new Set([
  ...cancellationEvents,
  ...Object.values(manifestationEvents).map(({ code }) => code),
  EVENT_CANCELLATION,
]);

/** An event with whether a later one took it back. */
export type PastEvent = EventSummary & { readonly undone?: true };

/** All registered events, each once; one that an event 110001 of the same sequence names is marked. */
export function eventHistory(
  document: Pick<DocumentSummary, 'events'>,
  beside: readonly Beside[],
): PastEvent[] {
  const all = registeredEvents(document, beside);
  const nameOf = (code: string | undefined, sequence: string | undefined) =>
    `${code} ${Number(sequence ?? '1')}`;
  const undone = new Set(
    all
      .filter(({ code }) => code === EVENT_CANCELLATION)
      .map(({ details, sequence }) => nameOf(details?.cancelled_code, sequence)),
  );
  return all.map((event) =>
    !lasting.has(event.code) && undone.has(nameOf(event.code, event.sequence))
      ? { ...event, undone: true }
      : event,
  );
}

/** The events of a document that stand: registered, and not taken back. */
export function standingEvents(
  document: Pick<DocumentSummary, 'events'>,
  beside: readonly Beside[],
): EventSummary[] {
  return eventHistory(document, beside).filter(({ undone }) => undone === undefined);
}

function registeredEvents(
  { events = [] }: Pick<DocumentSummary, 'events'>,
  beside: readonly Beside[],
): EventSummary[] {
  const all = [...events, ...beside.filter(isRegistered).flatMap(({ event }) => event ?? [])];
  const nameOf = ({ code, sequence, at, details }: EventSummary) =>
    `${code} ${sequence === undefined ? at : Number(sequence)} ${details?.cancelled_code ?? ''}`;
  const byName = new Map(all.map((event) => [nameOf(event), event]));
  return [...byName.values()];
}

type Receipt = ListRecords['receipts'];

/** Receipts with their event's code, which may stand in the paired request only. */
function receiptsIn({ lists: { events, receipts } }: Collected): readonly Receipt[] {
  const arePaired = events.length === receipts.length;
  return receipts.map((receipt, i) => {
    const code = receipt.code ?? (arePaired ? events[i]?.code : undefined);
    return code === undefined ? receipt : { ...receipt, code };
  });
}

/** `cancelled` is the status of layouts before events, which knew cancellations only. */
function cancels({ key: other, code = '', status, cancelled }: Receipt, key: string | undefined): boolean {
  if (key !== undefined && other !== undefined && other !== key) return false;
  const isRegisteredNow = isRegisteredCode(status) || statusByCode(status) === 'cancelled';
  return cancelled === undefined
    ? cancellationEvents.has(code) && isRegisteredNow
    : isRegisteredCode(cancelled) || statusByCode(cancelled) === 'cancelled';
}

/** An event from its request and its receipt, of which one may be missing. */
export function eventFrom(request: ListRecords['events'] = {}, receipt: Receipt = {}): EventSummary {
  const code = request.code ?? receipt.code;
  return {
    code,
    name: request.name ?? receipt.name ?? eventDescription(code),
    sequence: request.sequence ?? receipt.sequence,
    at: request.at ?? receipt.at,
    author: request.author,
    text: request.text,
    ...detailsOf(request),
  };
}

const detailNames = [
  'accepted',
  'granted',
  'fully_paid',
  'expected_delivery',
  'transaction',
  'cancelled_code',
  'cancelled_protocol',
] as const satisfies readonly (keyof EventDetails)[];

function detailsOf(request: ListRecords['events']): Pick<EventSummary, 'details'> {
  const given = detailNames.filter((name) => request[name] !== undefined);
  return given.length > 0 ? { details: Object.fromEntries(given.map((name) => [name, request[name]])) } : {};
}

/** The registered events that stand in the same file as the document, in the file's order; undefined for none. */
export function appendedEvents(collected: Collected, key: string | undefined): EventSummary[] | undefined {
  const { lists } = collected;
  const events = receiptsIn(collected)
    .filter(({ status, code }) => code !== undefined && isRegisteredCode(status))
    .filter((receipt) => key === undefined || receipt.key === undefined || receipt.key === key)
    .map((receipt) => {
      const ofCode = lists.events.filter(({ code }) => code === receipt.code);
      return eventFrom(ofCode.find(({ sequence }) => sequence === receipt.sequence) ?? ofCode[0], receipt);
    });
  return events.length > 0 ? events : undefined;
}

/** The registered cancellation that stands in the same file as the document, as real files have it. */
export function appendedCancellation(
  collected: Collected,
  key: string | undefined,
): EventSummary | undefined {
  const { lists } = collected;
  const receipt = receiptsIn(collected).find((candidate) => cancels(candidate, key));
  if (receipt === undefined) return undefined;
  return eventFrom(
    lists.events.find(({ code }) => code === receipt.code),
    receipt,
  );
}
