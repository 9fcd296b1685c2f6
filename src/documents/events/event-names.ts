import type { DocumentArea } from '../days.ts';
import type { NamesIn } from '../problems.ts';
import { type DocumentKind, familyOf } from '../summary/summary.ts';
import { manifestationEvents } from './manifestation.ts';

/** Authors of an event. */
export type EventAuthor =
  | NamesIn<'issuer recipient payer intermediary successor tax_authority'>
  /** Author of the event that this one cancels. */
  | 'author_of_event';

type Name = readonly [portuguese: string, english: string];

interface KnownEvent {
  readonly name: Name;
  readonly by: EventAuthor;
}

export const CORRECTION_LETTER = '110110';
export const SERVICE_DISAGREEMENT = '610110';
export const NATIONAL_SUBSTITUTION = '105102';
/** Cancels an event, not its document. Source: NT 2025.002-RTC v1.52. */
export const EVENT_CANCELLATION = '110001';
const PAYMENT_LINK = '110300';
const PAYMENT_UNLINKED = '110301';

/** Events by author and `tpEvento`. */
type ByAuthor = Readonly<Partial<Record<EventAuthor, Readonly<Record<string, Name>>>>>;

/** NT 2025.002-RTC v1.52, section 8: model 55 only. */
const reform: ByAuthor = {
  issuer: {
    112110: [
      'Pagamento integral para liberar crédito presumido do adquirente',
      'Full payment, which releases the buyer’s presumed credit',
    ],
    112120: [
      'Importação em ALC/ZFM não convertida em isenção',
      'Import into ALC/ZFM not turned into an exemption',
    ],
    112130: [
      'Perecimento, perda, roubo ou furto no transporte contratado pelo fornecedor',
      'Loss or theft in transport contracted by the supplier',
    ],
    112140: ['Fornecimento não realizado com pagamento antecipado', 'Supply paid in advance and not made'],
    112150: ['Atualização da data de previsão de entrega', 'New expected day of delivery'],
  },
  recipient: {
    211110: ['Apropriação de crédito presumido', 'Claim of a presumed credit'],
    211124: [
      'Perecimento, perda, roubo ou furto no transporte contratado pelo adquirente',
      'Loss or theft in transport contracted by the buyer',
    ],
    211128: [
      'Aceite de débito na apuração por emissão de nota de crédito',
      'Acceptance of a debit from a credit note',
    ],
    211130: ['Imobilização de item', 'Item taken into fixed assets'],
    211140: ['Apropriação de crédito de combustível', 'Claim of a fuel credit'],
    211150: [
      'Apropriação de crédito que depende de atividade do adquirente',
      'Claim of a credit that depends on the buyer’s activity',
    ],
  },
  successor: {
    212110: [
      'Manifestação sobre transferência de crédito de IBS em sucessão',
      'Answer on the transfer of an IBS credit in a succession',
    ],
    212120: [
      'Manifestação sobre transferência de crédito de CBS em sucessão',
      'Answer on the transfer of a CBS credit in a succession',
    ],
  },
  tax_authority: {
    412120: [
      'Manifestação do fisco sobre transferência de crédito de IBS em sucessão',
      'Tax authority’s answer on the transfer of an IBS credit in a succession',
    ],
    412130: [
      'Manifestação do fisco sobre transferência de crédito de CBS em sucessão',
      'Tax authority’s answer on the transfer of a CBS credit in a succession',
    ],
  },
  author_of_event: { [EVENT_CANCELLATION]: ['Cancelamento de evento', 'Cancellation of an event'] },
};

const ofGoods: ByAuthor = {
  issuer: {
    [CORRECTION_LETTER]: ['Carta de correção', 'Correction letter'],
    110111: ['Cancelamento', 'Cancellation'],
    110112: ['Cancelamento por substituição', 'Cancellation by substitution'],
    110130: ['Comprovante de entrega', 'Proof of delivery'],
    110131: ['Cancelamento do comprovante de entrega', 'Cancellation of a proof of delivery'],
    110140: ['EPEC', 'EPEC'],
    110150: ['Ator interessado', 'Party given access'],
    110192: ['Insucesso na entrega', 'Delivery failed'],
    110193: ['Cancelamento do insucesso na entrega', 'Cancellation of a failed delivery'],
    [PAYMENT_LINK]: ['Vinculação de pagamento', 'Payment link'],
    110750: ['Conciliação financeira', 'Payment reconciled'],
    110751: ['Cancelamento da conciliação financeira', 'Cancellation of a payment reconciled'],
  },
  recipient: {
    [manifestationEvents.confirmacao.code]: [
      'Confirmação da operação',
      'Confirmation (Confirmação da Operação)',
    ],
    [manifestationEvents.ciencia.code]: ['Ciência da operação', 'Acknowledgement (Ciência da Operação)'],
    [manifestationEvents.desconhecimento.code]: [
      'Desconhecimento da operação',
      'Operation unknown (Desconhecimento)',
    ],
    [manifestationEvents.nao_realizada.code]: ['Operação não realizada', 'Operation not carried out'],
  },
};

const ofCarriage: ByAuthor = {
  issuer: {
    [CORRECTION_LETTER]: ['Carta de correção', 'Correction letter'],
    110111: ['Cancelamento', 'Cancellation'],
    110113: ['EPEC', 'EPEC'],
    110180: ['Comprovante de entrega', 'Proof of delivery'],
    110181: ['Cancelamento do comprovante de entrega', 'Cancellation of a proof of delivery'],
    110190: ['Insucesso na entrega', 'Delivery failed'],
    110191: ['Cancelamento do insucesso na entrega', 'Cancellation of a failed delivery'],
    [PAYMENT_LINK]: ['Vinculação de pagamento', 'Payment link'],
    [PAYMENT_UNLINKED]: ['Cancelamento da vinculação de pagamento', 'Cancellation of a payment link'],
  },
  payer: {
    [SERVICE_DISAGREEMENT]: ['Prestação do serviço em desacordo', 'Service not as agreed'],
    610111: ['Cancelamento do desacordo', 'Cancellation of a disagreement'],
  },
};

