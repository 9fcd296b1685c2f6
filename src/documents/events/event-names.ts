import type { Family } from '../days.ts';
import { type DocumentKind, familyOf } from '../summary/summary.ts';
import { type EventName, manifestationEvents } from './manifestation.ts';

/** Who registers an event. */
export type EventAuthor =
  | 'issuer'
  | 'recipient'
  /** Whoever registered the event that this one takes back. */
  | 'author_of_event'
  | 'payer'
  | 'intermediary'
  | 'successor'
  | 'tax_authority';

export interface KnownEvent {
  readonly name: readonly [portuguese: string, english: string];
  readonly by: EventAuthor;
  /** `descEvento`, to the letter of the schema, without accents: the event's name where its file gives none. */
  readonly description?: string;
  /** Cancels its document. */
  readonly cancels?: true;
}

function known(
  by: EventAuthor,
  portuguese: string,
  english: string,
  more: Pick<KnownEvent, 'description' | 'cancels'> = {},
): KnownEvent {
  return { by, name: [portuguese, english], ...more };
}

export const CORRECTION_LETTER = '110110';
/** Of a CT-e. */
export const SERVICE_DISAGREEMENT = '610110';
/** Of a national NFS-e. */
export const NATIONAL_SUBSTITUTION = '105102';
/** Cancels an event, not its document. Source: NT 2025.002-RTC v1.52. */
export const EVENT_CANCELLATION = '110001';

/** NT 2025.002-RTC v1.52, section 8: model 55 only. */
const reformEvents: Readonly<Record<string, KnownEvent>> = {
  112110: known(
    'issuer',
    'Pagamento integral para liberar crédito presumido do adquirente',
    'Full payment, which releases the buyer’s presumed credit',
  ),
  112120: known(
    'issuer',
    'Importação em ALC/ZFM não convertida em isenção',
    'Import into ALC/ZFM not turned into an exemption',
  ),
  112130: known(
    'issuer',
    'Perecimento, perda, roubo ou furto no transporte contratado pelo fornecedor',
    'Loss or theft in transport contracted by the supplier',
  ),
  112140: known(
    'issuer',
    'Fornecimento não realizado com pagamento antecipado',
    'Supply paid in advance and not made',
  ),
  112150: known('issuer', 'Atualização da data de previsão de entrega', 'New expected day of delivery'),
  211110: known('recipient', 'Apropriação de crédito presumido', 'Claim of a presumed credit'),
  211124: known(
    'recipient',
    'Perecimento, perda, roubo ou furto no transporte contratado pelo adquirente',
    'Loss or theft in transport contracted by the buyer',
  ),
  211128: known(
    'recipient',
    'Aceite de débito na apuração por emissão de nota de crédito',
    'Acceptance of a debit from a credit note',
  ),
  211130: known('recipient', 'Imobilização de item', 'Item taken into fixed assets'),
  211140: known('recipient', 'Apropriação de crédito de combustível', 'Claim of a fuel credit'),
  211150: known(
    'recipient',
    'Apropriação de crédito que depende de atividade do adquirente',
    'Claim of a credit that depends on the buyer’s activity',
  ),
  212110: known(
    'successor',
    'Manifestação sobre transferência de crédito de IBS em sucessão',
    'Answer on the transfer of an IBS credit in a succession',
  ),
  212120: known(
    'successor',
    'Manifestação sobre transferência de crédito de CBS em sucessão',
    'Answer on the transfer of a CBS credit in a succession',
  ),
  412120: known(
    'tax_authority',
    'Manifestação do fisco sobre transferência de crédito de IBS em sucessão',
    'Tax authority’s answer on the transfer of an IBS credit in a succession',
  ),
  412130: known(
    'tax_authority',
    'Manifestação do fisco sobre transferência de crédito de CBS em sucessão',
    'Tax authority’s answer on the transfer of a CBS credit in a succession',
  ),
  [EVENT_CANCELLATION]: known('author_of_event', 'Cancelamento de evento', 'Cancellation of an event'),
};

