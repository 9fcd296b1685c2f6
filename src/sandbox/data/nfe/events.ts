import { type Moment, yearDigits } from '../calendar.ts';
import type { RegisteredEvent } from '../event-xml.ts';
import { stateCode } from '../parties/party.ts';
import { createRandom } from '../random.ts';
import type { Nfe } from './book.ts';

/** `cOrgao` of the national environment, where manifestations are registered. */
export const NATIONAL_AUTHORITY = '91';

function event(note: Nfe, code: string, at: Moment, more: Partial<RegisteredEvent> = {}): RegisteredEvent {
  const authority = code.startsWith('21') ? NATIONAL_AUTHORITY : stateCode(note.issuer);
  return {
    documentKey: note.key,
    code,
    sequence: 1,
    author: code.startsWith('21') ? note.recipient.id : note.issuer.id,
    authority,
    at,
    protocol: `1${authority}${yearDigits(at)}${createRandom(note.key, code).digits(10)}`,
    ...more,
  };
}

/** The events that belong to the data and had happened by a moment, in the order they happened. */
export function pastEvents(note: Nfe, now: Moment): RegisteredEvent[] {
  const events = note.manifestations.map(({ code, at }) =>
    event(note, code, at, code === '210240' ? { text: 'Mercadoria devolvida na conferencia' } : {}),
  );
  if (note.correctedAt !== undefined) {
    events.push(
      event(note, '110110', note.correctedAt, { text: 'Corrigir o bairro de entrega: Vila Industrial.' }),
    );
  }
  if (note.cancelledAt !== undefined) {
    events.push(
      event(note, '110111', note.cancelledAt, {
        text: note.isCancelledLate
          ? 'Operacao desfeita de comum acordo com o cliente'
          : 'Pedido cancelado pelo cliente antes da entrega',
        isLate: note.isCancelledLate,
      }),
    );
  }
  return events.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
}