const ofServices: ByAuthor = {
  issuer: {
    101101: ['Cancelamento', 'Cancellation'],
    101103: ['Pedido de análise fiscal para cancelamento', 'Request to analyse a cancellation'],
    [NATIONAL_SUBSTITUTION]: ['Cancelamento por substituição', 'Cancellation by substitution'],
    202201: ['Confirmação do prestador', 'Provider’s confirmation'],
    202205: ['Rejeição do prestador', 'Provider’s rejection'],
  },
  recipient: {
    203202: ['Confirmação do tomador', 'Taker’s confirmation'],
    203206: ['Rejeição do tomador', 'Taker’s rejection'],
  },
  intermediary: {
    204203: ['Confirmação do intermediário', 'Intermediary’s confirmation'],
    204207: ['Rejeição do intermediário', 'Intermediary’s rejection'],
  },
  tax_authority: {
    105104: ['Cancelamento deferido', 'Cancellation granted'],
    105105: ['Cancelamento indeferido', 'Cancellation refused'],
    205204: ['Confirmação tácita', 'Tacit confirmation'],
    205208: ['Anulação da rejeição', 'Rejection annulled'],
    305101: ['Cancelamento de ofício', 'Cancellation by the authority'],
    305102: ['Bloqueio', 'Block'],
    305103: ['Desbloqueio', 'Unblock'],
  },
};

function eventsIn(...tables: readonly ByAuthor[]): ReadonlyMap<string, KnownEvent> {
  const events = new Map<string, KnownEvent>();
  for (const [by, names] of tables.flatMap((table) => Object.entries(table) as [EventAuthor, object][]))
    for (const [code, name] of Object.entries(names)) events.set(code, { name, by });
  return events;
}

const reformEvents = eventsIn(reform);

/** By family, since 110300 is a different event on a CT-e than on an NF-e. Source: docs/fiscal/events.md. */
const events: Readonly<Record<DocumentArea, ReadonlyMap<string, KnownEvent>>> = {
  nfe: eventsIn(ofGoods, reform),
  cte: eventsIn(ofCarriage),
  nfse: eventsIn(ofServices),
};

/** An event of a document of this kind; undefined for an unknown code. */
export function knownEvent(kind: DocumentKind, code: string | undefined): KnownEvent | undefined {
  return kind === 'event' ? undefined : events[familyOf(kind)].get(code ?? '');
}

/** True if an event belongs to the assessment of IBS and CBS, or links a payment to it. */
export function isReformEvent(code = ''): boolean {
  return reformEvents.has(code) || code === PAYMENT_LINK || code === PAYMENT_UNLINKED;
}

/** Codes (`tpEvento`) of the events that cancel their document, NF-e and CT-e first. */
export const cancellationEvents: ReadonlySet<string> = new Set([
  ...['110111', '110112'],
  ...['101101', NATIONAL_SUBSTITUTION, '105104', '305101'],
]);

/** `descEvento` by `tpEvento`, exactly as in the schemas, without accents. */
export const eventDescriptions: Readonly<Record<string, string>> = {
  [CORRECTION_LETTER]: 'Carta de Correcao',
  110111: 'Cancelamento',
  110112: 'Cancelamento por substituicao',
  [SERVICE_DISAGREEMENT]: 'Prestacao do Servico em Desacordo',
  ...Object.fromEntries(
    Object.values(manifestationEvents).map(({ code, description }) => [code, description]),
  ),
};

/** Name of an event whose file gives only its code, such as a receipt without a request; undefined for others. */
export function eventDescription(code = ''): string | undefined {
  return Object.hasOwn(eventDescriptions, code) ? eventDescriptions[code] : undefined;
}

const manifestationCodes: readonly string[] = Object.values(manifestationEvents).map(({ code }) => code);

/**
 * Search words for events and their codes, the usual one first. `none` is handled separately: it selects documents
 * without any manifestation. Source: docs/fiscal/events.md.
 */
const codesByWord = {
  correction_letter: [CORRECTION_LETTER],
  ciencia: [manifestationEvents.ciencia.code],
  confirmacao: [manifestationEvents.confirmacao.code],
  desconhecimento: [manifestationEvents.desconhecimento.code],
  nao_realizada: [manifestationEvents.nao_realizada.code],
  cancellation: [...cancellationEvents],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type EventWord = keyof typeof codesByWord;

export const eventWords = Object.keys(codesByWord) as EventWord[];

/** Codes (`tpEvento`) of a search word or code; for `none`, those of the four manifestations. */
export function codesOfEvent(asked: string): readonly string[] {
  if (asked === 'none') return manifestationCodes;
  return eventWords.includes(asked as EventWord) ? codesByWord[asked as EventWord] : [asked];
}

export function isOfManifestation(asked: string): boolean {
  return codesOfEvent(asked).some((code) => manifestationCodes.includes(code));
}

export function isOfCancellation(asked: string): boolean {
  return codesOfEvent(asked).some((code) => cancellationEvents.has(code));
}

/** Separator between the events of one document. */
export const BETWEEN_EVENTS = '+';

/**
 * Translates ordered, blank-separated codes into search words: `110110 210200` gives `correction_letter+confirmacao`.
 */
export function wordsOfEvents(codes: string): string {
  const wordOf = (code: string) => eventWords.find((word) => codesByWord[word][0] === code) ?? code;
  return codes.split(' ').map(wordOf).join(BETWEEN_EVENTS);
}