const correction = known('issuer', 'Carta de correção', 'Correction letter', {
  description: 'Carta de Correcao',
});
const cancellation = known('issuer', 'Cancelamento', 'Cancellation', {
  description: 'Cancelamento',
  cancels: true,
});
const paymentLink = known('issuer', 'Vinculação de pagamento', 'Payment link');

function manifestation(event: EventName, portuguese: string, english: string): Record<string, KnownEvent> {
  const { code, description } = manifestationEvents[event];
  return { [code]: known('recipient', portuguese, english, { description }) };
}

/** Events by family, since 110300 is another event on a CT-e than on an NF-e, and by `tpEvento`. Source: docs/fiscal/events.md. */
const events: Readonly<Record<Family, Readonly<Record<string, KnownEvent>>>> = {
  nfe: {
    [CORRECTION_LETTER]: correction,
    110111: cancellation,
    110112: known('issuer', 'Cancelamento por substituição', 'Cancellation by substitution', {
      description: 'Cancelamento por substituicao',
      cancels: true,
    }),
    110130: known('issuer', 'Comprovante de entrega', 'Proof of delivery'),
    110131: known('issuer', 'Cancelamento do comprovante de entrega', 'Cancellation of a proof of delivery'),
    110140: known('issuer', 'EPEC', 'EPEC'),
    110150: known('issuer', 'Ator interessado', 'Party given access'),
    110192: known('issuer', 'Insucesso na entrega', 'Delivery failed'),
    110193: known('issuer', 'Cancelamento do insucesso na entrega', 'Cancellation of a failed delivery'),
    110750: known('issuer', 'Conciliação financeira', 'Payment reconciled'),
    110751: known('issuer', 'Cancelamento da conciliação financeira', 'Cancellation of a payment reconciled'),
    ...manifestation('confirmacao', 'Confirmação da operação', 'Confirmation (Confirmação da Operação)'),
    ...manifestation('ciencia', 'Ciência da operação', 'Acknowledgement (Ciência da Operação)'),
    ...manifestation('desconhecimento', 'Desconhecimento da operação', 'Operation unknown (Desconhecimento)'),
    ...manifestation('nao_realizada', 'Operação não realizada', 'Operation not carried out'),
    110300: paymentLink,
    ...reformEvents,
  },
  cte: {
    [CORRECTION_LETTER]: correction,
    110111: cancellation,
    110113: known('issuer', 'EPEC', 'EPEC'),
    110180: known('issuer', 'Comprovante de entrega', 'Proof of delivery'),
    110181: known('issuer', 'Cancelamento do comprovante de entrega', 'Cancellation of a proof of delivery'),
    110190: known('issuer', 'Insucesso na entrega', 'Delivery failed'),
    110191: known('issuer', 'Cancelamento do insucesso na entrega', 'Cancellation of a failed delivery'),
    110300: paymentLink,
    110301: known('issuer', 'Cancelamento da vinculação de pagamento', 'Cancellation of a payment link'),
    [SERVICE_DISAGREEMENT]: known('payer', 'Prestação do serviço em desacordo', 'Service not as agreed', {
      description: 'Prestacao do Servico em Desacordo',
    }),
    610111: known('payer', 'Cancelamento do desacordo', 'Cancellation of a disagreement'),
  },
  nfse: {
    101101: known('issuer', 'Cancelamento', 'Cancellation', { cancels: true }),
    101103: known(
      'issuer',
      'Pedido de análise fiscal para cancelamento',
      'Request to analyse a cancellation',
    ),
    [NATIONAL_SUBSTITUTION]: known(
      'issuer',
      'Cancelamento por substituição',
      'Cancellation by substitution',
      {
        cancels: true,
      },
    ),
    105104: known('tax_authority', 'Cancelamento deferido', 'Cancellation granted', { cancels: true }),
    105105: known('tax_authority', 'Cancelamento indeferido', 'Cancellation refused'),
    202201: known('issuer', 'Confirmação do prestador', 'Provider’s confirmation'),
    202205: known('issuer', 'Rejeição do prestador', 'Provider’s rejection'),
    203202: known('recipient', 'Confirmação do tomador', 'Taker’s confirmation'),
    203206: known('recipient', 'Rejeição do tomador', 'Taker’s rejection'),
    204203: known('intermediary', 'Confirmação do intermediário', 'Intermediary’s confirmation'),
    204207: known('intermediary', 'Rejeição do intermediário', 'Intermediary’s rejection'),
    205204: known('tax_authority', 'Confirmação tácita', 'Tacit confirmation'),
    205208: known('tax_authority', 'Anulação da rejeição', 'Rejection annulled'),
    305101: known('tax_authority', 'Cancelamento de ofício', 'Cancellation by the authority', {
      cancels: true,
    }),
    305102: known('tax_authority', 'Bloqueio', 'Block'),
    305103: known('tax_authority', 'Desbloqueio', 'Unblock'),
  },
};

