import { eventDescriptions } from '../../../documents/events/event-names.ts';
import partsXml from '../../templates/nfe-parts.xml';
import { isoMoment, type Moment, yearDigits } from '../calendar.ts';
import { stateCode } from '../parties.ts';
import { createRandom } from '../random.ts';
import { casesOf, compileTemplate, variantOf } from '../templates.ts';
import type { Nfe } from './book.ts';

/** An event that was registered on a note. */
export interface RegisteredEvent {
  readonly documentKey: string;
  /** `tpEvento`, six digits. */
  readonly code: string;
  readonly sequence: number;
  /** CNPJ of who registered it. */
  readonly author: string;
  /** `cOrgao`: a state's code, or 91 for the national environment. */
  readonly authority: string;
  readonly at: Moment;
  readonly protocol: string;
  /** Justification or correction. */
  readonly text?: string;
  /** A cancellation that was accepted after its time. */
  readonly isLate?: boolean;
}

/** `cOrgao` of the national environment, where manifestations are registered. */
export const NATIONAL_AUTHORITY = '91';

function eventOf(note: Nfe, code: string, at: Moment, more: Partial<RegisteredEvent> = {}): RegisteredEvent {
  const isManifestation = code.startsWith('21');
  const authority = isManifestation ? NATIONAL_AUTHORITY : stateCode(note.issuer);
  return {
    documentKey: note.key,
    code,
    sequence: 1,
    author: isManifestation ? note.recipient.id : note.issuer.id,
    authority,
    at,
    protocol: `1${authority}${yearDigits(at)}${createRandom(note.key, code).digits(10)}`,
    ...more,
  };
}

/** The events that belong to the data and had happened by a moment, in the order they happened. */
export function pastEvents(note: Nfe, now: Moment): RegisteredEvent[] {
  const { manifestations, correctedAt, cancelledAt, isCancelledLate: isLate } = note;
  const events = manifestations.map(({ code, at }) =>
    eventOf(note, code, at, code === '210240' ? { text: 'Mercadoria devolvida na conferencia' } : {}),
  );
  if (correctedAt !== undefined)
    events.push(
      eventOf(note, '110110', correctedAt, { text: 'Corrigir o bairro de entrega: Vila Industrial.' }),
    );
  if (cancelledAt !== undefined) {
    const text = isLate
      ? 'Operacao desfeita de comum acordo com o cliente'
      : 'Pedido cancelado pelo cliente antes da entrega';
    events.push(eventOf(note, '110111', cancelledAt, { text, isLate }));
  }
  return events.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
}

/** `cStat` and `xMotivo` of a registration. Source: docs/fiscal/events.md. */
const registrations = {
  inTime: { status: '135', reason: 'Evento registrado e vinculado a NF-e' },
  late: { status: '155', reason: 'Cancelamento homologado fora de prazo' },
} as const;

const CORRECTION_TERMS =
  'A Carta de Correcao e disciplinada pelo paragrafo 1o-A do art. 7o do Convenio S/N, de 15 de dezembro de 1970 e ' +
  'pode ser utilizada para regularizacao de erro ocorrido na emissao de documento fiscal, desde que o erro nao ' +
  'esteja relacionado com: I - as variaveis que determinam o valor do imposto tais como: base de calculo, ' +
  'aliquota, diferenca de preco, quantidade, valor da operacao ou da prestacao; II - a correcao de dados ' +
  'cadastrais que implique mudanca do remetente ou do destinatario; III - a data de emissao ou de saida.';

const eventTemplate = compileTemplate(variantOf(casesOf(partsXml, 'part').get('event') ?? ''));

/** `procEventoNFe`. `authorization` is the document's own protocol, which a cancellation repeats. */
export function nfeEventXml(event: RegisteredEvent, authorization: string): string {
  const { code, sequence } = event;
  const isCorrection = code === '110110';
  return eventTemplate({
    code,
    key: event.documentKey,
    sequence: String(sequence),
    sequence_padded: String(sequence).padStart(2, '0'),
    authority: event.authority,
    author: event.author,
    at: isoMoment(event.at),
    name: eventDescriptions[code] ?? '',
    ...(isCorrection ? { correction: event.text, terms: CORRECTION_TERMS } : { justification: event.text }),
    cancelled: code === '110111' ? authorization : undefined,
    ...registrations[event.isLate ? 'late' : 'inTime'],
    protocol: event.protocol,
  });
}