/** An event of a document of this kind; undefined for a code that no table here has. */
export function knownEvent(kind: DocumentKind, code: string | undefined): KnownEvent | undefined {
  if (kind === 'event' || code === undefined) return undefined;
  const known = events[familyOf(kind)];
  return Object.hasOwn(known, code) ? known[code] : undefined;
}

/** Whether an event belongs to the assessment of IBS and CBS, or links a payment to it. */
export function isReformEvent(code: string | undefined): boolean {
  return code !== undefined && (Object.hasOwn(reformEvents, code) || code === '110300' || code === '110301');
}

const all: readonly (readonly [string, KnownEvent])[] = Object.values(events).flatMap(Object.entries);

/** Codes (`tpEvento`) of the events that cancel their document, NF-e and CT-e first. */
export const cancellationEvents: ReadonlySet<string> = new Set(
  all.filter(([, { cancels }]) => cancels).map(([code]) => code),
);

/** `descEvento` by `tpEvento`. */
export const eventDescriptions: Readonly<Record<string, string>> = Object.fromEntries(
  all.flatMap(([code, { description }]) => (description === undefined ? [] : [[code, description]])),
);

/** The name of an event whose file gives its code only, as a receipt without its request may; undefined for others. */
export function eventDescription(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(eventDescriptions, code) ? eventDescriptions[code] : undefined;
}

const manifestationCodes = Object.values(manifestationEvents).map(({ code }) => code);

/**
 * Words by which events are asked for, and the codes that each stands for, the usual one first. `none` is not among
 * them: it asks for documents without any manifestation. Source: docs/fiscal/events.md.
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

function isWord(text: string): text is EventWord {
  return Object.hasOwn(codesByWord, text);
}

/** Codes (`tpEvento`) that a word or a code stands for; of `none` those of the four manifestations. */
export function codesOfEvent(asked: string): readonly string[] {
  if (asked === 'none') return manifestationCodes;
  return isWord(asked) ? codesByWord[asked] : [asked];
}

/** Whether only NF-e have these events. */
export function isOfManifestation(asked: string): boolean {
  return codesOfEvent(asked).some((code) => manifestationCodes.some((one) => one === code));
}

/** Whether the question is about cancelled documents. */
export function isOfCancellation(asked: string): boolean {
  return codesOfEvent(asked).some((code) => cancellationEvents.has(code));
}

/** Between the events of one document. */
export const BETWEEN_EVENTS = '+';

/** Codes in order, with blanks between, in the words of a question: `110110 210200` as `correction_letter+confirmacao`. */
export function wordsOfEvents(codes: string): string {
  const wordOf = (code: string) => eventWords.find((word) => codesByWord[word][0] === code) ?? code;
  return codes.split(' ').map(wordOf).join(BETWEEN_EVENTS);
}
